"""What a comparison has shown so far, from final deal sets alone.

Its deals are independent: every game is a deal set of its own. To play the same cards again with the seats changed would tell
more by the game, but a remote bot that remembers a deal gains 22 to 28 points by it (DESIGN 6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from bots.compare import Plan, Progress, evidence, progress_of, verdict_of, verdict_sentence
from bots.compare.margins import counted_gap
from tournaments.models import (
    Account,
    BotVersion,
    Comparison,
    DealSetStatus,
    Entrant,
    GameSeat,
    MatchStatus,
    Tournament,
    TournamentKind,
    TournamentStatus,
)
from tournaments.selectors.shards import live_shards


@dataclass(frozen=True, slots=True)
class Look:
    """What was known when a round had closed."""

    round_number: int
    games: int
    llr: float


@dataclass(frozen=True, slots=True)
class ComparisonState:
    comparison: Comparison
    plan: Plan
    progress: Progress
    looks: tuple[Look, ...]
    is_over: bool
    sentence: str


def comparisons() -> QuerySet[Comparison]:
    """With everything that is said of them, the latest first."""
    named = ("a__bot__owner", "a__version", "b__bot__owner", "b__version")
    return Comparison.objects.select_related("tournament__organiser", *named).order_by("-id")


def versions_to_compare(account: Account) -> QuerySet[BotVersion]:
    """What is connected now of the account's own bots and of the house bots; the operator may take any."""
    here = BotVersion.objects.filter(bot__deleted_at=None, presences__shard__in=live_shards())
    if not account.is_superuser:
        here = here.filter(Q(bot__owner=account) | Q(bot__is_house=True))
    return here.select_related("bot").distinct().order_by("bot__is_house", "bot__name", "id")


def comparison_plan(comparison: Comparison) -> Plan:
    return Plan(
        least_gap=comparison.least_gap,
        alpha=comparison.alpha,
        beta=comparison.beta,
        most_sets=comparison.most_games,
    )


def comparison_state(comparison: Comparison) -> ComparisonState:
    """Read when it is asked for: a few hundred games at the most."""
    plan, by_round = comparison_plan(comparison), _results(comparison)
    results = [result for _, games in by_round for result in games]
    progress, is_over = progress_of(plan, results), _is_over(comparison.tournament)
    a, b = names(comparison)
    sentence = verdict_sentence(plan, progress, a, b)
    if is_over and progress.verdict is None:
        sentence = f"It ended before the answer was clear. {sentence}"
    return ComparisonState(comparison, plan, progress, _looks(plan, by_round), is_over, sentence)


def comparison_answer(tournament: Tournament) -> str:
    """The sentence with which it ends, if it is a comparison and has its verdict; to be asked when no round is open."""
    if tournament.kind != TournamentKind.COMPARE:
        return ""
    comparison = comparisons().filter(tournament=tournament).first()
    if comparison is None:
        return ""
    plan = comparison_plan(comparison)
    results = [result for _, games in _results(comparison) for result in games]
    if not verdict_of(plan, results):
        return ""
    return verdict_sentence(plan, progress_of(plan, results), *names(comparison))


def names(comparison: Comparison) -> tuple[str, str]:
    """Of A and B; with their versions where it is one bot."""
    a, b = comparison.a, comparison.b
    if a.bot_id != b.bot_id:
        return a.bot.name, b.bot.name
    return _version_name(a), _version_name(b)


def _version_name(entrant: Entrant) -> str:
    return f"{entrant.bot.name} {entrant.version.name}" if entrant.version else entrant.bot.name


def _is_over(tournament: Tournament) -> bool:
    return tournament.status in (TournamentStatus.FINISHED, TournamentStatus.CANCELLED)


def _results(comparison: Comparison) -> list[tuple[int, list[float]]]:
    """Per closed or scored round its number and, game by game, by how many points B did better."""
    seats = GameSeat.objects.filter(
        game__match__tournament_round__stage__tournament=comparison.tournament_id,
        game__match__status=MatchStatus.SCORED,
        game__deal_set__status=DealSetStatus.FINAL,
        game__result__isnull=False,
    ).order_by("game__match__tournament_round__number", "game__number", "game")
    values = seats.values_list("game__match__tournament_round__number", "game", "entrant", "score", "retired_in_round")
    games: dict[tuple[int, int], dict[int, tuple[int, bool]]] = {}
    for number, game, entrant, score, retired in values:
        games.setdefault((number, game), {})[entrant] = (score or 0, retired is not None)
    by_round: dict[int, list[float]] = {}
    for (number, _), held in games.items():
        (a_score, a_retired), (b_score, b_retired) = held[comparison.a_id], held[comparison.b_id]
        gap = counted_gap(a_score - b_score, a_retired=a_retired, b_retired=b_retired)
        by_round.setdefault(number, []).append(gap)
    return list(by_round.items())


def _looks(plan: Plan, by_round: Sequence[tuple[int, list[float]]]) -> tuple[Look, ...]:
    results: list[float] = []
    looks = []
    for number, games in by_round:
        results += games
        looks.append(Look(number, len(results), evidence(plan, results)))
    return tuple(looks)
