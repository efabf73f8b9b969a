"""Round robin: every pair meets, equally often where a design exists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.formats.values import RoundPairing

SEARCH_STEPS = 60_000
"""Steps of the search for even meetings where no design is known; about a second."""


@dataclass(frozen=True, slots=True)
class RoundRobinPlan:
    """All rounds of a round robin, and the numbers an organiser looks at before choosing it."""

    seats: int
    rounds: tuple[RoundPairing, ...]
    matches: int
    """Over all rounds."""
    least_meetings: int
    """How often the pair that meets least meets."""
    most_meetings: int
    seat_spread: int
    """The largest difference, over entrants, between the seat sat in most and the seat sat in least: 0 or 1."""
    is_design: bool
    """True: by construction every pair meets equally often. False: as even as the search got."""


def round_robin_plan(
    entrants: Sequence[int], seats: int = 2, *, laps: int = 1, steps: int = SEARCH_STEPS
) -> RoundRobinPlan:
    """Every round of a round robin at tables of `seats` (2 to 7).

    The order of `entrants` is the drawing of lots: the same order gives the same plan. `laps` plays everything that
    often, with the seats swapped on. Raises `NotEnoughEntrants` below two entrants (two seats) or three (tables); with
    fewer entrants than seats all meet at one table. Raises ValueError for a double entrant, seats or laps out of range.
    """
    raise NotImplementedError
