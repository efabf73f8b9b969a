"""Uniformly random gin rummy by other packages, driven from Python: decisions of players per CPU second.

    python tests/bench/peers.py PACKAGE SECONDS       pyspiel (OpenSpiel) or rlcard

Runs by itself in an environment that has the package. What chance deals is drawn in the same loop and not counted.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable


def pyspiel(seconds: float) -> float:
    """OpenSpiel: an action of those that are legal, for players and, all being equally likely, for chance."""
    import pyspiel

    choice = random.Random(1).choice
    game = pyspiel.load_game("gin_rummy")

    def play() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            state.apply_action(choice(state.legal_actions()))
        return decisions

    return _rate(play, seconds)


def rlcard(seconds: float) -> float:
    """RLCard: its own loop with its own random agents."""
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("gin-rummy", config={"seed": 1})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def play() -> int:
        before = env.timestep
        env.run(is_training=False)
        return env.timestep - before

    return _rate(play, seconds)


def _rate(play: Callable[[], int], seconds: float) -> float:
    play()
    decisions, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        decisions += play()
    return decisions / (time.process_time() - began)


if __name__ == "__main__":
    print({"pyspiel": pyspiel, "rlcard": rlcard}[sys.argv[1]](float(sys.argv[2])))
