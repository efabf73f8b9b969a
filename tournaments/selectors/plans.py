"""What a plan amounts to: rounds, matches, games, and the longest it can take."""

from dataclasses import dataclass

from tournaments import formats
from tournaments.models import EntrantStatus, Stage, StageFormat, Tournament
from tournaments.selectors.brackets import MOST_TIE_GAMES, bracket_for


@dataclass(frozen=True, slots=True)
class StageSize:
    """A stage with a field of a given size."""

    entrants: int
    rounds: int
    matches: int
    games: int
    worst_time_s: int
    """If every round took its longest, and every entrant played in this tournament alone."""


@dataclass(frozen=True, slots=True)
class TournamentSize:
    stages: tuple[StageSize, ...]

    @property
    def rounds(self) -> int:
        return sum(stage.rounds for stage in self.stages)

    @property
    def games(self) -> int:
        return sum(stage.games for stage in self.stages)

    @property
    def worst_time_s(self) -> int:
        return sum(stage.worst_time_s for stage in self.stages)


def entrants_needed(stage: Stage) -> int:
    """The smallest field the stage can be played by."""
    return max(min(stage.seats, 3), stage.top_cut or 0)


def elimination_problem(stage: Stage, *, is_last: bool, min_entrants: int) -> str:
    """Why the stage cannot be played as it is planned, if an elimination is what stands in the way; else empty."""
    if not stage.is_elimination:
        asked = stage.top_cut or stage.go_on or stage.has_third_place
        return "a top cut, how many go on and a match for third place are of an elimination" if asked else ""
    if not is_last:
        return "nothing can follow an elimination: most are out by then"
    cut, fewest = stage.top_cut, min(stage.seats, 3)
    if cut and stage.number == 1:
        return f"a top cut of {cut} needs a stage before it, whose best are taken"
    if cut and cut < fewest:
        return f"a top cut of {cut} fills no table: take at least {fewest}"
    if cut and cut > min_entrants:
        return f"a top cut of {cut} is more than the {min_entrants} it may start with: raise min_entrants"
    try:
        bracket_for(stage, cut or max(min_entrants, fewest))
    except ValueError as error:
        return str(error)
    return ""


def tournament_size(tournament: Tournament, entrants: int | None = None) -> TournamentSize | None:
    """With so many entrants, or those it has (at least its minimum); None if that is too few for a stage."""
    field = tournament.entrants.filter(status=EntrantStatus.ENTERED).count() if entrants is None else entrants
    stages = list(tournament.stages.all())
    field = max(field, tournament.min_entrants) if entrants is None else field
    if not stages or any(field < entrants_needed(stage) for stage in stages):
        return None
    return TournamentSize(tuple(stage_size(tournament, stage, field) for stage in stages))


def stage_size(tournament: Tournament, stage: Stage, entrants: int) -> StageSize:
    """Of an elimination: if everybody stays and a grand final is played again. More games after ties only count as time."""
    entrants = min(entrants, stage.top_cut or entrants)
    tables = stage_tables(stage, entrants)
    matches = sum(len(sizes) for sizes in tables)
    worst = sum(round_worst_time_s(tournament, stage, max(sizes, default=0)) for sizes in tables)
    return StageSize(entrants, len(tables), matches, matches * stage.games_per_match, worst)


def game_worst_time_s(tournament: Tournament, seats: int) -> int:
    """A game ends within seats x (start + thinking + bank), whatever its bots do."""
    seat_ms = tournament.start_ms + tournament.thinking_ms + tournament.bank_ms
    return -(-seats * seat_ms // 1000)


def round_worst_time_s(tournament: Tournament, stage: Stage, seats: int) -> int:
    """Until everybody has come or not, then the games of a match one after the other. Infrastructure trouble comes on top.

    After a tie in an elimination whoever has gone is waited for again.
    """
    more = MOST_TIE_GAMES if stage.is_elimination else 0
    games = stage.games_per_match + more
    return (1 + more) * tournament.join_wait_s + games * game_worst_time_s(tournament, seats)


def stage_tables(stage: Stage, entrants: int) -> list[tuple[int, ...]]:
    """Per round, the sizes of its tables."""
    if stage.is_elimination:
        bracket = bracket_for(stage, entrants)
        in_rounds = [[each for each in bracket.matches if each.round == 1 + at] for at in range(bracket.rounds)]
        return [tuple(len(each.sources) for each in matches) for matches in in_rounds]
    if stage.format == StageFormat.ROUND_ROBIN:
        size = formats.round_robin_size(entrants, stage.seats, laps=stage.laps)
        return [(size.table_seats,) * size.tables] * size.rounds
    sizes = [2] * (entrants // 2) if stage.seats == 2 else formats.table_sizes(entrants, stage.seats)
    return [tuple(sizes)] * stage.rounds
