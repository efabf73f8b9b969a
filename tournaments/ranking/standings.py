"""Standings: points, then an announced order of tiebreaks, each cell with its arithmetic."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from tournaments.ranking.results import Result


class Tiebreak(StrEnum):
    OPPONENT_POINTS = "opponent_points"
    """Mean of the opponents' points, theirs without byes; a round an opponent did not play counts 1/2."""
    FIRST_PLACES = "first_places"
    """Games won; a shared first place counts its share."""
    MEAN_MARGIN = "mean_margin"
    """Mean over games of (mean of the table opponents' scores less one's own), in card points."""
    DIRECT = "direct"
    """Points against those still tied, where all of them have met."""


DEFAULT_TIEBREAKS = (Tiebreak.OPPONENT_POINTS, Tiebreak.FIRST_PLACES, Tiebreak.MEAN_MARGIN, Tiebreak.DIRECT)


@dataclass(frozen=True, slots=True)
class TiebreakCell:
    """One number of a row and how it came about."""

    value: Fraction | None
    """None: not possible or not needed; the explanation says which."""
    explanation: str
    """Plain text: `(2/3 + 1 + 1/3) / 3`."""


@dataclass(frozen=True, slots=True)
class StandingsRow:
    entrant: int
    place: int
    is_shared: bool
    points: TiebreakCell
    """The total; with `per_match` the mean over its matches. Its value is never None."""
    matches: int
    """Matches that count: played, walkovers, void and absences; not byes, not sitting out."""
    tiebreaks: tuple[TiebreakCell, ...]
    """In the announced order."""
    is_withdrawn: bool

    @property
    def place_text(self) -> str:
        """`3`, or `=3` when the place is shared."""
        return f"={self.place}" if self.is_shared else str(self.place)


def standings(
    entrants: Iterable[int],
    results: Iterable[Result],
    *,
    tiebreaks: Sequence[Tiebreak] = DEFAULT_TIEBREAKS,
    per_match: bool = False,
    withdrawn: Collection[int] = (),
) -> tuple[StandingsRow, ...]:
    """Rows, best first; equal rows in order of entrant id. Any order of the arguments gives the same rows.

    `per_match` ranks by mean points a match, for round robins in which numbers of matches differ. Withdrawn entrants
    keep their points and place. Raises ValueError for a result of someone who is not an entrant, or two in one round.
    """
    raise NotImplementedError
