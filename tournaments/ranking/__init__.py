"""Standings and ratings, pure: results in, numbers with their arithmetic out. See README.md for the guarantees.

Strengths are in `tournaments.ranking.strength`, which is not loaded from here.
"""

from tournaments.ranking.elo import (
    Folded,
    OpponentTerm,
    Rated,
    RatedMatch,
    RatingRow,
    elo_delta,
    expected_score,
    fold_ratings,
    k_factor,
    match_elo,
)
from tournaments.ranking.results import (
    GameResult,
    Result,
    ResultKind,
    absent,
    bye,
    match_points,
    not_entered,
    pair_scores,
    played,
    void,
    walkover,
)
from tournaments.ranking.shared_deals import margins, round_points, set_margins
from tournaments.ranking.standings import DEFAULT_TIEBREAKS, StandingsRow, standings
from tournaments.ranking.tiebreaks import Term, Tiebreak, TiebreakCell

__all__ = [
    "DEFAULT_TIEBREAKS",
    "Folded",
    "GameResult",
    "OpponentTerm",
    "Rated",
    "RatedMatch",
    "RatingRow",
    "Result",
    "ResultKind",
    "StandingsRow",
    "Term",
    "Tiebreak",
    "TiebreakCell",
    "absent",
    "bye",
    "elo_delta",
    "expected_score",
    "fold_ratings",
    "k_factor",
    "margins",
    "match_elo",
    "match_points",
    "not_entered",
    "pair_scores",
    "played",
    "round_points",
    "set_margins",
    "standings",
    "void",
    "walkover",
]
