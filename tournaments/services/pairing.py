"""From the rows of a stage to the pairing of its next round, and from a pairing to rows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.db.models import Max, QuerySet

from tournaments import formats, seeds
from tournaments.models import (
    Bye,
    ByeKind,
    DealSet,
    Entrant,
    EntrantStatus,
    Game,
    GameSeat,
    Match,
    MatchEntrant,
    Stage,
    StageFormat,
    Tournament,
    TournamentRound,
    TournamentSecret,
)
from tournaments.selectors.brackets import stage_bracket
from tournaments.selectors.deals import place_of
from tournaments.selectors.results import SettledMatch, settled_matches, stage_results
from tournaments.selectors.standings import standings_for
from tournaments.services.dealing import deal_notes, deal_sets_for


@dataclass(frozen=True, slots=True)
class NextRound:
    """A round as it would be paired now."""

    stage: Stage
    number: int
    pairing: formats.RoundPairing
    absent: tuple[int, ...]
    """Withdrawn entrants whom the schedule had at a table: 0 points each."""
    active: frozenset[int]
    """Whom it was paired for: if one of them leaves before it is written, it is paired anew."""
    rounds_before: int
    """Rounds that the stage had when this one was planned."""
    bracket_numbers: tuple[int, ...] = ()
    """Elimination: what the tables play, parallel to those of the pairing."""


def next_round(stage: Stage) -> NextRound | None:
    """The next round of the stage, None if it has had all. Reads rows, takes its time, writes nothing.

    Raises `formats.NotEnoughEntrants` when too few are left.
    """
    active = frozenset(active_entrants(stage.tournament).values_list("pk", flat=True))
    if stage.is_elimination:
        return _elimination(stage, active)
    number = stage.tournament_rounds.count() + 1
    if stage.format == StageFormat.ROUND_ROBIN:
        return _scheduled(stage, number, active)
    if number > stage.rounds:
        return None
    return NextRound(stage, number, _swiss(stage, number), (), active, rounds_before=number - 1)


def active_entrants(tournament: Tournament) -> QuerySet[Entrant]:
    return tournament.entrants.filter(status=EntrantStatus.ENTERED)


def make_schedule(stage: Stage) -> list[dict[str, Any]]:
    """The whole round robin, drawn by lot; stored with the stage so that it stays what was published."""
    lots = seeds.seating_seed(**place_of(stage))
    entrants = sorted(active_entrants(stage.tournament), key=lambda each: seeds.lot(lots, each.public_id))
    plan = formats.round_robin_plan([each.pk for each in entrants], stage.seats, laps=stage.laps)
    return [
        {"tables": [list(table.entrants) for table in each.tables], "sitting_out": list(each.sitting_out)}
        for each in plan.rounds
    ]


def make_seeding(stage: Stage) -> list[int]:
    """Who plays in an elimination, the best seed first: by the standings of the stage before, else by seed number.

    Shared places are ordered by seed number; who has withdrawn is not taken. Raises `formats.NotEnoughEntrants`.
    """
    active = {entrant.pk: entrant for entrant in active_entrants(stage.tournament)}
    before = stage.tournament.stages.filter(number=stage.number - 1).first()
    places = {line.entrant.pk: line.row.place for line in standings_for(before).lines} if before else {}
    order = sorted(active, key=lambda pk: (places.get(pk, 0), active[pk].seed_number or len(active) + pk))
    taken = order[: stage.top_cut]
    needed = min(stage.seats, 3)
    if len(taken) < needed:
        raise formats.NotEnoughEntrants(len(taken), needed)
    return taken


def _elimination(stage: Stage, active: frozenset[int]) -> NextRound | None:
    """A stage that begins is seeded here; `write_round` stores the seeding with the first round."""
    if not stage.seeding:
        stage.seeding = make_seeding(stage)
    found = stage_bracket(stage)
    assert found is not None
    ready = found.progress.next_round
    if not ready:
        return None
    number = ready[0].match.round
    seated = formats.seated_matches(
        ready,
        _sittings(stage),
        lots=seeds.seating_seed(**place_of(stage), tournament_round=number),
        games=stage.games_per_match,
    )
    tables = {each: seated[each] for each in sorted(seated)}
    at_table = {entrant for table in tables.values() for entrant in table.entrants}
    still_in = (set(stage.seeding) & active) - found.progress.places.keys()
    pairing = formats.RoundPairing(tuple(tables.values()), sitting_out=tuple(sorted(still_in - at_table)))
    return NextRound(
        stage,
        number,
        pairing,
        (),
        active,
        rounds_before=stage.tournament_rounds.count(),
        bracket_numbers=tuple(tables),
    )


def _sittings(stage: Stage) -> dict[int, Mapping[int, tuple[int, ...]]]:
    """Entrant -> table size -> games sat in each seat, in all stages so far."""
    past = [each for earlier in stage.tournament.stages.filter(number__lte=stage.number) for each in _past(earlier)]
    field = [(entrant, 0, seed) for seed, entrant in enumerate(stage.seeding)]
    return {each.id: each.sittings for each in formats.swiss_entrants(field, {}, past)}


def _scheduled(stage: Stage, number: int, active: frozenset[int]) -> NextRound | None:
    if number > len(stage.schedule):
        return None
    if len(active) < 2:
        raise formats.NotEnoughEntrants(len(active), 2)
    planned = stage.schedule[number - 1]
    pairing = formats.RoundPairing(
        tables=tuple(formats.Pairing(tuple(table)) for table in planned["tables"]),
        sitting_out=tuple(planned["sitting_out"]),
    )
    seated = {entrant for table in pairing.tables for entrant in table.entrants}
    gone = (seated | set(pairing.sitting_out)) - active
    return NextRound(
        stage,
        number,
        formats.without_entrants(pairing, gone),
        tuple(sorted(seated - active)),
        active,
        rounds_before=number - 1,
    )


def _swiss(stage: Stage, number: int) -> formats.RoundPairing:
    points: dict[int, Fraction] = {}
    for result in stage_results(stage):
        for entrant, earned in zip(result.entrants, result.points, strict=True):
            points[entrant] = points.get(entrant, Fraction(0)) + earned
    field = [
        (each.pk, each.bot.owner_id, each.seed_number or 0)
        for each in active_entrants(stage.tournament).select_related("bot")
    ]
    return formats.pair_swiss(
        formats.swiss_entrants(field, points, _past(stage)),
        stage.seats,
        trusted=stage.tournament.is_trusted,
        lots=seeds.seating_seed(**place_of(stage), tournament_round=number),
        games=stage.games_per_match,
        rounds_after=stage.rounds - number,
    )


def _past(stage: Stage) -> list[formats.PastRound]:
    """Rounds as they were played: void matches and walkovers met nobody, but who had a walkover is not next for a bye."""
    rounds = list(stage.tournament_rounds.order_by("number").prefetch_related("byes"))
    tables: dict[int, list[formats.Pairing]] = {each.pk: [] for each in rounds}
    walkovers: dict[int, list[int]] = {each.pk: [] for each in rounds}
    for settled in settled_matches(Match.objects.filter(tournament_round__in=rounds)):
        if settled.is_played:
            tables[settled.match.tournament_round_id].append(_pairing_of(settled))
        elif settled.match.is_unplayed:
            here = [each.pk for each, gone in zip(settled.entrants, settled.absent, strict=True) if not gone]
            walkovers[settled.match.tournament_round_id] += here
    return [
        formats.PastRound(
            formats.RoundPairing(
                tables=tuple(tables[each.pk]),
                byes=tuple(formats.Bye(bye.entrant_id) for bye in each.byes.all() if bye.kind == ByeKind.BYE),
            ),
            games=stage.games_per_match,
            walkovers=tuple(walkovers[each.pk]),
        )
        for each in rounds
    ]


def _pairing_of(settled: SettledMatch) -> formats.Pairing:
    return formats.Pairing(tuple(entrant.pk for entrant in settled.entrants))


def write_round(planned: NextRound) -> TournamentRound:
    """All rows of the round, paired and not yet open. Inside a transaction that holds the tournament."""
    stage = planned.stage
    if stage.is_elimination and not planned.rounds_before:
        stage.save(update_fields=["seeding"])
    sets = deal_sets_for(stage, planned.pairing.tables)
    notes = _notes(planned) + deal_notes(stage, planned.pairing.tables, sets)
    written = TournamentRound.objects.create(stage=stage, number=planned.number, notes=notes)
    _write_byes(written, planned)
    tables = planned.pairing.tables
    in_bracket = planned.bracket_numbers or (None,) * len(tables)
    matches = Match.objects.bulk_create(
        Match(tournament_round=written, number=number, bracket_number=in_bracket[number - 1])
        for number, _ in enumerate(tables, start=1)
    )
    MatchEntrant.objects.bulk_create(
        MatchEntrant(match=match, entrant_id=entrant, tournament_round=written, position=position)
        for match, table in zip(matches, tables, strict=True)
        for position, entrant in enumerate(table.entrants)
    )
    _write_games(written, tables, matches, sets)
    return written


def _write_byes(written: TournamentRound, planned: NextRound) -> None:
    without_table = ByeKind.GOES_ON if planned.stage.is_elimination else ByeKind.SITS_OUT
    kinds: Iterable[tuple[str, Sequence[int]]] = (
        (ByeKind.BYE, [bye.entrant for bye in planned.pairing.byes]),
        (without_table, planned.pairing.sitting_out),
        (ByeKind.ABSENT, planned.absent),
    )
    Bye.objects.bulk_create(
        Bye(tournament_round=written, entrant_id=entrant, kind=kind) for kind, entrants in kinds for entrant in entrants
    )


def _write_games(
    written: TournamentRound,
    tables: Sequence[formats.Pairing],
    matches: Sequence[Match],
    sets: Sequence[formats.DealSet],
) -> None:
    secret = TournamentSecret.objects.filter(tournament=written.stage.tournament).latest("number")
    before = _deals_of_rolled_back(written)
    deal_sets = DealSet.objects.bulk_create(
        DealSet(tournament_round=written, number=before + each.number, mode=each.mode.value, secret=secret)
        for each in sets
    )
    refs = [(deal_set, ref) for deal_set, each in zip(deal_sets, sets, strict=True) for ref in each.games]
    games = Game.objects.bulk_create(
        Game(match=matches[ref.table], number=ref.game, deal_set=deal_set) for deal_set, ref in refs
    )
    GameSeat.objects.bulk_create(
        GameSeat(game=game, seat=seat, entrant_id=entrant)
        for game, (_, ref) in zip(games, refs, strict=True)
        for seat, entrant in enumerate(tables[ref.table].seat_order(ref.game))
    )


def _deals_of_rolled_back(written: TournamentRound) -> int:
    """The last number of a deal in rounds that this one takes the place of: their cards were seen, so theirs are not used again."""
    rounds = TournamentRound.with_rolled_back.filter(stage=written.stage, number=written.number)
    return DealSet.objects.filter(tournament_round__in=rounds).aggregate(last=Max("number"))["last"] or 0


def _notes(planned: NextRound) -> list[dict[str, Any]]:
    names = dict(planned.stage.tournament.entrants.values_list("pk", "bot__name"))
    return [
        {"kind": note.kind.value, "entrants": list(note.entrants), "text": note.text(names.__getitem__)}
        for note in planned.pairing.notes
    ]
