"""Swiss: equal points meet, nobody meets twice, owners are kept apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tournaments.formats.values import RoundPairing


@dataclass(frozen=True, slots=True)
class SwissEntrant:
    """What pairing must know of one active entrant."""

    id: int
    owner: int
    seed: int
    """Pairing number, 1 first; unique among the entrants. Equal points are ordered by it."""
    points: Fraction = Fraction(0)
    met: Mapping[int, int] = field(default_factory=dict)
    """Opponent id -> how often they sat at one table."""
    byes: int = 0
    short_tables: int = 0
    """Rounds at a table smaller than the largest of that round."""
    sittings: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """Table size -> games sat in seat 0, 1, ... at tables of that size."""


@dataclass(frozen=True, slots=True)
class PastRound:
    """A closed round as it counts for pairing: tables that were played (whoever calls leaves void ones out)."""

    pairing: RoundPairing
    games: int = 1
    """Games a match; each moves everybody one seat on (`Pairing.seat_order`)."""


def swiss_entrants(
    field: Iterable[tuple[int, int, int]], points: Mapping[int, Fraction], past: Sequence[PastRound]
) -> tuple[SwissEntrant, ...]:
    """The active entrants, given as (id, owner, seed), with what the past rounds did to them."""
    raise NotImplementedError


def pair_swiss(
    entrants: Iterable[SwissEntrant],
    seats: int,
    *,
    trusted: bool = False,
    lots: bytes = b"",
    games: int = 1,
    rounds_after: int = 0,
) -> RoundPairing:
    """Pair one Swiss round at tables of `seats` (2 to 7).

    `trusted` lifts the rule that keeps bots of one owner apart. `lots` is the chance that decides what nothing else
    decides (who sits where among equals); the same bytes and entrants, in any order, give the same round. `games` is
    the number of games a match. `rounds_after` says how many rounds are still to come after this one: in a small field
    a round that leaves a next one without a rematch is preferred.

    Two seats: at most one bye, for the lowest of those with the fewest byes. Tables: no bye, sizes differ by at most
    one. Raises `NotEnoughEntrants` below two (tables: three) entrants, ValueError for a double id or seed.
    """
    raise NotImplementedError
