"""Bots to play against, each step of the ladder clearly stronger than the one before."""

from bots.reference.greedy_bot import GreedyBot
from bots.reference.planner_bot import PlannerBot
from bots.reference.random_bot import RandomBot
from bots.reference.simple_bot import SimpleBot
from bots.reference.solitaire_bot import SolitaireBot
from bots.sdk import Bot

REFERENCE_BOTS: dict[str, type[Bot]] = {
    "random": RandomBot,
    "simple": SimpleBot,
    "greedy": GreedyBot,
    "planner": PlannerBot,
}
"""By short name, weakest first."""

SOLITAIRE_BOTS: dict[str, type[Bot]] = {"random": RandomBot, "solitaire": SolitaireBot}
"""Those that play solitaire, weaker first."""
