"""Game states from card notation, so that a test of the rules is a few lines.

    state = table("3h 4h 5h", "9s Ts Jc", seat=1, discard="Kd", lanes=["7s", "8s"])
    state, events = play(state, "pile 9s", "up Kd", "pile 8c out: 3h 4h 5h")

A turn is written `SOURCE CARD [out[: MELDS]]`, SOURCE being `pile` or `up` (the upcard). Lanes are written in the order in which
they are drawn, the discard pile with the upcard last. Every state holds the 116 cards of the game once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.rules.actions import Discard, Draw, Source
from referee.rules.cards import Card, CardId, card_of_id, cards_of_ids, cards_text, deck_ids, parse_card, parse_cards
from referee.rules.events import Event
from referee.rules.state import DEFAULT_TURN_CAP, GameConfig, GameState, Phase, apply, decks_of

SEED = bytes(range(32))
"""The seed of every built state; only reshuffles and later rounds follow from it."""

_SOURCES = {"pile": Source.PILE, "up": Source.DISCARD}


class _Box:
    """The cards in play; each is taken once, the copy with the lowest id first."""

    def __init__(self, decks: int) -> None:
        self.left = list(deck_ids(decks))

    def take(self, text: str) -> tuple[CardId, ...]:
        return tuple(self._take(card) for card in parse_cards(text))

    def _take(self, card: Card) -> CardId:
        for card_id in self.left:
            if card_of_id(card_id) is card:
                self.left.remove(card_id)
                return card_id
        raise ValueError(f"{card.text}: the game has no further copy of it")


def table(
    *hands: str,
    seat: int = 0,
    discard: str | None = None,
    lanes: Sequence[str] | None = None,
    game_round: int | None = None,
    turn: int | None = None,
    turn_cap: int = DEFAULT_TURN_CAP,
    totals: Sequence[int] | None = None,
) -> GameState:
    """A table at the beginning of a turn of `seat`.

    The round is the one in which the hand of seat 0 is dealt, if not given. Without `lanes` all cards not named are dealt into
    lanes in the order of their ids; with `lanes` they lie at the bottom of the discard pile. Without `turn` it is the seat's
    first. `totals` are scores before this round; they are put into the first one.
    """
    seats, box = len(hands), _Box(decks_of(len(hands)))
    game_round = game_round or len(parse_cards(hands[0])) - 2
    held = tuple(_in_order(box.take(hand)) for hand in hands)
    lane_ids = [box.take(lane)[::-1] for lane in lanes or ()]
    discards = box.take(discard) if discard is not None else ()
    starter = game_round % seats
    if lanes is None:
        if not discards:
            discards = (box.left.pop(0),)
        lane_ids = lanes_of(box.left, seats, starter)
    else:
        discards = (*box.left, *discards)
    return GameState(
        config=GameConfig(seats, turn_cap),
        seed=SEED,
        game_round=game_round,
        phase=Phase.DRAW,
        seat=seat,
        turn=turn or (seat - starter) % seats + 1,
        hands=held,
        lanes=tuple(lane_ids),
        discard_pile=discards,
        drawn=None,
        drawn_from=None,
        went_out=None,
        reshuffles=0,
        round_scores=_scores_before(game_round, seats, totals),
        retired_in_round=(0,) * seats,
    )


def some_hand(count: int) -> str:
    """A hand for a seat that does not matter."""
    return cards_text(parse_cards("9* T* J* Q* K* 9c Tc Jc Qc Kc 8c 7c 6c")[:count])


def lanes_of(cards: Sequence[CardId], seats: int, starter: int) -> list[tuple[CardId, ...]]:
    """RULES 15: card j lies in the lane of seat (starter + j) mod n; the first one is drawn first, so it lies last."""
    return [tuple(cards[(seat - starter) % seats :: seats])[::-1] for seat in range(seats)]


def _in_order(card_ids: Iterable[CardId]) -> tuple[CardId, ...]:
    return tuple(sorted(card_ids, key=lambda card_id: (card_of_id(card_id), card_id)))


def _scores_before(game_round: int, seats: int, totals: Sequence[int] | None) -> tuple[tuple[int, ...], ...]:
    first = tuple(totals or (0,) * seats)
    if game_round == 1 and any(first):
        raise ValueError(f"totals {first}: nothing is scored before the first round")
    return (first, *((0,) * seats for _ in range(game_round - 2)))[: game_round - 1]


def turn_of(text: str) -> tuple[Draw, Discard]:
    """The two actions of a turn: `pile Ks`, `up 3h`, `pile 8c out`, `pile 8c out: 3h 4h 5h | JK JK JK`."""
    first, _, melds = text.partition(":")
    source, card, *out = first.split()
    if out not in ([], ["out"]):
        raise ValueError(f"{text!r}: write `SOURCE CARD [out[: MELDS]]`")
    return Draw(_SOURCES[source]), Discard(parse_card(card), bool(out), melds_of(melds) if melds else None)


def melds_of(text: str) -> tuple[tuple[Card, ...], ...]:
    return tuple(parse_cards(meld) for meld in text.split("|"))


def play(state: GameState, *turns: str) -> tuple[GameState, tuple[Event, ...]]:
    """The state after these turns, and all that happened."""
    events: list[Event] = []
    for text in turns:
        for action in turn_of(text):
            state, happened = apply(state, action)
            events += happened
    return state, tuple(events)


def after(state: GameState, *turns: str) -> GameState:
    return play(state, *turns)[0]


def having_drawn(state: GameState, source: Source = Source.PILE) -> GameState:
    return apply(state, Draw(source))[0]


def hand_text(state: GameState, seat: int) -> str:
    return cards_text(cards_of_ids(state.hands[seat]))


def lane_text(state: GameState, seat: int) -> str:
    """In the order in which the lane is drawn."""
    return cards_text(cards_of_ids(reversed(state.lanes[seat])))


def discards_text(state: GameState) -> str:
    return cards_text(cards_of_ids(state.discard_pile))


def all_card_ids(state: GameState) -> list[CardId]:
    """Every card there is, wherever it lies, in the order of ids."""
    return sorted(card_id for place in (*state.hands, *state.lanes, state.discard_pile) for card_id in place)
