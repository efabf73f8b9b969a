"""Ties inside a match of a bracket: more games, at last the higher seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf


@dataclass(frozen=True, slots=True)
class Tie:
    """These must play one more game: some of them go on, and nothing says who."""

    entrants: tuple[int, ...]
    """By seed."""


def finishing_order(
    points: Mapping[int, Fraction],
    by_seed: Sequence[int],
    go_on: int,
    more_games: Sequence[Mapping[int, int]] = (),
    *,
    most_more_games: int,
) -> tuple[int, ...] | Tie:
    """Who came where in a match, best first; or who must play on.

    `points` are those of the match (of each entrant at it). Only a tie between the last who goes on and the first who
    does not is played on: `more_games` are the places in those games, one after the other, of those who were tied then
    (who is missing came last). What is tied after so many games, or need not be played on, is ordered by seed.
    `by_seed`: all entrants, the best seed first.
    """
    seeds = {entrant: seed for seed, entrant in enumerate(by_seed)}
    results: dict[int, tuple[Fraction | float, ...]] = {entrant: (-earned,) for entrant, earned in points.items()}
    for game in more_games[:most_more_games]:
        for entrant in _tied_at(go_on, results):
            results[entrant] += (game.get(entrant, inf),)
    tied = _tied_at(go_on, results)
    if tied and len(more_games) < most_more_games:
        return Tie(tuple(sorted(tied, key=seeds.__getitem__)))
    return tuple(sorted(results, key=lambda entrant: (results[entrant], seeds[entrant])))


def _tied_at(cut: int, results: Mapping[int, tuple[Fraction | float, ...]]) -> list[int]:
    """All who are level with both the last above the cut and the first below it."""
    ordered = sorted(results.values())
    if cut >= len(ordered) or ordered[cut - 1] != ordered[cut]:
        return []
    return [entrant for entrant, result in results.items() if result == ordered[cut]]
