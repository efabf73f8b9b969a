"""The best layout of a hand: melds and leftover with the fewest points left (RULES 6-10, 16, 18).

How the least is found is told in `layout_search`; here its steps are followed back to the melds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from referee.rules.cards import CARDS, MIN_RANK, Card
from referee.rules.layout_search import (
    BUDGETS,
    GOING_OUT_BUDGETS,
    PROFILE_MASK,
    RANK_COUNT,
    SUITS,
    USED_MASK,
    Budget,
    Place,
    Step,
    count_cards,
    futures_of,
    left_without,
    profile_shift,
    search,
    search_steps,
)
from referee.rules.melds import MAX_RUN, MIN_MELD


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
    hand = count_cards(cards, wild_rank)
    budget = BUDGETS[hand.wilds]
    vector = search(hand, budget)
    assert vector is not None, "all cards may be left"
    left = budget.least_of(vector)
    return _with_wilds(left, hand.natural_points, hand.wilds, hand.points)


def best_layout(cards: Sequence[Card], wild_rank: int) -> Layout:
    """A layout with the least points left. The same for the same cards in any order."""
    hand = count_cards(cards, wild_rank)
    budget = BUDGETS[hand.wilds]
    vector, steps = search_steps(hand, budget)
    melded = _follow(_trace(steps, vector, budget), hand.faces)
    wilds = sorted([card for card in cards if card.is_wild(wild_rank)], key=_code)
    if melded.runs or melded.books or len(wilds) >= MIN_MELD:
        _seat_spare_wilds(melded, len(wilds))
        melds = _melds_with(melded, wilds, wild_rank)
        leftover = sorted(melded.leftover, key=_code)
    else:
        melds = []
        leftover = sorted(cards, key=_code)
    return Layout(tuple(melds), tuple(leftover), sum([card.points(wild_rank) for card in leftover]))


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
    hand = count_cards(cards, wild_rank)
    budget = BUDGETS[hand.wilds]
    vector, steps = search_steps(hand, budget)
    futures = futures_of(steps, budget)
    points = {}
    for card in sorted(set(cards), key=_code):
        others = hand.points - card.points(wild_rank)
        if card.is_wild(wild_rank):
            left = budget.at(vector, hand.wilds - 1)
            points[card] = _with_wilds(left, hand.natural_points, hand.wilds - 1, others)
        else:
            left = left_without(card, steps, futures, budget)
            points[card] = _with_wilds(left, hand.natural_points - card.rank, hand.wilds, others)
    return points


def going_out_discards(cards: Sequence[Card], wild_rank: int) -> tuple[Card, ...]:
    """The faces whose discard leaves all other cards melded (RULES 16), in the order of their texts; empty if there is none."""
    if not cards:
        return ()
    hand = count_cards(cards, wild_rank)
    if search(hand, GOING_OUT_BUDGETS[hand.wilds]) is None:
        return ()
    best = best_discards(cards, wild_rank)
    return best.faces if best.points == 0 else ()


def can_go_out(cards: Sequence[Card], wild_rank: int, dealt: int) -> bool:
    """With one card more than were dealt: some discard leaves all others melded (RULES 16)."""
    return len(cards) == dealt + 1 and going_out_discards(cards, wild_rank) != ()


def _text(card: Card) -> str:
    return card.text


def _code(card: Card) -> int:
    return card.code


def _with_wilds(left: int, natural_points: int, wilds: int, points: int) -> int:
    """The points left, wilds among them, when naturals leave `left`: without any meld all cards are."""
    return points if left == natural_points and wilds < MIN_MELD else left


# --- The way back: from the least points to the melds


@final
class _Choice:
    """What the best layout did in a step."""

    __slots__ = ("extended", "is_book", "step", "used")

    def __init__(self, step: Step, extended: int, used: int, is_book: bool) -> None:
        self.step = step
        self.extended = extended
        """Open runs that got a card here."""
        self.used = used
        """Naturals used in runs here."""
        self.is_book = is_book
        """The naturals that serve no run are a book."""


@final
class _Run:
    __slots__ = ("slots", "suit", "top")

    def __init__(self, suit: int, top: int, slots: list[Card | None]) -> None:
        self.suit = suit
        self.top = top
        """Rank - 3 of the first slot."""
        self.slots = slots
        """From high to low; None is a wild."""

    def add_wild(self) -> None:
        if self.top < RANK_COUNT - 1:
            self.top += 1
            self.slots.insert(0, None)
        else:
            self.slots.append(None)

    def cut_bottom(self) -> _Run:
        """Takes the three lowest cards off a run of six or more."""
        bottom = _Run(self.suit, self.top - len(self.slots) + MIN_MELD, self.slots[-MIN_MELD:])
        del self.slots[-MIN_MELD:]
        return bottom


@final
class _Melded:
    __slots__ = ("books", "leftover", "runs")

    def __init__(self) -> None:
        self.runs: list[_Run] = []
        self.books: list[list[Card | None]] = []
        """By rank, from kings down; None is a wild; a book of wilds alone is the last."""
        self.leftover: list[Card] = []


def _trace(steps: list[Step], vector: int, budget: Budget) -> list[_Choice]:
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
    step: Step, place: Place, state: int, wilds: int, left: int, budget: Budget
) -> tuple[int, int, _Choice]:
    shift = profile_shift(place.suit)
    moves = place.moves(0)
    for before, vector in step.states.items():
        profile = before >> shift & PROFILE_MASK
        for number, (change, used, cost) in enumerate(moves[profile]):
            if before + (change << shift) + used == state and budget.at(vector, wilds - cost) == left:
                return before, wilds - cost, _Choice(step, place.extended(profile)[number], used, False)
    raise AssertionError(f"no move leads to state {state} with {left} points left")


def _back_over_book(step: Step, state: int, wilds: int, left: int, budget: Budget) -> tuple[int, int, int, _Choice]:
    for before, vector in step.states.items():
        used = before & USED_MASK
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
    melded = _Melded()
    open_runs: list[list[_Run]] = [[] for _ in range(SUITS)]
    for choice in choices:
        place = choice.step.place
        if place is not None:
            open_runs[place.suit] = _follow_runs(choice, place, open_runs[place.suit], faces, melded)
            continue
        alone = [
            CARDS[code] for code in range(choice.step.rank, SUITS * RANK_COUNT, RANK_COUNT) for _ in range(faces[code])
        ]
        if choice.is_book:
            melded.books.append([*alone, *[None] * (MIN_MELD - len(alone))])
        else:
            melded.leftover += alone
    for run in melded.runs:
        while len(run.slots) < MIN_MELD:
            run.add_wild()
    return melded


def _follow_runs(choice: _Choice, place: Place, runs: list[_Run], faces: list[int], melded: _Melded) -> list[_Run]:
    """The open runs after a step, the shortest of those before it extended."""
    code = place.suit * RANK_COUNT + choice.step.rank
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
    face = CARDS[run.suit * RANK_COUNT + wild_rank - MIN_RANK]
    if 0 <= index < len(run.slots) and run.slots[index] is None and face in wilds:
        run.slots[index] = face
        wilds.remove(face)


def _run_order(run: _Run) -> tuple[int, int]:
    return run.suit, run.top - len(run.slots)


def _book_order(book: list[Card | None]) -> int:
    return RANK_COUNT + MIN_RANK if book[0] is None else book[0].rank
