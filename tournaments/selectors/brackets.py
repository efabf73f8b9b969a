"""The bracket of an elimination as its rows stand: what is decided, who goes on, what can be played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from django.db.models import Max

from tournaments import formats, ranking
from tournaments.models import Entrant, Match, MatchEntrant, MatchStatus, Stage, StageFormat
from tournaments.selectors.results import SettledMatch, settled_matches

MOST_TIE_GAMES = 3
"""So many more games are played where a tie would decide who goes on (as many as RULES 20 allows); then the higher seed."""


@dataclass(frozen=True, slots=True)
class StageBracket:
    """An elimination that has begun."""

    stage: Stage
    bracket: formats.Bracket
    progress: formats.BracketProgress
    rows: Mapping[int, Match]
    """Bracket match number -> its current row; not played or not yet paired: none."""


def stage_bracket(stage: Stage) -> StageBracket | None:
    """None until the stage has begun. Five queries, whatever the number of matches."""
    if not stage.seeding:
        return None
    bracket = bracket_for(stage, len(stage.seeding))
    current = Match.objects.filter(tournament_round__stage=stage).exclude(status=MatchStatus.SUPERSEDED)
    rows = {row.bracket_number: row for row in current.select_related("tournament_round") if row.bracket_number}
    progress = formats.bracket_progress(bracket, stage.seeding, _results(stage), gone=_gone(stage))
    return StageBracket(stage, bracket, progress, rows)


def bracket_for(stage: Stage, entrants: int) -> formats.Bracket:
    """Raises ValueError for what cannot be, `formats.NotEnoughEntrants` for too few."""
    return _bracket(
        entrants, stage.seats, stage.format == StageFormat.DOUBLE_ELIMINATION, stage.go_on, stage.has_third_place
    )


@lru_cache(maxsize=64)
def _bracket(n: int, seats: int, double: bool, go_on: int | None, third_place: bool) -> formats.Bracket:
    """Always the same, and a large one takes a second to draw."""
    return formats.elimination_bracket(n, seats, double=double, go_on=go_on, third_place=third_place)


def matches_after(match: Match, result: Sequence[int] | None = None) -> list[Match]:
    """Those that have begun and would be others' if somebody else went on from this one (DESIGN 7): they hold a correction up.

    `result`: who was there, the best first, as it would be; None: it is taken back. Those of other formats depend on nothing.
    """
    stage = match.tournament_round.stage
    found = stage_bracket(stage) if stage.is_elimination else None
    if found is None or match.bracket_number is None:
        return []
    blocking = formats.correction_blocked_by(
        found.bracket,
        stage.seeding,
        _results(stage),
        found.rows.keys(),
        {match.bracket_number: result},
        gone=_gone(stage),
    )
    return [found.rows[number] for number in blocking]


def order_by_places(match: Match, places: Mapping[int, int]) -> tuple[int, ...]:
    """The order in which a played match of an elimination would leave its entrants, if they had these places in all games.

    Empty: as they were played.
    """
    settled = settled_matches(Match.objects.filter(pk=match.pk))[0]
    corrected = replace(settled, corrected=tuple(places[each.pk] for each in settled.entrants) if places else ())
    order = _order(corrected, is_over=True)
    assert not isinstance(order, formats.Tie)
    return order


def tie_of(played: SettledMatch) -> formats.Tie | None:
    """Those of a match with results in all its games who must play one more."""
    order = _order(played, is_over=False)
    return order if isinstance(order, formats.Tie) else None


def _results(stage: Stage) -> dict[int, tuple[int, ...]]:
    """Bracket match number -> who was there, the best first; who is not named comes last, by seed.

    Of a void match, and of one to which nobody came, the higher seeds go on.
    """
    found: dict[int, tuple[int, ...]] = {}
    for settled in settled_matches(Match.objects.filter(tournament_round__stage=stage, bracket_number__isnull=False)):
        number = settled.match.bracket_number
        assert number is not None
        if settled.is_played:
            order = _order(settled, is_over=True)
            assert not isinstance(order, formats.Tie)
            found[number] = order
        elif settled.match.status == MatchStatus.VOID:
            found[number] = ()
        else:
            present = zip(settled.entrants, settled.absent, strict=True)
            found[number] = tuple(entrant.pk for entrant, is_absent in present if not is_absent)
    return found


def _order(played: SettledMatch, *, is_over: bool) -> tuple[int, ...] | formats.Tie:
    """`is_over`: no further game is played, whatever the tie."""
    stage = played.match.tournament_round.stage
    match = bracket_for(stage, len(stage.seeding)).match(played.match.bracket_number or 0)
    points: Mapping[int, Fraction] = dict(
        zip((each.pk for each in played.entrants), ranking.match_points(played.places()), strict=True)
    )
    more = [
        {seat.entrant_id: seat.place or 0 for seat in game.game_seats.all()}
        for game in played.tie_games
        if game.result_id is not None
    ]
    most = len(more) if is_over else MOST_TIE_GAMES
    return formats.finishing_order(points, stage.seeding, match.go_on, more, most_more_games=most)


def _gone(stage: Stage) -> dict[int, int]:
    """Who has withdrawn -> the first round of the bracket that was not paired then.

    A round may have been paired while somebody was leaving it: whoever is in a match of it left after.
    """
    paired = list(stage.tournament_rounds.values_list("number", "paired_at"))
    seated = MatchEntrant.objects.filter(
        tournament_round__stage=stage, is_current=True, entrant__withdrawn_at__isnull=False
    )
    last_match = dict(seated.values_list("entrant").annotate(last=Max("tournament_round__number")).order_by())
    withdrawn = Entrant.objects.filter(tournament=stage.tournament_id, withdrawn_at__isnull=False)
    return {
        entrant: 1 + max([last_match.get(entrant, 0), *(number for number, at in paired if at <= left)])
        for entrant, left in withdrawn.values_list("pk", "withdrawn_at")
        if left is not None
    }
