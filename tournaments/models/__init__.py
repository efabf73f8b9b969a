"""The rows of a league. What happens to them is in the services; what is true of them is in their constraints."""

from tournaments.models.accounts import Account, AuditEntry, DeadLetter, Mail, Notice
from tournaments.models.bots import Bot, BotVersion
from tournaments.models.comparisons import Comparison
from tournaments.models.games import Attempt, DealSet, Game, GameFault, GameRecord, GameSeat
from tournaments.models.plans import Entrant, Stage, Tournament, TournamentSecret
from tournaments.models.ratings import RatingRow, Sequence, StrengthReport
from tournaments.models.rounds import Bye, Match, MatchEntrant, TournamentRound
from tournaments.models.shards import CollectorLease, Presence, Shard
from tournaments.models.status import (
    AttemptStatus,
    ByeKind,
    DeadLetterStatus,
    DealMode,
    DealSetStatus,
    EntrantStatus,
    EntryMode,
    MatchStatus,
    RoundPace,
    RoundStatus,
    StageFormat,
    StartMode,
    TournamentKind,
    TournamentStatus,
)

__all__ = [
    "Account",
    "Attempt",
    "AttemptStatus",
    "AuditEntry",
    "Bot",
    "BotVersion",
    "Bye",
    "ByeKind",
    "CollectorLease",
    "Comparison",
    "DeadLetter",
    "DeadLetterStatus",
    "DealMode",
    "DealSet",
    "DealSetStatus",
    "Entrant",
    "EntrantStatus",
    "EntryMode",
    "Game",
    "GameFault",
    "GameRecord",
    "GameSeat",
    "Mail",
    "Match",
    "MatchEntrant",
    "MatchStatus",
    "Notice",
    "Presence",
    "RatingRow",
    "RoundPace",
    "RoundStatus",
    "Sequence",
    "Shard",
    "Stage",
    "StageFormat",
    "StartMode",
    "StrengthReport",
    "Tournament",
    "TournamentKind",
    "TournamentRound",
    "TournamentSecret",
    "TournamentStatus",
]
