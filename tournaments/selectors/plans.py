"""What a plan amounts to: rounds, matches, games, and the longest it can take."""

from dataclasses import dataclass
from functools import lru_cache

from tournaments import formats
from tournaments.models import EntrantStatus, Stage, StageFormat, Tournament


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
    return min(stage.seats, 3)


def tournament_size(tournament: Tournament, entrants: int | None = None) -> TournamentSize | None:
    """With so many entrants, or those it has (at least its minimum); None if that is too few for a stage."""
    field = tournament.entrants.filter(status=EntrantStatus.ENTERED).count() if entrants is None else entrants
    stages = list(tournament.stages.all())
    field = max(field, tournament.min_entrants) if entrants is None else field
    if not stages or any(field < entrants_needed(stage) for stage in stages):
        return None
    return TournamentSize(tuple(stage_size(tournament, stage, field) for stage in stages))


def stage_size(tournament: Tournament, stage: Stage, entrants: int) -> StageSize:
    tables = _tables(stage, entrants)
    matches = sum(len(sizes) for sizes in tables)
    worst = sum(round_worst_time_s(tournament, stage, max(sizes, default=0)) for sizes in tables)
    return StageSize(entrants, len(tables), matches, matches * stage.games_per_match, worst)


def game_worst_time_s(tournament: Tournament, seats: int) -> int:
    """A game ends within seats x (start + thinking + bank), whatever its bots do."""
    seat_ms = tournament.start_ms + tournament.thinking_ms + tournament.bank_ms
    return -(-seats * seat_ms // 1000)


def round_worst_time_s(tournament: Tournament, stage: Stage, seats: int) -> int:
    """Until everybody has come or not, then the games of a match one after the other. Infrastructure trouble comes on top."""
    return tournament.join_wait_s + stage.games_per_match * game_worst_time_s(tournament, seats)


def _tables(stage: Stage, entrants: int) -> list[tuple[int, ...]]:
    """Per round, the sizes of its tables."""
    if stage.format == StageFormat.ROUND_ROBIN:
        return list(_round_robin_tables(entrants, stage.seats, stage.laps))
    return [_swiss_tables(entrants, stage.seats)] * stage.rounds


@lru_cache(maxsize=256)
def _round_robin_tables(entrants: int, seats: int, laps: int) -> tuple[tuple[int, ...], ...]:
    plan = formats.round_robin_plan(range(entrants), seats, laps=laps)
    return tuple(tuple(table.size for table in each.tables) for each in plan.rounds)


def _swiss_tables(entrants: int, seats: int) -> tuple[int, ...]:
    """As few tables as fit, their sizes differing by at most one, none below three unless two are planned."""
    if seats == 2:
        return (2,) * (entrants // 2)
    tables = -(-entrants // seats)
    while tables > 1 and entrants // tables < 3:
        tables -= 1
    small, larger = divmod(entrants, tables)
    return (small + 1,) * larger + (small,) * (tables - larger)
