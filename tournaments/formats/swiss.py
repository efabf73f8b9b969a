"""Swiss: equal points meet, nobody meets twice, owners are kept apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from tournaments.formats.seats import fairest_order, sittings_after, spread
from tournaments.formats.swiss_field import SwissEntrant, in_order
from tournaments.formats.swiss_pairs import match_pairs
from tournaments.formats.swiss_tables import seat_tables
from tournaments.formats.values import MOST_SEATS, Bye, Note, NoteKind, NotEnoughEntrants, Pairing, RoundPairing

_SPREAD_SAID = 2
"""A spread of seats above this is noted."""


def pair_swiss(
    entrants: Iterable[SwissEntrant],
    seats: int,
    *,
    trusted: bool = False,
    lots: bytes = b"",
    games: int = 1,
    rounds_after: int = 0,
) -> RoundPairing:
    """Pair one Swiss round at tables of `seats` (2 to 14).

    `trusted` lifts the rule that keeps bots of one owner apart. `lots` is the chance that decides what nothing else
    decides (who sits where among equals); the same bytes and entrants, in any order, give the same round. `games` is
    the number of games a match. `rounds_after` says how many rounds are still to come after this one: in a small field
    a round that leaves a next one without a rematch is preferred.

    Two seats: at most one bye, for the lowest of those with the fewest byes. Tables: no bye, sizes differ by at most
    one. Raises `NotEnoughEntrants` below two (tables: three) entrants, ValueError for a double id or seed.
    """
    if not 2 <= seats <= MOST_SEATS:
        raise ValueError(f"tables of {seats} seats: 2 to {MOST_SEATS}")
    field = in_order(entrants)
    if len(field) < min(seats, 3):
        raise NotEnoughEntrants(len(field), min(seats, 3))
    if seats == 2:
        matched = match_pairs(field, trusted=trusted, lots=lots, games=games)
        tables: Sequence[Sequence[SwissEntrant]] = matched.pairs
        byes = (Bye(matched.bye.id),) if matched.bye else ()
        is_best = matched.is_best
    else:
        tables, is_best = seat_tables(field, seats, trusted=trusted, rounds_after=rounds_after)
        byes = ()
    seated = tuple(_seated(table, games, lots) for table in tables)
    return RoundPairing(seated, byes, notes=tuple(_notes(tables, seated, trusted, games, is_best)))


def _seated(table: Sequence[SwissEntrant], games: int, lots: bytes) -> Pairing:
    return Pairing(fairest_order({entrant.id: entrant.sat(len(table)) for entrant in table}, games, lots))


def _notes(
    tables: Sequence[Sequence[SwissEntrant]], seated: Sequence[Pairing], trusted: bool, games: int, is_best: bool
) -> Iterator[Note]:
    """What was not kept, the most important kind first."""
    pairs = [sorted(pair, key=lambda entrant: entrant.id) for table in tables for pair in combinations(table, 2)]
    if not trusted:
        yield from (Note(NoteKind.SAME_OWNER, (a.id, b.id), is_best) for a, b in pairs if a.owner == b.owner)
    yield from (Note(NoteKind.REMATCH, (a.id, b.id), is_best) for a, b in pairs if a.met.get(b.id))
    largest = max(map(len, tables))
    at_short = [entrant for table in tables if len(table) < largest for entrant in table]
    fewest = min(entrant.short_tables for table in tables if len(table) == largest for entrant in table)
    yield from (
        Note(NoteKind.SHORT_TABLE_AGAIN, (entrant.id,), False) for entrant in at_short if entrant.short_tables > fewest
    )
    by_id = {entrant.id: entrant for table in tables for entrant in table}
    for pairing in seated:
        for seat, id_ in enumerate(pairing.entrants):
            if spread(sittings_after(by_id[id_].sat(pairing.size), seat, games)) > _SPREAD_SAID:
                yield Note(NoteKind.SEAT_SPREAD, (id_,), False)
