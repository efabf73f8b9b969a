"""A tournament before it begins: what its plan leads to, for a field of a given size."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from django.db.models import Count

from tournaments import formats
from tournaments.models import Attempt, DealMode, EntrantStatus, RoundPace, Stage, StageFormat, Tournament
from tournaments.ranking.power import SAVINGS, smallest_gap
from tournaments.selectors.plans import StageSize, entrants_needed, stage_size, stage_tables

GAMES_LOOKED_AT = 500
"""The latest games of this site: how long one takes."""
_DAY_S = 24 * 3600


@dataclass(frozen=True, slots=True)
class Gap:
    """Points of margin a game that the plan can tell apart (`ranking.power`)."""

    similar: float
    """Between bots that play alike, and so gain most from shared deals."""
    unlike: float


@dataclass(frozen=True, slots=True)
class StageRehearsal:
    stage: Stage
    size: StageSize
    table_sizes: tuple[tuple[int, int], ...]
    """(seats, tables) over all rounds, the largest tables first."""
    games_each: tuple[int, int]
    """Fewest and most games of an entrant that stays to the end."""
    sittings: tuple[int, int]
    """Fewest and most games in one seat that these come to, if seats balance."""
    byes: int
    """A free point each: an odd field at two seats."""
    sits_out: int
    """Places without a table, over all rounds."""
    deal_sets: int
    """Deals that are dealt, if no owner has several bots."""
    own_deals: int
    """Tables left over where deals are shared, over all rounds."""
    expected_s: int | None
    """By the games this site has played at such tables; None if it has played none."""
    gap: Gap | None
    """None in an elimination: who loses first plays too little to say."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    entrants: int
    is_assumed: bool
    """Fewer have entered: so many are needed."""
    stages: tuple[StageRehearsal, ...]
    waiting_s: int
    """Between rounds, by the pace of the tournament."""
    gap: Gap | None
    """Over all stages in which everybody plays."""

    @property
    def matches(self) -> int:
        return sum(each.size.matches for each in self.stages)

    @property
    def games(self) -> int:
        return sum(each.size.games for each in self.stages)

    @property
    def rounds(self) -> int:
        return sum(each.size.rounds for each in self.stages)

    @property
    def worst_s(self) -> int:
        """Every round takes its longest, and waits for its time besides."""
        return self.waiting_s + sum(each.size.worst_time_s for each in self.stages)

    @property
    def expected_s(self) -> int | None:
        known = [each.expected_s for each in self.stages if each.expected_s is not None]
        return max(sum(known), self.waiting_s) if len(known) == len(self.stages) else None

    def sentences(self) -> list[str]:
        """For a page that asks."""
        field = f"{self.entrants} bots" + (" (so many are needed)" if self.is_assumed else "")
        expected = "" if self.expected_s is None else f"about {_time(self.expected_s)}, "
        told = [
            f"{field}: {_count(self.rounds, 'round')}, {_count(self.matches, 'match')}, {_count(self.games, 'game')}.",
            f"It takes {expected}{_time(self.worst_s)} at most.",
        ]
        for each in self.stages:
            told += _stage_sentences(each, "" if len(self.stages) == 1 else f"Stage {each.stage.number}: ")
        if self.gap:
            told.append(
                f"It can tell bots apart that differ by {self.gap.unlike:.0f} points a game"
                + (f", similar ones by {self.gap.similar:.0f}" if self.gap.similar < self.gap.unlike else "")
                + " (80 % of the time, at 95 %)."
            )
        return told


def rehearsal(tournament: Tournament, entrants: int | None = None) -> Rehearsal | None:
    """With so many entrants, or those that have entered (at least as many as are needed).

    None if they are too few, or it cannot be played as it is planned.
    """
    stages = list(tournament.stages.select_related("tournament").order_by("number"))
    here = tournament.entrants.filter(status=EntrantStatus.ENTERED).count()
    needed = max([tournament.min_entrants, *map(entrants_needed, stages)])
    field = max(here, needed) if entrants is None else entrants
    if not stages or any(field < entrants_needed(stage) for stage in stages):
        return None
    try:
        rehearsed = tuple(_stage(tournament, stage, field) for stage in stages)
    except ValueError:
        return None  # a draft that cannot be played: `plan_check` says why
    return Rehearsal(
        entrants=field,
        is_assumed=entrants is None and here < needed,
        stages=rehearsed,
        waiting_s=_waiting_s(tournament, sum(each.size.rounds for each in rehearsed)),
        gap=_gap([each for each in rehearsed if each.gap]),
    )


def _stage(tournament: Tournament, stage: Stage, field: int) -> StageRehearsal:
    size = stage_size(tournament, stage, field)
    tables = stage_tables(stage, size.entrants)
    seated = [sum(sizes) for sizes in tables]
    matches_each = _matches_each(stage, size.entrants, tables)
    games = (matches_each[0] * stage.games_per_match, matches_each[1] * stage.games_per_match)
    without = 0 if stage.is_elimination else sum(size.entrants - each for each in seated)
    is_bye = stage.seats == 2 and stage.format == StageFormat.SWISS
    cut = {sizes: _sets(stage, sizes) for sizes in set(tables)}
    sets = [cut[sizes] for sizes in tables]
    return StageRehearsal(
        stage=stage,
        size=size,
        table_sizes=tuple(sorted(Counter(each for sizes in tables for each in sizes).items(), reverse=True)),
        games_each=games,
        sittings=(games[0] // stage.seats, -(-games[1] // stage.seats)),
        byes=without if is_bye else 0,
        sits_out=0 if is_bye else without,
        deal_sets=sum(len(each) for each in sets),
        own_deals=0
        if stage.deal_mode == DealMode.INDEPENDENT
        else sum(each.mode is formats.DealMode.INDEPENDENT for found in sets for each in found)
        // stage.games_per_match,
        expected_s=_expected_s(stage, len(tables)),
        gap=None if stage.is_elimination else _gap_of(games[0], stage.deal_mode),
    )


def _matches_each(stage: Stage, entrants: int, tables: Sequence[Sequence[int]]) -> tuple[int, int]:
    """Fewest and most. An entrant that sits out in one round of a schedule sits out about as often as any other."""
    if stage.is_elimination:
        return 1, len(tables)
    places = sum(sum(sizes) for sizes in tables)
    return places // entrants, -(-places // entrants)


def _sets(stage: Stage, sizes: Sequence[int]) -> tuple[formats.DealSet, ...]:
    """As they are cut if owners need not be kept apart: entrants are numbered through."""
    ends = [sum(sizes[: at + 1]) for at in range(len(sizes))]
    tables = [formats.Pairing(tuple(range(end - size, end))) for end, size in zip(ends, sizes, strict=True)]
    return formats.deal_sets(tables, stage.games_per_match, formats.DealMode(stage.deal_mode))


def _expected_s(stage: Stage, rounds: int) -> int | None:
    played = (
        Attempt.objects.filter(result_of__isnull=False, started_at__isnull=False, ended_at__isnull=False)
        .annotate(size=Count("game__game_seats"))
        .filter(size=stage.seats)
        .order_by("-pk")
    )
    spans = played.values_list("started_at", "ended_at")[:GAMES_LOOKED_AT]
    times = [(end - start).total_seconds() for start, end in spans if start and end]
    return round(rounds * stage.games_per_match * median(times)) if times else None


def _gap_of(games: int, mode: str) -> Gap | None:
    unlike, similar = SAVINGS[mode]
    return Gap(smallest_gap(games * similar), smallest_gap(games * unlike)) if games else None


def _gap(stages: Sequence[StageRehearsal]) -> Gap | None:
    """Games add up, each for as many as its deals are worth."""
    unlike = sum(each.games_each[0] * SAVINGS[each.stage.deal_mode][0] for each in stages)
    similar = sum(each.games_each[0] * SAVINGS[each.stage.deal_mode][1] for each in stages)
    return Gap(smallest_gap(similar), smallest_gap(unlike)) if unlike else None


def _waiting_s(tournament: Tournament, rounds: int) -> int:
    """From the opening of the first round to that of the last, if none takes longer."""
    if tournament.round_pace == RoundPace.DAILY:
        return (rounds - 1) * _DAY_S
    if tournament.round_pace == RoundPace.EVERY and tournament.round_minutes:
        return (rounds - 1) * 60 * tournament.round_minutes
    return 0


def _stage_sentences(each: StageRehearsal, where: str) -> list[str]:
    sizes = " and ".join(f"{tables} tables of {seats}" for seats, tables in each.table_sizes)
    told = [f"{where}{sizes} in all; {_range(each.games_each)} games a bot, {_range(each.sittings)} in each seat."]
    if each.byes:
        told.append(f"{where}{_count(each.byes, 'bye')}: one bot has a free point in each round.")
    if each.sits_out:
        told.append(f"{where}bots sit out {each.sits_out} times in all.")
    if each.stage.deal_mode != DealMode.INDEPENDENT:
        own = f", {_count(each.own_deals, 'table')} left over with deals of their own" if each.own_deals else ""
        told.append(f"{where}{_count(each.deal_sets, 'deal')} in all{own}, if no owner has several bots.")
    return told


def _range(bounds: tuple[int, int]) -> str:
    low, high = bounds
    return f"{low}" if low == high else f"{low} to {high}"


def _count(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}{'es' if what.endswith('h') else 's'}"


def _time(seconds: int) -> str:
    """In the largest units: 3 days 4 hours, 2 hours 5 minutes, 12 minutes."""
    minutes = -(-seconds // 60)
    days, hours, rest = minutes // 1440, minutes % 1440 // 60, minutes % 60
    parts = [(days, "day"), (hours, "hour"), (0 if days else rest, "minute")]
    return " ".join(_count(number, name) for number, name in parts if number) or "1 minute"
