"""Who came where in a tournament that ends in an elimination."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from tournaments.formats import Placing
from tournaments.models import Entrant, Stage
from tournaments.selectors.brackets import StageBracket
from tournaments.selectors.standings import standings_for


@dataclass(frozen=True, slots=True)
class PlaceLine:
    entrant: Entrant
    seed: int | None
    """In the bracket; None: not taken into it."""
    placing: Placing | None
    """None: still in."""

    @property
    def place_text(self) -> str:
        """`3`, `5–8` for a shared one, empty while it is open."""
        if self.placing is None:
            return ""
        first, last = self.placing.first, self.placing.last
        return str(first) if first == last else f"{first}–{last}"


def bracket_places(found: StageBracket) -> tuple[PlaceLine, ...]:
    """Everybody of the tournament: who is still in by seed, then who is out, the best place first.

    Below the bracket follow those whom a top cut left out, in the order of the stage before.
    """
    entrants = {each.pk: each for each in found.stage.tournament.entrants.select_related("bot__owner", "version")}
    seeded = [
        PlaceLine(entrants[entrant], seed, found.progress.places.get(entrant))
        for seed, entrant in enumerate(found.stage.seeding, start=1)
    ]
    seeded.sort(key=lambda line: line.placing.first if line.placing else 0)
    return (*seeded, *_left_out(found.stage, entrants))


def _left_out(stage: Stage, entrants: dict[int, Entrant]) -> Iterator[PlaceLine]:
    before = stage.tournament.stages.select_related("tournament").filter(number=stage.number - 1).first()
    if before is None:
        # Nobody but who had withdrawn before the start.
        return
    rows = [line.row for line in standings_for(before).lines if line.row.entrant not in stage.seeding]
    first = len(stage.seeding) + 1
    for _, group in groupby(rows, key=lambda row: row.place):
        shared = list(group)
        placing = Placing(first, first + len(shared) - 1)
        first += len(shared)
        yield from (PlaceLine(entrants[row.entrant], None, placing) for row in shared)
