"""Ties inside a match of an elimination: those who must part play on, one game at a time."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from tournaments import formats
from tournaments.models import DealMode, DealSet, Game, GameSeat, Match, TournamentRound, TournamentSecret
from tournaments.selectors.brackets import tie_of
from tournaments.selectors.results import finished_match

_TRIES = 20
"""Other matches of the round may take the same number for their deal at the same moment."""


def tie_game_add(match: Match) -> Game | None:
    """The game that must follow, if all of a match have results and a tie would decide who goes on.

    The caller holds the match. Whoever has gone since is waited for as at the beginning.
    """
    tournament_round = match.tournament_round
    if match.bracket_number is None:
        return None
    finished = finished_match(match)
    tie = tie_of(finished)
    if tie is None:
        return None
    number = len(finished.games) + len(finished.tie_games) + 1
    tied = formats.Pairing(tuple(entrant.pk for entrant in finished.entrants if entrant.pk in tie.entrants))
    game = Game.objects.create(match=match, number=number, deal_set=_new_deal_set(tournament_round))
    GameSeat.objects.bulk_create(
        GameSeat(game=game, seat=seat, entrant_id=entrant) for seat, entrant in enumerate(tied.seat_order(number))
    )
    wait = timedelta(seconds=tournament_round.stage.tournament.join_wait_s)
    Match.objects.filter(pk=match.pk).update(join_until=timezone.now() + wait)
    return game


def _new_deal_set(tournament_round: TournamentRound) -> DealSet:
    """The next number of the round. Nobody locks the round for it: a round that settles holds it, and wants matches."""
    secret = TournamentSecret.objects.filter(tournament=tournament_round.stage.tournament).latest("number")
    for _ in range(_TRIES):
        last = tournament_round.deal_sets.aggregate(last=Max("number"))["last"] or 0
        try:
            with transaction.atomic():
                return DealSet.objects.create(
                    tournament_round=tournament_round, number=last + 1, mode=DealMode.INDEPENDENT, secret=secret
                )
        except IntegrityError:
            continue
    raise RuntimeError(f"{tournament_round} has no number for another deal after {_TRIES} tries")
