"""Which tables of a new round share their deals, and whether a plan for that can come true (DESIGN 6)."""

from collections.abc import Sequence
from typing import Any

from tournaments import formats
from tournaments.errors import TournamentError
from tournaments.formats.deal_sets import EXHAUSTIVE, LEAST_TABLES
from tournaments.models import DealMode, Stage, StageFormat, Tournament

_ON_TABLES = (StageFormat.SWISS, StageFormat.ROUND_ROBIN)


def deal_sets_for(stage: Stage, tables: Sequence[formats.Pairing]) -> tuple[formats.DealSet, ...]:
    """Owners are kept apart, unless the field is trusted."""
    entrants = stage.tournament.entrants.values_list("pk", "bot__owner")
    owners = None if stage.tournament.is_trusted else dict(entrants)
    return formats.deal_sets(tables, stage.games_per_match, formats.DealMode(stage.deal_mode), owners)


def deal_notes(
    stage: Stage, tables: Sequence[formats.Pairing], sets: Sequence[formats.DealSet]
) -> list[dict[str, Any]]:
    """Tables left over where deals are shared, in the form of a round's notes."""
    if stage.deal_mode == DealMode.INDEPENDENT:
        return []
    alone = {each.games[0].table for each in sets if each.mode is formats.DealMode.INDEPENDENT}
    return [_note(at, tables) for at in sorted(alone)]


def _note(at: int, tables: Sequence[formats.Pairing]) -> dict[str, Any]:
    is_proved = sum(each.size == tables[at].size for each in tables) <= EXHAUSTIVE
    why = "unavoidable" if is_proved else "none better found"
    text = f"table {at + 1} plays deals of its own and counts by place at the table: {why}"
    return {"kind": "own_deals", "entrants": list(tables[at].entrants), "text": text}


def deals_check(tournament: Tournament, stage: Stage) -> None:
    """Whether the stage can play the deals it asks for. Raises `invalid`."""
    if stage.deal_mode == DealMode.INDEPENDENT:
        return
    if problem := _problem(tournament, stage):
        raise TournamentError("invalid", f"stage {stage.number}: {problem}", stage=stage.number)


def _problem(tournament: Tournament, stage: Stage) -> str:
    if stage.deal_mode == DealMode.ROTATED:
        return (
            "one deal with the seats moved on is for hosted bots, for a remote one could remember the deal: use field"
        )
    if stage.format not in _ON_TABLES:
        return "an elimination plays independent deals, for it has few tables"
    most = tournament.max_entrants
    if most is not None and not any(_can_share(stage, field) for field in range(2, most + 1)):
        return (
            f"shared deals need {LEAST_TABLES} tables of one size, which {most} entrants at tables of {stage.seats} never "
            "make: raise max_entrants, or play independent deals"
        )
    return ""


def _can_share(stage: Stage, field: int) -> bool:
    """Whether so many entrants make tables enough of one size."""
    if stage.format == StageFormat.ROUND_ROBIN or stage.seats == 2:
        return field // stage.seats >= LEAST_TABLES
    sizes = formats.table_sizes(field, stage.seats)
    return max(sizes.count(size) for size in sizes) >= LEAST_TABLES
