"""Rating rows: the fold of `tournaments.ranking` over closed rounds, written and checked."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet

from tournaments import ranking
from tournaments.models import BotVersion, MatchEntrant, RatingRow, RoundStatus, TournamentRound
from tournaments.selectors.ratings import latest_rating_rows
from tournaments.selectors.results import rated_matches
from tournaments.services.sequences import CLOSING_NO, locked_sequence

BATCH = 1000
ROUNDS = 20
"""Read at a time: their matches go into one query as a list."""
MOST_TOLD = 20
"""Differences that are written out."""
_DECIDED = ("version_id", "closing_no", "number", "rating_before", "delta", "k", "inputs")


@dataclass(frozen=True, slots=True)
class RatingDifference:
    """A stored row that the fold does not give, or the other way round."""

    entrant: int
    match: int
    told: str
    """What was stored and what the fold gives; empty beyond the first `MOST_TOLD`, for all rows may differ."""

    def __str__(self) -> str:
        return f"match {self.match}, entrant {self.entrant}: {self.told or 'differs too'}"


def ratings_fold_round(tournament_round: TournamentRound) -> None:
    """Rate a round that closes. Inside its transaction, which holds the closing numbers."""
    if not tournament_round.stage.tournament.is_rated:
        return
    if RatingRow.objects.filter(closing_no__gt=tournament_round.closing_no).exists():
        ratings_refold(tournament_round.closing_no or 0)
        return
    _write_fold([tournament_round])


def ratings_refold(closing_no: int) -> None:
    """Fold this closing and all later ones again. Inside a transaction that holds the closing numbers."""
    RatingRow.objects.filter(closing_no__gte=closing_no).delete()
    for closed in _in_batches(_rated_rounds().filter(closing_no__gte=closing_no)):
        _write_fold(closed)


def ratings_rebuild(
    *, check: bool = False, on_rounds: Callable[[int, int], None] = lambda folded, rounds: None
) -> list[RatingDifference]:
    """Fold everything again. `check` only compares; else rows that differ are replaced. What differed is returned.

    `on_rounds` hears how many rounds are folded, of how many.
    """
    ratings: Mapping[int, ranking.Rated] = {}
    with transaction.atomic():
        locked_sequence(CLOSING_NO)
        differences, rounds, done = _strays(check=check), _rated_rounds().count(), 0
        for closed in _in_batches(_rated_rounds()):
            matches = rated_matches(closed)
            folded = ranking.fold_ratings(matches, before=ratings, parents=_parents(_versions(matches)))
            ratings = folded.ratings
            rows = _rows(folded.rows, closed)
            differences += _replaced(closed, rows, check=check, told=len(differences))
            done += len(closed)
            on_rounds(done, rounds)
    return _one_each(differences)


def _rated_rounds() -> QuerySet[TournamentRound]:
    return TournamentRound.objects.filter(status=RoundStatus.CLOSED, stage__tournament__is_rated=True)


def _in_batches(rounds: QuerySet[TournamentRound]) -> Iterator[list[TournamentRound]]:
    """In the order of the fold. Batch by batch, for there may be hundreds of thousands of rows."""
    in_order = list(rounds.order_by("closing_no"))
    return (in_order[start : start + ROUNDS] for start in range(0, len(in_order), ROUNDS))


def _versions(matches: Iterable[ranking.RatedMatch]) -> set[int]:
    return {version for match in matches for version in match.entrants}


def _write_fold(closed: Sequence[TournamentRound]) -> None:
    """The rows of these rounds, of which there are none, upon those of all earlier ones."""
    matches = rated_matches(closed)
    versions = _versions(matches)
    parents = _parents(versions)
    before = _ratings_before(versions | set(parents.values()))
    folded = ranking.fold_ratings(matches, before=before, parents=parents)
    RatingRow.objects.bulk_create(_rows(folded.rows, closed), batch_size=BATCH)


def _strays(*, check: bool) -> list[RatingDifference]:
    """Rows of what is not rated, or under a number that their round has not."""
    rightful = RatingRow.objects.filter(
        match__tournament_round__in=_rated_rounds(), closing_no=F("match__tournament_round__closing_no")
    )
    strays = RatingRow.objects.exclude(pk__in=rightful.values("pk"))
    differences = _differences(strays, (), told=0)
    if differences and not check:
        strays.delete()
    return differences


def _replaced(
    closed: Sequence[TournamentRound], folded: Sequence[RatingRow], *, check: bool, told: int
) -> list[RatingDifference]:
    """How the rows of these rounds differ from the fold; unless it is only a `check` they are what it says afterwards."""
    stored = RatingRow.objects.filter(closing_no__in=[each.closing_no for each in closed])
    differences = _differences(stored, folded, told=told)
    if differences and not check:
        stored.delete()
        RatingRow.objects.bulk_create(folded, batch_size=BATCH)
    return differences


def _differences(stored: Iterable[RatingRow], folded: Iterable[RatingRow], *, told: int) -> list[RatingDifference]:
    """`told`: how many there are before these."""
    before = {(row.entrant_id, row.match_id): row for row in stored}
    after = {(row.entrant_id, row.match_id): row for row in folded}
    keys = (key for key in sorted(before.keys() | after.keys()) if not _are_same(before.get(key), after.get(key)))
    return [
        RatingDifference(*key, _told(before.get(key), after.get(key)) if number < MOST_TOLD else "")
        for number, key in enumerate(keys, start=told)
    ]


def _are_same(stored: RatingRow | None, folded: RatingRow | None) -> bool:
    """In all that the fold decides, each float to its last bit."""
    if stored is None or folded is None:
        return False
    return all(getattr(stored, name) == getattr(folded, name) for name in _DECIDED)


def _one_each(differences: Iterable[RatingDifference]) -> list[RatingDifference]:
    """A row under a wrong number is a stray there and missing here: that is one difference. By entrant and match."""
    found: dict[tuple[int, int], RatingDifference] = {}
    for each in differences:
        stray = found.get((each.entrant, each.match))
        found[each.entrant, each.match] = replace(each, told=f"{stray.told}; {each.told}") if stray else each
    return [found[key] for key in sorted(found)]


def _told(stored: RatingRow | None, folded: RatingRow | None) -> str:
    return f"stored {_text(stored)}, folded {_text(folded)}"


def _text(row: RatingRow | None) -> str:
    """Floats so that the last bit shows. A database may keep the keys of JSON in an order of its own."""
    if row is None:
        return "none"
    inputs = json.dumps(row.inputs, sort_keys=True)
    floats = " ".join(value.hex() for value in (row.rating_before, row.delta, row.k))
    return f"version {row.version_id} closing {row.closing_no} number {row.number}: {floats} {inputs}"


def _parents(versions: Collection[int]) -> Mapping[int, int]:
    """Version -> the version it follows, for these and all their ancestors; a query a generation."""
    found: dict[int, int] = {}
    youngest = set(versions)
    while youngest:
        rows = BotVersion.objects.filter(pk__in=youngest, parent__isnull=False).values_list("pk", "parent")
        step = {version: parent for version, parent in rows if parent is not None}
        found |= step
        youngest = set(step.values()) - found.keys()
    return found


def _ratings_before(versions: Collection[int]) -> Mapping[int, ranking.Rated]:
    """Where the versions stand after their latest row; one without a row is left to the fold's start."""
    rows = latest_rating_rows().filter(version__in=versions)
    return {row.version_id: ranking.Rated(row.rating_after, row.number) for row in rows}


def _rows(folded: Iterable[ranking.RatingRow], rounds: Sequence[TournamentRound]) -> list[RatingRow]:
    seated = MatchEntrant.objects.filter(tournament_round__in=rounds, entrant__version__isnull=False)
    entrants = {
        (match, version): entrant
        for match, version, entrant in seated.values_list("match", "entrant__version", "entrant")
    }
    return [
        RatingRow(
            version_id=row.entrant,
            match_id=row.match,
            entrant_id=entrants[row.match, row.entrant],
            closing_no=row.closing_no,
            number=row.number,
            rating_before=row.before,
            delta=row.delta,
            k=row.k,
            inputs=[_term(term) for term in row.opponents],
        )
        for row in folded
    ]


def _term(term: ranking.OpponentTerm) -> dict[str, Any]:
    return {"version": term.entrant, "rating": term.rating, "score": str(term.score)}


def delta_from_inputs(row: RatingRow) -> float:
    """The change by the formula, from what the row says it was given: equal to `row.delta`."""
    terms = [ranking.OpponentTerm(each["version"], each["rating"], Fraction(each["score"])) for each in row.inputs]
    return ranking.elo_delta(row.rating_before, row.k, terms)
