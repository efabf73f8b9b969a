"""Every way to pair a small field, and what each does not keep: a check that shares no code with the pairing."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from tests.support.strategies import Swiss
from tournaments.formats import RoundPairing, SwissEntrant


def partitions(places: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[list[tuple[int, ...]]]:
    """All ways to seat everybody at tables of these sizes, each once."""
    if not places:
        yield []
        return
    for size in set(sizes):
        left = list(sizes)
        left.remove(size)
        for others in combinations(places[1:], size - 1):
            rest = tuple(place for place in places[1:] if place not in others)
            for tables in partitions(rest, tuple(left)):
                yield [(places[0], *others), *tables]


def clashes(tables: Sequence[Sequence[SwissEntrant]], trusted: bool) -> tuple[int, int]:
    """Pairs of one owner, and rematches (twice for those who have met twice)."""
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    owners = 0 if trusted else sum(a.owner == b.owner for a, b in pairs)
    return owners, sum(a.met.get(b.id, 0) for a, b in pairs)


def tables_of(pairing: RoundPairing, swiss: Swiss) -> list[list[SwissEntrant]]:
    by_id = {entrant.id: entrant for entrant in swiss.entrants}
    return [[by_id[entrant] for entrant in table.entrants] for table in pairing.tables]


def check_round(pairing: RoundPairing, swiss: Swiss) -> None:
    """What holds of every Swiss round."""
    seated = Counter(entrant for table in pairing.tables for entrant in table.entrants)
    seated.update(bye.entrant for bye in pairing.byes)
    assert seated == Counter(entrant for entrant, _, _ in swiss.active)
    assert not pairing.sitting_out
    tables = tables_of(pairing, swiss)
    pairs = [tuple(sorted((a.id, b.id))) for table in tables for a, b in combinations(table, 2)]
    by_id = {entrant.id: entrant for entrant in swiss.entrants}
    noted = {
        kind: sorted(note.entrants for note in pairing.notes if note.kind == kind) for kind in ("same_owner", "rematch")
    }
    same_owner = [] if swiss.trusted else [(a, b) for a, b in pairs if by_id[a].owner == by_id[b].owner]
    assert noted["same_owner"] == sorted(same_owner)
    assert noted["rematch"] == sorted((a, b) for a, b in pairs if b in by_id[a].met)
