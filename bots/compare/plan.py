"""What a comparison asks, and when it may answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import isfinite, log

USUAL_GAP = 5.0
LEAST_SETS = 20
"""No answer before so many sets. The spread of the results is not known but estimated from the sets so far; with few of
them the estimate is at times far too small, and evidence measured by it far too large. With 20 it is off by a sixth or so
(one standard deviation), and the errors keep to their bounds (tests/bots/compare/test_errors.py simulates them)."""
USUAL_MOST_SETS = 2000
"""About eight times what similar bots need at a table of two to be told apart by the usual gap."""


class Measure(Enum):
    """What one set says: a number in the unit of the hypotheses, above 0 if B did better."""

    MARGIN = "margin"
    """Points a game: how many fewer B scored than A on the same cards. Any real number."""
    WINS = "wins"
    """Wins in a hundred pairings above the 50 of equals: -50 to +50."""


class Verdict(Enum):
    STRONGER = "stronger"
    NOT_STRONGER = "not stronger"
    UNDECIDED = "undecided (limit reached)"


@dataclass(frozen=True, slots=True)
class Plan:
    """H0: B is no better than A (a difference of 0). H1: B is better by `least_gap`.

    0 and not a negative number, because an author asks whether a change helps; +5 because that is about what a worthwhile
    idea brings: a good bot beats a plain greedy one by 7 points a game or more, and what is below 5 is lost in the luck of
    a season. For wins the same number fits: 5 wins more in a hundred. A smaller gap costs sets by its square.

    If B is no better than A, the verdict is `stronger` with a chance of at most `alpha`; if B is better by the gap or
    more, it is `not stronger` with a chance of at most `beta`. In between either may come out.
    """

    measure: Measure = Measure.MARGIN
    least_gap: float = USUAL_GAP
    alpha: float = 0.05
    beta: float = 0.05
    least_sets: int = LEAST_SETS
    most_sets: int = USUAL_MOST_SETS

    def __post_init__(self) -> None:
        if not (isfinite(self.least_gap) and self.least_gap > 0):
            raise ValueError(f"least gap {self.least_gap}: give a number above 0")
        if self.measure is Measure.WINS and self.least_gap >= 50:
            raise ValueError(
                f"least gap {self.least_gap}: 50 wins in a hundred above equals is winning always; give less"
            )
        for name, bound in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < bound < 0.5:
                raise ValueError(f"{name} {bound}: give a chance above 0 and below 0.5")
        if not 2 <= self.least_sets <= self.most_sets:
            raise ValueError(
                f"{self.least_sets} to {self.most_sets} sets: give at least 2, and no fewer at most than at least"
            )

    @property
    def lower(self) -> float:
        """Evidence at or below this says `not stronger`."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """Evidence at or above this says `stronger`."""
        return log((1 - self.beta) / self.alpha)

    def verdict(self, llr: float, sets: int) -> Verdict | None:
        """What the evidence after so many whole sets says, None to go on."""
        if sets >= self.least_sets:
            if llr >= self.upper:
                return Verdict.STRONGER
            if llr <= self.lower:
                return Verdict.NOT_STRONGER
        return Verdict.UNDECIDED if sets >= self.most_sets else None
