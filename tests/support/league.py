"""Drives tournaments by calling the services one after the other, as the workers would."""

from dataclasses import dataclass

from tests.support.fake_referee import FakeReferee
from tournaments.models import Attempt, Bot, Match, Shard, Tournament, TournamentRound, TournamentStatus
from tournaments.models.status import OPEN_ATTEMPT
from tournaments.services.collect import results_collect
from tournaments.services.dispatch import TOGETHER, match_dispatch
from tournaments.services.rounds import round_settle, tournament_advance
from tournaments.services.shards import shard_watch

MOST_STEPS = 200


@dataclass(frozen=True)
class League:
    referee: FakeReferee
    shard: Shard

    def connect(self, *bots: Bot, version: str = "1", max_games: int = 1) -> None:
        self.referee.connect(*bots, version=version, max_games=max_games)
        self.watch()

    def watch(self) -> None:
        shard_watch(shard=self.shard)

    def dispatch(self) -> None:
        """Every match that asks to be looked at, in order."""
        for match in Match.objects.filter(next_try_at__isnull=False).order_by("pk"):
            match_dispatch(match=match, others=TOGETHER)

    def collect(self) -> int | None:
        return results_collect(shard=self.shard, wait_ms=0)

    def settle(self) -> None:
        for tournament_round in TournamentRound.objects.filter(status="open"):
            round_settle(tournament_round=tournament_round)

    def step(self) -> None:
        """One go of everything: games are played to their end."""
        self.watch()
        self.dispatch()
        self.referee.finish_all()
        self.collect()
        self.settle()
        for tournament in Tournament.objects.filter(status=TournamentStatus.RUNNING):
            tournament_advance(tournament=tournament)

    def play(self, tournament: Tournament) -> Tournament:
        """To its end."""
        for _ in range(MOST_STEPS):
            tournament.refresh_from_db()
            if tournament.status in (TournamentStatus.FINISHED, TournamentStatus.CANCELLED):
                return tournament
            self.step()
        raise AssertionError(f"{tournament} is still {tournament.status} after {MOST_STEPS} steps")


def open_attempt(match: Match) -> Attempt:
    return Attempt.objects.get(game__match=match, status__in=OPEN_ATTEMPT)
