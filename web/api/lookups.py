"""From the ids in an address to rows, and who may act on them."""

from typing import TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Model, QuerySet

from tournaments.errors import TournamentError
from tournaments.models import Account, Bot, Game, Match, Stage, Tournament, TournamentStatus
from tournaments.selectors.tournaments import matches_with_games
from tournaments.services.registration import may_organise

Row = TypeVar("Row", bound=Model)
Viewer = Account | AnonymousUser


def find_tournament(public_id: str, viewer: Viewer) -> Tournament:
    """A draft is there for its organiser and the operator alone."""
    tournament = _find(Tournament.objects.select_related("organiser"), "tournament", public_id)
    is_hidden = tournament.status == TournamentStatus.DRAFT
    if is_hidden and not (isinstance(viewer, Account) and may_organise(viewer, tournament)):
        raise not_found("tournament", public_id)
    return tournament


def find_own_tournament(public_id: str, account: Account) -> Tournament:
    """One that the account organises. Raises `not_organiser`."""
    tournament = find_tournament(public_id, account)
    if not may_organise(account, tournament):
        raise TournamentError(
            "not_organiser", f"{tournament.name!r} is organised by {tournament.organiser}: only they may do that"
        )
    return tournament


def find_stage(tournament: Tournament, number: int) -> Stage:
    stage = tournament.stages.select_related("tournament").filter(number=number).first()
    if stage is None:
        count = tournament.stages.count()
        raise TournamentError(
            "not_found", f"{tournament.name!r} has no stage {number}: there are {count}", stage=number
        )
    return stage


def find_bot(public_id: str) -> Bot:
    """Deleted ones too: their results stay."""
    return _find(Bot.objects.select_related("owner"), "bot", public_id)


def find_own_bot(public_id: str, account: Account) -> Bot:
    """Raises `not_your_bot`."""
    bot = find_bot(public_id)
    if bot.owner_id != account.pk and not account.is_superuser:
        raise TournamentError("not_your_bot", f"{bot.name!r} is not a bot of yours", bot=bot.public_id)
    return bot


def find_match(public_id: str) -> Match:
    """As lists show it."""
    return _find(matches_with_games(), "match", public_id)


def find_game(public_id: str) -> Game:
    """With all that `visibility` and the seed of its result ask for."""
    rows = Game.objects.select_related(
        "match__tournament_round__stage__tournament",
        "deal_set__secret",
        "deal_set__tournament_round__stage__tournament",
        "result",
    )
    return _find(rows, "game", public_id)


def not_found(what: str, public_id: str) -> TournamentError:
    return TournamentError("not_found", f"no {what} has the id {public_id!r}: lists give it as `id`", id=public_id)


def _find(rows: QuerySet[Row], what: str, public_id: str) -> Row:
    row = rows.filter(public_id=public_id).first()
    if row is None:
        raise not_found(what, public_id)
    return row
