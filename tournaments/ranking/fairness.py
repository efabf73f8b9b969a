"""What the games of a tournament say about its fairness: who finishes late and gains, and what shared deals were worth."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

LEAST_APPEARANCES = 6
"""Below so many shared deals nothing is said of an entrant."""
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Appearance:
    """An entrant in one shared deal."""

    entrant: int
    lateness: float
    """Share of the other tables that were over before its own, ties half: 0 the first, 1 the last."""
    points: float
    """What the comparison by seat gave it, in [0, 1]."""


@dataclass(frozen=True, slots=True)
class Lag:
    """How an entrant's points go with how late its tables were."""

    entrant: int
    deals: int
    lateness: float
    """The mean. Tables at random give 1/2."""
    gain: float | None
    """Mean points when later than half of the others, less those of the other times; None if one of the two never was."""
    chance: float | None
    """How often lateness and points go together as closely where they have nothing to do with each other; None with too few
    deals, or if one of the two never changed."""
    stands_out: bool
    """Late more often than not, gains by it, and the chance is small even for so many entrants as were looked at."""


def lags(appearances: Iterable[Appearance]) -> tuple[Lag, ...]:
    """Of each entrant, those who stand out first, then by chance; entrants of whom nothing can be said come last.

    A table's time is that of all who sit at it, so one deal says nothing of anybody: what shows over many is whoever was
    there each time. The chance is one-sided, by Fisher's transformation of the correlation; it is multiplied by the number of
    entrants it was worked out for.
    """
    by_entrant: dict[int, list[Appearance]] = defaultdict(list)
    for each in appearances:
        by_entrant[each.entrant].append(each)
    chances = {entrant: _chance(own) for entrant, own in by_entrant.items()}
    looked_at = sum(chance is not None for chance in chances.values())
    found = [_lag(entrant, own, chances[entrant], looked_at) for entrant, own in by_entrant.items()]
    found.sort(key=lambda each: (not each.stands_out, 2.0 if each.chance is None else each.chance, each.entrant))
    return tuple(found)


def _lag(entrant: int, own: Sequence[Appearance], chance: float | None, looked_at: int) -> Lag:
    late = [each.points for each in own if each.lateness > 0.5]
    early = [each.points for each in own if each.lateness <= 0.5]
    gain = _mean(late) - _mean(early) if late and early else None
    lateness = _mean([each.lateness for each in own])
    is_seldom = chance is not None and chance * looked_at < LEVEL
    stands_out = is_seldom and lateness > 0.5 and gain is not None and gain > 0
    return Lag(entrant, len(own), lateness, gain, chance, stands_out)


def _chance(own: Sequence[Appearance]) -> float | None:
    if len(own) < LEAST_APPEARANCES:
        return None
    x, y = [each.lateness for each in own], [each.points for each in own]
    across, along, up = _products(x, y), _products(x, x), _products(y, y)
    if along <= 1e-12 or up <= 1e-12:
        return None
    correlation = max(-0.999999, min(0.999999, across / math.sqrt(along * up)))
    return math.erfc(math.atanh(correlation) * math.sqrt((len(own) - 3) / 2)) / 2


def _products(x: Sequence[float], y: Sequence[float]) -> float:
    """Sum of the products of the deviations."""
    mean_x, mean_y = _mean(x), _mean(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def latenesses(finished: Sequence[float]) -> tuple[float, ...]:
    """Of tables by the time at which each was over: the share of the others that were over before, ties half.

    >>> latenesses([10, 30, 20])
    (0.0, 1.0, 0.5)
    """
    return tuple(
        (sum(other < own for other in finished) + sum(other <= own for other in finished) - 1)
        / (2 * (len(finished) - 1))
        for own in finished
    )


@dataclass(frozen=True, slots=True)
class Spread:
    """Standard deviation of what one game says of an entrant, in card points."""

    deals: int
    alone: float
    """Of the margin at the table: what an independent deal would have said."""
    compared: float
    """Of the margin less its mean for the same seat at the other tables."""

    @property
    def games_saved(self) -> float | None:
        """One game compared says as much as so many alone; None if nothing was left of the spread."""
        return (self.alone / self.compared) ** 2 if self.compared else None


SharedDeal = Sequence[Mapping[int, tuple[int, float]]]
"""The tables of one deal, each: seat -> (entrant, margin)."""


def spread_removed(deals: Iterable[SharedDeal]) -> Spread | None:
    """How much of the spread of margins was that of the cards. None if nobody was in two shared deals.

    Both spreads are around each entrant's own mean, so that differences of skill are in neither.
    """
    alone: dict[int, list[float]] = defaultdict(list)
    compared: dict[int, list[float]] = defaultdict(list)
    count = 0
    for tables in deals:
        count += 1
        for table in tables:
            for seat, (entrant, margin) in table.items():
                others = [other[seat][1] for other in tables if other is not table]
                alone[entrant].append(margin)
                compared[entrant].append(margin - _mean(others))
    if all(len(own) < 2 for own in alone.values()):
        return None
    return Spread(count, _within(alone), _within(compared))


def _within(by_entrant: Mapping[int, Sequence[float]]) -> float:
    """The standard deviation around the means of each, pooled."""
    squares = sum(_products(own, own) for own in by_entrant.values())
    freedom = sum(len(own) - 1 for own in by_entrant.values())
    return math.sqrt(squares / freedom)
