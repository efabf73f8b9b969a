"""The search for the least points that any layout of a hand leaves (RULES 6-10, 18).

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
packed in an int; for each state the search keeps the least points left so far by the number of wilds spent (`Budget`).

Hands are of any size, with at most the cards of two games combined (RULES 4): four copies of a face and twelve jokers.

What a search makes by the dozen is a class with `__init__` written out: the one that a dataclass gets is never compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, final

from referee.rules.cards import JOKER_CODE, JOKER_POINTS, MIN_RANK, WILD_POINTS, Card
from referee.rules.melds import MIN_MELD

SUITS: Final = 5
RANK_COUNT: Final = 11
_EVERY_RANK: Final = (1 << RANK_COUNT) - 1
_MAX_COPIES: Final = 4
_MAX_GAP: Final = 3
_MAX_WILDS: Final = 12 + _MAX_COPIES * SUITS
"""The jokers of two games combined and every card of the wild rank (RULES 4)."""

_Move = tuple[int, int, int]
"""Profile after less profile before, naturals used, wilds spent."""
_States = dict[int, int]
"""State -> vector. Bits 0..4: naturals of the rank in hand used in runs; then 6 bits a suit: its profile of open runs."""
USED_MASK: Final = 31
PROFILE_MASK: Final = 63


# --- The hand, counted


@final
class Hand:
    """The cards of a hand, counted."""

    __slots__ = ("_held", "_ranks", "faces", "natural_points", "points", "wilds")

    def __init__(
        self, faces: list[int], held: int, ranks: int, wilds: int, wild_points: int, natural_points: int
    ) -> None:
        self.faces = faces
        """Naturals by face code."""
        self._held = held
        """A bit for each face code that is held as a natural."""
        self._ranks = ranks
        """Naturals by rank - 3, five bits each: a rank has up to twenty."""
        self.wilds = wilds
        self.points = natural_points + wild_points
        """Of all cards, wilds among them."""
        self.natural_points = natural_points

    def naturals(self, rank: int) -> int:
        """How many of a rank less 3."""
        return self._ranks >> 5 * rank & 31

    def ranks_of(self, suit: int) -> int:
        """The ranks held in a suit, rank - 3 as a bit."""
        return self._held >> RANK_COUNT * suit & _EVERY_RANK


def count_cards(cards: Sequence[Card], wild_rank: int) -> Hand:
    """ValueError for more points than a vector can hold, which no hand has."""
    faces = [0] * JOKER_CODE
    held = ranks = wilds = wild_points = natural_points = 0
    for card in cards:
        code, rank = card.code, card.rank
        if code == JOKER_CODE:
            wilds += 1
            wild_points += JOKER_POINTS
        elif rank == wild_rank:
            wilds += 1
            wild_points += WILD_POINTS
        else:
            faces[code] += 1
            held |= 1 << code
            ranks += 1 << 5 * (rank - MIN_RANK)
            natural_points += rank
    if natural_points >= _OUT_OF_REACH:
        raise ValueError(f"{len(cards)} cards are no hand: their points must stay below {_OUT_OF_REACH}")
    return Hand(faces, held, ranks, wilds, wild_points, natural_points)


# --- Points left, by wilds spent

_OUT_OF_REACH: Final = 1024
_BITS: Final = 12
_FIELD: Final = (1 << _BITS) - 1
_BEYOND: Final = [(1 << _BITS * wilds) // _FIELD * _OUT_OF_REACH for wilds in range(_MAX_COPIES * (_MAX_GAP + 2) + 1)]
"""The lowest fields out of reach, by their number; no move spends more wilds than the last entry."""


@final
class Budget:
    """Arithmetic on vectors: the least points left, for every number of wilds that may be spent.

    A vector holds a field of 12 bits for each w = 0..wilds, w = 0 lowest: the least points left with at most w wilds. From 1024
    on a field says that no layout does with so few. Bit 11 of a field is free and serves to compare whole vectors at once.

    Who asks only whether all naturals but one can be melded gets an answer sooner: then each card left counts 1, and what leaves
    more than one is given up.
    """

    __slots__ = ("_every_field", "_guards", "_hopeless", "_is_for_going_out", "_ones", "wilds")

    def __init__(self, wilds: int, is_for_going_out: bool = False) -> None:
        self.wilds = wilds
        self._is_for_going_out = is_for_going_out
        self._every_field = (1 << _BITS * (wilds + 1)) - 1
        self._ones = self._every_field // _FIELD
        self._guards = self._ones << (_BITS - 1)
        self._hopeless = (2 if is_for_going_out else _OUT_OF_REACH) << _BITS * wilds

    def cost(self, rank: int) -> int:
        """Of a card left, by its rank - 3."""
        return 1 if self._is_for_going_out else rank + MIN_RANK

    def leave(self, vector: int, points: int) -> int:
        """So many points more are left."""
        return vector + points * self._ones

    def spend(self, vector: int, wilds: int) -> int:
        """So many wilds more are spent."""
        return (vector << _BITS * wilds | _BEYOND[wilds]) & self._every_field

    def is_hopeless(self, vector: int) -> bool:
        """Too many are left even with all wilds."""
        return vector >= self._hopeless

    def least(self, one: int, other: int) -> int:
        """Field by field the smaller one: subtracting from a field with its guard set clears the guard where `one` is smaller."""
        guards = ((one | self._guards) - other) & self._guards
        other_fields = guards - (guards >> (_BITS - 1))
        return one ^ ((one ^ other) & other_fields)

    def at(self, vector: int, wilds: int) -> int:
        """The field of so many wilds; out of reach for a negative number."""
        return _OUT_OF_REACH if wilds < 0 else vector >> _BITS * wilds & _FIELD

    def least_of(self, vector: int) -> int:
        """With all wilds."""
        return self.at(vector, self.wilds)

    def least_sum(self, one: int, other: int) -> int:
        """The least of both together, the wilds shared out between them."""
        least = _OUT_OF_REACH
        for wilds in range(self.wilds + 1):
            least = min(least, self.at(one, wilds) + self.at(other, self.wilds - wilds))
        return least


BUDGETS: Final = [Budget(wilds) for wilds in range(_MAX_WILDS + 1)]
"""By the number of wilds."""
GOING_OUT_BUDGETS: Final = [Budget(wilds, is_for_going_out=True) for wilds in range(_MAX_WILDS + 1)]
"""For a hand of one card too many, which leaves that card at most if it can go out."""

# --- The search


@final
class Place:
    """Where naturals of one face may be part of runs."""

    __slots__ = ("count", "gap", "goes_on", "suit")

    def __init__(self, suit: int, gap: int, goes_on: bool, count: int) -> None:
        self.suit = suit
        self.gap = gap
        """Ranks between this natural and the open runs above it, each to be filled by a wild."""
        self.goes_on = goes_on
        """A run may go on below; else all end here."""
        self.count = count

    def moves(self, fewer: int) -> list[list[_Move]]:
        """What may happen here, by the profile of the suit, with so many naturals fewer."""
        return _MOVES[self._kind(fewer)]

    def extended(self, profile: int) -> list[int]:
        """For each of the moves of a profile the open runs that get a card here."""
        return _EXTENDED[self._kind(0)][profile]

    def _kind(self, fewer: int) -> int:
        return ((self.count - fewer) * (_MAX_GAP + 1) + self.gap) * 2 + self.goes_on


@final
class Step:
    """One step of the search as it must be known to go back: the states before it."""

    __slots__ = ("naturals", "place", "rank", "states")

    def __init__(self, states: _States, rank: int, place: Place | None, naturals: int) -> None:
        self.states = states
        self.rank = rank
        self.place = place
        """None where the naturals of the rank that serve no run become a book or are left."""
        self.naturals = naturals
        """Of this rank, in all suits."""


def search(hand: Hand, budget: Budget) -> int | None:
    """The vector of the least points left by the naturals; None if it is hopeless."""
    places = _places(hand)
    vector = 0
    # A rank without runs does the same to every state, and it does not matter when.
    for rank in range(RANK_COUNT):
        if not places[rank]:
            vector = _book_or_leave(vector, budget.cost(rank), hand.naturals(rank), budget)
    states: _States = {} if budget.is_hopeless(vector) else {0: vector}
    for rank in range(RANK_COUNT - 1, -1, -1):
        if not states:
            return None
        for place in places[rank]:
            states = _lay_runs(states, place, 0, budget)
        if places[rank]:
            states = _lay_book(states, budget.cost(rank), hand.naturals(rank), budget)
    return states.get(0)


def search_steps(hand: Hand, budget: Budget) -> tuple[int, list[Step]]:
    """The same vector, and the steps that lead to it from kings down to threes."""
    places = _places(hand)
    states: _States = {0: 0}
    steps: list[Step] = []
    for rank in range(RANK_COUNT - 1, -1, -1):
        naturals = hand.naturals(rank)
        if not naturals:
            continue
        for place in places[rank]:
            steps.append(Step(states, rank, place, naturals))
            states = _lay_runs(states, place, 0, budget)
        steps.append(Step(states, rank, None, naturals))
        states = _lay_book(states, budget.cost(rank), naturals, budget)
    return states[0], steps


def _lay_runs(states: _States, place: Place, fewer: int, budget: Budget) -> _States:
    shift = profile_shift(place.suit)
    moves = place.moves(fewer)
    after: _States = {}
    for state, vector in states.items():
        for change, used, wilds in moves[state >> shift & PROFILE_MASK]:
            left = budget.spend(vector, wilds) if wilds else vector
            if wilds and budget.is_hopeless(left):
                continue
            reached = state + (change << shift) + used
            known = after.setdefault(reached, left)
            if known != left:
                after[reached] = budget.least(left, known)
    return after


def _lay_book(states: _States, cost: int, naturals: int, budget: Budget) -> _States:
    after: _States = {}
    for state, vector in states.items():
        used = state & USED_MASK
        left = _book_or_leave(vector, cost, naturals - used, budget)
        if budget.is_hopeless(left):
            continue
        known = after.setdefault(state - used, left)
        if known != left:
            after[state - used] = budget.least(left, known)
    return after


def _book_or_leave(vector: int, cost: int, alone: int, budget: Budget) -> int:
    """What becomes of the naturals of a rank that serve no run, each of this cost if it is left."""
    if alone == 0 or alone >= MIN_MELD:
        return vector
    return budget.least(budget.leave(vector, alone * cost), budget.spend(vector, MIN_MELD - alone))


def profile_shift(suit: int) -> int:
    """Where the profile of a suit begins in a state."""
    return 5 + 6 * suit


def _places(hand: Hand) -> list[list[Place]]:
    """For every rank the suits in which a natural may be part of a run, with as many wilds as the hand has."""
    places: list[list[Place]] = [[] for _ in range(RANK_COUNT)]
    reach = min(hand.wilds, _MAX_GAP)
    for suit in range(SUITS):
        ranks = _ranks_in_runs(hand.ranks_of(suit), hand.wilds)
        gap = 0
        while ranks:
            rank = ranks.bit_length() - 1
            ranks ^= 1 << rank
            gap_below = rank - ranks.bit_length()
            goes_on = ranks != 0 and gap_below <= reach
            places[rank].append(Place(suit, gap, goes_on, hand.faces[suit * RANK_COUNT + rank]))
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


# --- Moves: what may happen to the open runs of a suit at a natural


_PROFILES: Final = [
    (ones, twos, more)
    for ones in range(_MAX_COPIES + 1)
    for twos in range(_MAX_COPIES + 1 - ones)
    for more in range(_MAX_COPIES + 1 - ones - twos)
]
"""Open runs of one card, of two, of three or more; number 0 is none at all. Each needs a copy of its own somewhere."""
_PROFILE_NUMBERS: Final = {profile: number for number, profile in enumerate(_PROFILES)}


def _moves_of(number: int, count: int, gap: int, goes_on: bool) -> list[tuple[_Move, int]]:
    """With each move the open runs that get a card."""
    ones, twos, more = _PROFILES[number]
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
                moves.append(((_PROFILE_NUMBERS[after] - number, used, wilds), extended))
            else:
                moves.append(((-number, used, wilds + after[1]), extended))
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


_KINDS: Final = [
    [_moves_of(number, count, gap, goes_on) for number in range(len(_PROFILES))]
    for count in range(_MAX_COPIES + 1)
    for gap in range(_MAX_GAP + 1)
    for goes_on in (False, True)
]
_MOVES: Final = [[[move for move, _ in moves] for moves in kind] for kind in _KINDS]
_EXTENDED: Final = [[[extended for _, extended in moves] for moves in kind] for kind in _KINDS]


# --- One natural less


def futures_of(steps: list[Step], budget: Budget) -> list[_States]:
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


def _before_runs(step: Step, place: Place, after: _States, budget: Budget) -> _States:
    shift = profile_shift(place.suit)
    moves = place.moves(0)
    before: _States = {}
    for state in step.states:
        for change, used, wilds in moves[state >> shift & PROFILE_MASK]:
            future = after.get(state + (change << shift) + used)
            if future is None:
                continue
            left = budget.spend(future, wilds) if wilds else future
            known = before.setdefault(state, left)
            if known != left:
                before[state] = budget.least(left, known)
    return before


def _before_book(step: Step, after: _States, budget: Budget) -> _States:
    before: _States = {}
    for state in step.states:
        used = state & USED_MASK
        future = after.get(state - used)
        if future is not None:
            before[state] = _book_or_leave(future, step.rank + MIN_RANK, step.naturals - used, budget)
    return before


def left_without(card: Card, steps: list[Step], futures: list[_States], budget: Budget) -> int:
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
