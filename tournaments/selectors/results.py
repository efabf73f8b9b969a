"""Rows of closed and open rounds as the values that standings, pairing and ratings work on."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from operator import itemgetter

from django.db.models import F, Prefetch, QuerySet

from tournaments import ranking
from tournaments.models import (
    Bye,
    ByeKind,
    DealMode,
    Entrant,
    Game,
    GameSeat,
    Match,
    MatchEntrant,
    MatchStatus,
    Stage,
    TournamentRound,
)
from tournaments.models.status import SETTLED_MATCH


@dataclass(frozen=True, slots=True)
class SettledMatch:
    """A match that counts, with its games in order; the entrants are in the order of the pairing."""

    match: Match
    entrants: tuple[Entrant, ...]
    absent: tuple[bool, ...]
    games: tuple[Game, ...]
    tie_games: tuple[Game, ...] = ()
    """Elimination: played on by those who were tied. They decide who goes on and count for nothing else (RULES 20)."""
    corrected: tuple[int, ...] = ()
    """The places as the organiser ruled, parallel to `entrants`; empty: as played."""

    @property
    def is_played(self) -> bool:
        return self.match.status == MatchStatus.SCORED and not self.match.is_unplayed

    def places(self) -> tuple[tuple[int, ...], ...]:
        """Per game, parallel to `entrants`."""
        if self.corrected:
            return (self.corrected,) * len(self.games)
        return tuple(tuple(seat.place or 0 for seat in self._in_order(game)) for game in self.games)

    def results(self) -> tuple[ranking.GameResult, ...]:
        return tuple(
            ranking.GameResult(
                places=places,
                scores=tuple(seat.score or 0 for seat in seats),
                retired=tuple(seat.retired_in_round is not None for seat in seats),
                seats=tuple(seat.seat for seat in seats),
                deal_set=None if self.corrected else shared_deal(game),
            )
            for game, seats, places in zip(self.games, map(self._in_order, self.games), self.places(), strict=True)
        )

    def _in_order(self, game: Game) -> list[GameSeat]:
        by_entrant = {seat.entrant_id: seat for seat in game.game_seats.all()}
        return [by_entrant[entrant.pk] for entrant in self.entrants]


def shared_deal(game: Game) -> int | None:
    """The number of its deal set within the round; None for a deal of its own, as after a replacement seed (DESIGN 7)."""
    is_shared = game.deal_set.mode != DealMode.INDEPENDENT and not game.replacement
    return game.deal_set.number if is_shared else None


def settled_matches(matches: QuerySet[Match]) -> list[SettledMatch]:
    """The scored and void ones among these, in order of creation; four queries whatever their number."""
    rows = _with_games(matches.filter(status__in=SETTLED_MATCH)).order_by("id")
    return [_settled(match) for match in rows]


def finished_match(match: Match) -> SettledMatch:
    """One whose games all have results, and which is not settled yet."""
    return _settled(_with_games(Match.objects.filter(pk=match.pk)).get())


def _with_games(matches: QuerySet[Match]) -> QuerySet[Match]:
    return matches.select_related("tournament_round__stage").prefetch_related(
        "match_entrants__entrant__bot",
        Prefetch("games", Game.objects.order_by("number").select_related("deal_set").prefetch_related("game_seats")),
    )


def _settled(match: Match) -> SettledMatch:
    seated = sorted(match.match_entrants.all(), key=lambda row: row.position)
    games = tuple(match.games.all())
    planned = match.tournament_round.stage.games_per_match
    return SettledMatch(
        match,
        tuple(row.entrant for row in seated),
        tuple(row.is_absent for row in seated),
        games[:planned],
        games[planned:],
        tuple(row.corrected_place for row in seated if row.corrected_place),
    )


def stage_results(stage: Stage) -> list[ranking.Result]:
    """What the stage gave so far: settled matches, byes and absences, the open round's too."""
    tournament_rounds = list(stage.tournament_rounds.all())
    byes = Bye.objects.filter(tournament_round__in=tournament_rounds).select_related("tournament_round")
    settled = settled_matches(Match.objects.filter(tournament_round__in=tournament_rounds))
    points = shared_points(settled)
    found = [_result(each, points.get(each.match.pk)) for each in settled]
    found += [ranking.bye(bye.tournament_round.number, bye.entrant_id) for bye in byes if bye.kind == ByeKind.BYE]
    found += [ranking.absent(bye.tournament_round.number, bye.entrant_id) for bye in byes if bye.kind == ByeKind.ABSENT]
    found += [
        ranking.not_entered(bye.tournament_round.number, bye.entrant_id)
        for bye in byes
        if bye.kind == ByeKind.NOT_ENTERED
    ]
    return found


def match_result(match: Match) -> ranking.Result | None:
    """What the match gave its entrants; None until it is scored or void."""
    return match_results(Match.objects.filter(pk=match.pk)).get(match.pk)


def match_results(matches: QuerySet[Match]) -> dict[int, ranking.Result]:
    """By match id, those that are scored or void; as few queries as for one."""
    settled = settled_matches(matches)
    points = shared_points([*settled, *_other_tables(settled)])
    return {each.match.pk: _result(each, points.get(each.match.pk)) for each in settled}


def _other_tables(settled: Sequence[SettledMatch]) -> list[SettledMatch]:
    """Those that share deals with these and are not among them."""
    shared = {game.deal_set_id for each in settled for game in each.games if shared_deal(game) is not None}
    if not shared:
        return []
    tables = Match.objects.filter(pk__in=Game.objects.filter(deal_set__in=shared).values("match"))
    return settled_matches(tables.exclude(pk__in=[each.match.pk for each in settled]))


def shared_points(settled: Iterable[SettledMatch]) -> dict[int, tuple[Fraction, ...]]:
    """By match id, of the played ones in rounds with shared deals: all tables of a deal set must be among these."""
    by_round: dict[int, list[SettledMatch]] = defaultdict(list)
    for each in settled:
        if each.is_played and any(shared_deal(game) is not None for game in each.games):
            by_round[each.match.tournament_round_id].append(each)
    return {
        each.match.pk: points
        for tables in by_round.values()
        for each, points in zip(tables, ranking.round_points([table.results() for table in tables]), strict=True)
    }


def _result(settled: SettledMatch, points: Sequence[Fraction] | None) -> ranking.Result:
    """`points` where the deal sets of the match decided them."""
    number = settled.match.tournament_round.number
    entrants = [entrant.pk for entrant in settled.entrants]
    if settled.is_played:
        return ranking.played(number, entrants, settled.results(), points)
    if settled.match.status == MatchStatus.VOID:
        return ranking.void(number, entrants)
    here = [entrant for entrant, is_absent in zip(entrants, settled.absent, strict=True) if not is_absent]
    return ranking.walkover(number, entrants, here[0] if here else None)


def rated_matches(tournament_rounds: Iterable[TournamentRound]) -> list[ranking.RatedMatch]:
    """What moves ratings in these closed rounds: played matches of rated tournaments, among entrants with a version.

    Two queries whatever their number, and no rows made into models: there may be hundreds of thousands.
    """
    closings = {each.pk: each.closing_no for each in tournament_rounds if each.closing_no is not None}
    places = _places_by_game(closings)
    found = []
    for match, rows in groupby(_seated(closings), key=itemgetter(0)):
        seated = list(rows)
        rated = [(entrant, version) for _, _, entrant, version, _ in seated if version is not None]
        if len(rated) < 2:
            continue
        corrected = {entrant: place for _, _, entrant, _, place in seated if place}
        games = [corrected or game for game in places[match].values()]
        found.append(
            ranking.RatedMatch(
                match=match,
                closing_no=closings[seated[0][1]] or 0,
                entrants=tuple(version for _, version in rated),
                places=tuple(_among([game[entrant] for entrant, _ in rated]) for game in games),
            )
        )
    return found


def _seated(closings: Iterable[int]) -> Iterable[tuple[int, int, int, int | None, int | None]]:
    """(match, round, entrant, version, corrected place) of the played matches of these rounds, in the order of the pairing."""
    rows = MatchEntrant.objects.filter(
        match__tournament_round__in=list(closings), match__status=MatchStatus.SCORED, match__is_unplayed=False
    ).order_by("match", "position")
    return rows.values_list("match", "match__tournament_round", "entrant", "entrant__version", "corrected_place")


def _places_by_game(closings: Iterable[int]) -> dict[int, dict[int, dict[int, int]]]:
    """Match -> number -> entrant -> place; games after a tie count for no rating."""
    seats = GameSeat.objects.filter(
        game__match__tournament_round__in=list(closings),
        game__match__status=MatchStatus.SCORED,
        game__match__is_unplayed=False,
        game__number__lte=F("game__match__tournament_round__stage__games_per_match"),
    ).order_by("game__match", "game__number")
    found: dict[int, dict[int, dict[int, int]]] = defaultdict(lambda: defaultdict(dict))
    for match, number, entrant, place in seats.values_list("game__match", "game__number", "entrant", "place"):
        found[match][number][entrant] = place or 0
    return found


def _among(places: list[int]) -> tuple[int, ...]:
    """The places of some of a table among themselves, from 1."""
    return tuple(1 + sum(other < place for other in places) for place in places)
