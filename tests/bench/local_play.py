"""Games in one process by the rules alone, against gin rummy of packages made for it.

    python -m tests.bench.local_play        prints the rows

Counted are the decisions of players per CPU second of a process of its own, as `python -m tests.bench.local_play POLICY` with one
of the builds: at a table of two, no record, no session, no clock. `random` chooses uniformly among all that is legal, claims to go
out among them; so do the peers in their games. `greedy` is the reference bot, asked with a view as the SDK asks it.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import sha256

from bots.cli.local_play import Entrant, play_games
from bots.reference.greedy_bot import GreedyBot
from referee.rules.actions import Discard, Draw
from referee.rules.layout import best_points
from referee.rules.state import GameConfig, GameState, Phase, apply, legal_actions, new_game
from referee.rules.views import view_for
from tests.bench.processes import PURE, compiled, has_peer, measured, measured_peer
from tests.bench.report import Row, paired, single

SECONDS = 2.0
"""Of CPU for each figure; the last game is played to its end."""
PEERS = {"pyspiel": ("OpenSpiel", 2.0), "rlcard": ("RLCard", 10.0)}
"""Package: what it is called, and how many times as fast we mean to be."""
UNIT = "decisions/CPU s"


def play_random(game: int) -> int:
    choice = random.Random(game).choice
    state, decisions = _dealt(game), 0
    while actions := legal_actions(state):
        state, _ = apply(state, choice(actions))
        decisions += 1
    return decisions


def play_greedy(game: int) -> int:
    bot = GreedyBot()
    state, decisions = _dealt(game), 0
    while not state.is_over:
        state, _ = apply(state, _greedy_action(bot, state))
        decisions += 1
    return decisions


def play_recorded(game: int) -> int:
    """One game as `crowns play greedy greedy` plays it, counted as one."""
    return len(play_games([Entrant(name, GreedyBot) for name in ("one", "other")], 1, seed=game))


POLICIES = {"random": play_random, "greedy": play_greedy, "recorded": play_recorded}


def _dealt(game: int) -> GameState:
    return new_game(GameConfig(2), sha256(str(game).encode()).digest())[0]


def _greedy_action(bot: GreedyBot, state: GameState) -> Draw | Discard:
    view = view_for(state, state.seat)
    if state.phase is Phase.DRAW:
        return Draw(bot.draw(view))
    card = bot.discard(view)
    kept = list(view.hand)
    kept.remove(card)
    return Discard(card, go_out=best_points(kept, view.wild_rank) == 0)


def rate(play: Callable[[int], int]) -> float:
    play(0)
    game = count = 0
    began = time.process_time()
    while time.process_time() - began < SECONDS:
        game += 1
        count += play(game)
    return count / (time.process_time() - began)


def rows() -> Iterator[Row]:
    build = compiled()

    def ours(build: str, policy: str) -> float:
        return measured(build, "tests.bench.local_play", policy)

    for package, (name, goal) in PEERS.items():
        if has_peer(package):
            yield paired(
                f"local play: random, compiled, against {name}",
                UNIT,
                partial(ours, build, "random"),
                partial(measured_peer, package, SECONDS),
                goal,
                note="two seats; gin rummy there",
            )
    for policy, unit in (("random", UNIT), ("greedy", UNIT), ("recorded", "games/CPU s")):
        what = "greedy with session and record" if policy == "recorded" else policy
        for name, which in (("compiled", build), ("source", PURE)):
            yield single(f"local play: {what}, {name}", unit, partial(ours, which, policy), note="two seats")


def main(arguments: Sequence[str]) -> None:
    if not arguments:
        for row in rows():
            print(row)
        return
    (policy,) = arguments
    print(rate(POLICIES[policy]))


if __name__ == "__main__":
    main(sys.argv[1:])
