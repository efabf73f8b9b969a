"""One measurement as plain data, and how a pair of measurements becomes one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

MOST_SPREAD = 0.15
"""Ratios that lie wider apart than this share of their median are measured again."""


@dataclass(frozen=True)
class Row:
    name: str
    unit: str
    ours: float
    reference: float | None
    ratio: float | None
    goal: float | None
    """What the ratio has to be, or `ours` where there is nothing to compare with; None for a figure that is only reported."""
    holds: bool
    spread: float | None = None
    """Greatest ratio less least one, as a share of the median ratio."""
    note: str = ""


def paired(
    name: str,
    unit: str,
    ours: Callable[[], float],
    reference: Callable[[], float],
    goal: float | None,
    *,
    at_most: bool = False,
    repeats: int = 5,
    note: str = "",
) -> Row:
    """The median of `repeats` ratios ours / reference, the two measured in turn, so that both meet the same machine.

    Higher is better, the goal is a floor; with `at_most` it is a ceiling. A spread above `MOST_SPREAD` is measured once more, and
    the second measurement stands, with its spread.
    """
    pairs = _measured(ours, reference, repeats)
    if _spread(pairs) > MOST_SPREAD:
        pairs = _measured(ours, reference, repeats)
    ratio = median(_ratios(pairs))
    return Row(
        name=name,
        unit=unit,
        ours=median(own for own, _ in pairs),
        reference=median(other for _, other in pairs),
        ratio=ratio,
        goal=goal,
        holds=goal is None or (ratio <= goal if at_most else ratio >= goal),
        spread=_spread(pairs),
        note=note,
    )


def single(
    name: str,
    unit: str,
    ours: Callable[[], float],
    *,
    goal: float | None = None,
    at_most: bool = False,
    repeats: int = 5,
    note: str = "",
) -> Row:
    """A figure without a reference: the median of `repeats`. The spread is that of the figure itself, the goal a bound of it."""
    figures = [ours() for _ in range(repeats)]
    middle = median(figures)
    spread = (max(figures) - min(figures)) / middle if len(figures) > 1 else None
    holds = goal is None or (middle <= goal if at_most else middle >= goal)
    return Row(name, unit, middle, reference=None, ratio=None, goal=goal, holds=holds, spread=spread, note=note)


def _measured(ours: Callable[[], float], reference: Callable[[], float], repeats: int) -> list[tuple[float, float]]:
    """Which of the two goes first changes each time."""
    pairs = []
    for index in range(repeats):
        if index % 2:
            other = reference()
            pairs.append((ours(), other))
        else:
            own = ours()
            pairs.append((own, reference()))
    return pairs


def _ratios(pairs: Sequence[tuple[float, float]]) -> list[float]:
    return [own / other for own, other in pairs]


def _spread(pairs: Sequence[tuple[float, float]]) -> float:
    ratios = _ratios(pairs)
    return (max(ratios) - min(ratios)) / median(ratios)
