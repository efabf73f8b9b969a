"""What a plan can tell apart before a card is dealt."""

from __future__ import annotations

import math
from statistics import NormalDist

SPREAD = 58.0
"""Standard deviation of the score margin of one game, in card points: luck rules it (DESIGN 6)."""
SAVINGS = {"field": (2.8, 7.6), "rotated": (3.5, 10.3), "independent": (1.0, 1.0)}
"""Deal mode -> how many times fewer games it needs on the score margin, for unlike and for similar bots. Measured at
4 seats over 1.2 million trial games (DESIGN 6)."""
CONFIDENCE = 0.95
POWER = 0.80


def smallest_gap(games: float) -> float:
    """The least difference of two bots in mean margin a game that so many games of each show with 80 % power at 95 %.

        gap = (z(1 - (1 - 0.95) / 2) + z(0.80)) * 58 * sqrt(2 / games)

    the usual normal approximation for the difference of two means of one spread, two-sided. `games` counts games on
    independent deals: one on shared deals is worth as many as its mode saves (`SAVINGS`). As DESIGN 6 has it, a gap of 7
    points needs about 1,000 games of each:

    >>> round(smallest_gap(1000), 1)
    7.3
    """
    if games <= 0:
        raise ValueError(f"{games} games: more than none")
    normal = NormalDist()
    factor = normal.inv_cdf(1 - (1 - CONFIDENCE) / 2) + normal.inv_cdf(POWER)
    return factor * SPREAD * math.sqrt(2 / games)
