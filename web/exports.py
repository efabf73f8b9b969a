"""A tournament to take away: JSON, tables as CSV, records as an archive. Each shows what its asker may see, and no more."""

import csv
import io
import zipfile
from collections.abc import Iterator, Sequence
from typing import Any

from django.db.models import QuerySet

from tournaments.models import EntrantStatus, Game, Match, MatchStatus, Tournament
from tournaments.selectors.brackets import StageBracket, stage_bracket
from tournaments.selectors.games import record_bytes
from tournaments.selectors.lists import entrant_list, match_list, round_list
from tournaments.selectors.places import bracket_places
from tournaments.selectors.standings import Standings, tournament_standings
from web.api.brackets import StagePlaces
from web.api.lookups import Viewer
from web.api.rounds import Entrants, Rounds, StageStandings
from web.api.shapes import MatchShape, match_lines
from web.api.tournaments import TournamentShape

MATCHES_AT_ONCE = 200
STANDINGS_HEADER = ("stage", "place", "shared", "bot", "owner", "version", "points", "matches", "withdrawn")
RESULTS_HEADER = (
    *("stage", "round", "table", "match", "status", "game", "game_id", "seat", "bot", "owner", "version"),
    *("score", "place", "match_points", "absent"),
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def tournament_json(tournament: Tournament) -> dict[str, Any]:
    """All that the API tells of it, in the same shapes."""
    return {
        "tournament": TournamentShape(tournament).data,
        "entrants": Entrants.Output.Line(entrant_list(tournament), many=True).data,
        "rounds": Rounds.Output.Round(round_list(tournament), many=True).data,
        "standings": [
            {
                "stage": each.stage.number,
                "lines": StageStandings.Output.Line(each.lines, many=True, context=_ids(each)).data,
            }
            for each in _standings(tournament)
        ],
        "places": [
            {
                "stage": found.stage.number,
                "lines": StagePlaces.Output.BracketPlace(bracket_places(found), many=True).data,
            }
            for found in _brackets(tournament)
        ],
        "matches": [MatchShape(line).data for batch in _batches(match_list(tournament)) for line in match_lines(batch)],
    }


def _ids(standings: Standings) -> dict[str, dict[int, str]]:
    """What the shape of a standings line must know of the others."""
    return {"entrant_ids": {line.entrant.pk: line.entrant.public_id for line in standings.lines}}


def _standings(tournament: Tournament) -> list[Standings]:
    """Of the stages that are decided by points."""
    return [each for each in tournament_standings(tournament) if not each.stage.is_elimination]


def _brackets(tournament: Tournament) -> list[StageBracket]:
    """Of the stages that are decided by going on, once they have begun."""
    stages = tournament.stages.select_related("tournament").order_by("number")
    return [found for stage in stages if (found := stage_bracket(stage))]


def standings_csv(tournament: Tournament) -> str:
    """A line an entrant and stage, the best first. Points are exact fractions; an elimination has places alone."""
    rows: list[tuple[Any, ...]] = [
        (
            standings.stage.number,
            line.row.place,
            "yes" if line.row.is_shared else "",
            line.entrant.bot.name,
            line.entrant.bot.owner.username,
            line.entrant.version.name if line.entrant.version else "",
            line.row.points.value,
            line.row.matches,
            "yes" if line.row.is_withdrawn else "",
        )
        for standings in _standings(tournament)
        for line in standings.lines
    ]
    rows += [
        (
            found.stage.number,
            place.placing.first if place.placing else None,
            "yes" if place.placing and place.placing.first < place.placing.last else "",
            place.entrant.bot.name,
            place.entrant.bot.owner.username,
            place.entrant.version.name if place.entrant.version else "",
            *(None, None),
            "yes" if place.entrant.status == EntrantStatus.WITHDRAWN else "",
        )
        for found in _brackets(tournament)
        for place in bracket_places(found)
    ]
    return _csv(STANDINGS_HEADER, rows)


def results_csv(tournament: Tournament) -> str:
    """A line a game and seat, in the order of rounds and tables."""
    return _csv(
        RESULTS_HEADER,
        [
            row
            for batch in _batches(match_list(tournament))
            for line in match_lines(batch)
            for row in _result_rows(line)
        ],
    )


def _result_rows(line: Any) -> Iterator[tuple[Any, ...]]:
    match = line.match
    earned = {each.entrant.pk: each for each in line.entrants}
    place = match.tournament_round
    for game in line.games:
        for seat in game.game_seats.all():
            each = earned.get(seat.entrant_id)
            yield (
                *(place.stage.number, place.number, match.number, match.public_id, match.status),
                *(game.number, game.public_id, seat.seat, seat.entrant.bot.name, seat.entrant.bot.owner.username),
                seat.entrant.version.name if seat.entrant.version else "",
                *(seat.score, seat.place, each.points if each else None),
                "yes" if each and each.row.is_absent else "",
            )


def records_archive(tournament: Tournament, viewer: Viewer) -> Iterator[bytes]:
    """The records that this viewer may see, as a ZIP file in parts: none of it is held longer than a record.

    `stage1/round2/table3-game1-ID.5cgr`, those of superseded matches below `superseded/`.
    """
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        games = Game.objects.filter(match__tournament_round__stage__tournament=tournament, result__isnull=False)
        for pk in list(games.order_by("pk").values_list("pk", flat=True)):
            game = games.select_related(
                "match__tournament_round__stage",
                "result__game__deal_set__secret",
                "result__game__deal_set__tournament_round__stage__tournament",
                "deal_set__tournament_round__stage__tournament",
            ).get(pk=pk)
            data = record_bytes(game, viewer)
            if data is not None:
                archive.writestr(_path(game), data)
                yield sink.taken()
    yield sink.taken()


def _path(game: Game) -> str:
    match = game.match
    place = match.tournament_round
    above = "superseded/" if match.status == MatchStatus.SUPERSEDED else ""
    return f"{above}stage{place.stage.number}/round{place.number}/table{match.number}-game{game.number}-{game.public_id}.5cgr"


class _Sink(io.RawIOBase):
    """What an archive writes to and another reads from; it cannot go back."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def taken(self) -> bytes:
        """What was written since it was last asked."""
        parts, self._parts = self._parts, []
        return b"".join(parts)


def _batches(matches: QuerySet[Match]) -> Iterator[Sequence[Match]]:
    ids = list(matches.values_list("pk", flat=True))
    for start in range(0, len(ids), MATCHES_AT_ONCE):
        yield list(matches.filter(pk__in=ids[start : start + MATCHES_AT_ONCE]))


def _csv(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(header)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _cell(value: Any) -> Any:
    """Names are anybody's: none of them may be a formula where a table is opened."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
