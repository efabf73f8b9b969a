"""Rounds of shared deals: how they are played, and what their points are by hand."""

from collections.abc import Collection, Sequence
from fractions import Fraction

from tests.support.league import League, open_attempt
from tests.support.scripted import Player, chaotic, collector, playing
from tournaments import ranking
from tournaments.models import Game, GameSeat, Match, Tournament
from tournaments.selectors.results import match_results
from tournaments.services.dispatch import match_dispatch


def players(table: int, seats: int = 3) -> list[Player]:
    """Somebody who can play in seat 0, others who differ from table to table: seat 0 wins everywhere, by other margins."""
    return [playing(chaotic(10 * table + seat) if seat else collector) for seat in range(seats)]


def matches(tournament: Tournament, number: int = 1) -> list[Match]:
    """Of a round."""
    return list(
        Match.objects.filter(tournament_round__stage__tournament=tournament, tournament_round__number=number).order_by(
            "number"
        )
    )


def play(league: League, tables: Sequence[Match]) -> None:
    for match in tables:
        league.watch()
        match_dispatch(match=match)
        league.referee.finish(open_attempt(match).attempt_id, *players(match.number, match.match_entrants.count()))
        league.collect()
    league.settle()


def seated_margins(tables: Sequence[Match]) -> dict[int, tuple[int, Fraction]]:
    """Entrant -> (seat, margin), from the rows alone."""
    found = {}
    for game in Game.objects.filter(match__in=tables):
        rows = list(game.game_seats.all())
        total = sum(row.score for row in rows)
        for row in rows:
            found[row.entrant_id] = (row.seat, Fraction(total - row.score, len(rows) - 1) - row.score)
    return found


def points_by_hand(tables: Sequence[Match]) -> dict[int, Fraction]:
    margins = seated_margins(tables)
    points = {}
    for entrant, (seat, own) in margins.items():
        others = [margin for other, (its, margin) in margins.items() if its == seat and other != entrant]
        points[entrant] = Fraction(sum((own > each) + (own >= each) for each in others), 2 * len(others))
    return points


def points_of(tables: Sequence[Match]) -> dict[int, Fraction]:
    found = match_results(Match.objects.filter(pk__in=[match.pk for match in tables])).values()
    return {entrant: points for each in found for entrant, points in zip(each.entrants, each.points, strict=True)}


def shares(match: Match) -> dict[int, Fraction]:
    """By place at the table."""
    rows = list(match.games.get().game_seats.all())
    points = ranking.match_points([[row.place for row in rows]])
    return {row.entrant_id: share for row, share in zip(rows, points, strict=True)}


def make_skilled(tournament: Tournament, skilled: Collection[int]) -> None:
    """Writes over what was played: these entrants save thirty points in each game round, the luck of a seat is of the deal."""
    for game in Game.objects.filter(match__tournament_round__stage__tournament=tournament):
        seats = list(game.game_seats.order_by("seat"))
        luck = [(7 * game.deal_set_id + 5 * row.seat) % 11 for row in seats]
        noise = [(3 * game.pk + row.entrant_id) % 2 for row in seats]
        scores = [
            40 + own + other - 30 * (row.entrant_id in skilled)
            for row, own, other in zip(seats, luck, noise, strict=True)
        ]
        game.game_rounds = [{**told, "scores": scores} for told in game.game_rounds]
        game.save(update_fields=["game_rounds"])
        for row, score in zip(seats, scores, strict=True):
            row.score, row.place = 11 * score, 1 + sum(other < score for other in scores)
        GameSeat.objects.bulk_update(seats, ["score", "place"])
