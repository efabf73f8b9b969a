"""Plays brackets on the site: every game is a real one, and ends in the order that a test asks for."""

from collections.abc import Callable, Iterable, Mapping

from referee.record.messages import BotMessage, DecisionRequest, RefereeMessage, Resign
from tests.support.league import League
from tests.support.scripted import Move, Player, playing, silent, thrower
from tournaments.models import Attempt, Game, Match, RoundStatus, Tournament, TournamentRound, TournamentStatus
from tournaments.models.status import OPEN_ATTEMPT
from tournaments.services.dispatch import match_dispatch
from tournaments.services.rounds import round_settle

Places = Callable[[Match, Game, tuple[int, ...]], Mapping[int, int]]
"""From those at a table, by id, to the place of each; two at the last places may share one."""


def resigning(in_game_round: int) -> Player:
    """A bot that leaves in this game round: the earlier, the worse its place."""
    good = playing(thrower)

    def hear(message: RefereeMessage) -> Iterable[Move]:
        if isinstance(message, DecisionRequest) and message.view.game_round >= in_game_round:
            answer: BotMessage = Resign(message.game_id)
            return [(0.0, answer)]
        return good(message)

    return hear


def players_for(places: list[int]) -> list[Player]:
    """By seat. All tied for the first place: nobody says anything, and all are out at once."""
    if len(set(places)) == 1:
        return [silent] * len(places)
    last = max(places)
    # The first place has nobody to lose against by the time its game round comes.
    return [resigning(3 + last - place) for place in places]


def play_tables(league: League, tournament: Tournament, places: Places) -> None:
    """Every running game to its end."""
    running = Attempt.objects.filter(
        status__in=OPEN_ATTEMPT, game__match__tournament_round__stage__tournament=tournament
    ).select_related("game__match__tournament_round")
    for attempt in running.order_by("pk"):
        if attempt.attempt_id not in league.referee.games:
            continue
        seated = list(attempt.game.game_seats.order_by("seat").values_list("entrant", flat=True))
        found = places(attempt.game.match, attempt.game, tuple(sorted(seated)))
        league.referee.finish(attempt.attempt_id, *players_for([found[entrant] for entrant in seated]))
    league.collect()


def step(league: League, tournament: Tournament, places: Places) -> None:
    """One go of everything but the next round, for one tournament alone."""
    league.watch()
    matches = Match.objects.filter(tournament_round__stage__tournament=tournament, next_try_at__isnull=False)
    for match in matches.order_by("pk"):
        match_dispatch(match=match)
    play_tables(league, tournament, places)
    for opened in TournamentRound.objects.filter(stage__tournament=tournament, status=RoundStatus.OPEN):
        round_settle(tournament_round=opened)


def play_bracket(
    league: League,
    tournament: Tournament,
    places: Places,
    advance: Callable[[Tournament], object],
    after_step: Callable[[], object] = lambda: None,
) -> Tournament:
    for _ in range(100):
        tournament.refresh_from_db()
        if tournament.status != TournamentStatus.RUNNING:
            return tournament
        step(league, tournament, places)
        after_step()
        advance(tournament)
    raise AssertionError(f"{tournament} is still {tournament.status}")
