"""Standings and ratings, pure: results in, numbers with their arithmetic out. See README.md for the guarantees."""

from tournaments.ranking.elo import (
    Folded,
    OpponentTerm,
    Rated,
    RatedMatch,
    RatingRow,
    elo_delta,
    expected_score,
    fold_ratings,
    match_elo,
)
from tournaments.ranking.results import (
    GameResult,
    Result,
    ResultKind,
    absent,
    bye,
    match_points,
    pair_scores,
    played,
    void,
    walkover,
)
from tournaments.ranking.standings import DEFAULT_TIEBREAKS, StandingsRow, standings
from tournaments.ranking.tiebreaks import Tiebreak, TiebreakCell, margins

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
    "Tiebreak",
    "TiebreakCell",
    "absent",
    "bye",
    "elo_delta",
    "expected_score",
    "fold_ratings",
    "margins",
    "match_elo",
    "match_points",
    "pair_scores",
    "played",
    "standings",
    "void",
    "walkover",
]
