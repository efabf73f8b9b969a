"""What games between the same bots show: means with 95 % intervals.

An interval is Student's, over deal sets: games that share their cards are one observation, the mean of the set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from operator import attrgetter
from statistics import fmean, stdev

from bots.cli.local_play import PlayedGame

Z = 1.959964
_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
"""Quantiles of Student's t at 0.975 for 1 to 10 degrees of freedom."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its 95 % interval."""

    mean: float
    half_width: float | None
    """None with fewer than two observations."""

    @property
    def low(self) -> float | None:
        return None if self.half_width is None else self.mean - self.half_width

    @property
    def high(self) -> float | None:
        return None if self.half_width is None else self.mean + self.half_width


@dataclass(frozen=True, slots=True)
class BotFigures:
    """One bot over all games."""

    name: str
    score: Estimate
    place: Estimate
    wins: float
    """First places, a shared one in parts."""
    margin: Estimate
    """The mean of the table opponents' scores less one's own: more is better."""
    faults: int
    retirements: int


def bot_figures(names: Sequence[str], games: Sequence[PlayedGame]) -> list[BotFigures]:
    """The figures of each bot, in the order of the names; at least one game."""
    return [_figures_of(bot, name, games) for bot, name in enumerate(names)]


def estimate(observations: Sequence[float]) -> Estimate:
    """The mean of at least one observation, and Student's interval from two on."""
    count = len(observations)
    if count < 2:
        return Estimate(observations[0], None)
    return Estimate(fmean(observations), _t_quantile(count - 1) * stdev(observations) / sqrt(count))


def set_means(games: Sequence[PlayedGame], values: Sequence[float]) -> list[float]:
    """The mean of the values, one a game, over each deal set; the games of a set follow each other."""
    paired = zip(games, values, strict=True)
    return [fmean(value for _, value in members) for _, members in groupby(paired, key=lambda pair: pair[0].deal_set)]


def margin(scores: Sequence[int], bot: int) -> float:
    """The mean of the others' scores less one's own."""
    return (sum(scores) - scores[bot]) / (len(scores) - 1) - scores[bot]


def _figures_of(bot: int, name: str, games: Sequence[PlayedGame]) -> BotFigures:
    faults = [fault for game in games for fault in game.faults[bot]]
    return BotFigures(
        name=name,
        score=estimate(set_means(games, [game.scores[bot] for game in games])),
        place=estimate(set_means(games, [game.places[bot] for game in games])),
        wins=sum(1 / game.places.count(1) for game in games if game.places[bot] == 1),
        margin=estimate(set_means(games, [margin(game.scores, bot) for game in games])),
        faults=len(faults),
        retirements=sum(map(attrgetter("retires"), faults)),
    )


def _t_quantile(freedom: int) -> float:
    """From 11 degrees of freedom on by the Cornish-Fisher expansion, right to three decimals."""
    if freedom <= len(_T):
        return _T[freedom - 1]
    return Z + (Z**3 + Z) / (4 * freedom) + (5 * Z**5 + 16 * Z**3 + 3 * Z) / (96 * freedom**2)
