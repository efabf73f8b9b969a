"""An organiser's acts in any order, whatever the format and the results: rows stay sound, and it can be finished."""

import random
from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from tests.support.factories import make_bots, make_organiser, make_shard, make_tournament
from tournaments.consequences import Consequences
from tournaments.errors import TournamentError
from tournaments.models import (
    Attempt,
    AuditEntry,
    Bot,
    BotVersion,
    Game,
    GameRecord,
    GameSeat,
    Match,
    MatchEntrant,
    MatchStatus,
    RoundStatus,
    Shard,
    TournamentRound,
    TournamentSecret,
    TournamentStatus,
)
from tournaments.selectors.brackets import stage_bracket
from tournaments.selectors.standings import standings_for
from tournaments.services.attempts import match_played
from tournaments.services.corrections import match_correct, match_void
from tournaments.services.late import entrant_admit
from tournaments.services.league_check import league_check
from tournaments.services.moves import move
from tournaments.services.registration import StagePlan, entrant_withdraw
from tournaments.services.reruns import game_rerun, match_rerun, round_rerun
from tournaments.services.rollback import tournament_roll_back
from tournaments.services.rounds import round_settle, tournament_advance
from tournaments.services.running import (
    tournament_cancel,
    tournament_pause,
    tournament_resume,
    tournament_start,
)
from tournaments.services.ties import tie_game_add

pytestmark = pytest.mark.django_db

SINGLE, DOUBLE = "single_elimination", "double_elimination"
PLANS = [
    [StagePlan(seats=2, rounds=3, games_per_match=2)],
    [StagePlan(seats=3, rounds=3)],
    [StagePlan(seats=3, rounds=3, games_per_match=3, deal_mode="field")],
    [StagePlan(format="round_robin", seats=2)],
    [StagePlan(format="round_robin", seats=3, deal_mode="field")],
    [StagePlan(format=SINGLE, seats=2, has_third_place=True)],
    [StagePlan(format=SINGLE, seats=4, go_on=2)],
    [StagePlan(format=DOUBLE, seats=2)],
    [StagePlan(format=DOUBLE, seats=3, games_per_match=2)],
    [StagePlan(seats=3, rounds=2), StagePlan(format=SINGLE, seats=2, top_cut=4)],
    [StagePlan(format="round_robin", seats=2), StagePlan(format=DOUBLE, seats=2, top_cut=3)],
]
RECORD_CODES = {"record", "digest", "record_of_another", "scores"}
"""Nothing here was played: what is wrong with the records does not count."""
MOST_ROUNDS = 60


def _known_bots(number: int) -> list[Bot]:
    bots = make_bots(number)
    BotVersion.objects.bulk_create(BotVersion(bot=bot, name="1", last_connected_at=timezone.now()) for bot in bots)
    return bots


def write_result(game: Game, shard: Shard, dice: random.Random) -> None:
    """As if it had been played: small scores, so that places are often shared; somebody may have left."""
    now = timezone.now()
    number = 1 + game.attempts.count()
    attempt = Attempt.objects.create(
        game=game, number=number, replacement=game.replacement, shard=shard, status="finished", ended_at=now
    )
    record = GameRecord.objects.create(attempt=attempt, data=b"none", digest=uuid4().hex)
    seats = list(game.game_seats.order_by("seat"))
    for seat in seats:
        seat.score = dice.randrange(4)
        seat.retired_in_round = dice.randrange(3, 14) if dice.random() < 0.1 else None
    keys = [(seat.retired_in_round is not None, -(seat.retired_in_round or 0), seat.score) for seat in seats]
    for seat, key in zip(seats, keys, strict=True):
        seat.place = 1 + sum(other < key for other in keys)
    GameSeat.objects.bulk_update(seats, ["score", "place", "retired_in_round"])
    Game.objects.filter(pk=game.pk).update(result=attempt, digest=record.digest, finished_at=now)


def play_match(match: Match, shard: Shard, dice: random.Random) -> None:
    """Every game that is left, those after a tie too; sometimes nobody comes, or one alone."""
    has_begun = match.games.filter(result__isnull=False).exists()
    if not has_begun and match.status == MatchStatus.WAITING and dice.random() < 0.1:
        _not_played(match, dice)
        return
    if match.status == MatchStatus.WAITING:
        move(match, MatchStatus.PLAYING, started_at=timezone.now())
    while True:
        for game in match.games.filter(result=None).order_by("number"):
            write_result(game, shard, dice)
        if tie_game_add(match) is None:
            break
    match_played(match)


def _not_played(match: Match, dice: random.Random) -> None:
    rows = list(match.match_entrants.all())
    here = dice.choice([*rows, None])
    move(match, MatchStatus.SCORED, is_unplayed=True, status_reason="nobody came", next_try_at=None)
    MatchEntrant.objects.filter(match=match).exclude(pk=here.pk if here else 0).update(is_absent=True)


def _rows() -> dict:
    return {
        "matches": dict(Match.objects.values_list("public_id", "status")),
        "games": set(Game.objects.values_list("pk", flat=True)),
        "closed": set(TournamentRound.objects.filter(status="closed").values_list("pk", flat=True)),
        "rounds": set(TournamentRound.objects.values_list("pk", flat=True)),
        "secrets": TournamentSecret.objects.count(),
        "audit": AuditEntry.objects.count(),
    }


class Organiser(RuleBasedStateMachine):
    @initialize(plan=st.sampled_from(PLANS), number=st.integers(6, 9), seed=st.integers(0, 2**16))
    def start(self, plan: list[StagePlan], number: int, seed: int) -> None:
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.dice = random.Random(seed)
        self.shard = make_shard()
        self.tournament = make_tournament(_known_bots(number), stages=plan, min_entrants=4)
        tournament_start(tournament=self.tournament, actor=make_organiser())
        self._sound()

    def teardown(self) -> None:
        if not hasattr(self, "atomic"):
            return
        try:
            self._can_be_finished()
        finally:
            transaction.set_rollback(True)
            self.atomic.__exit__(None, None, None)

    # -- what goes on --------------------------------------------------------------------------------------------------

    @rule(all_of_them=st.booleans())
    def play(self, all_of_them: bool) -> None:
        self._play(all_of_them)
        tournament_advance(tournament=self.tournament)
        self._sound()

    @rule(at=st.integers(0, 100))
    def withdraw(self, at: int) -> None:
        entrants = list(self.tournament.entrants.order_by("pk"))
        self._try(lambda: entrant_withdraw(entrant=entrants[at % len(entrants)], actor=None, reason="enough"))

    @rule()
    def pause(self) -> None:
        self._try(lambda: tournament_pause(tournament=self.tournament, actor=None))

    @rule()
    def resume(self) -> None:
        self._try(lambda: tournament_resume(tournament=self.tournament, actor=None))
        tournament_advance(tournament=self.tournament)
        self._sound()

    @rule()
    def admit(self) -> None:
        bot = _known_bots(1)[0]
        self._try(lambda: entrant_admit(tournament=self.tournament, bot=bot, actor=make_organiser()))

    @precondition(lambda self: self.dice.random() < 0.1)
    @rule()
    def cancel(self) -> None:
        self._try(lambda: tournament_cancel(tournament=self.tournament, actor=None, reason="rain"))

    # -- what is ruled -------------------------------------------------------------------------------------------------

    @rule(at=st.integers(0, 100))
    def void(self, at: int) -> None:
        match = self._match(at)
        self._act(lambda **said: match_void(match=match, **said))

    @rule(at=st.integers(0, 100), as_played=st.booleans())
    def correct(self, at: int, as_played: bool) -> None:
        match = self._match(at)
        entrants = [row.entrant for row in match.match_entrants.order_by("position")]
        points = [self.dice.randrange(3) for _ in entrants]
        places = {
            entrant: 1 + sum(other < own for other in points) for entrant, own in zip(entrants, points, strict=True)
        }
        self._act(lambda **said: match_correct(match=match, places={} if as_played else places, **said))

    @rule(at=st.integers(0, 100))
    def game_again(self, at: int) -> None:
        games = list(self._match(at).games.order_by("number"))
        if games:
            self._act(lambda **said: game_rerun(game=games[at % len(games)], **said))

    @rule(at=st.integers(0, 100))
    def match_again(self, at: int) -> None:
        match = self._match(at)
        self._act(lambda **said: match_rerun(match=match, **said))

    @rule(at=st.integers(0, 20))
    def round_again(self, at: int) -> None:
        tournament_round = self._round(at)
        self._act(lambda **said: round_rerun(tournament_round=tournament_round, **said))

    @rule(at=st.integers(0, 20))
    def roll_back(self, at: int) -> None:
        tournament_round = self._round(at)
        self._act(lambda **said: tournament_roll_back(tournament_round=tournament_round, **said))

    # -- inside --------------------------------------------------------------------------------------------------------

    def _match(self, at: int) -> Match:
        matches = list(Match.objects.order_by("-pk"))  # superseded ones too
        return matches[at % len(matches)]

    def _round(self, at: int) -> TournamentRound:
        rounds = list(TournamentRound.objects.order_by("-pk"))
        return rounds[at % len(rounds)]

    def _play(self, all_of_them: bool = True) -> None:
        waiting = Match.objects.filter(status__in=(MatchStatus.WAITING, MatchStatus.PLAYING)).order_by("pk")
        for match in waiting:
            if all_of_them or self.dice.random() < 0.5:
                play_match(match, self.shard, self.dice)
        for tournament_round in TournamentRound.objects.filter(status=RoundStatus.OPEN).order_by("pk"):
            round_settle(tournament_round=tournament_round)

    def _try(self, act: Callable[[], object]) -> bool:
        try:
            with transaction.atomic():
                act()
        except TournamentError:
            return False
        self._sound()
        return True

    def _act(self, act: Callable[..., Consequences]) -> None:
        """It is refused or done as its preview says; the preview changes nothing."""
        old = _rows()
        try:
            shown = act(actor=None, reason="a slip", preview=True)
        except TournamentError as refusal:
            code = refusal.code
        else:
            self._done_as_shown(act, old, shown)
            return
        with pytest.raises(TournamentError) as caught, transaction.atomic():
            act(actor=None, reason="a slip")
        assert (caught.value.code, _rows()) == (code, old)

    def _done_as_shown(self, act: Callable[..., Consequences], old: dict, shown: Consequences) -> None:
        assert _rows() == old
        assert act(actor=None, reason="a slip") == shown
        now = _rows()
        moved = {key: now["matches"][key] for key, was in old["matches"].items() if now["matches"][key] != was}
        assert {key for key, status in moved.items() if status == "superseded"} == set(shown.superseded)
        assert {key for key, status in moved.items() if status == "void"} == set(shown.voided)
        assert len(now["games"] - old["games"]) == shown.games_to_play
        assert len((old["closed"] - now["closed"]) & now["rounds"]) == len(shown.rounds_reopened)
        assert len(old["rounds"] - now["rounds"]) == len(shown.rounds_taken_back)
        assert (now["secrets"] > old["secrets"]) == shown.new_secret
        assert now["audit"] == old["audit"] + 1
        assert shown.sentences()
        self._sound()

    def _sound(self) -> None:
        self.tournament.refresh_from_db()
        assert [each for each in league_check().problems if each.code not in RECORD_CODES] == []
        for stage in self.tournament.stages.order_by("number"):
            stage_bracket(stage) if stage.is_elimination else standings_for(stage)

    def _can_be_finished(self) -> None:
        over = (TournamentStatus.FINISHED, TournamentStatus.CANCELLED)
        for _ in range(MOST_ROUNDS):
            self.tournament.refresh_from_db()
            unclosed = TournamentRound.objects.exclude(status=RoundStatus.CLOSED)
            if self.tournament.status in over and not unclosed.exists():
                break
            if self.tournament.status == TournamentStatus.PAUSED:
                tournament_resume(tournament=self.tournament, actor=None)
            self._play()
            tournament_advance(tournament=self.tournament)
        else:
            raise AssertionError(f"still {self.tournament.status}, {list(Match.objects.values('pk', 'status'))}")
        self._sound()
        assert not self.tournament.secrets.filter(published_at=None).exists()


def test_whatever_an_organiser_does() -> None:
    run_state_machine_as_test(
        Organiser,
        settings=settings(
            max_examples=8,
            stateful_step_count=10,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
