"""What sharing its deal did for a game: which tables played the same cards, and how the points of its seats came about."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from tournaments import ranking
from tournaments.models import DealMode, DealSetStatus, Game, GameSeat, Match, MatchEntrant, MatchStatus
from tournaments.ranking.shared_deals import LEAST_TABLES
from tournaments.selectors.results import shared_deal


@dataclass(frozen=True, slots=True)
class Holder:
    """Who held the seat at another table."""

    match: Match
    seat: GameSeat
    margin: Fraction


@dataclass(frozen=True, slots=True)
class ComparedSeat:
    """A seat of the game: its margin is the mean of its table opponents' scores less its own."""

    seat: GameSeat
    margin: Fraction
    others: tuple[Holder, ...]
    """The largest margin first."""
    points: Fraction
    """Share of the others with a smaller margin, ties half."""


@dataclass(frozen=True, slots=True)
class SharedDeal:
    """The deal of one game in a stage that shares deals."""

    tables: tuple[Match, ...]
    """The others of its set, by number; superseded ones not."""
    is_final: bool
    own_reason: str
    """Why it counts by place at the table, as the end of a sentence; empty if seats are compared, or that is not known yet."""
    seats: tuple[ComparedSeat, ...]
    """By seat; empty unless seats are compared."""


def shared_deals(games: Iterable[Game]) -> dict[int, SharedDeal]:
    """By game id, of those in stages that share deals. A handful of queries whatever their number."""
    asked = Game.objects.filter(pk__in=[game.pk for game in games]).select_related("deal_set", "match")
    stage_shares = asked.exclude(match__tournament_round__stage__deal_mode=DealMode.INDEPENDENT)
    own = {game.pk: game for game in stage_shares}
    if not own:
        return {}
    sets: dict[int, list[Game]] = defaultdict(list)
    tables = Game.objects.filter(deal_set__in={game.deal_set_id for game in own.values()})
    for game in (
        tables.exclude(match__status=MatchStatus.SUPERSEDED)
        .select_related("deal_set", "match")
        .prefetch_related("game_seats__entrant__bot")
        .order_by("match__number")
    ):
        sets[game.deal_set_id].append(game)
    ruled = MatchEntrant.objects.filter(match__games__in=tables, corrected_place__isnull=False)
    corrected = set(ruled.values_list("match", flat=True))
    return {pk: _shared(game, sets[game.deal_set_id], corrected) for pk, game in own.items()}


def _shared(own: Game, tables: list[Game], corrected: set[int]) -> SharedDeal:
    others = tuple(game.match for game in tables if game.pk != own.pk)
    is_final = own.deal_set.status == DealSetStatus.FINAL
    counted = [game for game in tables if game.match_id not in corrected and _counts(game)] if is_final else []
    is_ruled = own.match_id in corrected
    reason = "the organiser ruled on its places" if is_ruled else _own_reason(own, is_final, len(counted))
    compared = () if reason or not is_final else _compared(own, counted)
    return SharedDeal(others, is_final, reason, compared)


def _counts(game: Game) -> bool:
    is_played = game.match.status == MatchStatus.SCORED and game.result_id is not None
    return is_played and shared_deal(game) is not None and not _retired(game)


def _retired(game: Game) -> bool:
    return any(row.retired_in_round is not None for row in game.game_seats.all())


def _own_reason(own: Game, is_final: bool, counted: int) -> str:
    if own.deal_set.mode == DealMode.INDEPENDENT and own.match.replacement:
        return "it was played again with a deal of its own"
    if own.deal_set.mode == DealMode.INDEPENDENT:
        return "it plays a deal of its own, since no set of three tables was found for it"
    if own.replacement:
        return "it was played again from another seed and so has left its deal set"
    if not is_final:
        return ""
    if own.match.status != MatchStatus.SCORED or own.result_id is None:
        return "it has no result that counts"
    if _retired(own):
        return "a seat retired and so the table has left its deal set"
    if counted < LEAST_TABLES:
        return f"fewer than {LEAST_TABLES} tables of its deal set are left to compare"
    return ""


def _compared(own: Game, counted: list[Game]) -> tuple[ComparedSeat, ...]:
    results = [_by_seat(game) for game in counted]
    points = dict(zip((game.pk for game in counted), ranking.round_points([[each] for each in results]), strict=True))
    margins = {game.pk: ranking.margins(each) for game, each in zip(counted, results, strict=True)}
    lines = []
    for at, row in enumerate(_seats(next(game for game in counted if game.pk == own.pk))):
        holders = [
            Holder(game.match, _seats(game)[at], margins[game.pk][at] or Fraction(0))
            for game in counted
            if game.pk != own.pk
        ]
        holders.sort(key=lambda each: (-each.margin, each.match.number))
        lines.append(ComparedSeat(row, margins[own.pk][at] or Fraction(0), tuple(holders), points[own.pk][at]))
    return tuple(lines)


def _by_seat(game: Game) -> ranking.GameResult:
    rows = _seats(game)
    return ranking.GameResult(
        places=tuple(row.place or 0 for row in rows),
        scores=tuple(row.score or 0 for row in rows),
        seats=tuple(row.seat for row in rows),
        deal_set=game.deal_set.number,
    )


def _seats(game: Game) -> list[GameSeat]:
    return sorted(game.game_seats.all(), key=lambda row: row.seat)
