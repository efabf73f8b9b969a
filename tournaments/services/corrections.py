"""Ruling on a match after the fact: void, or with other places than were played."""

from collections.abc import Mapping
from dataclasses import replace

from django.db import transaction

from tournaments.consequences import Consequences
from tournaments.errors import TournamentError
from tournaments.models import (
    Account,
    Entrant,
    Match,
    MatchEntrant,
    MatchStatus,
    RoundStatus,
    Tournament,
    TournamentRound,
    TournamentStatus,
)
from tournaments.selectors.brackets import matches_after, order_by_places
from tournaments.services.hints import CANCEL_GAMES, SETTLE_ROUND, hint
from tournaments.services.moves import move
from tournaments.services.notes import audit, notify
from tournaments.services.ratings import ratings_refold
from tournaments.services.registration import locked_tournament
from tournaments.services.reruns import matches_rated_since, refuse_if_gone_on, round_name, rounds_after
from tournaments.services.running import OPEN_MATCH, call_off
from tournaments.services.sequences import CLOSING_NO, locked_sequence
from tournaments.services.strength import strengths_due


def match_void(*, match: Match, actor: Account | None, reason: str, preview: bool = False) -> Consequences:
    """It counts for nobody: the mean for all its entrants, no rating. What was rated after it is rated again.

    `preview` changes nothing and says what would follow. Raises `invalid_transition`, and in an elimination
    `later_match_begun` if others have begun to play by its result.
    """
    with transaction.atomic():
        tournament, tournament_round, locked = _locked(match)
        if locked.status not in (*OPEN_MATCH, MatchStatus.SCORED):
            raise TournamentError("invalid_transition", f"{locked} is {locked.status}: it cannot be declared void")
        if locked.status == MatchStatus.SCORED:
            refuse_if_gone_on(locked, matches_after(locked, ()))
        follows = replace(_later(tournament_round, locked), voided=(locked.public_id,))
        if preview:
            return follows
        before = locked.status
        if before == MatchStatus.SCORED:
            move(locked, MatchStatus.VOID, status_reason=reason[:400], next_try_at=None)
        else:
            call_off(locked, reason)
        _refold(tournament_round)
        audit(
            action="match_void",
            actor=actor,
            subject=f"match {locked.public_id}",
            tournament=tournament,
            before={"status": before},
            after={"status": locked.status, "reason": reason},
        )
        _tell(tournament, locked, f"declared void: {reason}")
        hint(CANCEL_GAMES, tournament.pk)
        hint(SETTLE_ROUND, tournament_round.pk)
        return follows


def match_correct(
    *, match: Match, places: Mapping[Entrant, int], actor: Account | None, reason: str, preview: bool = False
) -> Consequences:
    """Other places than were played, for every entrant, from 1, equal places shared; none at all: as played.

    Points and ratings follow; a corrected table leaves its deal set, and its scores and records stay as they are.
    Raises `invalid_transition` unless the match was played and scored, `invalid` for places that are none,
    `later_match_begun` in an elimination if others would go on and have begun to play.
    """
    with transaction.atomic():
        tournament, tournament_round, locked = _locked(match)
        if locked.status != MatchStatus.SCORED or locked.is_unplayed:
            was = "not played" if locked.is_unplayed else locked.status
            raise TournamentError("invalid_transition", f"{locked} is {was}: only a result can be corrected")
        rows = list(MatchEntrant.objects.filter(match=locked).select_related("entrant__bot").order_by("position"))
        wanted = _checked(rows, {entrant.pk: place for entrant, place in places.items()})
        if locked.bracket_number is not None:
            refuse_if_gone_on(locked, matches_after(locked, order_by_places(locked, wanted)))
        follows = replace(_later(tournament_round, locked), corrected=(locked.public_id,))
        if preview:
            return follows
        before = {row.entrant.public_id: row.corrected_place for row in rows}
        for row in rows:
            row.corrected_place = wanted.get(row.entrant_id)
        MatchEntrant.objects.bulk_update(rows, ["corrected_place"])
        _refold(tournament_round)
        audit(
            action="match_correct",
            actor=actor,
            subject=f"match {locked.public_id}",
            tournament=tournament,
            before={"places": before},
            after={"places": {row.entrant.public_id: row.corrected_place for row in rows}, "reason": reason},
        )
        _tell(tournament, locked, f"corrected: {reason}")
        return follows


def _locked(match: Match) -> tuple[Tournament, TournamentRound, Match]:
    """In the order in which locks are taken."""
    tournament = locked_tournament(match.tournament_round.stage.tournament)
    rounds = TournamentRound.with_rolled_back.select_for_update(of=("self",)).select_related("stage__tournament")
    tournament_round = rounds.get(pk=match.tournament_round_id)
    locked = Match.objects.select_for_update(of=("self",)).select_related("tournament_round__stage__tournament")
    return tournament, tournament_round, locked.get(pk=match.pk)


def _later(tournament_round: TournamentRound, match: Match) -> Consequences:
    closing_no = tournament_round.closing_no if tournament_round.status == RoundStatus.CLOSED else None
    return Consequences(
        pairings_kept=tuple(map(round_name, rounds_after(tournament_round))),
        matches_refolded=matches_rated_since(closing_no, [match]),
    )


def _refold(tournament_round: TournamentRound) -> None:
    if tournament_round.status != RoundStatus.CLOSED or tournament_round.closing_no is None:
        return
    locked_sequence(CLOSING_NO)
    ratings_refold(tournament_round.closing_no)
    strengths_due(tournament_round.stage.tournament)


def _checked(rows: list[MatchEntrant], places: Mapping[int, int]) -> dict[int, int]:
    """By entrant; each place is one more than the number of those above it."""
    if not places:
        return {}
    entrants = {row.entrant_id for row in rows}
    if places.keys() != entrants:
        names = ", ".join(row.entrant.bot.name for row in rows)
        raise TournamentError("invalid", f"give a place to each of {names}, and to nobody else")
    due = {entrant: 1 + sum(other < place for other in places.values()) for entrant, place in places.items()}
    if due != dict(places):
        told = ", ".join(str(place) for place in sorted(places.values()))
        raise TournamentError("invalid", f"places {told}: count from 1, who ties shares the better place (1, 2, 2, 4)")
    return due


def _tell(tournament: Tournament, match: Match, what: str) -> None:
    rows = MatchEntrant.objects.filter(match=match).select_related("entrant__bot__owner")
    if tournament.status != TournamentStatus.CANCELLED:
        notify(
            *(row.entrant.bot.owner for row in rows),
            code="match_ruled",
            text=f"{match} was {what}",
            tournament=tournament,
        )
