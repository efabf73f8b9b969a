"""Tiebreaks. Each gives a cell: a value, more is better, and the terms and the text that explain it.

| tiebreak | of one entrant alone | what it leaves out |
|---|---|---|
| opponent points | yes | byes, walkovers, void matches: nobody was met |
| first places | yes | matches without a game |
| mean margin | yes | the scores of retired seats in the others' margins |
| direct | no: within a group still tied | void matches; a walkover counts as the result it was |
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from itertools import combinations

from tournaments.ranking.results import HALF, GameResult, Result, ResultKind, pair_scores
from tournaments.ranking.shared_deals import set_margins


class Tiebreak(StrEnum):
    """What may follow the points, in whatever order was announced."""

    OPPONENT_POINTS = "opponent_points"
    """Mean of the opponents' points from matches; a round an opponent did not play counts 1/2, its byes too."""
    FIRST_PLACES = "first_places"
    """Games won; a shared first place counts its share."""
    MEAN_MARGIN = "mean_margin"
    """Mean over deal sets of (mean of the table opponents' scores less one's own), in card points."""
    DIRECT = "direct"
    """Score against those still tied on deals they shared, where each two of them shared one."""


@dataclass(frozen=True, slots=True)
class Term:
    """One number of a sum, and what it comes from."""

    value: Fraction
    tournament_round: int | None = None
    """None: from several rounds."""
    opponent: int | None = None
    """The entrant met, where the number belongs to one."""
    kind: ResultKind = ResultKind.PLAYED
    """What else than a played match it is from: a page marks it."""


@dataclass(frozen=True, slots=True)
class TiebreakCell:
    """One number of a row and how it came about."""

    value: Fraction | None
    """None: not possible or not needed; the explanation says which. Else the sum of the terms / divisor."""
    explanation: str
    """Plain text: `(2/3 + 1 + 1/3) / 3`."""
    terms: tuple[Term, ...] = ()
    divisor: int = 1

    def worked(self, number: Callable[[Fraction], str] | None = None) -> str:
        """The arithmetic with its result, in numbers as `number` writes them; the explanation where there is no value.

        >>> cell = sum_cell([Term(Fraction(1, 2)), Term(Fraction(3, 4), kind=ResultKind.BYE)], "nothing", mean=True)
        >>> cell.worked(), cell.worked(decimal_text)
        ('(1/2 + 3/4 (bye)) / 2 = 5/8', '(0.5 + 0.75 (bye)) / 2 = 0.625')
        """
        write = number or fraction_text
        if self.value is None or not self.terms:
            return self.explanation
        return f"{_sum_text(self.terms, self.divisor, write)} = {write(self.value)}"


@dataclass(frozen=True, slots=True)
class Record:
    """One entrant's results in order of round, each with the entrant's index in it."""

    entrant: int
    results: tuple[tuple[Result, int], ...]

    def of_kind(self, kind: ResultKind) -> Iterator[tuple[Result, int]]:
        return (pair for pair in self.results if pair[0].kind is kind)


@dataclass(frozen=True, slots=True)
class Table:
    """All records, and what the means refer to."""

    records: Mapping[int, Record]
    as_opponent: Mapping[int, Fraction]
    """What each counts for those who met it."""
    deals: Mapping[DealKey, tuple[SeatedGame, ...]]
    """The games of each deal set."""
    per_match: bool


DealKey = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class SeatedGame:
    """A game among those that share its deal."""

    entrants: tuple[int, ...]
    game: GameResult
    margins: tuple[Fraction | None, ...]
    """Parallel to the entrants."""


def table_of(records: Mapping[int, Record], rounds: int, per_match: bool) -> Table:
    """The records of a stage after so many rounds."""
    as_opponent = {entrant: _points_as_opponent(record, rounds, per_match) for entrant, record in records.items()}
    return Table(records, as_opponent, _deals(records.values()), per_match)


def _deals(records: Iterable[Record]) -> dict[DealKey, tuple[SeatedGame, ...]]:
    found: dict[DealKey, list[tuple[tuple[int, ...], GameResult]]] = defaultdict(list)
    for record in records:
        for result, index in record.of_kind(ResultKind.PLAYED):
            for number, game in enumerate(result.games if index == 0 else ()):
                found[_deal_key(result, number)].append((result.entrants, game))
    return {key: _seated(games) for key, games in found.items()}


def _deal_key(result: Result, number: int) -> DealKey:
    deal_set = result.games[number].deal_set
    own = (result.entrants, number) if deal_set is None else (deal_set,)
    return (result.tournament_round, *own)


def _seated(games: Sequence[tuple[tuple[int, ...], GameResult]]) -> tuple[SeatedGame, ...]:
    by_game = set_margins([game for _, game in games])
    return tuple(SeatedGame(entrants, game, own) for (entrants, game), own in zip(games, by_game, strict=True))


def fraction_text(value: Fraction) -> str:
    """A number as people write it.

    >>> fraction_text(Fraction(5, 2)), fraction_text(Fraction(-1, 3)), fraction_text(Fraction(4))
    ('2 1/2', '-1/3', '4')
    """
    whole, rest = divmod(abs(value), 1)
    parts = [str(whole)] if whole or not rest else []
    parts += [str(rest)] if rest else []
    return ("-" if value < 0 else "") + " ".join(parts)


def decimal_text(value: Fraction) -> str:
    """To three places, without the zeros at the end.

    >>> decimal_text(Fraction(5, 8)), decimal_text(Fraction(-2, 3)), decimal_text(Fraction(4))
    ('0.625', '-0.667', '4')
    """
    return f"{float(round(value, 3)):.3f}".rstrip("0").rstrip(".")


def sum_cell(terms: Sequence[Term], nothing: str, *, mean: bool, empty: Fraction | None = None) -> TiebreakCell:
    """The sum or mean of the terms with its arithmetic; of no terms `empty`, which `nothing` explains."""
    if not terms:
        return TiebreakCell(empty, nothing)
    divisor = len(terms) if mean else 1
    value = sum((term.value for term in terms), Fraction(0)) / divisor
    return TiebreakCell(value, _sum_text(terms, divisor, fraction_text), tuple(terms), divisor)


def _sum_text(terms: Sequence[Term], divisor: int, number: Callable[[Fraction], str]) -> str:
    """`2/3 - 1 + 1/3 (void)`, in brackets and divided where there is something to divide by."""
    first, *others = terms
    text = number(first.value) + _note(first)
    for term in others:
        text += f" {'-' if term.value < 0 else '+'} {number(abs(term.value))}{_note(term)}"
    return f"({text}) / {divisor}" if divisor > 1 else text


def _note(term: Term) -> str:
    return "" if term.kind is ResultKind.PLAYED else f" ({term.kind.value})"


def opponent_points(record: Record, table: Table) -> TiebreakCell:
    """Mean of the opponents' points, one term for each opponent at each table."""
    terms = [
        Term(table.as_opponent[other], result.tournament_round, other)
        for result, _ in record.of_kind(ResultKind.PLAYED)
        for other in result.entrants
        if other != record.entrant
    ]
    return sum_cell(terms, "no opponent met", mean=True)


def _points_as_opponent(record: Record, rounds: int, per_match: bool) -> Fraction:
    earned = [result.points[index] for result, index in record.of_kind(ResultKind.PLAYED)]
    if per_match:
        return sum(earned, Fraction(0)) / max(len(earned), 1)
    return sum(earned, Fraction(0)) + HALF * (rounds - len(earned))


def first_places(record: Record, table: Table) -> TiebreakCell:
    """Games won, a shared win by its share; a mean where numbers of matches differ."""
    shares = [
        Term(Fraction(game.places[index] == 1, game.places.count(1)), result.tournament_round)
        for result, index in record.of_kind(ResultKind.PLAYED)
        for game in result.games
    ]
    if table.per_match:
        return sum_cell(shares, "no game played", mean=True)
    return sum_cell([term for term in shares if term.value], "no game won", mean=False, empty=Fraction(0))


def mean_margin(record: Record, table: Table) -> TiebreakCell:
    """Mean of the margins, one term for each deal set: the mean over its games, where it has several of this entrant's."""
    rounds: dict[DealKey, int] = {}
    for result, _ in record.of_kind(ResultKind.PLAYED):
        rounds |= {_deal_key(result, number): result.tournament_round for number in range(len(result.games))}
    terms = []
    for deal, tournament_round in rounds.items():
        own = [margin for margin in _margins_of(record.entrant, table.deals[deal]) if margin is not None]
        if own:
            terms.append(Term(sum(own, Fraction(0)) / len(own), tournament_round))
    return sum_cell(terms, "no game with a margin", mean=True)


def _margins_of(entrant: int, games: Iterable[SeatedGame]) -> Iterator[Fraction | None]:
    return (each.margins[each.entrants.index(entrant)] for each in games if entrant in each.entrants)


def direct(group: Sequence[int], table: Table) -> dict[int, TiebreakCell]:
    """Score of each of a tied group against the rest of it: per opponent the mean over the deals they shared.

    At one table a deal is shared, and places decide; at two tables of a deal set by who held the same seat, and margins
    decide. Without a deal shared by each two the tie stays.
    """
    scores: dict[tuple[int, int], list[Fraction]] = defaultdict(list)
    for entrant in group:
        for result, index in table.records[entrant].results:
            for other, score in _scores_against(result, index, table):
                scores[entrant, other].append(score)
    if any(pair not in scores for pair in combinations(group, 2)):
        return dict.fromkeys(group, TiebreakCell(None, "not possible: not all of those tied have met"))
    return {entrant: _direct_cell(entrant, group, scores) for entrant in group}


def _scores_against(result: Result, index: int, table: Table) -> Iterator[tuple[int, Fraction]]:
    if result.kind is ResultKind.WALKOVER:
        yield from ((other, result.points[index]) for other in result.entrants if other != result.entrants[index])
    for number, game in enumerate(result.games):
        against = pair_scores([game.places])[index]
        yield from ((other, against[at]) for at, other in enumerate(result.entrants) if at != index)
        yield from _scores_across(result.entrants[index], game, table.deals[_deal_key(result, number)])


def _scores_across(entrant: int, game: GameResult, deal: Sequence[SeatedGame]) -> Iterator[tuple[int, Fraction]]:
    """Against those who held the same seat at the other tables."""
    own = next(each for each in deal if entrant in each.entrants and each.game == game)
    at = own.entrants.index(entrant)
    for each in deal:
        if entrant in each.entrants or game.seats[at] not in each.game.seats:
            continue
        there = each.game.seats.index(game.seats[at])
        mine, theirs = own.margins[at], each.margins[there]
        if mine is not None and theirs is not None:
            yield each.entrants[there], Fraction((mine > theirs) + (mine >= theirs), 2)


def _direct_cell(
    entrant: int, group: Sequence[int], scores: Mapping[tuple[int, int], Sequence[Fraction]]
) -> TiebreakCell:
    terms = [
        Term(sum(own, Fraction(0)) / len(own), opponent=other)
        for other in group
        if other != entrant
        for own in [scores[entrant, other]]
    ]
    cell = sum_cell(terms, "", mean=False)
    return TiebreakCell(cell.value, f"{cell.explanation} against those tied", cell.terms)
