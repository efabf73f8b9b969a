"""A whole game as a value: `new_game` and `apply` are the rules (RULES 12-21).

`apply(state, action)` returns the next state and what happened; states are never changed. An action the rules forbid raises
`IllegalAction` and leaves nothing behind. Time, luck and names come in as arguments: the seed decides every card.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeVar, final

from referee.rules.actions import Action, Discard, Draw, IllegalAction, IllegalReason, Retire, Source
from referee.rules.cards import CARDS, Card, CardId, card_of_id, cards_of_ids, deck_ids, rank_letter
from referee.rules.events import (
    Discarded,
    Drew,
    Event,
    GameEnded,
    Reshuffled,
    RoundEnded,
    RoundStarted,
    SeatRetired,
)
from referee.rules.layout import best_layout, best_points, going_out_discards
from referee.rules.melds import arrangement_problem
from referee.rules.shuffle import SEED_BYTES, deal_label, reshuffle_label, shuffled

RULES_VERSION = 1
GAME_ROUNDS = 11
MIN_SEATS = 2
MAX_SEATS = 14
MOST_SEATS_OF_ONE_GAME = 7
"""More seats play with two games combined (RULES 4)."""
DEFAULT_TURN_CAP = 40
PLAYOFF_ROUNDS = 3
"""Game rounds 12, 13, 14 at most (RULES 20)."""
PLAYOFF_WILD_RANK = 6
LAST_PLAYOFF_ROUND = GAME_ROUNDS + PLAYOFF_ROUNDS


_T = TypeVar("_T")


class Phase(Enum):
    """What the seat in turn has to do."""

    DRAW = "draw"
    DISCARD = "discard"
    OVER = "over"


# Members by a name of their own: to ask an Enum for one by attribute takes longer than what is done with it.
_DRAW: Final = Phase.DRAW
_DISCARD: Final = Phase.DISCARD
_OVER: Final = Phase.OVER
_PILE: Final = Source.PILE


@dataclass(frozen=True, slots=True)
class GameConfig:
    """What a game is played by. Raises ValueError for values the rules do not know."""

    seats: int
    turn_cap: int = DEFAULT_TURN_CAP
    """Turns a seat before a round in which nobody went out ends (RULES 19)."""
    playoff: bool = False
    """Ties for the first place are played off (RULES 20); without, they share it."""

    def __post_init__(self) -> None:
        if not MIN_SEATS <= self.seats <= MAX_SEATS:
            raise ValueError(f"a game has {MIN_SEATS} to {MAX_SEATS} seats, not {self.seats}")
        if not 1 <= self.turn_cap <= 1000:
            raise ValueError(f"the turn cap is 1 to 1000 turns a seat, not {self.turn_cap}")


@final
@dataclass(slots=True, init=False)
class GameState:
    """Everything there is to know about a game between two actions, hidden cards included.

    `__init__` is written out, since every action makes a state and the one that a dataclass gets is never compiled.
    """

    config: Final[GameConfig]
    seed: Final[bytes]
    game_round: Final[int]
    """1..11; in a playoff 12..14."""
    phase: Final[Phase]
    seat: Final[int]
    """The seat in turn."""
    turn: Final[int]
    """Counted from 1 within the round, over all seats."""
    hands: Final[tuple[tuple[CardId, ...], ...]]
    """Per seat, ordered by face, then id."""
    lanes: Final[tuple[tuple[CardId, ...], ...]]
    """Per seat, the next card to draw last (RULES 15)."""
    discard_pile: Final[tuple[CardId, ...]]
    """The upcard last."""
    drawn: Final[CardId | None]
    """With DISCARD: the card just drawn."""
    drawn_from: Final[Source | None]
    went_out: Final[int | None]
    """The seat that went out first in this round."""
    reshuffles: Final[int]
    """Reshuffles in this round."""
    round_scores: Final[tuple[tuple[int, ...], ...]]
    """Scores per seat of each finished round; in a playoff 0 for the seats that are not in it."""
    retired_in_round: Final[tuple[int, ...]]
    """Per seat: the round in which it retired, 0 for none."""
    playoffs: Final[tuple[tuple[int, ...], ...]]
    """The seats of each playoff round begun, in turn from its starter, the dealer last; empty in the eleven rounds."""

    def __init__(
        self,
        config: GameConfig,
        seed: bytes,
        game_round: int,
        phase: Phase,
        seat: int,
        turn: int,
        hands: tuple[tuple[CardId, ...], ...],
        lanes: tuple[tuple[CardId, ...], ...],
        discard_pile: tuple[CardId, ...],
        drawn: CardId | None,
        drawn_from: Source | None,
        went_out: int | None,
        reshuffles: int,
        round_scores: tuple[tuple[int, ...], ...],
        retired_in_round: tuple[int, ...],
        playoffs: tuple[tuple[int, ...], ...] = (),
    ) -> None:
        self.config = config
        self.seed = seed
        self.game_round = game_round
        self.phase = phase
        self.seat = seat
        self.turn = turn
        self.hands = hands
        self.lanes = lanes
        self.discard_pile = discard_pile
        self.drawn = drawn
        self.drawn_from = drawn_from
        self.went_out = went_out
        self.reshuffles = reshuffles
        self.round_scores = round_scores
        self.retired_in_round = retired_in_round
        self.playoffs = playoffs

    @property
    def seats(self) -> int:
        return self.config.seats

    @property
    def wild_rank(self) -> int:
        """The number of cards dealt this round (RULES 3)."""
        return wild_rank_of(self.game_round)

    @property
    def dealer(self) -> int:
        return self.playoffs[-1][-1] if self.playoffs else dealer_of(self.game_round, self.config.seats)

    @property
    def starter(self) -> int:
        return self.playoffs[-1][0] if self.playoffs else (self.dealer + 1) % self.config.seats

    @property
    def players(self) -> tuple[int, ...]:
        """The seats that play this round, in turn from its starter: all, or those in the playoff (RULES 20)."""
        return self.playoffs[-1] if self.playoffs else _in_turn(self.starter, self.config.seats)

    @property
    def is_over(self) -> bool:
        return self.phase is _OVER

    @property
    def is_last_turn(self) -> bool:
        """Someone went out: the seat in turn has its one turn left (RULES 17)."""
        return self.went_out is not None

    @property
    def draw_pile_size(self) -> int:
        return sum(map(len, self.lanes))

    @property
    def totals(self) -> tuple[int, ...]:
        """Score per seat over the finished rounds; those of a playoff are not added (RULES 20)."""
        if not self.round_scores:
            return (0,) * self.config.seats
        return tuple(map(sum, zip(*self.round_scores[:GAME_ROUNDS], strict=True)))


Step = tuple[GameState, tuple[Event, ...]]


def wild_rank_of(game_round: int) -> int:
    """The number of cards dealt: 3 in the first round, 13 in the eleventh, 6 in a playoff (RULES 3, 20)."""
    return game_round + 2 if game_round <= GAME_ROUNDS else PLAYOFF_WILD_RANK


def dealer_of(game_round: int, seats: int) -> int:
    """Of the eleven rounds: seat 0 deals first, the deal passes left (RULES 12)."""
    return (game_round - 1) % seats


def decks_of(seats: int) -> int:
    """Decks of 58 cards: one game is two of them, two games combined are four (RULES 1, 4)."""
    return 2 if seats <= MOST_SEATS_OF_ONE_GAME else 4


def _in_turn(starter: int, seats: int) -> tuple[int, ...]:
    return tuple([(starter + step) % seats for step in range(seats)])


def new_game(config: GameConfig, seed: bytes) -> Step:
    """The first round, dealt. Raises ValueError unless the seed has 32 bytes."""
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    return _deal(config, seed, 1, (), (0,) * config.seats, ())


def apply(state: GameState, action: Action) -> Step:
    """The state after an action of the seat in turn (or a retirement), and what happened.

    Raises IllegalAction if the rules forbid it; the state stays as it is.
    """
    if state.phase is _OVER:
        raise IllegalAction(IllegalReason.GAME_OVER, "the game is over")
    match action:
        case Draw(source):
            return _draw(state, source)
        case Discard():
            return _discard(state, action)
        case Retire(seats):
            return _retire(state, seats)


def default_action(state: GameState) -> Draw | Discard:
    """What is played for a faulted decision and for a retired seat (RULES 21): draw from the pile, throw the card just drawn."""
    if state.phase is Phase.DRAW:
        return Draw(Source.PILE)
    if state.drawn is None:
        raise IllegalAction(IllegalReason.GAME_OVER, "the game is over")
    return Discard(card_of_id(state.drawn))


_DRAWS: Final[tuple[Draw | Discard, ...]] = (Draw(Source.PILE), Draw(Source.DISCARD))
_THROWS: Final = tuple(Discard(card) for card in CARDS)
_CLAIMS: Final = tuple(Discard(card, go_out=True) for card in CARDS)
"""By face code."""


def legal_actions(state: GameState) -> tuple[Draw | Discard, ...]:
    """All that the seat in turn may do (RULES 14, 16): each face once, claims to go out without their melds. Empty once the game is
    over."""
    if state.phase is _DRAW:
        return _DRAWS
    if state.phase is _OVER:
        return ()
    held = cards_of_ids(state.hands[state.seat])
    throws: list[Draw | Discard] = []
    last = -1
    for card in held:  # in the order of faces
        if card.code != last:
            last = card.code
            throws.append(_THROWS[last])
    return (*throws, *[_CLAIMS[card.code] for card in going_out_discards(held, state.wild_rank)])


def places(
    totals: Sequence[int], retired_in_round: Sequence[int], beaten: Collection[int] = frozenset()
) -> tuple[int, ...]:
    """Place per seat from 1, ties shared: lowest total first (RULES 20), retired seats below all others whatever their
    score, a later retirement better, the same round shared (RULES 21). `beaten` are the seats that a playoff put out: they
    had the lowest total too and share the place below the first."""
    ranks = [
        (1, -gone, 0, False) if gone else (0, 0, total, seat in beaten)
        for seat, (total, gone) in enumerate(zip(totals, retired_in_round, strict=True))
    ]
    return tuple(1 + sum(other < own for other in ranks) for own in ranks)


def beaten_in_playoff(state: GameState) -> frozenset[int]:
    """The seats that were in the playoff and are not among its best: each round put out all but its lowest, and a seat that
    retired is out as well (RULES 20). Empty without a playoff."""
    if not state.playoffs:
        return frozenset()
    return frozenset(state.playoffs[0]).difference(_contenders(state))


def _contenders(state: GameState) -> tuple[int, ...]:
    """The seats that still share the first place, in the order of seats: the lowest total of the eleven rounds, then the lowest
    of each playoff round. Retired seats never (RULES 20)."""
    last = state.playoffs[-1] if state.playoffs else range(state.config.seats)
    left = [seat for seat in sorted(last) if not state.retired_in_round[seat]]
    if not left:
        return ()
    scored = len(state.round_scores) == state.game_round
    scores = (state.round_scores[-1] if state.playoffs else state.totals) if scored else (0,) * state.config.seats
    least = min([scores[seat] for seat in left])
    return tuple([seat for seat in left if scores[seat] == least])


def _deal(
    config: GameConfig,
    seed: bytes,
    game_round: int,
    round_scores: tuple[tuple[int, ...], ...],
    retired_in_round: tuple[int, ...],
    playoffs: tuple[tuple[int, ...], ...],
) -> Step:
    """RULES 13: one card at a time from the starter, the next one is the upcard, the rest the draw pile."""
    dealt = wild_rank_of(game_round)
    players = (
        playoffs[-1] if playoffs else _in_turn((dealer_of(game_round, config.seats) + 1) % config.seats, config.seats)
    )
    order = shuffled(map(CardId, deck_ids(decks_of(config.seats))), seed, deal_label(game_round))
    in_hands = len(players) * dealt
    hands: list[tuple[CardId, ...]] = [()] * config.seats
    for turn, seat in enumerate(players):
        hands[seat] = _hand(order[turn : in_hands : len(players)])
    upcard = order[in_hands]
    state = GameState(
        config=config,
        seed=seed,
        game_round=game_round,
        phase=Phase.DRAW,
        seat=players[0],
        turn=1,
        hands=tuple(hands),
        lanes=_lanes(order[in_hands + 1 :], players, config.seats),
        discard_pile=(upcard,),
        drawn=None,
        drawn_from=None,
        went_out=None,
        reshuffles=0,
        round_scores=round_scores,
        retired_in_round=retired_in_round,
        playoffs=playoffs,
    )
    started = RoundStarted(
        game_round, players[-1], players[0], tuple(map(cards_of_ids, hands)), card_of_id(upcard), _in_playoff(playoffs)
    )
    return state, (started,)


def _lanes(pile: tuple[CardId, ...], players: tuple[int, ...], seats: int) -> tuple[tuple[CardId, ...], ...]:
    """Card j of the pile lies in the lane of player j mod n, counted from the starter (RULES 15); the first card is drawn
    first. A seat that is not in the playoff has none."""
    lanes: list[tuple[CardId, ...]] = [()] * seats
    for turn, seat in enumerate(players):
        lanes[seat] = pile[turn :: len(players)][::-1]
    return tuple(lanes)


_HAND_ORDER: Final = tuple(card_of_id(CardId(card_id)).code * 256 + card_id for card_id in deck_ids(4))
"""By card id: hands are ordered by face, then id."""


def _hand(card_ids: Sequence[CardId]) -> tuple[CardId, ...]:
    return tuple(sorted(card_ids, key=_HAND_ORDER.__getitem__))


def _with_card(hand: tuple[CardId, ...], card_id: CardId) -> tuple[CardId, ...]:
    index = len(hand)
    while index and _HAND_ORDER[hand[index - 1]] > _HAND_ORDER[card_id]:
        index -= 1
    return hand[:index] + (card_id,) + hand[index:]  # noqa: RUF005 - compiled, unpacking goes through a list


def _in_play(
    state: GameState,
    phase: Phase,
    seat: int,
    turn: int,
    hands: tuple[tuple[CardId, ...], ...],
    lanes: tuple[tuple[CardId, ...], ...],
    discard_pile: tuple[CardId, ...],
    drawn: CardId | None,
    drawn_from: Source | None,
    went_out: int | None,
) -> GameState:
    """The state with all of it new that a turn may change. (`dataclasses.replace` takes several times as long.)"""
    return GameState(
        state.config,
        state.seed,
        state.game_round,
        phase,
        seat,
        turn,
        hands,
        lanes,
        discard_pile,
        drawn,
        drawn_from,
        went_out,
        state.reshuffles,
        state.round_scores,
        state.retired_in_round,
        state.playoffs,
    )


def _draw(state: GameState, source: Source) -> Step:
    if state.phase is not _DRAW:
        raise IllegalAction(IllegalReason.NOT_NOW, f"{_where(state)} has drawn already: a discard is due")
    if source is _PILE:
        return _draw_from_pile(state)
    upcard = state.discard_pile[-1]
    drawn = _holding(state, upcard, source, state.lanes, state.discard_pile[:-1])
    return drawn, (Drew(state.seat, source, card_of_id(upcard)),)


def _draw_from_pile(state: GameState) -> Step:
    """The next card of the seat's own lane, or of the longest other one from its bottom (RULES 15)."""
    happened: tuple[Event, ...] = ()
    if not state.lanes[state.seat] and not any(state.lanes):
        state = _reshuffle(state)
        happened = (Reshuffled(state.draw_pile_size),)
    own = state.lanes[state.seat]
    if own:
        card_id, lanes = own[-1], _put(state.lanes, state.seat, own[:-1])
    else:
        clockwise = [(state.seat + step) % state.seats for step in range(1, state.seats)]
        lender = max(clockwise, key=lambda seat: len(state.lanes[seat]))  # max keeps the first of equals
        card_id, lanes = state.lanes[lender][0], _put(state.lanes, lender, state.lanes[lender][1:])
    drawn = _holding(state, card_id, _PILE, lanes, state.discard_pile)
    return drawn, (*happened, Drew(state.seat, _PILE, card_of_id(card_id)))


def _holding(
    state: GameState,
    card_id: CardId,
    source: Source,
    lanes: tuple[tuple[CardId, ...], ...],
    discard_pile: tuple[CardId, ...],
) -> GameState:
    """The seat in turn has drawn the card."""
    seat = state.seat
    hands = _put(state.hands, seat, _with_card(state.hands[seat], card_id))
    return _in_play(state, _DISCARD, seat, state.turn, hands, lanes, discard_pile, card_id, source, state.went_out)


def _reshuffle(state: GameState) -> GameState:
    """The discards below the top one become the draw pile (RULES 15)."""
    *below, top = state.discard_pile
    number = state.reshuffles + 1
    pile = shuffled(below, state.seed, reshuffle_label(state.game_round, number))
    return replace(state, lanes=_lanes(pile, state.players, state.seats), discard_pile=(top,), reshuffles=number)


def _discard(state: GameState, action: Discard) -> Step:
    if state.phase is not _DISCARD:
        raise IllegalAction(IllegalReason.NOT_NOW, f"{_where(state)} has not drawn yet: a draw is due")
    held = state.hands[state.seat]
    index = _index_of(action.card, held)
    if index < 0:
        raise IllegalAction(IllegalReason.NOT_HELD, f"{_where(state)} discarded {action.card}: not in hand")
    kept = held[:index] + held[index + 1 :]
    if action.go_out:
        _check_going_out(state, action, cards_of_ids(kept))
    after, happened = _next_turn(
        state,
        hands=_put(state.hands, state.seat, kept),
        discard_pile=state.discard_pile + (held[index],),  # noqa: RUF005 - compiled, unpacking goes through a list
        went_out=state.seat if action.go_out and state.went_out is None else state.went_out,
    )
    return after, (Discarded(state.seat, action.card, action.go_out), *happened)


def _index_of(card: Card, held: tuple[CardId, ...]) -> int:
    """Of the copy with the lowest id; -1 if none is held."""
    for index, card_id in enumerate(held):
        if card_of_id(card_id) is card:
            return index
    return -1


def _check_going_out(state: GameState, action: Discard, kept: tuple[Card, ...]) -> None:
    """RULES 16: the cards kept lie in melds, all of them, each once."""
    if action.melds is None:
        if best_points(kept, state.wild_rank):
            raise IllegalAction(
                IllegalReason.CANNOT_GO_OUT,
                f"{_where(state)} cannot go out by throwing {action.card}: no layout leaves 0",
            )
        return
    problem = arrangement_problem(action.melds, kept, state.wild_rank)
    if problem != "ok":
        raise IllegalAction(IllegalReason.WRONG_MELDS, f"{_where(state)} claims to go out with wrong melds: {problem}")
    melded = sum(map(len, action.melds))
    if melded != len(kept):
        raise IllegalAction(
            IllegalReason.WRONG_MELDS, f"{_where(state)} claims to go out, but melds {melded} of {len(kept)} cards"
        )


def _next_turn(
    state: GameState,
    hands: tuple[tuple[CardId, ...], ...],
    discard_pile: tuple[CardId, ...],
    went_out: int | None,
) -> Step:
    seats = state.config.seats
    seat, turn = (state.seat + 1) % seats, state.turn + 1
    if state.playoffs:
        players = state.playoffs[-1]
        seat, seats = players[(players.index(state.seat) + 1) % len(players)], len(players)
    last_turns_over = went_out == seat
    beyond_cap = went_out is None and turn > state.config.turn_cap * seats
    if last_turns_over or beyond_cap:
        seat, turn = state.seat, state.turn
    after = _in_play(state, _DRAW, seat, turn, hands, state.lanes, discard_pile, None, None, went_out)
    return _end_round(after) if last_turns_over or beyond_cap else (after, ())


def _end_round(state: GameState) -> Step:
    layouts = tuple(best_layout(cards_of_ids(hand), state.wild_rank) for hand in state.hands)
    scores = tuple(layout.points for layout in layouts)
    scored = replace(state, round_scores=(*state.round_scores, scores))
    in_playoff = _in_playoff(state.playoffs)
    ended = RoundEnded(state.game_round, scores, scored.totals, layouts, state.went_out, in_playoff)
    if state.game_round < GAME_ROUNDS:
        after, happened = _deal_next(scored, ())
        return after, (ended, *happened)
    tied = _contenders(scored)
    if not state.config.playoff or len(tied) < 2 or state.game_round == LAST_PLAYOFF_ROUND:
        after, happened = _end_game(scored)
    else:
        after, happened = _deal_next(scored, (*state.playoffs, _seated_left_of(state.dealer, tied, state.seats)))
    return after, (ended, *happened)


def _in_playoff(playoffs: tuple[tuple[int, ...], ...]) -> tuple[int, ...]:
    return tuple(sorted(playoffs[-1])) if playoffs else ()


def _deal_next(state: GameState, playoffs: tuple[tuple[int, ...], ...]) -> Step:
    return _deal(state.config, state.seed, state.game_round + 1, state.round_scores, state.retired_in_round, playoffs)


def _seated_left_of(dealer: int, tied: tuple[int, ...], seats: int) -> tuple[int, ...]:
    """The tied in turn: the first of them to the left of the last dealer deals, so it comes last (RULES 20)."""
    clockwise = sorted(tied, key=lambda seat: (seat - dealer - 1) % seats)
    return (*clockwise[1:], clockwise[0])


def _end_game(state: GameState) -> Step:
    over = replace(state, phase=Phase.OVER, drawn=None, drawn_from=None)
    return over, (GameEnded(over.totals, places(over.totals, over.retired_in_round, beaten_in_playoff(over))),)


def _retire(state: GameState, seats: tuple[int, ...]) -> Step:
    """RULES 21: with at most one seat unretired the game ends at once; the open round is not scored. So does a playoff with at
    most one of its seats unretired: the first place is decided."""
    retired = state
    for seat in seats:
        retired = _retire_one(retired, seat)
    gone = tuple(map(SeatRetired, seats))
    if sum([not retired.retired_in_round[seat] for seat in retired.players]) > 1:
        return retired, gone
    over, happened = _end_game(retired)
    return over, (*gone, *happened)


def _retire_one(state: GameState, seat: int) -> GameState:
    if not 0 <= seat < state.seats:
        raise IllegalAction(IllegalReason.NO_SUCH_SEAT, f"no seat {seat}: seats are 0..{state.seats - 1}")
    if state.retired_in_round[seat]:
        raise IllegalAction(
            IllegalReason.RETIRED, f"seat {seat} retired in round {state.retired_in_round[seat]} already"
        )
    return replace(state, retired_in_round=_put(state.retired_in_round, seat, state.game_round))


def _put(values: tuple[_T, ...], index: int, value: _T) -> tuple[_T, ...]:
    return values[:index] + (value,) + values[index + 1 :]  # noqa: RUF005 - compiled, unpacking goes through a list


def _where(state: GameState) -> str:
    """`seat 2 at round 3 (5s wild) turn 5`."""
    return f"seat {state.seat} at round {state.game_round} ({rank_letter(state.wild_rank)}s wild) turn {state.turn}"
