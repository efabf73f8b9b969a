"""Whether a whole database is sound: what must hold of games, points, ratings and records, asked of every row.

Nothing is written. The rows of ratings and points are read while no round can close; records are verified one by one
after that, so that a league may run on meanwhile.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from referee.record.conditions import GameScores
from referee.record.verify import verify_record
from tournaments.models import (
    Attempt,
    AttemptStatus,
    DealSet,
    DealSetStatus,
    Game,
    GameRecord,
    GameSeat,
    Match,
    MatchEntrant,
    MatchStatus,
    RatingRow,
    RoundStatus,
    Tournament,
    TournamentRound,
    TournamentSecret,
    TournamentStatus,
)
from tournaments.models.status import SETTLED_MATCH
from tournaments.ranking.results import HALF, Result, ResultKind
from tournaments.selectors.deals import seed_of
from tournaments.selectors.results import match_results, rated_matches
from tournaments.services.ratings import delta_from_inputs, ratings_rebuild
from tournaments.services.sequences import CLOSING_NO, locked_sequence

SUM_TOLERANCE = 1e-9
"""Of the sum of delta/K over a match (DESIGN 7)."""
MOST_SPREAD = 2
"""A larger one is stated; it is no error (DESIGN 6)."""
ROUNDS_AT_ONCE = 20
COUNTS = (ResultKind.PLAYED, ResultKind.VOID)
"""What gives half a point an entrant in the mean."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that must not be. `row` names it: a kind and its id."""

    code: str
    row: str
    text: str


@dataclass(frozen=True, slots=True)
class SeatSpread:
    """An entrant that sat in one seat more than twice oftener than in another, at tables of one size of one stage."""

    tournament: str
    """Its public id; so is the entrant's."""
    stage: int
    entrant: str
    bot: str
    sittings: tuple[int, ...]
    """By seat."""


@dataclass
class LeagueReport:
    tournaments: int = 0
    matches: int = 0
    games: int = 0
    """With a result."""
    rating_rows: int = 0
    records: int = 0
    problems: list[Problem] = field(default_factory=list)
    spreads: list[SeatSpread] = field(default_factory=list)


def league_check(*, on_record: Callable[[int], None] = lambda records: None) -> LeagueReport:
    """Checks everything. `on_record` is called with the number of records before the first and after each."""
    report = LeagueReport()
    with transaction.atomic():
        locked_sequence(CLOSING_NO)
        report.tournaments = Tournament.objects.count()
        report.matches = Match.objects.count()
        report.games = Game.objects.filter(result__isnull=False).count()
        report.rating_rows = RatingRow.objects.count()
        for check in (_matches, _games, _rounds, _secrets, _points, _ratings):
            report.problems += check()
        report.spreads = list(_spreads())
    records = GameRecord.objects.filter(attempt__result_of__isnull=False)
    report.records = records.count()
    on_record(report.records)
    for problems in _records(records):
        report.problems += problems
        on_record(report.records)
    return report


# -- matches, games, rounds --------------------------------------------------------------------------------------------


def _matches() -> Iterator[Problem]:
    """One result a game: a played match that counts has one for each of its games, a walkover none."""
    # To a game after a tie nobody needs to come (services.dispatch).
    planned = OuterRef("tournament_round__stage__games_per_match")
    unplayed = Game.objects.filter(match=OuterRef("pk"), result=None, number__lte=planned)
    results = Game.objects.filter(match=OuterRef("pk"), result__isnull=False)
    counted = Match.objects.filter(status__in=(MatchStatus.PLAYED, MatchStatus.SCORED))
    for match in counted.filter(Exists(unplayed), is_unplayed=False):
        yield Problem("game_without_result", _row(match), f"it is {match.status}, but a game of it has no result")
    for match in counted.filter(~Exists(Game.objects.filter(match=OuterRef("pk"))), is_unplayed=False):
        yield Problem("match_without_game", _row(match), f"it is {match.status} and has no game")
    for match in counted.filter(Exists(results), is_unplayed=True):
        yield Problem("walkover_with_result", _row(match), "it counts as not played, but a game of it has a result")
    odd = MatchEntrant.objects.filter(
        Q(match__status=MatchStatus.SUPERSEDED, is_current=True)
        | (~Q(match__status=MatchStatus.SUPERSEDED) & Q(is_current=False))
    ).select_related("match")
    for row in odd:
        yield Problem("entrant_current", _row(row.match), f"it is {row.match.status}, its entrant {row.entrant_id} not")
    elsewhere = MatchEntrant.objects.exclude(match__tournament_round=F("tournament_round")).select_related("match")
    for row in elsewhere:
        yield Problem(
            "entrant_of_another_round",
            _row(row.match),
            f"entrant {row.entrant_id} says round {row.tournament_round_id}",
        )


def _games() -> Iterator[Problem]:
    """The result is a finished attempt at this very game, and is written at every seat."""
    finished = Q(attempts__status=AttemptStatus.FINISHED)
    for twice in Game.objects.annotate(times=Count("attempts", filter=finished)).filter(times__gt=1):
        yield Problem("results_of_a_game", _row(twice), "more than one of its attempts is finished")
    for game in Game.objects.filter(finished, result=None).distinct():
        yield Problem("result_lost", _row(game), "an attempt at it is finished, and it has no result")
    with_result = Game.objects.filter(result__isnull=False).select_related("result", "match")
    for game in with_result.exclude(result__game=F("pk")):
        yield Problem("result_of_another", _row(game), f"its result is attempt {game.result_id} at another game")
    for game in with_result.exclude(result__status=AttemptStatus.FINISHED):
        is_replaced = game.match.status == MatchStatus.SUPERSEDED
        if not (is_replaced and game.result and game.result.status == AttemptStatus.SUPERSEDED):
            yield Problem("result_unfinished", _row(game), f"its result is an attempt that is {_status(game.result)}")
    for game in with_result.filter(result__record=None):
        yield Problem("record_missing", _row(game), "it has a result and no record")
    blank = GameSeat.objects.filter(Q(score=None) | Q(place=None), game__result__isnull=False).select_related("game")
    for seat in blank:
        yield Problem("seat_without_score", _row(seat.game), f"seat {seat.seat} has no score")
    seated = MatchEntrant.objects.filter(match=OuterRef("game__match"), entrant=OuterRef("entrant"))
    for seat in GameSeat.objects.filter(~Exists(seated)).select_related("game"):
        yield Problem("seat_of_another", _row(seat.game), f"seat {seat.seat} is none of its match's entrants")


def _rounds() -> Iterator[Problem]:
    """A closed round is settled: every match scored or void, every deal set of a scored match final."""
    closed = TournamentRound.objects.filter(status=RoundStatus.CLOSED).select_related("stage__tournament")
    open_matches = Match.objects.exclude(status__in=(*SETTLED_MATCH, MatchStatus.SUPERSEDED))
    for each in closed.filter(Exists(open_matches.filter(tournament_round=OuterRef("pk")))):
        yield Problem("closed_unsettled", _row(each), f"{each} is closed, but a match of it is not settled")
    undecided = DealSet.objects.filter(
        status=DealSetStatus.OPEN, games__match__status=MatchStatus.SCORED, games__result__isnull=False
    )
    for deal_set in undecided.distinct():
        yield Problem("deal_set_open", _row(deal_set), "it is open, but a match with a game of it is scored")


def _secrets() -> Iterator[Problem]:
    """Shown when it is over, and not before."""
    early = TournamentSecret.objects.filter(
        published_at__isnull=False,
        tournament__status__in=(TournamentStatus.REGISTRATION, TournamentStatus.RUNNING, TournamentStatus.PAUSED),
    ).select_related("tournament")
    for secret in early:
        yield Problem("secret_early", _row(secret), f"it is published, and {secret.tournament} is not over")
    first = TournamentSecret.objects.filter(tournament=OuterRef("pk"), published_at=None, number=1)
    for tournament in Tournament.objects.filter(Exists(first), status=TournamentStatus.FINISHED):
        yield Problem("secret_late", _row(tournament), "it is finished, and its secret is not published")


# -- points ------------------------------------------------------------------------------------------------------------


def _points() -> Iterator[Problem]:
    """Half a point an entrant in the mean, over each match, or over the matches that share deals; a walkover gives 1 or 0."""
    rounds = list(TournamentRound.objects.values_list("pk", flat=True))
    for start in range(0, len(rounds), ROUNDS_AT_ONCE):
        settled = Match.objects.filter(
            tournament_round__in=rounds[start : start + ROUNDS_AT_ONCE], status__in=SETTLED_MATCH
        )
        results = match_results(settled)
        groups = _sharing_deals(settled)
        for group in groups:
            yield from _points_of(group, [results[pk] for pk in group])


def _points_of(matches: list[int], results: list[Result]) -> Iterator[Problem]:
    row = " ".join(f"match {pk}" for pk in matches)
    mean = [result for result in results if result.kind in COUNTS]
    found = sum((sum(result.points, Fraction(0)) for result in mean), Fraction(0))
    due = sum((HALF * len(result.points) for result in mean), Fraction(0))
    if found != due:
        yield Problem("points", row, f"its points add up to {found}, not {due}")
    for result in results:
        if any(not 0 <= points <= 1 for points in result.points):
            yield Problem("points_range", row, f"points {', '.join(map(str, result.points))} are not all from 0 to 1")
        if result.kind is ResultKind.WALKOVER and sum(result.points) > 1:
            yield Problem("points", row, f"a walkover gives {sum(result.points)} points")


def _sharing_deals(matches: QuerySet[Match]) -> list[list[int]]:
    """The ids of the matches, those together that are linked by deal sets."""
    group = {pk: [pk] for pk in matches.order_by("pk").values_list("pk", flat=True)}
    by_set: dict[int, list[int]] = defaultdict(list)
    for match, deal_set in Game.objects.filter(match__in=list(group)).values_list("match", "deal_set").order_by("pk"):
        by_set[deal_set].append(match)
    for linked in by_set.values():
        for other in linked[1:]:
            joined, added = group[linked[0]], group[other]
            if joined is not added:
                joined += added
                group |= dict.fromkeys(added, joined)
    return list({id(each): each for each in group.values()}.values())


# -- ratings -----------------------------------------------------------------------------------------------------------


def _ratings() -> Iterator[Problem]:
    """One row an entrant and rated match, each by its formula, and the same as when all is folded again."""
    sums: dict[int, float] = defaultdict(float)
    rows: Counter[tuple[int, int]] = Counter()
    for row in RatingRow.objects.order_by("pk").iterator():
        rows[row.match_id, row.version_id] += 1
        sums[row.match_id] += row.delta / row.k
        if row.delta != delta_from_inputs(row):
            yield Problem(
                "rating_formula", _row(row), f"its change is {row.delta!r}, by its inputs {delta_from_inputs(row)!r}"
            )
    for match, total in sums.items():
        if abs(total) > SUM_TOLERANCE:
            yield Problem("rating_sum", f"match {match}", f"the changes over K add up to {total!r}, not 0")
    due = _rows_due()
    for match, version in sorted(due - rows.keys()):
        yield Problem("rating_missing", f"match {match}", f"version {version} has no rating row for it")
    for match, version in sorted(rows.keys() - due):
        yield Problem(
            "rating_surplus", f"match {match}", f"version {version} has a rating row, and the match moves none"
        )
    for (match, version), times in rows.items():
        if times > 1:
            yield Problem("rating_twice", f"match {match}", f"version {version} has {times} rating rows for it")
    for each in ratings_rebuild(check=True):
        yield Problem("rating_rebuild", f"match {each.match} entrant {each.entrant}", str(each))


def _rows_due() -> set[tuple[int, int]]:
    closed = list(TournamentRound.objects.filter(status=RoundStatus.CLOSED, stage__tournament__is_rated=True))
    return {
        (match.match, version)
        for start in range(0, len(closed), ROUNDS_AT_ONCE)
        for match in rated_matches(closed[start : start + ROUNDS_AT_ONCE])
        for version in match.entrants
    }


# -- records -----------------------------------------------------------------------------------------------------------


def _records(records: QuerySet[GameRecord]) -> Iterator[list[Problem]]:
    """For each record, what is wrong with it: it replays from its seed, and the rows say what it says."""
    with_rows = records.select_related(
        "attempt__result_of__deal_set", "attempt__game__deal_set__tournament_round__stage__tournament"
    ).select_related("attempt__game__deal_set__secret")
    for pk in list(records.order_by("pk").values_list("pk", flat=True)):
        record = with_rows.filter(pk=pk).first()
        yield list(_record(record)) if record else []


def _record(record: GameRecord) -> Iterator[Problem]:
    attempt, game = record.attempt, record.attempt.game
    verdict = verify_record(bytes(record.data), seed_of(attempt))
    for problem in verdict.problems:
        yield Problem("record", _row(record), f"{_row(game)}: {problem}")
    if verdict.record is None:
        return
    digest = verdict.record.digest.hex()
    if not digest == record.digest == game.digest:
        yield Problem(
            "digest", _row(record), f"{_row(game)}: {digest}, stored {record.digest}, at the game {game.digest}"
        )
    if verdict.record.header.attempt_id != attempt.attempt_id:
        yield Problem("record_of_another", _row(record), f"{_row(game)}: of attempt {verdict.record.header.attempt_id}")
    yield from _scores(game, verdict.record.footer.scores)


def _scores(game: Game, scores: GameScores) -> Iterator[Problem]:
    rows = list(game.game_seats.order_by("seat").values_list("score", "place", "retired_in_round"))
    told = list(zip(scores.totals, scores.places, (each or None for each in scores.retired_in_round), strict=True))
    if rows != told:
        yield Problem("scores", _row(game), f"its seats say {rows}, its record {told}")


# -- seats -------------------------------------------------------------------------------------------------------------


def _spreads() -> Iterator[SeatSpread]:
    sat: dict[tuple[int, int, int], Counter[int]] = defaultdict(Counter)
    sizes = dict(Game.objects.annotate(size=Count("game_seats")).values_list("pk", "size"))
    rows = GameSeat.objects.filter(
        game__match__status=MatchStatus.SCORED, game__result__isnull=False, game__match__is_unplayed=False
    )
    columns = ("game", "seat", "entrant", "game__match__tournament_round__stage")
    for game, seat, entrant, stage in rows.values_list(*columns):
        sat[stage, entrant, sizes[game]][seat] += 1
    wide = {key: seats for key, seats in sat.items() if _spread(seats, key[2]) > MOST_SPREAD}
    where = GameSeat.objects.filter(entrant__in={key[1] for key in wide})
    columns = ("entrant", "entrant__public_id", "entrant__bot__name", "entrant__tournament__public_id")
    names = {row[0]: row[1:] for row in where.values_list(*columns).distinct()}
    stages = dict(
        rows.values_list("game__match__tournament_round__stage", "game__match__tournament_round__stage__number")
    )
    for (stage, entrant, size), seats in sorted(wide.items()):
        public_id, bot, tournament = names[entrant]
        yield SeatSpread(tournament, stages[stage], public_id, bot, tuple(seats[seat] for seat in range(size)))


def _spread(seats: Counter[int], size: int) -> int:
    counts = [seats[seat] for seat in range(size)]
    return max(counts) - min(counts)


def _row(row: Match | Game | TournamentRound | DealSet | TournamentSecret | Tournament | RatingRow | GameRecord) -> str:
    """The kind and id of a row, with the id of its page where it has one."""
    public_id = getattr(row, "public_id", "")
    name = f"{row._meta.verbose_name} {row.pk}"
    return f"{name} ({public_id})" if public_id else name


def _status(attempt: Attempt | None) -> str:
    return attempt.status if attempt else "gone"


def problem_lines(problems: Iterable[Problem]) -> list[str]:
    return [f"{each.code}: {each.row}: {each.text}" for each in problems]
