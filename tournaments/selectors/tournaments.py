"""Tournaments, their rounds and how far they are."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Prefetch, Q, QuerySet

from tournaments.models import (
    Attempt,
    AttemptStatus,
    Bye,
    Game,
    GameSeat,
    Match,
    MatchEntrant,
    MatchStatus,
    RoundStatus,
    Tournament,
    TournamentRound,
    TournamentStatus,
)
from tournaments.models.status import ELIMINATION, SETTLED_MATCH
from tournaments.selectors.plans import TournamentSize, tournament_size


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a tournament is."""

    rounds_closed: int
    rounds_planned: int | None
    """None while the field is too small to say."""
    current_round: TournamentRound | None
    matches_settled: int
    """Of the current round; of the last one when none is open."""
    matches_in_round: int
    games_finished: int
    games_planned: int | None
    games_running: int
    needs_attention: int
    worst_time_s: int | None
    """Of the whole plan, from start to end."""
    last_progress_at: datetime | None


def tournament_list(*, statuses: tuple[str, ...] = ()) -> QuerySet[Tournament]:
    """Listed tournaments that are past the draft, the latest first, with `entrant_count`."""
    rows = Tournament.objects.filter(is_listed=True).exclude(status=TournamentStatus.DRAFT)
    if statuses:
        rows = rows.filter(status__in=statuses)
    return rows.select_related("organiser").annotate(entrant_count=Count("entrants")).order_by("-id")


def tournaments_running() -> QuerySet[Tournament]:
    return tournament_list(statuses=(TournamentStatus.RUNNING, TournamentStatus.PAUSED))


def tournaments_open() -> QuerySet[Tournament]:
    """Those one can enter; whether its closing time has passed says the tournament."""
    return tournament_list(statuses=(TournamentStatus.REGISTRATION,))


def tournaments_recent() -> QuerySet[Tournament]:
    return tournament_list(statuses=(TournamentStatus.FINISHED, TournamentStatus.CANCELLED)).order_by("-ended_at")


def rounds_with_matches(tournament: Tournament) -> QuerySet[TournamentRound]:
    """Every round in order, each with its current matches (games, seats, entrants) and byes; a handful of queries."""
    return (
        TournamentRound.objects.filter(stage__tournament=tournament)
        .select_related("stage")
        .prefetch_related(
            Prefetch("matches", matches_with_games().exclude(status=MatchStatus.SUPERSEDED)),
            Prefetch("byes", Bye.objects.select_related("entrant__bot")),
        )
        .order_by("stage__number", "number")
    )


def matches_with_games() -> QuerySet[Match]:
    """Matches as lists show them: `match_entrants` in pairing order, `games` with `game_seats` in seat order."""
    seats = GameSeat.objects.select_related("entrant__bot", "entrant__version").order_by("seat")
    return (
        Match.objects.select_related("tournament_round__stage__tournament")
        .prefetch_related(
            Prefetch(
                "match_entrants",
                MatchEntrant.objects.select_related("entrant__bot__owner", "entrant__version").order_by("position"),
            ),
            Prefetch("games", Game.objects.order_by("number").prefetch_related(Prefetch("game_seats", seats))),
        )
        .order_by("number", "replacement")
    )


def tournament_progress(tournament: Tournament) -> Progress:
    rounds = TournamentRound.objects.filter(stage__tournament=tournament)
    current = rounds.exclude(status=RoundStatus.CLOSED).order_by("pk").first() or rounds.order_by("pk").last()
    matches = Match.objects.filter(tournament_round__in=rounds).exclude(status=MatchStatus.SUPERSEDED)
    games = Game.objects.filter(match__in=matches)
    in_round = matches.filter(tournament_round=current).aggregate(
        all=Count("pk"), settled=Count("pk", filter=Q(status__in=SETTLED_MATCH))
    )
    size = _size(tournament)
    rounds_closed = rounds.filter(status=RoundStatus.CLOSED).count()
    games_finished = games.filter(result__isnull=False).count()
    is_whole = _has_no_more_to_play(tournament)
    return Progress(
        rounds_closed=rounds_closed,
        rounds_planned=rounds_closed if is_whole else size.rounds if size else None,
        current_round=current,
        matches_settled=in_round["settled"],
        matches_in_round=in_round["all"],
        games_finished=games_finished,
        games_planned=games_finished if is_whole else size.games if size else None,
        games_running=running_attempts(tournament).count(),
        needs_attention=matches.filter(status=MatchStatus.NEEDS_ATTENTION).count(),
        worst_time_s=size.worst_time_s if size else None,
        last_progress_at=games.aggregate(at=Max("finished_at"))["at"],
    )


def _has_no_more_to_play(tournament: Tournament) -> bool:
    """A bracket that is decided may have needed less than its plan: no second grand final, nobody against who has left."""
    is_over = tournament.status == TournamentStatus.FINISHED and not tournament.status_reason
    return is_over and tournament.stages.filter(format__in=ELIMINATION).exists()


def _size(tournament: Tournament) -> TournamentSize | None:
    """Of the field it started with: who leaves later shortens it, but changes no plan."""
    return tournament_size(tournament, tournament.entrants.count() if tournament.started_at else None)


def running_attempts(tournament: Tournament | None = None) -> QuerySet[Attempt]:
    """Games being played, with how far they are as last heard (at most a few seconds old)."""
    rows = Attempt.objects.filter(status=AttemptStatus.RUNNING).select_related(
        "game__match__tournament_round__stage__tournament", "shard"
    )
    return rows.filter(game__match__tournament_round__stage__tournament=tournament) if tournament else rows


def matches_needing_attention() -> QuerySet[Match]:
    """With the reason in `status_reason`, the oldest first."""
    return matches_with_games().filter(status=MatchStatus.NEEDS_ATTENTION).order_by("pk")


def published_secret(tournament: Tournament) -> str | None:
    """Hexadecimal; None until the tournament has ended."""
    secret = tournament.secrets.filter(published_at__isnull=False, number=1).first()
    return bytes(secret.secret).hex() if secret else None


@dataclass(frozen=True, slots=True)
class LaterSecret:
    """What deals follow from that were played again after the first secret was published."""

    hash: str
    committed_at: datetime
    secret: str | None
    """Hexadecimal; None until all of them are played."""


def later_secrets(tournament: Tournament) -> list[LaterSecret]:
    return [
        LaterSecret(
            each.secret_hash, each.committed_at, bytes(each.secret).hex() if each.published_at is not None else None
        )
        for each in tournament.secrets.filter(number__gt=1).order_by("number")
    ]
