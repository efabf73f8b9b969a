"""Pairing, pure: values in, values out. See README.md for the guarantees."""

from tournaments.formats.deal_sets import DealMode, DealSet, GameRef, deal_sets
from tournaments.formats.round_robin import RoundRobinPlan, round_robin_plan
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
    "Bye",
    "DealMode",
    "DealSet",
    "GameRef",
    "NotEnoughEntrants",
    "Note",
    "NoteKind",
    "Pairing",
    "PastRound",
    "RoundPairing",
    "RoundRobinPlan",
    "SwissEntrant",
    "deal_sets",
    "pair_swiss",
    "round_robin_plan",
    "swiss_entrants",
    "table_sizes",
    "without_entrants",
]
