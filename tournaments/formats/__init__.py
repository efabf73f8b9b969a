"""Pairing, pure: values in, values out. See README.md for the guarantees."""

from tournaments.formats.brackets import Bracket, BracketMatch, FromMatch, FromSeed, Side
from tournaments.formats.deal_sets import DealMode, DealSet, GameRef, deal_sets
from tournaments.formats.elimination import (
    BracketProgress,
    MatchProgress,
    MatchState,
    Placing,
    bracket_progress,
    correction_blocked_by,
    elimination_bracket,
    seated_matches,
)
from tournaments.formats.match_order import Tie, finishing_order
from tournaments.formats.round_robin import RoundRobinPlan, RoundRobinSize, round_robin_plan, round_robin_size
from tournaments.formats.swiss import pair_swiss
from tournaments.formats.swiss_field import PastRound, SwissEntrant, swiss_entrants, table_sizes
from tournaments.formats.values import (
    Bye,
    Note,
    NoteKind,
    NotEnoughEntrants,
    Pairing,
    RoundPairing,
    without_entrants,
)

__all__ = [
    "Bracket",
    "BracketMatch",
    "BracketProgress",
    "Bye",
    "DealMode",
    "DealSet",
    "FromMatch",
    "FromSeed",
    "GameRef",
    "MatchProgress",
    "MatchState",
    "NotEnoughEntrants",
    "Note",
    "NoteKind",
    "Pairing",
    "PastRound",
    "Placing",
    "RoundPairing",
    "RoundRobinPlan",
    "RoundRobinSize",
    "Side",
    "SwissEntrant",
    "Tie",
    "bracket_progress",
    "correction_blocked_by",
    "deal_sets",
    "elimination_bracket",
    "finishing_order",
    "pair_swiss",
    "round_robin_plan",
    "round_robin_size",
    "seated_matches",
    "swiss_entrants",
    "table_sizes",
    "without_entrants",
]
