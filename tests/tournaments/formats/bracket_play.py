"""Brackets as lines for people, and played through.

`python -m tests.tournaments.formats.bracket_play` writes the stored brackets anew; look at what changed before you commit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path

from tournaments.formats import Bracket, BracketProgress, Side, bracket_progress, elimination_bracket

FOLDER = Path(__file__).parent / "brackets"

BRACKETS: dict[str, tuple[str, Callable[[], Bracket]]] = {
    "single_8": ("Eight, single", lambda: elimination_bracket(8)),
    "single_5_third_place": ("Five, single, third place", lambda: elimination_bracket(5, third_place=True)),
    "double_2": ("Two, double", lambda: elimination_bracket(2, double=True)),
    "double_6": ("Six, double", lambda: elimination_bracket(6, double=True)),
    "double_16": ("Sixteen, double", lambda: elimination_bracket(16, double=True)),
    "tables_16_of_4": ("Sixteen at tables of four, single, the best half goes on", lambda: elimination_bracket(16, 4)),
    "tables_21_of_4": ("21 at tables of four, single, the best half goes on", lambda: elimination_bracket(21, 4)),
    "tables_11_of_4_double": ("Eleven at tables of four, double", lambda: elimination_bracket(11, 4, double=True)),
    "tables_9_of_3": ("Nine at tables of three, single, one goes on", lambda: elimination_bracket(9, 3)),
    "tables_13_of_3_two": ("13 at tables of three, single, two go on", lambda: elimination_bracket(13, 3, go_on=2)),
}


def lines(bracket: Bracket) -> Iterator[str]:
    """`match 7, losers 1: loser of match 3, loser of match 2`, under the tournament round it is played in."""
    for number, matches in groupby(bracket.matches, key=lambda match: match.round):
        yield f"round {number}"
        for match in matches:
            side = match.side.value if match.side in (Side.FINAL, Side.RESET, Side.THIRD_PLACE) else ""
            side = side or f"{match.side.value} {match.side_round}"
            on = "" if match.go_on == 1 else f" ({match.go_on} go on)"
            yield f"  match {match.number}, {side}{on}: {', '.join(map(bracket.words, match.sources))}"


def stored(name: str) -> str:
    about, build = BRACKETS[name]
    return "\n".join([f"# {about}", *lines(build())]) + "\n"


Order = Callable[[Sequence[int]], Sequence[int]]
"""From those at a match, the best seed first, to how they finish."""


def play(bracket: Bracket, by_seed: Sequence[int], order: Order) -> tuple[BracketProgress, dict[int, tuple[int, ...]]]:
    """Play round after round until all is decided."""
    results: dict[int, tuple[int, ...]] = {}
    while True:
        progress = bracket_progress(bracket, by_seed, results)
        if not progress.next_round:
            return progress, results
        for each in progress.next_round:
            results[each.match.number] = tuple(order(each.playing))


def upset(*numbers: int) -> Order:
    """The better seed wins, but in these matches (counted as they are played, from 1) they finish the other way round."""
    count = iter(range(1, 1000))
    return lambda playing: playing[::-1] if next(count) in numbers else playing


if __name__ == "__main__":
    for name in BRACKETS:
        (FOLDER / f"{name}.txt").write_text(stored(name))
