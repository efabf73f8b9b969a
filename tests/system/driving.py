"""What a system test does with the database of its league, in a process of its own: `python -m tests.system.driving NAME JSON`.

Every function takes and answers plain data; the answer is printed as one line of JSON.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections import Counter
from itertools import combinations
from typing import Any

import django

django.setup()

from django.db.models import Count  # noqa: E402 - Django comes first

from tournaments.models import (  # noqa: E402 - Django comes first
    Account,
    Attempt,
    Bot,
    DealSet,
    Game,
    GameFault,
    GameSeat,
    Match,
    MatchEntrant,
    Presence,
    RatingRow,
    Tournament,
    TournamentStatus,
)
from tournaments.selectors.brackets import stage_bracket  # noqa: E402 - Django comes first
from tournaments.selectors.places import bracket_places  # noqa: E402 - Django comes first
from tournaments.selectors.tournaments import tournament_progress  # noqa: E402 - Django comes first
from tournaments.services.bots import bot_create, bot_rotate_token  # noqa: E402 - Django comes first
from tournaments.services.registration import (  # noqa: E402 - Django comes first
    StagePlan,
    entrant_enter,
    tournament_create,
    tournament_open_registration,
)
from tournaments.services.running import tournament_start  # noqa: E402 - Django comes first

ENDED = (TournamentStatus.FINISHED, TournamentStatus.CANCELLED)


def make_bots(*, prefix: str, owners: int, bots: int, behaviours: dict[str, str]) -> list[dict[str, str]]:
    """Bots PREFIX 1, PREFIX 2, ... dealt out over the owners in turn; `behaviours` says by number which are not greedy."""
    accounts = [Account.objects.create_user(f"{prefix}-{number}") for number in range(1, owners + 1)]
    made = []
    for number in range(1, bots + 1):
        owner = accounts[(number - 1) % owners]
        bot = bot_create(owner=owner, name=f"{prefix} {number}")
        token = bot_rotate_token(bot=bot, actor=owner)
        made.append({"bot_id": bot.public_id, "token": token, "behaviour": behaviours.get(str(number), "greedy")})
    return made


def start_league(*, stages: list[dict[str, Any]], bots: list[str], fields: dict[str, Any]) -> str:
    """A tournament between these bots, started; its public id."""
    organiser, _ = Account.objects.get_or_create(
        username="organiser", defaults={"is_staff": True, "is_superuser": True}
    )
    tournament = tournament_create(
        organiser=organiser, name="League", stages=[StagePlan(**stage) for stage in stages], **fields
    )
    tournament_open_registration(tournament=tournament, actor=organiser)
    for bot in Bot.objects.filter(public_id__in=bots).select_related("owner"):
        entrant_enter(tournament=tournament, bot=bot, actor=bot.owner)
    tournament_start(tournament=tournament, actor=organiser)
    return tournament.public_id


def wait_connected(*, bots: list[str], within_s: float) -> int:
    """Waits until the site knows all these bots to be connected; how many are."""
    present = Presence.objects.filter(bot__public_id__in=bots).values("bot").distinct()
    return _wait(present.count, lambda count: count >= len(bots), within_s)


def wait_results(*, tournament: str, results: int, within_s: float) -> int:
    """Waits until that many games have a result."""
    games = Game.objects.filter(match__tournament_round__stage__tournament__public_id=tournament, result__isnull=False)
    return _wait(games.count, lambda count: count >= results, within_s)


def wait_ended(*, tournament: str, within_s: float) -> str:
    def status() -> str:
        return Tournament.objects.values_list("status", flat=True).get(public_id=tournament)

    return _wait(status, lambda value: value in ENDED, within_s)


def _wait(ask: Any, is_enough: Any, within_s: float) -> Any:
    give_up_at = time.monotonic() + within_s
    while not is_enough(value := ask()) and time.monotonic() < give_up_at:
        time.sleep(0.2)
    return value


def report(*, tournament: str) -> dict[str, Any]:
    """What there is to check of an ended tournament."""
    league = Tournament.objects.get(public_id=tournament)
    games = Game.objects.filter(match__tournament_round__stage__tournament=league)
    matches = Match.objects.filter(tournament_round__stage__tournament=league)
    return {
        "status": league.status,
        "status_reason": league.status_reason,
        "seconds": (league.ended_at - league.started_at).total_seconds()
        if league.ended_at and league.started_at
        else None,
        "worst_time_s": tournament_progress(league).worst_time_s,
        "matches": Counter(matches.values_list("status", flat=True)),
        "games": games.count(),
        "games_with_result": games.filter(result__isnull=False).count(),
        "attempts": Counter(Attempt.objects.filter(game__in=games).values_list("status", flat=True)),
        "given_up": _given_up(games),
        "no_shows": sum(map(len, games.filter(result__isnull=False).values_list("result__no_show_seats", flat=True))),
        "shards": Counter(Attempt.objects.filter(result_of__in=games).values_list("shard__name", flat=True)),
        "rating_rows": RatingRow.objects.filter(match__in=matches).count(),
        "deal_sets": _deal_sets(league),
        "meetings": _meetings(matches),
        "same_owner_tables": _same_owner_tables(matches),
        "faults": _faults(games),
        "retired": Counter(
            GameSeat.objects.filter(game__in=games, retired_in_round__isnull=False).values_list(
                "entrant__bot__name", flat=True
            )
        ),
        "places": _places(league),
        "entrants": dict(league.entrants.values_list("bot__name", "status")),
    }


def _given_up(games: Any) -> dict[str, int]:
    """How many attempts ended without a result, by what was said of them; whom it names and numbers are left out."""
    lost = Attempt.objects.filter(game__in=games).exclude(status="finished")
    reasons = lost.values_list("status_reason", flat=True)
    return Counter(re.sub(r"\d+", "N", reason.partition(":")[0]) for reason in reasons)


def _deal_sets(league: Tournament) -> list[tuple[int, str, int]]:
    """(tournament round, mode, games) of each."""
    sets = DealSet.objects.filter(tournament_round__stage__tournament=league).order_by("pk")
    return list(sets.annotate(tables=Count("games")).values_list("tournament_round__number", "mode", "tables"))


def _places(league: Tournament) -> list[tuple[str, str]]:
    """Place and bot, where the last stage is an elimination."""
    found = stage_bracket(league.stages.select_related("tournament").latest("number"))
    return [(line.place_text, line.entrant.bot.name) for line in bracket_places(found)] if found else []


def _meetings(matches: Any) -> dict[str, int]:
    """How often each number of meetings occurs over all pairs that met."""
    met: Counter[tuple[int, int]] = Counter()
    for match in matches:
        entrants = sorted(MatchEntrant.objects.filter(match=match).values_list("entrant", flat=True))
        met.update(combinations(entrants, 2))
    return {str(times): pairs for times, pairs in Counter(met.values()).items()}


def _same_owner_tables(matches: Any) -> int:
    owners = (match.match_entrants.values_list("entrant__bot__owner", flat=True) for match in matches)
    return sum(len(set(table)) < len(table) for table in map(list, owners))


def _faults(games: Any) -> dict[str, list[str]]:
    """Bot name -> fault types, in the order of games."""
    faults: dict[str, list[str]] = {}
    for fault in GameFault.objects.filter(attempt__result_of__in=games).order_by("attempt__result_of", "number"):
        seat = fault.attempt.game.game_seats.get(seat=fault.seat)
        faults.setdefault(seat.entrant.bot.name, []).append(fault.get_type_display())
    return faults


if __name__ == "__main__":
    name, arguments = sys.argv[1:]
    print(json.dumps(globals()[name](**json.loads(arguments))))
