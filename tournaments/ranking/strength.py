"""How strong entrants are, and how sure that is. See README.md for the formulas.

Not imported by the package: it loads numpy and scipy, which standings and Elo do without.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import shake_256
from itertools import accumulate, combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from tournaments.ranking.bradley_terry import Floats, bradley_terry, likelihood_covariance

LEAST_SETS = 6
"""Below so many deal sets nothing is said of an entrant: even six results that all point one way happen once in 32 by chance."""
RESAMPLES = 500
FITS = 200
"""Resamples where each costs a fit."""
LEVEL = 0.95
VIRTUAL_DRAWS = 1.0
"""Pair scores of 1/2 against one imaginary opponent: they keep who won everything finite."""

Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class DealtGame:
    """A finished game. Its tuples run by seat, so all games of a deal set have the same seats."""

    deal_set: int
    """One number for all games with one deal, over everything that is handed in. A game that was replayed with a
    replacement seed has a number of its own."""
    entrants: tuple[int, ...]
    places: tuple[int, ...]
    """From 1; ties share the better place."""
    game_rounds: tuple[tuple[int, ...], ...]
    """Card points of the eleven game rounds in order, each by seat; those of a playoff are not among them."""
    retired_in_round: int | None = None
    """The game round, from 1, in which the first seat retired: only those before it count (DESIGN 7)."""

    @property
    def counted(self) -> tuple[tuple[int, ...], ...]:
        return self.game_rounds if self.retired_in_round is None else self.game_rounds[: self.retired_in_round - 1]


class Measure(StrEnum):
    MARGIN = "margin"
    """Card points per game round better than who held the same seat in the same deals; more is better."""
    BRADLEY_TERRY = "bradley_terry"
    """Rating points on the scale of Elo, 0 the mean of the field; allows for who was met."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """One entrant's strength."""

    entrant: int
    value: float
    low: float
    high: float
    """The 95 % interval. An entrant with a single deal set has an infinite one."""
    deal_sets: int
    could_be: tuple[int, int] | None
    """Best and worst rank that chance alone leaves open; None under `LEAST_SETS`."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One entrant against another."""

    value: float
    """Of the first less that of the second."""
    low: float
    high: float
    above: float
    """How likely the first is the stronger one, given these games and nothing else."""
    is_separated: bool
    """The interval leaves 0 out, and both have `LEAST_SETS`."""
    more_sets: int | None
    """About how many more deal sets would tell them apart if the difference stays; None if they are, if nothing tells them apart,
    or if one of them has but one deal set."""


class Verdict(StrEnum):
    CLEAR = "clear"
    TIE = "tie"
    TOO_FEW = "too few"


@dataclass(frozen=True, slots=True)
class Lead:
    """What can be said of the top."""

    verdict: Verdict
    entrants: tuple[int, ...]
    """The winner; or the leader and those not separated from it; or nobody."""


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """A whole field by one measure."""

    measure: Measure
    estimates: tuple[Estimate, ...]
    """The best first, equal ones in order of entrant. Entrants without a counted game are not among them."""
    _at: dict[int, int] = field(repr=False)
    _values: Floats = field(repr=False)
    _sets: Ints = field(repr=False)
    _variances: Floats = field(repr=False)
    """[i, j]: of the difference between the i-th and the j-th entrant."""

    def difference(self, first: int, second: int) -> Difference:
        """Raises KeyError for an entrant without an estimate."""
        i, j = self._at[first], self._at[second]
        value = float(self._values[i] - self._values[j])
        error = math.sqrt(self._variances[i, j])
        sets = int(min(self._sets[i], self._sets[j]))
        half = _half_width(error, sets)
        is_separated = sets >= LEAST_SETS and abs(value) > half
        ahead = _above(np.array([value]), np.array([error]), np.array([sets]))[0]
        more = None if is_separated else _more_sets(value, half, sets)
        return Difference(value, value - half, value + half, float(ahead), is_separated, more)

    def lead(self) -> Lead:
        """Of those with `LEAST_SETS`, by Holm's method over all their pairs at once: 1 in 20 to name any wrong difference."""
        ranked = [each.entrant for each in self.estimates if each.deal_sets >= LEAST_SETS]
        if len(ranked) < 2:
            return Lead(Verdict.TOO_FEW, ())
        rows = np.array([self._at[entrant] for entrant in ranked])
        square = np.ix_(rows, rows)
        above = _above(
            self._values[rows][:, None] - self._values[rows][None, :],
            np.sqrt(self._variances[square]),
            np.minimum(self._sets[rows][:, None], self._sets[rows][None, :]),
        )
        is_apart = _holm(2 * np.minimum(above, 1 - above))
        tied = tuple(other for at, other in enumerate(ranked) if at and not is_apart[0, at])
        return Lead(Verdict.TIE if tied else Verdict.CLEAR, (ranked[0], *tied))


def _above(differences: Floats, errors: Floats, sets: Ints) -> Floats:
    """Student's: how likely each difference is above 0."""
    certain = np.where(differences > 0, np.inf, np.where(differences < 0, -np.inf, 0.0))
    scaled = np.divide(differences, errors, out=certain, where=errors > 0)
    return np.asarray(stdtr(np.maximum(sets - 1, 1), scaled), dtype=np.float64)


def _holm(chances: Floats) -> NDArray[np.bool_]:
    """`[i, j]`, i < j: equals would so seldom look so different that all of these may be named together."""
    i, j = np.triu_indices(len(chances), 1)
    order = np.argsort(chances[i, j], kind="stable")
    is_large = chances[i, j][order] * np.arange(len(order), 0, -1) > 1 - LEVEL
    named = order[: int(np.argmax(is_large)) if is_large.any() else len(order)]
    is_apart = np.zeros(chances.shape, dtype=np.bool_)
    is_apart[i[named], j[named]] = True
    return is_apart


def _more_sets(value: float, half: float, sets: int) -> int | None:
    """An interval shrinks with the root of the number of deal sets."""
    if not value or math.isinf(half):
        return None
    return max(math.ceil(sets * ((half / value) ** 2 - 1)), LEAST_SETS - sets, 1)


def margin_strengths(games: Iterable[DealtGame], seed: bytes, *, resamples: int = RESAMPLES) -> Strengths:
    """By margin. Equal games and seeds give equal numbers, in whatever order the games come.

    Needs no more than sums, so that thousands of deal sets take seconds.
    """
    ordered = _ordered(games)
    found = [each for deal in _by_deal(ordered) for each in _set_margins(deal)]
    if not found:
        return _nothing(Measure.MARGIN)
    entrants = sorted({each.entrant for each in found})
    at, sets = _numbers(entrants), _numbers(sorted({each.deal_set for each in found}))
    who = np.array([at[each.entrant] for each in found], dtype=np.intp)
    where = np.array([sets[each.deal_set] for each in found], dtype=np.intp)
    sums = np.array([each.sum for each in found], dtype=np.float64)
    rounds = np.array([each.game_rounds for each in found], dtype=np.float64)

    def estimate(weights: Floats) -> Floats:
        weight = weights[where]
        total = np.bincount(who, rounds * weight, len(entrants))
        earned = np.bincount(who, sums * weight, len(entrants))
        nobody: Floats = np.full(len(entrants), np.nan)
        return np.divide(earned, total, out=nobody, where=total > 0)

    samples = _bootstrap(estimate, len(sets), seed, resamples)
    return _strengths(Measure.MARGIN, at, estimate(np.ones(len(sets))), _sets_of(who, where, len(entrants)), samples)


@dataclass(frozen=True, slots=True)
class _Margin:
    deal_set: int
    entrant: int
    sum: float
    """Over the counted game rounds."""
    game_rounds: int


def _set_margins(deal: Sequence[DealtGame]) -> Iterator[_Margin]:
    """By seat: the margin less its mean at the other tables that counted as many game rounds, if there are any.

    Where an entrant plays the deal more than once the seats go round, and its plain margins are what it made of them.
    """
    seated = [entrant for game in deal for entrant in game.entrants]
    is_rotated = len(set(seated)) < len(seated)
    tables = [list(accumulate(map(_round_margins, game.counted), np.add)) for game in deal]
    for game, own in zip(deal, tables, strict=True):
        reach = len(own)
        if not reach:
            continue
        others = [other[reach - 1] for other in tables if other is not own and len(other) >= reach]
        luck = np.mean(others, axis=0) if others and not is_rotated else np.zeros(len(game.entrants))
        for entrant, margin in zip(game.entrants, own[-1] - luck, strict=True):
            yield _Margin(game.deal_set, entrant, float(margin), reach)


def _round_margins(scores: Sequence[int]) -> Floats:
    """Mean of the table opponents' scores less one's own, by seat."""
    own = np.array(scores, dtype=np.float64)
    margins: Floats = (own.sum() - own) / (len(scores) - 1) - own
    return margins


def pair_strengths(
    games: Iterable[DealtGame], seed: bytes, *, resamples: int = FITS, virtual_draws: float = VIRTUAL_DRAWS
) -> Strengths:
    """By a Bradley-Terry fit over pair scores: 1, 1/2, 0 for each two at a table.

    By place; where a seat retired, by the sums of the counted game rounds. The interval is never narrower than the
    likelihood allows, so that who won everything, in every resample too, is not certain of anything.
    """
    ordered = [game for game in _ordered(games) if game.counted]
    scores = [each for game in ordered for each in _pair_scores(game)]
    if not scores:
        return _nothing(Measure.BRADLEY_TERRY)
    entrants = sorted({entrant for game in ordered for entrant in game.entrants})
    at, sets = _numbers(entrants), _numbers(sorted({game.deal_set for game in ordered}))
    who = np.array([at[winner] for _, winner, _, _ in scores], dtype=np.intp)
    whom = np.array([at[loser] for _, _, loser, _ in scores], dtype=np.intp)
    where = np.array([sets[deal_set] for deal_set, _, _, _ in scores], dtype=np.intp)
    points = np.array([score for _, _, _, score in scores], dtype=np.float64)
    size = len(entrants)

    def wins(weights: Floats) -> Floats:
        flat = np.bincount(who * size + whom, points * weights[where], size * size)
        return np.asarray(flat.reshape(size, size), dtype=np.float64)

    everything = wins(np.ones(len(sets)))
    values = bradley_terry(everything, virtual_draws)

    def estimate(weights: Floats) -> Floats:
        return bradley_terry(wins(weights), virtual_draws, start=values)

    samples = _bootstrap(estimate, len(sets), seed, resamples)
    least = likelihood_covariance(everything, values, virtual_draws)
    return _strengths(Measure.BRADLEY_TERRY, at, values, _sets_of(who, where, size), samples, least)


def _pair_scores(game: DealtGame) -> Iterator[tuple[int, int, int, float]]:
    """(deal set, one, other, score of the one), for both of each two."""
    totals = game.places if game.retired_in_round is None else tuple(map(sum, zip(*game.counted, strict=True)))
    for i, j in combinations(range(len(totals)), 2):
        score = ((totals[i] < totals[j]) + (totals[i] <= totals[j])) / 2
        yield game.deal_set, game.entrants[i], game.entrants[j], score
        yield game.deal_set, game.entrants[j], game.entrants[i], 1 - score


def _ordered(games: Iterable[DealtGame]) -> list[DealtGame]:
    found = sorted(games, key=lambda game: (game.deal_set, game.entrants, game.places, game.game_rounds))
    for game in found:
        if any(len(row) != len(game.entrants) for row in (game.places, *game.game_rounds)) or len(game.entrants) < 2:
            raise ValueError(f"deal set {game.deal_set}: rows that do not run by the seats of {game.entrants}")
    for deal in _by_deal(found):
        if len({len(game.entrants) for game in deal}) > 1:
            raise ValueError(f"deal set {deal[0].deal_set}: tables of different sizes")
    return found


def _by_deal(games: Iterable[DealtGame]) -> list[list[DealtGame]]:
    found: dict[int, list[DealtGame]] = defaultdict(list)
    for game in games:
        found[game.deal_set].append(game)
    return list(found.values())


def _numbers(keys: Sequence[int]) -> dict[int, int]:
    return {key: number for number, key in enumerate(keys)}


def _sets_of(who: Ints, where: Ints, size: int) -> Ints:
    """In how many deal sets each has a result."""
    pairs = np.unique(np.stack([who, where]), axis=1)
    return np.bincount(pairs[0], minlength=size)


def _bootstrap(estimate: Callable[[Floats], Floats], sets: int, seed: bytes, resamples: int) -> Floats:
    """`[resample, entrant]`: the estimates from as many deal sets as there are, drawn with replacement.

    Whole sets are drawn, for everybody at once: games of one deal are not independent, and both sides of a comparison
    see the same deals. The draws are the SHAKE-256 stream of seed and number, on every machine the same.
    """
    return np.array([estimate(_drawn(sets, seed, number)) for number in range(resamples)])


def _drawn(sets: int, seed: bytes, number: int) -> Floats:
    stream = shake_256(len(seed).to_bytes(8, "big") + seed + number.to_bytes(8, "big")).digest(4 * sets)
    drawn = (np.frombuffer(stream, dtype=">u4").astype(np.uint64) * np.uint64(sets)) >> np.uint64(32)
    return np.bincount(drawn.astype(np.intp), minlength=sets).astype(np.float64)


def _nothing(measure: Measure) -> Strengths:
    return Strengths(measure, (), {}, np.empty(0), np.empty(0, dtype=np.intp), np.empty((0, 0)))


def _strengths(
    measure: Measure, at: dict[int, int], values: Floats, sets: Ints, samples: Floats, least: Floats | None = None
) -> Strengths:
    deviations = np.where(np.isnan(samples), 0.0, samples - values)
    spread = _of_differences(deviations.T @ deviations / max(len(samples), 1))
    fewer = np.minimum(sets[:, None], sets[None, :])
    own = np.mean(deviations**2, axis=0)
    # A sample of m says too little of its own spread by (m - 1) / m.
    variances = spread * fewer / np.maximum(fewer - 1, 1)
    own = own * sets / np.maximum(sets - 1, 1)
    if least is not None:
        variances, own = np.maximum(variances, _of_differences(least)), np.maximum(own, np.diag(least))
    errors = np.sqrt(own)
    ranges = _ranges(values, np.sqrt(variances), fewer)
    estimates = []
    for entrant, i in at.items():
        half = _half_width(float(errors[i]), int(sets[i]))
        value = float(values[i])
        could_be = ranges[i] if sets[i] >= LEAST_SETS else None
        estimates.append(Estimate(entrant, value, value - half, value + half, int(sets[i]), could_be))
    estimates.sort(key=lambda each: (-each.value, each.entrant))
    return Strengths(measure, tuple(estimates), at, values, sets, variances)


def _of_differences(covariance: Floats) -> Floats:
    own = np.diag(covariance)
    differences: Floats = np.maximum(own[:, None] + own[None, :] - covariance - covariance.T, 0.0)
    return differences


def _half_width(error: float, sets: int) -> float:
    """Student's, for as many deal sets: with few of them 1.96 would promise too much."""
    return float(stdtrit(sets - 1, (1 + LEVEL) / 2)) * error if sets > 1 else math.inf


def _ranges(values: Floats, errors: Floats, sets: Ints) -> list[tuple[int, int]]:
    """1 + those clearly above .. n - those clearly below."""
    width = stdtrit(np.maximum(sets - 1, 1), (1 + LEVEL) / 2) * errors
    is_above = (values[:, None] - values[None, :] > width) & (sets >= LEAST_SETS)
    above, below = is_above.sum(axis=0), is_above.sum(axis=1)
    return [(1 + int(above[i]), len(values) - int(below[i])) for i in range(len(values))]
