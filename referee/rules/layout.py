"""The best layout of a hand: melds and leftover with the fewest points left (RULES 6-10, 18).

The search goes through the naturals from kings down to threes, rank by rank, and rests on these facts:

- A book has no upper size, so a rank needs one book at most. The naturals of a rank that serve no run, n of them, cost nothing
  for n >= 3 and 3 - n wilds for 1 or 2; or they are left.
- A run uses the natural of every rank it covers where one is to be had: a wild there could take that natural's place elsewhere.
  So a run is a top natural, a bottom natural and wilds in the gaps, and it is padded with wilds if it is shorter than three. One
  natural with two wilds is a book already.
- Cutting a run in two costs at most four wilds, one end alone at most two: no gap of four or more is ever worth filling.
- Of two runs that could go on, the shorter one does (the longer has less to gain); and where the next natural is adjacent, no
  run begins while another one ends, for the two would join.
- Once anything is melded, every spare wild finds a place: at a book, at a run, or at one half of a run that is full. So wilds are
  left only when no meld at all can be made, and the search counts naturals alone.

What the lower ranks must know is then small: for each suit, how many runs are open with one, two or more cards. A state is that,
packed in an int; for each state the search keeps the least points left so far by the number of wilds spent (`_Budget`).

Hands are of any size, with at most the cards of two games combined (RULES 4): four copies of a face and twelve jokers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.rules.cards import CARDS, MIN_RANK, Card
from referee.rules.melds import MAX_RUN, MIN_MELD

_SUITS: Final = 5
_RANKS: Final = 11
_MAX_COPIES: Final = 4
_MAX_GAP: Final = 3
_MAX_WILDS: Final = 12 + _MAX_COPIES * _SUITS
"""The jokers of two games combined and every card of the wild rank (RULES 4)."""

_Move = tuple[int, int, int, int]
"""Profile after, naturals used, wilds spent, open runs that go on."""
_States = dict[int, int]
"""State -> vector. Bits 0..4: naturals of the rank in hand used in runs; then 6 bits a suit: its profile of open runs."""
_USED_MASK: Final = 31
_PROFILE_MASK: Final = 63


@dataclass(frozen=True, slots=True)
class Layout:
    """A hand split into melds and leftover."""

    melds: tuple[tuple[Card, ...], ...]
    """Runs by suit, each from low to high with its wilds where they stand; then books by rank; then a meld of wilds alone."""
    leftover: tuple[Card, ...]
    """In the order of face codes."""
    points: int
    """The sum of the leftover."""


@dataclass(frozen=True, slots=True)
class BestDiscards:
    """What to throw from a hand of one card too many."""

    faces: tuple[Card, ...]
    """Every face whose discard leaves the least, once, in the order of their texts."""
    points: int
    """The points left after such a discard."""


def best_points(cards: Sequence[Card], wild_rank: int) -> int:
    """The least points that any layout of the cards leaves; `best_layout` without the layout."""
    hand = _count(cards, wild_rank)
    budget = _BUDGETS[hand.wilds]
    left = budget.least_of(_search(hand, budget, None))
    return _with_wilds(left, hand.natural_points, hand.wilds, hand.points)


def best_layout(cards: Sequence[Card], wild_rank: int) -> Layout:
    """A layout with the least points left. The same for the same cards in any order."""
    hand = _count(cards, wild_rank)
    budget = _BUDGETS[hand.wilds]
    steps: list[_Step] = []
    vector = _search(hand, budget, steps)
    melded = _follow(_trace(steps, vector, budget), hand.faces)
    wilds = sorted(card for card in cards if card.is_wild(wild_rank))
    if melded.runs or melded.books or len(wilds) >= MIN_MELD:
        _seat_spare_wilds(melded, len(wilds))
        melds = _melds_with(melded, wilds, wild_rank)
        leftover = sorted(melded.leftover)
    else:
        melds = []
        leftover = sorted(cards)
    return Layout(tuple(melds), tuple(leftover), sum(card.points(wild_rank) for card in leftover))


def best_discards(cards: Sequence[Card], wild_rank: int) -> BestDiscards:
    """The discards that leave the least, of one card or more."""
    points = discard_points(cards, wild_rank)
    least = min(points.values())
    faces = [card for card in points if points[card] == least]
    return BestDiscards(tuple(sorted(faces, key=_text)), least)


def discard_points(cards: Sequence[Card], wild_rank: int) -> dict[Card, int]:
    """For each face held, in the order of codes, the least points the other cards leave once it is thrown.

    One search serves all faces: it goes down the ranks and, for what the ranks below still cost, back up. A natural less changes
    only its own rank, between the two; a wild less is a smaller number of wilds to spend. No cards: ValueError.
    """
    if not cards:
        raise ValueError("no cards: there is nothing to discard")
    hand = _count(cards, wild_rank)
    budget = _BUDGETS[hand.wilds]
    steps: list[_Step] = []
    vector = _search(hand, budget, steps)
    futures = _futures(steps, budget)
    points = {}
    for card in sorted(set(cards)):
        others = hand.points - card.points(wild_rank)
        if card.is_wild(wild_rank):
            left = budget.at(vector, hand.wilds - 1)
            points[card] = _with_wilds(left, hand.natural_points, hand.wilds - 1, others)
        else:
            left = _left_without(card, steps, futures, budget)
            points[card] = _with_wilds(left, hand.natural_points - card.rank, hand.wilds, others)
    return points


def going_out_discards(cards: Sequence[Card], wild_rank: int) -> tuple[Card, ...]:
    """The faces whose discard leaves all other cards melded (RULES 16), in the order of their texts; empty if there is none."""
    best = best_discards(cards, wild_rank)
    return best.faces if best.points == 0 else ()


def can_go_out(cards: Sequence[Card], wild_rank: int, dealt: int) -> bool:
    """With one card more than were dealt: some discard leaves all others melded (RULES 16)."""
    return len(cards) == dealt + 1 and best_discards(cards, wild_rank).points == 0


def _text(card: Card) -> str:
    return card.text


# --- The hand, counted


@dataclass(slots=True)
class _Hand:
    faces: list[int]
    """Naturals by face code."""
    ranks: list[int]
    """Naturals by rank - 3."""
    suits: list[int]
    """By suit the ranks held, rank - 3 as a bit."""
    wilds: int
    points: int
    """Of all cards, wilds among them."""
    natural_points: int


def _count(cards: Sequence[Card], wild_rank: int) -> _Hand:
    faces = [0] * len(CARDS)
    ranks = [0] * _RANKS
    suits = [0] * _SUITS
    wilds = wild_points = natural_points = 0
    for card in cards:
        if card.is_wild(wild_rank):
            wilds += 1
            wild_points += card.points(wild_rank)
        else:
            suit, rank = divmod(card.code, _RANKS)
            faces[card.code] += 1
            ranks[rank] += 1
            suits[suit] |= 1 << rank
            natural_points += card.rank
    if natural_points >= _OUT_OF_REACH:
        raise ValueError(f"{len(cards)} cards are no hand: their points must stay below {_OUT_OF_REACH}")
    return _Hand(faces, ranks, suits, wilds, natural_points + wild_points, natural_points)


def _with_wilds(left: int, natural_points: int, wilds: int, points: int) -> int:
    """The points left, wilds among them, when naturals leave `left`: without any meld all cards are."""
    return points if left == natural_points and wilds < MIN_MELD else left


# --- Points left, by wilds spent

_OUT_OF_REACH: Final = 1024
_BITS: Final = 12
_FIELD: Final = (1 << _BITS) - 1
_BEYOND: Final = [(1 << _BITS * wilds) // _FIELD * _OUT_OF_REACH for wilds in range(_MAX_COPIES * (_MAX_GAP + 2) + 1)]
"""The lowest fields out of reach, by their number; no move spends more wilds than the last entry."""


class _Budget:
    """Arithmetic on vectors: the least points left, for every number of wilds that may be spent.

    A vector holds a field of 12 bits for each w = 0..wilds, w = 0 lowest: the least points left with at most w wilds. From 1024
    on a field says that no layout does with so few. Bit 11 of a field is free and serves to compare whole vectors at once.
    """

    __slots__ = ("_every_field", "_guards", "_ones", "_reach_bit", "wilds")

    def __init__(self, wilds: int) -> None:
        self.wilds = wilds
        self._every_field = (1 << _BITS * (wilds + 1)) - 1
        self._ones = self._every_field // _FIELD
        self._guards = self._ones << (_BITS - 1)
        self._reach_bit = _OUT_OF_REACH << _BITS * wilds

    def leave(self, vector: int, points: int) -> int:
        return vector + points * self._ones

    def spend(self, vector: int, wilds: int) -> int:
        return (vector << _BITS * wilds | _BEYOND[wilds]) & self._every_field

    def is_hopeless(self, vector: int) -> bool:
        """Out of reach even with all wilds."""
        return vector & self._reach_bit != 0

    def least(self, one: int, other: int) -> int:
        """Field by field the smaller one: subtracting from a field with its guard set clears the guard where `one` is smaller."""
        guards = ((one | self._guards) - other) & self._guards
        other_fields = guards - (guards >> (_BITS - 1))
        return one ^ ((one ^ other) & other_fields)

    def at(self, vector: int, wilds: int) -> int:
        """The field of so many wilds; out of reach for a negative number."""
        return _OUT_OF_REACH if wilds < 0 else vector >> _BITS * wilds & _FIELD

    def least_of(self, vector: int) -> int:
        return self.at(vector, self.wilds)

    def least_sum(self, one: int, other: int) -> int:
        """The least of both together, the wilds shared out between them."""
        least = _OUT_OF_REACH
        for wilds in range(self.wilds + 1):
            least = min(least, self.at(one, wilds) + self.at(other, self.wilds - wilds))
        return least


_BUDGETS: Final = [_Budget(wilds) for wilds in range(_MAX_WILDS + 1)]

# --- The search


@dataclass(slots=True)
class _Place:
    """Where naturals of one face may be part of runs."""

    suit: int
    gap: int
    """Ranks between this natural and the open runs above it, each to be filled by a wild."""
    goes_on: bool
    """A run may go on below; else all end here."""
    count: int

    def moves(self, fewer: int) -> list[list[_Move]]:
        """What may happen here, by the profile of the suit, with so many naturals fewer."""
        return _MOVES[((self.count - fewer) * (_MAX_GAP + 1) + self.gap) * 2 + self.goes_on]


@dataclass(slots=True)
class _Step:
    """One step of the search as it must be known to go back: the states before it."""

    states: _States
    rank: int
    place: _Place | None
    """None where the naturals of the rank that serve no run become a book or are left."""
    naturals: int
    """Of this rank, in all suits."""


def _search(hand: _Hand, budget: _Budget, steps: list[_Step] | None) -> int:
    """The vector of the least points left by the naturals. The steps taken are added to `steps`."""
    places = _places(hand)
    states: _States = {0: 0}
    for rank in range(_RANKS - 1, -1, -1):
        naturals = hand.ranks[rank]
        if not naturals:
            continue
        for place in places[rank]:
            if steps is not None:
                steps.append(_Step(states, rank, place, naturals))
            states = _lay_runs(states, place, 0, budget)
        if steps is not None:
            steps.append(_Step(states, rank, None, naturals))
        states = _lay_book(states, rank + MIN_RANK, naturals, budget)
    return states[0]


def _lay_runs(states: _States, place: _Place, fewer: int, budget: _Budget) -> _States:
    shift = _profile_shift(place.suit)
    moves = place.moves(fewer)
    after: _States = {}
    for state, vector in states.items():
        profile = state >> shift & _PROFILE_MASK
        others = state - (profile << shift)
        for profile_after, used, wilds, _ in moves[profile]:
            left = budget.spend(vector, wilds) if wilds else vector
            if wilds and budget.is_hopeless(left):
                continue
            reached = others + (profile_after << shift) + used
            known = after.get(reached)
            after[reached] = left if known is None else budget.least(left, known)
    return after


def _lay_book(states: _States, rank: int, naturals: int, budget: _Budget) -> _States:
    after: _States = {}
    for state, vector in states.items():
        used = state & _USED_MASK
        left = _book_or_leave(vector, rank, naturals - used, budget)
        known = after.get(state - used)
        after[state - used] = left if known is None else budget.least(left, known)
    return after


def _book_or_leave(vector: int, rank: int, alone: int, budget: _Budget) -> int:
    """What becomes of the naturals of a rank that serve no run."""
    if alone == 0 or alone >= MIN_MELD:
        return vector
    return budget.least(budget.leave(vector, alone * rank), budget.spend(vector, MIN_MELD - alone))


def _profile_shift(suit: int) -> int:
    return 5 + 6 * suit


def _places(hand: _Hand) -> list[list[_Place]]:
    """For every rank the suits in which a natural may be part of a run, with as many wilds as the hand has."""
    places: list[list[_Place]] = [[] for _ in range(_RANKS)]
    reach = min(hand.wilds, _MAX_GAP)
    for suit in range(_SUITS):
        ranks = _ranks_in_runs(hand.suits[suit], hand.wilds)
        gap = 0
        while ranks:
            rank = ranks.bit_length() - 1
            ranks ^= 1 << rank
            gap_below = rank - ranks.bit_length()
            goes_on = ranks != 0 and gap_below <= reach
            places[rank].append(_Place(suit, gap, goes_on, hand.faces[suit * _RANKS + rank]))
            gap = gap_below if goes_on else 0
    return places


def _ranks_in_runs(held: int, wilds: int) -> int:
    """Of the ranks held in a suit, as bits, those with company enough for a run: two neighbours, or with wilds one within reach."""
    if not wilds:
        lowest = held & held >> 1 & held >> 2
        return lowest | lowest << 1 | lowest << 2
    ranks = 0
    for distance in range(1, min(wilds, _MAX_GAP) + 2):
        lower = held & held >> distance
        ranks |= lower | lower << distance
    return ranks


# --- One natural less


def _futures(steps: list[_Step], budget: _Budget) -> list[_States]:
    """For each step the states before it with what is still to come: the least points from there on, by wilds still to spend.

    One entry more than there are steps: the last is the end of the search.
    """
    futures: list[_States] = [{0: 0}]
    for step in reversed(steps):
        if step.place is None:
            futures.append(_before_book(step, futures[-1], budget))
        else:
            futures.append(_before_runs(step, step.place, futures[-1], budget))
    futures.reverse()
    return futures


def _before_runs(step: _Step, place: _Place, after: _States, budget: _Budget) -> _States:
    shift = _profile_shift(place.suit)
    moves = place.moves(0)
    before: _States = {}
    for state in step.states:
        profile = state >> shift & _PROFILE_MASK
        others = state - (profile << shift)
        for profile_after, used, wilds, _ in moves[profile]:
            future = after.get(others + (profile_after << shift) + used)
            if future is None:
                continue
            left = budget.spend(future, wilds) if wilds else future
            known = before.get(state)
            before[state] = left if known is None else budget.least(left, known)
    return before


def _before_book(step: _Step, after: _States, budget: _Budget) -> _States:
    before: _States = {}
    for state in step.states:
        used = state & _USED_MASK
        future = after.get(state - used)
        if future is not None:
            before[state] = _book_or_leave(future, step.rank + MIN_RANK, step.naturals - used, budget)
    return before


def _left_without(card: Card, steps: list[_Step], futures: list[_States], budget: _Budget) -> int:
    """The least points the naturals leave when one of them is gone: its own rank played again without it."""
    index = 0
    while steps[index].rank != card.rank - MIN_RANK:
        index += 1
    states = steps[index].states
    place = steps[index].place
    while place is not None:
        states = _lay_runs(states, place, int(place.suit == card.suit), budget)
        index += 1
        place = steps[index].place
    states = _lay_book(states, card.rank, steps[index].naturals - 1, budget)
    after = futures[index + 1]
    return min([budget.least_sum(vector, after[state]) for state, vector in states.items() if state in after])


# --- Moves: what may happen to the open runs of a suit at a natural


_PROFILES: Final = [
    (ones, twos, more)
    for ones in range(_MAX_COPIES + 1)
    for twos in range(_MAX_COPIES + 1 - ones)
    for more in range(_MAX_COPIES + 1 - ones - twos)
]
"""Open runs of one card, of two, of three or more; number 0 is none at all. Each needs a copy of its own somewhere."""
_PROFILE_NUMBERS: Final = {profile: number for number, profile in enumerate(_PROFILES)}


def _moves_of(profile: tuple[int, int, int], count: int, gap: int, goes_on: bool) -> list[_Move]:
    ones, twos, more = profile
    moves = []
    # A run of one card never ends: with two wilds it is a book. Of the others the longest end first.
    for ending in range(twos + more + 1):
        extended = ones + twos + more - ending
        if extended > count and not goes_on:
            continue
        short_ending = max(0, ending - more)
        for begun in range(_most_begun(extended, ending, count, gap, goes_on) + 1):
            used = min(count, extended + begun)
            wilds = short_ending + extended * gap + extended + begun - used
            after = _extended(ones, twos - short_ending, more + short_ending - ending, gap, begun)
            if goes_on:
                moves.append((_PROFILE_NUMBERS[after], used, wilds, extended))
            else:
                moves.append((0, used, wilds + after[1], extended))
    return moves


def _most_begun(extended: int, ending: int, count: int, gap: int, goes_on: bool) -> int:
    """How many runs may begin: none that would join one that ends right above, and each with a natural of its own."""
    if not goes_on or (ending and not gap):
        return 0
    return max(0, count - extended)


def _extended(ones: int, twos: int, more: int, gap: int, begun: int) -> tuple[int, int, int]:
    """The profile when every run has got `gap` wilds and a card."""
    if gap:
        return begun, 0, ones + twos + more
    return begun, ones, twos + more


_MOVES: Final = [
    [_moves_of(profile, count, gap, goes_on) for profile in _PROFILES]
    for count in range(_MAX_COPIES + 1)
    for gap in range(_MAX_GAP + 1)
    for goes_on in (False, True)
]


# --- The way back: from the least points to the melds


@dataclass(slots=True)
class _Choice:
    """What the best layout did in a step."""

    step: _Step
    extended: int
    """Open runs that got a card here."""
    used: int
    """Naturals used in runs here."""
    is_book: bool
    """The naturals that serve no run are a book."""


@dataclass(slots=True)
class _Run:
    suit: int
    top: int
    """Rank - 3 of the first slot."""
    slots: list[Card | None]
    """From high to low; None is a wild."""

    def add_wild(self) -> None:
        if self.top < _RANKS - 1:
            self.top += 1
            self.slots.insert(0, None)
        else:
            self.slots.append(None)

    def cut_bottom(self) -> _Run:
        """Takes the three lowest cards off a run of six or more."""
        bottom = _Run(self.suit, self.top - len(self.slots) + MIN_MELD, self.slots[-MIN_MELD:])
        del self.slots[-MIN_MELD:]
        return bottom


@dataclass(slots=True)
class _Melded:
    runs: list[_Run]
    books: list[list[Card | None]]
    """By rank, from kings down; None is a wild; a book of wilds alone is the last."""
    leftover: list[Card]


def _trace(steps: list[_Step], vector: int, budget: _Budget) -> list[_Choice]:
    """The choices that led to the least points with the fewest wilds, from the highest rank down."""
    choices: list[_Choice] = []
    state, wilds, left = 0, budget.wilds, budget.least_of(vector)
    while budget.at(vector, wilds - 1) == left:
        wilds -= 1
    for step in reversed(steps):
        if step.place is None:
            state, wilds, left, choice = _back_over_book(step, state, wilds, left, budget)
        else:
            state, wilds, choice = _back_over_runs(step, step.place, state, wilds, left, budget)
        choices.append(choice)
    choices.reverse()
    return choices


def _back_over_runs(
    step: _Step, place: _Place, state: int, wilds: int, left: int, budget: _Budget
) -> tuple[int, int, _Choice]:
    shift = _profile_shift(place.suit)
    moves = place.moves(0)
    for before, vector in step.states.items():
        profile = before >> shift & _PROFILE_MASK
        for profile_after, used, cost, extended in moves[profile]:
            reached = before - (profile << shift) + (profile_after << shift) + used
            if reached == state and budget.at(vector, wilds - cost) == left:
                return before, wilds - cost, _Choice(step, extended, used, False)
    raise AssertionError(f"no move leads to state {state} with {left} points left")


def _back_over_book(step: _Step, state: int, wilds: int, left: int, budget: _Budget) -> tuple[int, int, int, _Choice]:
    for before, vector in step.states.items():
        used = before & _USED_MASK
        if before - used != state:
            continue
        alone = step.naturals - used
        cost = max(0, MIN_MELD - alone) if alone else 0
        if budget.at(vector, wilds - cost) == left:
            return before, wilds - cost, left, _Choice(step, 0, 0, alone > 0)
        lighter = left - alone * (step.rank + MIN_RANK)
        if budget.at(vector, wilds) == lighter:
            return before, wilds, lighter, _Choice(step, 0, 0, False)
    raise AssertionError(f"no book leads to state {state} with {left} points left")


def _follow(choices: list[_Choice], faces: list[int]) -> _Melded:
    """The melds that the choices make; `faces` counts the naturals and is used up."""
    melded = _Melded([], [], [])
    open_runs: list[list[_Run]] = [[] for _ in range(_SUITS)]
    for choice in choices:
        place = choice.step.place
        if place is not None:
            open_runs[place.suit] = _follow_runs(choice, place, open_runs[place.suit], faces, melded)
            continue
        alone = [CARDS[code] for code in range(choice.step.rank, _SUITS * _RANKS, _RANKS) for _ in range(faces[code])]
        if choice.is_book:
            melded.books.append([*alone, *[None] * (MIN_MELD - len(alone))])
        else:
            melded.leftover += alone
    for run in melded.runs:
        while len(run.slots) < MIN_MELD:
            run.add_wild()
    return melded


def _follow_runs(choice: _Choice, place: _Place, runs: list[_Run], faces: list[int], melded: _Melded) -> list[_Run]:
    """The open runs after a step, the shortest of those before it extended."""
    code = place.suit * _RANKS + choice.step.rank
    faces[code] -= choice.used
    extended = sorted(runs, key=_length)[: choice.extended]
    for index, run in enumerate(extended):
        run.slots += [None] * place.gap
        run.slots.append(CARDS[code] if index < choice.used else None)
    begun = [_Run(place.suit, choice.step.rank, [CARDS[code]]) for _ in range(len(extended), choice.used)]
    melded.runs += begun
    return extended + begun


def _length(run: _Run) -> int:
    return len(run.slots)


def _seat_spare_wilds(melded: _Melded, wilds: int) -> None:
    """A place for every wild that no meld needs."""
    slots = [slot for run in melded.runs for slot in run.slots] + [slot for book in melded.books for slot in book]
    spare = wilds - slots.count(None)
    if spare >= MIN_MELD:
        melded.books.append([None] * spare)
        return
    for _ in range(spare):
        if melded.books:
            melded.books[-1].append(None)
            continue
        run = min(melded.runs, key=_length)
        if len(run.slots) == MAX_RUN:
            run = run.cut_bottom()
            melded.runs.append(run)
        run.add_wild()


def _melds_with(melded: _Melded, wilds: list[Card], wild_rank: int) -> list[tuple[Card, ...]]:
    """The melds in their order, with the wilds in their slots, jokers last."""
    for run in melded.runs:
        _seat_as_itself(run, wilds, wild_rank)
    slots = [run.slots[::-1] for run in sorted(melded.runs, key=_run_order)] + sorted(melded.books, key=_book_order)
    others = iter(wilds)
    return [tuple([next(others) if slot is None else slot for slot in meld]) for meld in slots]


def _seat_as_itself(run: _Run, wilds: list[Card], wild_rank: int) -> None:
    """A card of the wild rank stands at its own place in a run of its suit, if a wild is needed there (RULES 8)."""
    index = run.top - (wild_rank - MIN_RANK)
    face = CARDS[run.suit * _RANKS + wild_rank - MIN_RANK]
    if 0 <= index < len(run.slots) and run.slots[index] is None and face in wilds:
        run.slots[index] = face
        wilds.remove(face)


def _run_order(run: _Run) -> tuple[int, int]:
    return run.suit, run.top - len(run.slots)


def _book_order(book: list[Card | None]) -> int:
    return _RANKS + MIN_RANK if book[0] is None else book[0].rank
