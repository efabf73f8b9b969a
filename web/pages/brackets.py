"""A bracket in plain form: its rounds, who meets whom in them, and who came where."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models import Count

from tournaments.formats import BracketMatch, FromMatch, FromSeed, MatchProgress, MatchState, Side
from tournaments.models import Entrant, Game, Match, MatchStatus, Stage, TournamentRound, TournamentStatus
from tournaments.selectors.brackets import MOST_TIE_GAMES, StageBracket, stage_bracket
from tournaments.selectors.places import PlaceLine, bracket_places
from web.pages.words import plural

MATCHES_SHOWN = 64
"""Of one round; the page of the round has them all."""

_SIDES = {
    Side.LOSERS: "losers’ side",
    Side.THIRD_PLACE: "for third place",
    Side.FINAL: "grand final",
    Side.RESET: "grand final again, if needed",
}


@dataclass(frozen=True, slots=True)
class BracketLine:
    """A seat of a match."""

    entrant: Entrant | None
    """None: not known yet."""
    words: str
    """Who comes here, while it is not known: `winner of match 12`."""
    seed: int | None
    outcome: str
    """`goes on`, `wins`; empty for the others, and until it is decided."""


@dataclass(frozen=True, slots=True)
class BracketTable:
    number: int
    label: str
    """What it decides, or on which side it stands; empty in an ordinary round."""
    row: Match | None
    lines: tuple[BracketLine, ...]
    """The best first once it is decided."""
    note: str
    """Why it is decided other than by its games."""


@dataclass(frozen=True, slots=True)
class BracketRound:
    number: int
    row: TournamentRound | None
    tables: tuple[BracketTable, ...]
    left: int
    """Matches that are not shown here."""


@dataclass(frozen=True, slots=True)
class ShownBracket:
    stage: Stage
    rounds: tuple[BracketRound, ...]
    places: tuple[PlaceLine, ...]
    is_final: bool
    most_tie_games: int = MOST_TIE_GAMES


def shown_bracket(stages: Sequence[Stage]) -> ShownBracket | None:
    """Of the elimination among these stages, once it has begun."""
    found = next((found for stage in stages if stage.is_elimination and (found := stage_bracket(stage))), None)
    if found is None:
        return None
    places = bracket_places(found)
    is_final = found.stage.tournament.status == TournamentStatus.FINISHED
    return ShownBracket(
        found.stage,
        tuple(_drawing(found, {line.entrant.pk: line.entrant for line in places}).rounds()),
        # Whom a top cut left out stands in the table of the stage before until all is over.
        places if is_final else tuple(line for line in places if line.seed),
        is_final,
    )


@dataclass(frozen=True, slots=True)
class _Drawing:
    """A bracket with all that its matches are shown with."""

    found: StageBracket
    entrants: Mapping[int, Entrant]
    seeds: Mapping[int, int]
    tie_games: Mapping[int, int]
    """Row id -> how many games were added after a tie."""
    leading_on: frozenset[FromSeed | FromMatch]
    """Places from which one has another match to play."""

    def rounds(self) -> Iterator[BracketRound]:
        rows = {each.number: each for each in self.found.stage.tournament_rounds.all()}
        for number, group in groupby(self.found.progress.matches, key=lambda each: each.match.round):
            matches = list(group)
            tables = tuple(self._table(each) for each in matches[:MATCHES_SHOWN])
            yield BracketRound(number, rows.get(number), tables, len(matches) - len(tables))

    def _table(self, each: MatchProgress) -> BracketTable:
        row = self.found.rows.get(each.match.number)
        lines = tuple(self._decided(each) if each.order else self._open(each))
        tie_games = self.tie_games.get(row.pk, 0) if row else 0
        return BracketTable(each.match.number, self._label(each.match), row, lines, _note(each, row, tie_games))

    def _decided(self, each: MatchProgress) -> Iterator[BracketLine]:
        outcome = "goes on" if FromMatch(each.match.number, 1) in self.leading_on else "wins"
        for place, entrant in enumerate(each.order, start=1):
            is_ahead = place <= each.match.go_on
            yield BracketLine(self.entrants[entrant], "", self.seeds[entrant], outcome if is_ahead else "")

    def _open(self, each: MatchProgress) -> Iterator[BracketLine]:
        for source, holder in zip(each.match.sources, each.holders, strict=True):
            if holder is None:
                yield BracketLine(None, self.found.bracket.words(source).capitalize(), None, "")
            else:
                yield BracketLine(self.entrants[holder], "", self.seeds[holder], "")

    def _label(self, match: BracketMatch) -> str:
        if match.side in _SIDES:
            return _SIDES[match.side]
        if self.found.bracket.reset:
            return "main side"
        return "final" if match.number == len(self.found.bracket.matches) else ""


def _drawing(found: StageBracket, entrants: Mapping[int, Entrant]) -> _Drawing:
    more = Game.objects.filter(match__in=found.rows.values(), number__gt=found.stage.games_per_match)
    return _Drawing(
        found,
        entrants,
        {entrant: seed for seed, entrant in enumerate(found.stage.seeding, start=1)},
        dict(more.values_list("match").annotate(Count("pk")).order_by()),
        frozenset(
            source
            for each in found.progress.matches
            if each.state is not MatchState.NOT_NEEDED
            for source in each.match.sources
        ),
    )


def _note(each: MatchProgress, row: Match | None, tie_games: int) -> str:
    if each.state is MatchState.WALKOVER:
        return "Not played: the others have withdrawn."
    if each.state is MatchState.NOT_NEEDED:
        return "Not needed: who had not lost has won."
    if row and row.status == MatchStatus.VOID:
        return "Void: the higher seed goes on."
    if row and row.status == MatchStatus.SCORED and row.is_unplayed:
        return "No game: who came goes on, and if nobody came, the higher seed."
    if tie_games:
        return f"A tie: {plural(tie_games, 'more game')}" + (
            ", of those who were level." if len(each.holders) > 2 else "."
        )
    return ""
