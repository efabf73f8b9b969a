"""Playing again what was played: a game, a match or a round (DESIGN 7). Nothing is overwritten.

The old match stays as superseded, with the games that are played again; a new one takes its place. Games whose results
are kept become games of the new match, and the old one remembers them (`passed_on`). New games have deal sets of their
own, whose numbers no game of the round had before.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from tournaments import formats, seeds
from tournaments.consequences import Consequences
from tournaments.errors import TournamentError
from tournaments.models import (
    Account,
    Attempt,
    AttemptStatus,
    DealMode,
    DealSet,
    Game,
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
from tournaments.selectors.brackets import matches_after
from tournaments.services.dealing import deal_sets_for
from tournaments.services.hints import DISPATCH_MATCH, hint_each
from tournaments.services.moves import move
from tournaments.services.notes import audit, notify
from tournaments.services.ratings import ratings_refold
from tournaments.services.registration import locked_tournament
from tournaments.services.rounds import HINTS_A_ROUND, LOOK_AGAIN, versions_wanted_changed
from tournaments.services.sequences import CLOSING_NO, locked_sequence

_PLAYED_IN = (TournamentStatus.RUNNING, TournamentStatus.PAUSED, TournamentStatus.FINISHED)


@dataclass(frozen=True, slots=True)
class Replayed:
    """A settled match, with those of its games that are played again; the others are kept."""

    match: Match
    games: tuple[Game, ...]
    kept: tuple[Game, ...]


def game_rerun(*, game: Game, actor: Account | None, reason: str, preview: bool = False) -> Consequences:
    """One game anew; the other results of its match are kept. Raises as `match_rerun`."""
    return _rerun("game_rerun", game.match, lambda match: [game.pk], actor, reason, preview)


def match_rerun(*, match: Match, actor: Account | None, reason: str, preview: bool = False) -> Consequences:
    """All games of a match anew. Its round is opened for it if it was closed; a finished tournament stays finished.

    `preview` changes nothing and says what would follow. Raises `invalid_transition` unless the match is scored or void,
    `not_running` in a tournament that was cancelled, `later_match_begun` in an elimination that has gone on.
    """
    return _rerun("match_rerun", match, _all_games, actor, reason, preview)


def round_rerun(
    *, tournament_round: TournamentRound, actor: Account | None, reason: str, preview: bool = False
) -> Consequences:
    """All matches of a round anew, with deals shared as in a new round. Raises as `match_rerun`."""
    with transaction.atomic():
        tournament, locked = _locked(tournament_round)
        matches = list(_current(locked).select_for_update().order_by("id"))
        if not matches:
            raise TournamentError("invalid_transition", f"{locked} has no match to play again")
        replayed = [_replayed(match, _all_games(match)) for match in matches]
        return _carry_out("round_rerun", tournament, locked, replayed, actor, reason, preview, shared=True)


def _all_games(match: Match) -> list[int]:
    return list(match.games.values_list("pk", flat=True))


def _rerun(
    action: str,
    match: Match,
    chosen: Callable[[Match], list[int]],
    actor: Account | None,
    reason: str,
    preview: bool,
) -> Consequences:
    with transaction.atomic():
        tournament, tournament_round = _locked(match.tournament_round)
        locked = Match.objects.select_for_update().get(pk=match.pk)
        replayed = [_replayed(locked, chosen(locked))]
        return _carry_out(action, tournament, tournament_round, replayed, actor, reason, preview, shared=False)


def _locked(tournament_round: TournamentRound) -> tuple[Tournament, TournamentRound]:
    tournament = locked_tournament(tournament_round.stage.tournament)
    if tournament.status not in _PLAYED_IN:
        raise TournamentError(
            "not_running", f"{tournament.name!r} is {tournament.status}: nothing in it is played again"
        )
    rounds = TournamentRound.objects.select_for_update(of=("self",)).select_related("stage__tournament")
    locked = rounds.filter(pk=tournament_round.pk).first()
    if locked is None:
        raise TournamentError("invalid_transition", f"{tournament_round} was rolled back")
    return tournament, locked


def _current(tournament_round: TournamentRound) -> QuerySet[Match]:
    return tournament_round.matches.exclude(status=MatchStatus.SUPERSEDED)


def _replayed(match: Match, chosen: Collection[int]) -> Replayed:
    """Games after a tie are played again only if there is a tie again."""
    if match.status not in SETTLED_MATCH:
        raise TournamentError(
            "invalid_transition", f"{match} is {match.status}: only one that is scored or void is played again"
        )
    planned = match.tournament_round.stage.games_per_match
    games = [game for game in match.games.order_by("number") if game.number <= planned]
    again = tuple(game for game in games if game.pk in chosen or game.result_id is None)
    if not again:
        raise TournamentError(
            "invalid_transition", f"a game of {match} after a tie is not played again by itself: play the match again"
        )
    kept = tuple(game for game in games if game not in again)
    return Replayed(match, again, kept)


def _carry_out(
    action: str,
    tournament: Tournament,
    tournament_round: TournamentRound,
    replayed: Sequence[Replayed],
    actor: Account | None,
    reason: str,
    preview: bool,
    *,
    shared: bool,
) -> Consequences:
    """Inside a transaction that holds tournament, round and matches."""
    for each in replayed:
        refuse_if_gone_on(each.match, matches_after(each.match))
    follows = _consequences(tournament, tournament_round, replayed)
    if preview:
        return follows
    secret = _secret(tournament)
    news = [_replace(each, tournament, reason) for each in replayed]
    for games, deal_set in _dealt(tournament_round, replayed, secret, shared=shared):
        _write_games(games, deal_set, {each.match.pk: new for each, new in zip(replayed, news, strict=True)})
    _reopen(tournament_round)
    what = {"game_rerun": "game", "match_rerun": "match", "round_rerun": "round"}[action]
    audit(
        action=action,
        actor=actor,
        subject=f"{what} of {tournament_round}: matches {', '.join(follows.superseded)}",
        tournament=tournament,
        before={each.match.public_id: each.match.replacement for each in replayed},
        after={
            "reason": reason,
            "replaced_by": {each.match.public_id: new.public_id for each, new in zip(replayed, news, strict=True)},
            "games": follows.games_to_play,
            "results_kept": follows.results_kept,
        },
    )
    _tell(tournament, tournament_round, news, reason)
    hint_each(DISPATCH_MATCH, [new.pk for new in news][:HINTS_A_ROUND])
    if tournament.status == TournamentStatus.FINISHED:
        versions_wanted_changed()
    return follows


def refuse_if_gone_on(match: Match, blocking: Sequence[Match]) -> None:
    """In an elimination others have begun to play by what is to be changed (DESIGN 7)."""
    if not blocking:
        return
    number = match.tournament_round.number
    places = ", ".join(f"round {each.tournament_round.number} table {each.number}" for each in blocking)
    raise TournamentError(
        "later_match_begun",
        f"who goes on from {match} may change, and {places} has begun: roll back to round {number} first",
        matches=[each.public_id for each in blocking],
        roll_back_to=number,
    )


def _consequences(
    tournament: Tournament, tournament_round: TournamentRound, replayed: Sequence[Replayed]
) -> Consequences:
    is_closed = tournament_round.status == RoundStatus.CLOSED
    matches = [each.match for each in replayed]
    return Consequences(
        superseded=tuple(match.public_id for match in matches),
        games_to_play=sum(len(each.games) for each in replayed),
        results_kept=sum(len(each.kept) for each in replayed),
        rounds_reopened=(round_name(tournament_round),) if is_closed else (),
        pairings_kept=tuple(map(round_name, rounds_after(tournament_round))),
        matches_refolded=matches_rated_since(tournament_round.closing_no if is_closed else None, matches),
        new_secret=not _has_open_secret(tournament),
    )


def round_name(tournament_round: TournamentRound) -> str:
    return f"stage {tournament_round.stage.number} round {tournament_round.number}"


def rounds_after(tournament_round: TournamentRound) -> list[TournamentRound]:
    stage = tournament_round.stage
    later = Q(stage=stage, number__gt=tournament_round.number) | Q(stage__number__gt=stage.number)
    rows = TournamentRound.objects.filter(later, stage__tournament=stage.tournament_id).select_related("stage")
    return list(rows.order_by("stage__number", "number"))


def matches_rated_since(closing_no: int | None, but: Collection[Match]) -> int:
    """How many other matches have rating rows of this closing or a later one."""
    if closing_no is None:
        return 0
    rows = RatingRow.objects.filter(closing_no__gte=closing_no).exclude(match__in=but)
    return rows.values("match").distinct().count()


def _has_open_secret(tournament: Tournament) -> bool:
    return tournament.secrets.latest("number").published_at is None


def _secret(tournament: Tournament) -> TournamentSecret:
    """The one that is not public yet, or a new one, committed before any of its deals is played."""
    latest = tournament.secrets.latest("number")
    if latest.published_at is None:
        return latest
    secret = seeds.new_secret()
    return TournamentSecret.objects.create(
        tournament=tournament, number=latest.number + 1, secret=secret, secret_hash=seeds.secret_hash(secret)
    )


def _replace(replayed: Replayed, tournament: Tournament, reason: str) -> Match:
    """The old match counts no longer; the new one waits, and has the games that are kept."""
    old, now = replayed.match, timezone.now()
    seated = list(MatchEntrant.objects.filter(match=old))
    MatchEntrant.objects.filter(match=old).update(is_current=False)
    move(old, MatchStatus.SUPERSEDED, status_reason=f"played again: {reason}"[:400], next_try_at=None)
    replaced = [game.pk for game in old.games.all() if game not in replayed.kept]
    Attempt.objects.filter(game__in=replaced, status=AttemptStatus.FINISHED).update(status=AttemptStatus.SUPERSEDED)
    new = Match.objects.create(
        tournament_round=old.tournament_round,
        number=old.number,
        bracket_number=old.bracket_number,
        replacement=old.replacement + 1,
        replaces=old,
        next_try_at=now,
        join_until=now + timedelta(seconds=tournament.join_wait_s),
    )
    MatchEntrant.objects.bulk_create(
        MatchEntrant(
            match=new, entrant_id=row.entrant_id, tournament_round_id=row.tournament_round_id, position=row.position
        )
        for row in seated
    )
    old.passed_on.add(*replayed.kept)
    Game.objects.filter(pk__in=[game.pk for game in replayed.kept]).update(match=new)
    return new


def _dealt(
    tournament_round: TournamentRound, replayed: Sequence[Replayed], secret: TournamentSecret, *, shared: bool
) -> list[tuple[list[Game], DealSet]]:
    """The games to be played again, by the new deal set of each."""
    last = tournament_round.deal_sets.aggregate(last=Max("number"))["last"] or 0
    own = [([game], formats.DealMode.INDEPENDENT) for each in replayed for game in each.games]
    sets = _shared(tournament_round, replayed) if shared else own
    rows = DealSet.objects.bulk_create(
        DealSet(tournament_round=tournament_round, number=number, mode=DealMode(mode.value), secret=secret)
        for number, (_, mode) in enumerate(sets, start=last + 1)
    )
    return [(games, row) for (games, _), row in zip(sets, rows, strict=True)]


def _shared(
    tournament_round: TournamentRound, replayed: Sequence[Replayed]
) -> list[tuple[list[Game], formats.DealMode]]:
    tables = [
        formats.Pairing(tuple(each.match.match_entrants.order_by("position").values_list("entrant", flat=True)))
        for each in replayed
    ]
    games = [{game.number: game for game in each.games} for each in replayed]
    return [
        ([games[ref.table][ref.game] for ref in each.games], each.mode)
        for each in deal_sets_for(tournament_round.stage, tables)
    ]


def _write_games(games: Sequence[Game], deal_set: DealSet, new_of: dict[int, Match]) -> None:
    for game in games:
        new = Game.objects.create(match=new_of[game.match_id], number=game.number, deal_set=deal_set)
        GameSeat.objects.bulk_create(
            GameSeat(game=new, seat=row.seat, entrant_id=row.entrant_id) for row in game.game_seats.all()
        )


def _reopen(tournament_round: TournamentRound) -> None:
    """It keeps its place in the fold of the ratings; until it closes again none of its matches is rated."""
    if tournament_round.status != RoundStatus.CLOSED:
        return
    locked_sequence(CLOSING_NO)
    move(tournament_round, RoundStatus.OPEN, closed_at=None, next_try_at=timezone.now() + LOOK_AGAIN)
    assert tournament_round.closing_no is not None
    ratings_refold(tournament_round.closing_no)


def _tell(tournament: Tournament, tournament_round: TournamentRound, news: Sequence[Match], reason: str) -> None:
    rows = MatchEntrant.objects.filter(match__in=news).select_related("entrant__bot__owner")
    notify(
        *{row.entrant.bot.owner for row in rows},
        code="played_again",
        text=f"{tournament.name}, {round_name(tournament_round)}: a match of yours is played again: {reason}",
        tournament=tournament,
    )
