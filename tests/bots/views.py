"""Views of a seat from card notation."""

from __future__ import annotations

from bots.sdk import Phase, SeatView, Source, parse_card, parse_cards
from referee.rules.events import PublicEvent


def view(
    hand: str, upcard: str = "9c", *, drawn: str = "", last_turn: bool = False, events: tuple[PublicEvent, ...] = ()
) -> SeatView:
    """What seat 0 of three sees in the round in which so many cards are dealt; with `drawn`, one of the hand, a discard is due.

    `upcard` may name several cards, the upcard last; `last_turn` says that seat 2 went out with three kings and wilds.
    """
    cards = parse_cards(hand)
    dealt = len(cards) - bool(drawn)
    return SeatView(
        seat=0,
        seats=3,
        phase=Phase.DISCARD if drawn else Phase.DRAW,
        game_round=dealt - 2,
        wild_rank=dealt,
        turn=4,
        turn_cap=40,
        dealer=2,
        starter=0,
        hand=tuple(sorted(cards)),
        discard_pile=parse_cards(upcard),
        draw_pile_size=60,
        drawn=parse_card(drawn) if drawn else None,
        drawn_from=Source.PILE if drawn else None,
        went_out=2 if last_turn else None,
        went_out_hand=parse_cards("Ks Kd Kc" + " JK" * (dealt - 3)) if last_turn else (),
        hand_sizes=(len(cards), dealt, dealt),
        totals=(10, 20, 30),
        events=events,
    )
