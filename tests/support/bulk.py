"""Rows by the thousand: tournaments as they would be after so many matches, none of which was played."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import count

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from tournaments.models import (
    Account,
    Attempt,
    AttemptStatus,
    Bot,
    BotVersion,
    DealMode,
    DealSet,
    DealSetStatus,
    Entrant,
    Game,
    GameSeat,
    Match,
    MatchEntrant,
    MatchStatus,
    RoundStatus,
    Shard,
    Stage,
    Tournament,
    TournamentRound,
    TournamentSecret,
    TournamentStatus,
)

BATCH = 2_000
_numbers = count(1)


def many_versions(number: int) -> list[BotVersion]:
    """Of so many bots, each of an owner of its own."""
    prefix = f"bulk{next(_numbers)}"
    owners = Account.objects.bulk_create([Account(username=f"{prefix}-{at}") for at in range(number)], BATCH)
    names = [f"{prefix} {at}" for at in range(number)]
    bots = Bot.objects.bulk_create(
        [Bot(owner=owner, name=name, name_key=name) for owner, name in zip(owners, names, strict=True)], BATCH
    )
    return BotVersion.objects.bulk_create([BotVersion(bot=bot, name="1") for bot in bots], BATCH)


def running_tournament(versions: Sequence[BotVersion], seats: int = 4) -> tuple[Stage, list[Entrant]]:
    """A Swiss without a round; what it is played with is entered and seeded."""
    organiser, _ = Account.objects.get_or_create(username="organiser", defaults={"is_staff": True})
    tournament = Tournament.objects.create(
        organiser=organiser, name=f"Bulk {next(_numbers)}", status=TournamentStatus.RUNNING, started_at=timezone.now()
    )
    TournamentSecret.objects.create(tournament=tournament, secret=bytes(32), secret_hash="0" * 64)
    stage = Stage.objects.create(tournament=tournament, format="swiss", seats=seats, rounds=1_000)
    entrants = Entrant.objects.bulk_create(
        [
            Entrant(tournament=tournament, bot_id=version.bot_id, version=version, seed_number=seed)
            for seed, version in enumerate(versions, start=1)
        ],
        BATCH,
    )
    return stage, entrants


def many_matches(
    stage: Stage,
    entrants: Sequence[Entrant],
    dice: random.Random,
    *,
    status: MatchStatus = MatchStatus.SCORED,
    closing_no: int | None = None,
    tables_a_set: int = 1,
) -> TournamentRound:
    """A round in which all are seated at full tables by chance. With a `closing_no` it is closed, else open.

    What is played or scored has places, scores and final deal sets, but no attempt: see `give_results`.
    """
    number = stage.tournament_rounds.count() + 1
    now = timezone.now()
    tournament_round = TournamentRound.objects.create(
        stage=stage,
        number=number,
        status=RoundStatus.CLOSED if closing_no else RoundStatus.OPEN,
        closing_no=closing_no,
        opened_at=now,
        next_try_at=None if closing_no else now,
    )
    drawn = dice.sample(list(entrants), len(entrants))
    tables = [drawn[start : start + stage.seats] for start in range(0, len(drawn), stage.seats)]
    is_played = status in (MatchStatus.PLAYED, MatchStatus.SCORED)
    matches = Match.objects.bulk_create(
        [
            Match(
                tournament_round=tournament_round,
                number=at,
                status=status,
                join_until=now,
                next_try_at=None if is_played else now,
            )
            for at in range(1, len(tables) + 1)
        ],
        BATCH,
    )
    MatchEntrant.objects.bulk_create(
        [
            MatchEntrant(match=match, entrant=entrant, tournament_round=tournament_round, position=position)
            for match, table in zip(matches, tables, strict=True)
            for position, entrant in enumerate(table)
        ],
        BATCH,
    )
    _deal(tournament_round, matches, tables, dice, tables_a_set, is_played)
    return tournament_round


def _deal(
    tournament_round: TournamentRound,
    matches: Sequence[Match],
    tables: Sequence[Sequence[Entrant]],
    dice: random.Random,
    tables_a_set: int,
    is_played: bool,
) -> None:
    secret = TournamentSecret.objects.get(tournament=tournament_round.stage.tournament)
    sets = DealSet.objects.bulk_create(
        [
            DealSet(
                tournament_round=tournament_round,
                number=number,
                mode=DealMode.FIELD if tables_a_set > 1 else DealMode.INDEPENDENT,
                status=DealSetStatus.FINAL if tournament_round.closing_no else DealSetStatus.OPEN,
                secret=secret,
            )
            for number in range(1, -(-len(tables) // tables_a_set) + 1)
        ],
        BATCH,
    )
    games = Game.objects.bulk_create(
        [Game(match=match, number=1, deal_set=sets[at // tables_a_set]) for at, match in enumerate(matches)], BATCH
    )
    rows = []
    for game, table in zip(games, tables, strict=True):
        scores = [dice.randrange(60, 300) for _ in table]
        for seat, entrant in enumerate(table):
            row = GameSeat(game=game, seat=seat, entrant=entrant)
            if is_played:
                row.score, row.place = scores[seat], 1 + sum(other < scores[seat] for other in scores)
            rows.append(row)
    GameSeat.objects.bulk_create(rows, BATCH)


def give_results(tournament_round: TournamentRound, shard: Shard) -> None:
    """Finished attempts for all its games, without records."""
    now = timezone.now()
    games = Game.objects.filter(match__tournament_round=tournament_round)
    Attempt.objects.bulk_create(
        [Attempt(game=game, number=1, shard=shard, status=AttemptStatus.FINISHED, started_at=now) for game in games],
        BATCH,
    )
    finished = Attempt.objects.filter(game=OuterRef("pk")).values("pk")[:1]
    games.update(result=Subquery(finished), digest="00", finished_at=now)
