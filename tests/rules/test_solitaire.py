"""Solitaire (RULES 22-24): dealt from the seed, eleven open piles, nothing hidden but the stack."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.actions import Discard, Draw, IllegalAction, IllegalReason, Retire, Source
from referee.rules.cards import CARDS, CardId, card_of_id, cards_of_ids, cards_text, deck_ids, parse_card
from referee.rules.events import SeatRetired
from referee.rules.solitaire import (
    SOLITAIRE_LABEL,
    Add,
    Added,
    Pile,
    PileClosed,
    PilesDealt,
    Refuse,
    Refused,
    Score,
    SolitaireConfig,
    SolitaireEnded,
    SolitaireState,
    Turned,
    Variant,
    apply,
    default_action,
    is_whole,
    legal_actions,
    new_solitaire,
    view_of,
)
from tests.rules.oracle import least_points
from tests.support.shuffle_reference import order_of
from tests.support.solitaire import SEED, all_cards, cards_used_up, careful, solitaire, steps, whimsical

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "solitaire_vectors.json").read_text())["vectors"]
SEEDS = st.binary(min_size=32, max_size=32)
CONFIGS = st.builds(SolitaireConfig, st.sampled_from(Variant))
POLICIES = st.sampled_from([careful, whimsical(0), whimsical(1), whimsical(2)])
ALL_PILES = range(3, 14)

any_solitaire = given(SEEDS, CONFIGS, POLICIES)


# -- the deal ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["seed"][:6])
def test_the_published_vectors(vector: dict[str, Any]) -> None:
    state, events = new_solitaire(SolitaireConfig(), bytes.fromhex(vector["seed"]))
    dealt = {str(size): cards_text(cards_of_ids(pile)) for size, pile in zip(ALL_PILES, state.piles, strict=True)}
    assert dealt == vector["piles"]
    assert state.turned is not None
    assert cards_text(cards_of_ids((state.turned, *state.stack))) == vector["stack"]
    assert [size for size, closed in zip(ALL_PILES, state.closed, strict=True) if closed] == vector["closed"]
    assert [event.pile for event in events if isinstance(event, PileClosed)] == vector["closed"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["seed"][:6])
def test_the_published_vectors_follow_from_their_description(vector: dict[str, Any]) -> None:
    order = order_of(bytes.fromhex(vector["seed"]), vector["label"], range(116))
    faces = [card_of_id(CardId(card_id)) for card_id in order]
    at = 0
    for size in ALL_PILES:
        assert cards_text(sorted(faces[at : at + size])) == vector["piles"][str(size)]
        at += size
    assert cards_text(faces[at:]) == vector["stack"]
    assert vector["label"] == SOLITAIRE_LABEL.decode()


def test_a_vector_closes_a_pile_as_dealt() -> None:
    assert any(vector["closed"] for vector in VECTORS)


@pytest.mark.parametrize("seed", [b"", bytes(31), bytes(33)])
def test_a_seed_has_32_bytes(seed: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        new_solitaire(SolitaireConfig(), seed)


def test_both_variants_deal_the_same() -> None:
    standard, _ = new_solitaire(SolitaireConfig(), SEED)
    open_first, _ = new_solitaire(SolitaireConfig(Variant.OPEN_FIRST), SEED)
    assert replace(open_first, config=standard.config) == standard


# -- in every state ----------------------------------------------------------------------------------------------------


@any_solitaire
@settings(max_examples=40)
def test_every_card_lies_in_one_place_and_piles_keep_their_size(
    seed: bytes, config: SolitaireConfig, policy: Any
) -> None:
    for state, _, _ in steps(config, seed, policy):
        assert all_cards(state) == list(deck_ids())
        assert [len(pile) for pile in state.piles] == list(ALL_PILES)
        assert state.score.cards_used == cards_used_up(state)


@any_solitaire
@settings(max_examples=40)
def test_it_ends_when_all_piles_are_closed_or_no_card_is_left(
    seed: bytes, config: SolitaireConfig, policy: Any
) -> None:
    *before, (last, _, events) = steps(config, seed, policy)
    assert len(before) <= 28
    assert not any(state.is_over for state, _, _ in before)
    assert last.score.won == all(last.closed)
    assert last.score.won or (last.stack, last.turned, last.score.cards_used) == ((), None, 28)
    assert events[-1] == SolitaireEnded(last.score)
    assert legal_actions(last) == ()
    for action in (Add(3, CARDS[0]), Refuse(), Retire((0,))):
        with pytest.raises(IllegalAction, match="over"):
            apply(last, action)


@any_solitaire
@settings(max_examples=25)
def test_a_pile_is_closed_exactly_when_a_brute_force_lays_it_out_whole(
    seed: bytes, config: SolitaireConfig, policy: Any
) -> None:
    """RULES 23: the best layout leaves 0, the wild rank being the size; that of the largest piles takes the brute force long."""
    seen: set[tuple[CardId, ...]] = set()
    for state, _, _ in steps(config, seed, policy):
        for size, pile, closed in zip(ALL_PILES, state.piles, state.closed, strict=True):
            if pile not in seen and size <= 9:
                assert closed == (least_points(cards_of_ids(pile), size) == 0)
            seen.add(pile)


@any_solitaire
@settings(max_examples=40)
def test_a_closed_pile_stays_as_it_is(seed: bytes, config: SolitaireConfig, policy: Any) -> None:
    kept: dict[int, tuple[CardId, ...]] = {}
    for state, action, _ in steps(config, seed, policy):
        assert not (isinstance(action, Add) and action.pile in kept)
        for size, pile, closed in zip(ALL_PILES, state.piles, state.closed, strict=True):
            assert kept.get(size, pile) == pile
            if closed:
                kept[size] = pile


@given(SEEDS, CONFIGS, POLICIES, st.integers(0, 27), st.data())
@settings(max_examples=30)
def test_the_legal_actions_are_those_that_can_be_applied(
    seed: bytes, config: SolitaireConfig, policy: Any, play: int, data: st.DataObject
) -> None:
    states = [state for state, _, _ in steps(config, seed, policy) if not state.is_over]
    state = states[min(play, len(states) - 1)]
    legal = set(legal_actions(state))
    assert default_action(state) in legal
    every = [*(Add(size, card) for size in (*range(5), *range(5, 16)) for card in CARDS), Refuse()]
    for action in every:
        if action in legal:
            after, _ = apply(state, action)
            assert len(after.discards) == len(state.discards) + 1
        else:
            with pytest.raises(IllegalAction):
                apply(state, action)
    assert policy(view_of(state)) in legal


@any_solitaire
@settings(max_examples=30)
def test_the_default_changes_no_pile(seed: bytes, config: SolitaireConfig, policy: Any) -> None:
    for state, _, _ in steps(config, seed, policy):
        if not state.is_over:
            after, _ = apply(state, default_action(state))
            assert list(map(cards_of_ids, after.piles)) == list(map(cards_of_ids, state.piles))
            assert after.closed == state.closed
            assert card_of_id(after.discards[-1]) is view_of(state).turned


@given(SEEDS, CONFIGS, POLICIES, st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_a_hidden_card_never_changes_a_view(seed: bytes, config: SolitaireConfig, policy: Any, random: Any) -> None:
    for state, _, _ in steps(config, seed, policy):
        if state.is_over:
            continue
        hidden = list(state.stack)
        random.shuffle(hidden)
        twin = replace(state, stack=tuple(hidden), seed=bytes(32))
        assert view_of(twin) == view_of(state)
        assert legal_actions(twin) == legal_actions(state)


@any_solitaire
@settings(max_examples=30)
def test_what_happened_tells_the_state(seed: bytes, config: SolitaireConfig, policy: Any) -> None:
    """The events alone give piles, cards and score."""
    piles: dict[int, list[Any]] = {}
    closed: set[int] = set()
    out: list[Any] = []
    turned = None
    for state, _, events in steps(config, seed, policy):
        for event in events:
            match event:
                case PilesDealt(dealt):
                    piles = {len(cards): list(cards) for cards in dealt}
                case Turned(card):
                    turned = card
                case Refused(card):
                    assert card is turned
                    out.append(card)
                case Added(card, pile, discard):
                    assert card is turned
                    piles[pile].append(card)
                    piles[pile].remove(discard)
                    out.append(discard)
                case PileClosed(pile):
                    closed.add(pile)
        assert [sorted(piles[size]) for size in ALL_PILES] == [list(cards_of_ids(pile)) for pile in state.piles]
        assert (sum(state.closed), list(cards_of_ids(state.discards))) == (len(closed), out)


# -- cases -------------------------------------------------------------------------------------------------------------


def turned_text(state: SolitaireState) -> str:
    assert state.turned is not None
    return card_of_id(state.turned).text


def test_the_pile_closes_by_itself_when_it_can_be_laid_out_whole() -> None:
    state = solitaire({5: "8s 9s Th Kd Kc"}, "Ks JK 4d")
    after, events = apply(state, Add(5, parse_card("Th")))
    assert not after.closed[2]
    after, events = apply(after, Add(5, parse_card("JK")))
    assert not after.closed[2], "the joker went out again"
    after, events = apply(solitaire({5: "8s 9s Th Kd Kc"}, "JK Ks"), Add(5, parse_card("Th")))
    assert not after.closed[2], "8s 9s JK is a run, Kd Kc are left"
    after, events = apply(solitaire({5: "8s 9s Ts Kd Kc"}, "Kh 3d"), Add(5, parse_card("Kd")))
    assert not after.closed[2]
    after, events = apply(solitaire({6: "8s 9s Ts Kd Kc 4h"}, "Kh 3d"), Add(6, parse_card("4h")))
    assert after.closed[3]
    assert events == (Added(parse_card("Kh"), 6, parse_card("4h")), PileClosed(6), Turned(parse_card("3d")))


@pytest.mark.parametrize(
    ("cards", "closes"),
    [
        ("3s 3h 3d", True),
        ("3s Kd Kc", True),
        ("4s 4h Kd", False),
        ("4s 4h Kd Kc", True),
        ("5s 6s 7s 8s", True),
        ("JK JK 9d Th", False),
        ("5s 5h 9d 9c Kd", False),
        ("5s 5h 5d JK Kd", True),
        ("3s 4s 5s 6s 7s 8s 9s Ts Js Qs 4h 4d 4c", True),
        ("Ks Kh 3s 4s 5s 6s 7s 8s 9s Ts Js Qs 4h", True),
        ("3s 4s 6s 7s 9h 9d Ts Th Qs Qd 4h 5d 8c", False),
    ],
)
def test_the_wild_rank_of_a_pile_is_its_size(cards: str, closes: bool) -> None:
    faces = [parse_card(text) for text in cards.split()]
    assert is_whole(faces, len(faces)) == closes


def test_the_copy_with_the_lowest_id_goes_out() -> None:
    state = solitaire({3: "8s 9d Kh"}, "8s 4d")
    after, _ = apply(state, Add(3, parse_card("8s")))
    assert card_of_id(after.discards[-1]).text == "8s"
    assert after.discards[-1] < 58
    assert any(card_id >= 58 and card_of_id(card_id).text == "8s" for card_id in after.piles[0])


@pytest.mark.parametrize(
    ("action", "reason", "words"),
    [
        (Add(2, parse_card("4d")), IllegalReason.NO_SUCH_PILE, "pile 2: piles are 3 to 13"),
        (Add(14, parse_card("4d")), IllegalReason.NO_SUCH_PILE, "pile 14"),
        (Add(3, parse_card("4d")), IllegalReason.PILE_CLOSED, "pile 3 is closed"),
        (Add(4, parse_card("Ks")), IllegalReason.NOT_HELD, "Ks is neither in pile 4 nor turned up"),
        (Refuse(), IllegalReason.NOT_NOW, "open_first"),
        (Draw(Source.PILE), IllegalReason.NOT_NOW, "solitaire"),
        (Discard(parse_card("4d")), IllegalReason.NOT_NOW, "solitaire"),
        (Retire((1,)), IllegalReason.NO_SUCH_SEAT, "seat 0 alone"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_illegal(action: Any, reason: IllegalReason, words: str) -> None:
    state = solitaire({3: "9s 9h 9d", 4: "5d 6h 8c Tc"}, "4d 4d")
    with pytest.raises(IllegalAction, match=words) as error:
        apply(state, action)
    assert error.value.reason is reason


def test_the_first_card_of_open_first_may_be_refused_once() -> None:
    state = solitaire({3: "8s 9d Kh"}, "4d 5c 6h", variant=Variant.OPEN_FIRST)
    assert view_of(state).can_refuse
    after, events = apply(state, Refuse())
    assert events == (Refused(parse_card("4d")), Turned(parse_card("5c")))
    assert (after.turn, turned_text(after), after.score.cards_used, view_of(after).can_refuse) == (1, "5c", 1, False)
    with pytest.raises(IllegalAction, match="only once"):
        apply(after, Refuse())


def test_the_choice_of_open_first_is_for_the_first_play_only() -> None:
    state = solitaire({3: "8s 9d Kh"}, "4d 5c 6h", variant=Variant.OPEN_FIRST)
    after, _ = apply(state, Add(3, parse_card("4d")))
    assert (after.turn, view_of(after).can_refuse) == (2, False)


def test_won_with_cards_left() -> None:
    whole = {
        4: "9s 9h 9d 9c",
        5: "Ts Th Td Tc T*",
        6: "3s 4s 5s 3h 4h 5h",
        7: "Js Jh Jd Jc J* 7s 7h",
    }
    state = solitaire(whole, "8s 4d 5c", discards="JK")
    state = replace(
        state, closed=(False, *[True] * 10), piles=(solitaire({3: "8h 8d Kh"}, "4d").piles[0], *state.piles[1:])
    )
    after, events = apply(state, Add(3, parse_card("Kh")))
    assert after.score == Score(won=True, piles_closed=11, cards_used=2)
    assert events[-2:] == (PileClosed(3), SolitaireEnded(after.score))
    assert after.is_over
    assert len(after.stack) == 2


def test_the_last_card_of_the_stack_can_still_win_or_lose_it() -> None:
    state = replace(solitaire({3: "8h 8d Kh"}, "8s"), closed=(False, *[True] * 10))
    assert apply(state, Add(3, parse_card("Kh")))[0].score.won
    lost, events = apply(state, Add(3, parse_card("8s")))
    assert (lost.is_over, lost.score.won, lost.score.piles_closed) == (True, False, 10)
    assert events[-1] == SolitaireEnded(lost.score)


def test_a_player_who_is_out_ends_it_with_the_piles_as_they_lie() -> None:
    state = solitaire({3: "9s 9h 9d"}, "4d 5c")
    after, events = apply(state, Retire((0,)))
    assert (after.is_over, after.is_retired, after.score.won, after.score.piles_closed) == (
        True, True, False, state.score.piles_closed,
    )  # fmt: skip
    assert events == (SeatRetired(0), SolitaireEnded(state.score))


def test_a_view_shows_all_but_the_stack() -> None:
    state = solitaire({3: "8s 9d Kh"}, "4d 5c 6h", discards="Qs Qh")
    view = view_of(state)
    assert view.piles[0] == Pile(3, tuple(sorted(map(parse_card, ("8s", "9d", "Kh")))), False)
    assert [pile.size for pile in view.piles] == list(ALL_PILES)
    assert (view.turned.text, view.cards_left, cards_text(view.discards)) == ("4d", 2, "Qs Qh")
    assert [pile.size for pile in view.open_piles] == [
        size for size, closed in zip(ALL_PILES, state.closed, strict=True) if not closed
    ]


def test_there_is_no_view_once_it_is_over() -> None:
    last = list(steps(SolitaireConfig(), hashlib.sha256(b"over").digest(), careful))[-1][0]
    with pytest.raises(ValueError, match="over"):
        view_of(last)
