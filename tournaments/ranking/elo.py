"""Elo for tables of any size, as a pure fold over closed rounds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from tournaments.ranking.results import pair_scores

START = 1500.0
SCALE = 400.0


def k_factor(matches: int) -> float:
    """By the matches rated before: 40 for the first 30, then 20, 10 after 300."""
    if matches < 30:
        return 40.0
    return 20.0 if matches < 300 else 10.0


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A rated match: unrated, void and superseded ones, byes and walkovers are not handed in."""

    match: int
    closing_no: int
    """Given when its tournament round closed: all matches of one closing use the ratings from before it."""
    entrants: tuple[int, ...]
    """Whatever carries a rating (a bot version), in any order."""
    places: tuple[tuple[int, ...], ...]
    """One tuple a game, parallel to `entrants`, from 1, ties share the better place."""


@dataclass(frozen=True, slots=True)
class OpponentTerm:
    """One opponent's part in a rating change."""

    entrant: int
    rating: float
    """Before the match."""
    score: Fraction
    """Against this opponent: mean over the games of 1, 1/2, 0 by place."""


@dataclass(frozen=True, slots=True)
class RatingRow:
    """One entrant's change by one match, with every input: `elo_delta(before, k, opponents)` gives `delta` again."""

    match: int
    closing_no: int
    entrant: int
    before: float
    k: float
    opponents: tuple[OpponentTerm, ...]
    """In order of entrant."""
    delta: float
    after: float
    number: int
    """How many rated matches the entrant has now, this one included."""


@dataclass(frozen=True, slots=True)
class Rated:
    """Where one entrant stands."""

    rating: float
    matches: int


@dataclass(frozen=True, slots=True)
class Folded:
    rows: tuple[RatingRow, ...]
    """In order of closing_no, match, entrant."""
    ratings: Mapping[int, Rated]
    """Everybody's rating after the last row."""


def expected_score(own: float, other: float) -> float:
    """1 / (1 + 10^((other - own) / 400))."""
    return 1.0 / (1.0 + math.pow(10.0, (other - own) / SCALE))


def elo_delta(before: float, k: float, opponents: Sequence[OpponentTerm]) -> float:
    """k / (n - 1) * sum of (score - expected score) over the n - 1 opponents at the table."""
    surplus = math.fsum(float(term.score) - expected_score(before, term.rating) for term in opponents)
    return k / len(opponents) * surplus


def match_elo(
    match: RatedMatch, before: Mapping[int, Rated], k: Callable[[int], float] | float = k_factor
) -> tuple[RatingRow, ...]:
    """The rows of one match from the ratings before it. `k`: a number, or a function of the matches rated so far."""
    if any(len(places) != len(match.entrants) for places in match.places):
        raise ValueError(f"match {match.match}: places {match.places} do not run parallel to {match.entrants}")
    scores = pair_scores(match.places)
    seats = sorted(range(len(match.entrants)), key=match.entrants.__getitem__)
    return tuple(_row(match, seat, seats, scores[seat], before, k) for seat in seats)


def _row(
    match: RatedMatch,
    seat: int,
    seats: Sequence[int],
    scores: Sequence[Fraction],
    before: Mapping[int, Rated],
    k: Callable[[int], float] | float,
) -> RatingRow:
    entrants = match.entrants
    own = before[entrants[seat]]
    own_k = float(k(own.matches) if callable(k) else k)
    opponents = tuple(
        OpponentTerm(entrants[other], before[entrants[other]].rating, scores[other]) for other in seats if other != seat
    )
    delta = elo_delta(own.rating, own_k, opponents)
    return RatingRow(
        match=match.match,
        closing_no=match.closing_no,
        entrant=entrants[seat],
        before=own.rating,
        k=own_k,
        opponents=opponents,
        delta=delta,
        after=own.rating + delta,
        number=own.matches + 1,
    )


def fold_ratings(
    matches: Iterable[RatedMatch],
    *,
    before: Mapping[int, Rated] | None = None,
    parents: Mapping[int, int] | None = None,
    start: float = START,
    k: Callable[[int], float] | float = k_factor,
) -> Folded:
    """Fold closed rounds, in order of closing_no whatever the order given, into rating rows.

    All at once, or closing by closing with `before` = the ratings so far, gives the same rows, bit by bit.
    Who is not in `before` starts, with no matches, from the rating that its nearest rated ancestor by `parents` (child ->
    parent) has then, else at `start`. So `before` must hold the ancestors too. Raises ValueError when an entrant plays
    twice in one closing, or is its own ancestor.
    """
    ratings = dict(before or {})
    rows: list[RatingRow] = []
    in_order = sorted(matches, key=lambda match: (match.closing_no, match.match))
    for closing_no, closing in groupby(in_order, key=lambda match: match.closing_no):
        closed = _fold_closing(closing_no, list(closing), ratings, parents or {}, start, k)
        ratings |= {row.entrant: Rated(row.after, row.number) for row in closed}
        rows += closed
    return Folded(tuple(rows), ratings)


def _fold_closing(
    closing_no: int,
    matches: Sequence[RatedMatch],
    ratings: dict[int, Rated],
    parents: Mapping[int, int],
    start: float,
    k: Callable[[int], float] | float,
) -> list[RatingRow]:
    seated = [entrant for match in matches for entrant in match.entrants]
    if len(set(seated)) != len(seated):
        twice = min(entrant for entrant, times in Counter(seated).items() if times > 1)
        raise ValueError(f"entrant {twice} plays twice in closing {closing_no}: one match a round")
    ratings |= {new: Rated(_first_rating(new, ratings, parents, start), 0) for new in seated if new not in ratings}
    return [row for match in matches for row in match_elo(match, ratings, k)]


def _first_rating(entrant: int, ratings: Mapping[int, Rated], parents: Mapping[int, int], start: float) -> float:
    line = {entrant}
    ancestor = parents.get(entrant)
    while ancestor is not None and ancestor not in ratings:
        if ancestor in line:
            raise ValueError(f"entrant {entrant} is its own ancestor: {sorted(line)}")
        line.add(ancestor)
        ancestor = parents.get(ancestor)
    return ratings[ancestor].rating if ancestor is not None else start
