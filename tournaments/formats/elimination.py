"""Elimination: who is out does not come back. From a bracket and the results so far to what can be played and who came where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from types import MappingProxyType

from tournaments.formats.bracket_pairs import draft_pairs
from tournaments.formats.bracket_tables import draft_tables
from tournaments.formats.brackets import Bracket, BracketMatch, FromMatch, FromSeed, Side
from tournaments.formats.seats import fairest_order
from tournaments.formats.values import NotEnoughEntrants, Pairing

MOST_SEATS = 7
"""Larger tables leave too few rounds to be a bracket."""


def elimination_bracket(
    n: int, seats: int = 2, *, double: bool = False, go_on: int | None = None, third_place: bool = False
) -> Bracket:
    """The bracket for n entrants, seeded 1 to n, at tables of `seats` (2 to 7).

    `go_on`: how many of a table go on; None is the best half (rounded down). `double`: out is who has lost twice.
    `third_place` adds a match between those who lose the semifinals (two seats, single, from four entrants on).
    Raises `NotEnoughEntrants` below two (tables: three) entrants, ValueError for what cannot be.
    """
    if not 2 <= seats <= MOST_SEATS:
        raise ValueError(f"tables of {seats} seats: 2 to {MOST_SEATS}")
    half = seats // 2
    most = half if seats == 2 else max(2, half)
    on = half if go_on is None else go_on
    if not 1 <= on <= most:
        raise ValueError(f"{on} of {seats} go on: 1 to {most}")
    if third_place and (seats > 2 or double):
        raise ValueError("a match for third place: only in single elimination at two seats, elsewhere it is decided")
    if n < min(seats, 3):
        raise NotEnoughEntrants(n, min(seats, 3))
    if seats == 2:
        return draft_pairs(n, double=double, third_place=third_place).bracket(n, seats)
    return draft_tables(n, seats, on, double=double).bracket(n, seats)


NOBODY: Mapping[int, int] = MappingProxyType({})


class MatchState(StrEnum):
    WAITING = "waiting"
    """Not all who play it are known."""
    READY = "ready"
    """Who plays it is known."""
    PLAYED = "played"
    WALKOVER = "walkover"
    """Not played: no more are left in it than go on."""
    NOT_NEEDED = "not_needed"
    """The reset of a grand final that was won by one who had not lost."""


@dataclass(frozen=True, slots=True)
class MatchProgress:
    match: BracketMatch
    state: MatchState
    holders: tuple[int | None, ...]
    """Who comes from each source, the withdrawn too; None: not known yet."""
    playing: tuple[int, ...]
    """Ready: who is still in."""
    order: tuple[int, ...]
    """Played or walkover: all holders, best first."""


@dataclass(frozen=True, slots=True)
class Placing:
    """A place in the bracket, shared where `first` and `last` differ."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class BracketProgress:
    matches: tuple[MatchProgress, ...]
    """By number."""
    places: Mapping[int, Placing]
    """Who is out, or has won it all."""

    @property
    def ready(self) -> tuple[MatchProgress, ...]:
        """Every match whose entrants are known, of rounds to come too; nobody is in two of them."""
        return tuple(each for each in self.matches if each.state is MatchState.READY)

    @property
    def is_decided(self) -> bool:
        return not self._open

    @property
    def next_round(self) -> tuple[MatchProgress, ...]:
        """The ready matches of the first tournament round that is not settled; all of them, once those before are."""
        first = min((each.match.round for each in self._open), default=0)
        return tuple(each for each in self.ready if each.match.round == first)

    @property
    def _open(self) -> list[MatchProgress]:
        return [each for each in self.matches if each.state in (MatchState.READY, MatchState.WAITING)]


def bracket_progress(
    bracket: Bracket,
    by_seed: Sequence[int],
    results: Mapping[int, Sequence[int]],
    *,
    gone: Mapping[int, int] = NOBODY,
) -> BracketProgress:
    """Where the bracket stands after these results.

    `by_seed`: the entrants, seed 1 first (after a Swiss or round robin: its first so many). `results`: match number ->
    entrants best first, ties decided; whoever of the match is missing comes last, by seed. `gone`: entrant who
    withdrew -> the first tournament round that was not yet paired then. Results of theirs stand; in a match of that or
    a later round they come last and nobody waits for them. So what has been passed by once stays so, as long as rounds
    are paired one after the other (`BracketProgress.next_round`).

    Raises ValueError for a result of a match whose entrants are not known, or with others than those.
    """
    if len(by_seed) != bracket.entrants:
        raise ValueError(f"{len(by_seed)} entrants for a bracket of {bracket.entrants}")
    if len(set(by_seed)) != len(by_seed):
        raise ValueError(f"entrant {Counter(by_seed).most_common(1)[0][0]} is given twice")
    matches = _followed(bracket, by_seed, results, gone)
    for number, result in results.items():
        bracket.match(number)
        if matches[number - 1].state is not MatchState.PLAYED:
            raise ValueError(f"match {number}: result {tuple(result)} for {matches[number - 1].holders}")
    return BracketProgress(tuple(matches), dict(_places(bracket, matches)))


def seated_matches(
    matches: Sequence[MatchProgress],
    sittings: Mapping[int, Mapping[int, Sequence[int]]],
    *,
    lots: bytes = b"",
    games: int = 1,
) -> dict[int, Pairing]:
    """Match number -> its entrants in seat order, for matches that are ready (`BracketProgress.next_round`).

    `sittings`: entrant -> table size -> games sat in each seat so far (`SwissEntrant.sittings`). Seats even out as they
    do in a Swiss; `lots` decides among equals.
    """
    pairings = {}
    for each in matches:
        size = len(each.playing)
        sat = {entrant: sittings.get(entrant, {}).get(size, (0,) * size) for entrant in each.playing}
        pairings[each.match.number] = Pairing(fairest_order(sat, games, lots))
    return pairings


def correction_blocked_by(
    bracket: Bracket,
    by_seed: Sequence[int],
    results: Mapping[int, Sequence[int]],
    begun: Collection[int],
    corrected: Mapping[int, Sequence[int] | None],
    *,
    gone: Mapping[int, int] = NOBODY,
) -> tuple[int, ...]:
    """The matches begun or played that would be others' after a correction; none: it may be made (DESIGN 7).

    `begun`: numbers of all matches that have begun, those with a result too. `corrected`: match number -> its new
    result, None to take it back.
    """
    changed: dict[int, Sequence[int]] = {**results}
    for number, result in corrected.items():
        bracket.match(number)
        changed.pop(number, None)
        if result is not None:
            changed[number] = result
    before = _followed(bracket, by_seed, results, gone)
    after = _followed(bracket, by_seed, changed, gone)
    return tuple(
        old.match.number
        for old, new in zip(before, after, strict=True)
        if old.match.number in begun and _who(old) != _who(new)
    )


def _who(each: MatchProgress) -> set[int | None]:
    return set() if each.state is MatchState.NOT_NEEDED else set(each.holders)


def _followed(
    bracket: Bracket, by_seed: Sequence[int], results: Mapping[int, Sequence[int]], gone: Mapping[int, int]
) -> list[MatchProgress]:
    """Every match in order of play; results that do not fit those who play it are left out."""
    seeds = {entrant: seed for seed, entrant in enumerate(by_seed, start=1)}
    matches: list[MatchProgress] = []
    for match in bracket.matches:
        holders = tuple(_holder(source, by_seed, matches) for source in match.sources)
        matches.append(_progress(match, holders, results.get(match.number), gone, seeds))
    return matches


def _holder(source: FromSeed | FromMatch, by_seed: Sequence[int], matches: Sequence[MatchProgress]) -> int | None:
    if isinstance(source, FromSeed):
        return by_seed[source.seed - 1]
    order = matches[source.match - 1].order
    return order[source.place - 1] if order else None


def _progress(
    match: BracketMatch,
    holders: tuple[int | None, ...],
    result: Sequence[int] | None,
    gone: Mapping[int, int],
    seeds: Mapping[int, int],
) -> MatchProgress:
    known = sorted((entrant for entrant in holders if entrant is not None), key=seeds.__getitem__)
    if len(known) < len(holders):
        return MatchProgress(match, MatchState.WAITING, holders, (), ())
    if len(set(known)) < len(known):
        # The winner of the grand final is one of those who would have to be given a second chance.
        return MatchProgress(match, MatchState.NOT_NEEDED, holders, (), ())
    if result is not None and len(set(result)) == len(result) and set(result) <= set(known):
        rest = (entrant for entrant in known if entrant not in set(result))
        return MatchProgress(match, MatchState.PLAYED, holders, (), (*result, *rest))
    playing = tuple(entrant for entrant in known if gone.get(entrant, match.round + 1) > match.round)
    if len(playing) > match.go_on:
        return MatchProgress(match, MatchState.READY, holders, playing, ())
    withdrawn = (entrant for entrant in known if entrant not in playing)
    return MatchProgress(match, MatchState.WALKOVER, holders, (), (*playing, *withdrawn))


def _places(bracket: Bracket, matches: Sequence[MatchProgress]) -> Iterator[tuple[int, Placing]]:
    """Who came where, as far as it is settled. Whoever falls out in one round in one place shares a place."""
    next_place = 1
    if bracket.reset:
        yield from _final_places(matches[bracket.reset.number - 2], matches[bracket.reset.number - 1])
        next_place += len(matches[bracket.reset.number - 2].holders)
    leading_on = {source for match in bracket.matches for source in match.sources}
    ends = [
        (_rank(bracket, each.match), place, each)
        for each in matches
        if each.match.side not in (Side.FINAL, Side.RESET)
        for place in range(1, len(each.holders) + 1)
        if FromMatch(each.match.number, place) not in leading_on
    ]
    for (_, place), group in groupby(sorted(ends, key=lambda end: end[:2]), key=lambda end: end[:2]):
        shared = [each for _, _, each in group]
        placing = Placing(next_place, next_place + len(shared) - 1)
        next_place += len(shared)
        yield from ((each.order[place - 1], placing) for each in shared if each.order)


def _rank(bracket: Bracket, match: BracketMatch) -> int:
    """The less, the later one falls out there; the match for third place comes right after the final."""
    if match.side is Side.THIRD_PLACE:
        return 1 - 2 * bracket.rounds
    return -2 * match.side_round


def _final_places(final: MatchProgress, reset: MatchProgress) -> Iterator[tuple[int, Placing]]:
    if not final.order:
        return
    again: Iterable[int | None] = () if reset.state is MatchState.NOT_NEEDED else reset.holders
    out = [entrant for entrant in final.order if entrant not in set(again)]
    for place, entrant in enumerate(reset.order, start=1):
        yield entrant, Placing(place, place)
    for place, entrant in enumerate(out, start=1 + len(final.order) - len(out)):
        yield entrant, Placing(place, place)
