"""The reference bot of solitaire: what it does with a card, and that it closes more piles than chance does."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.cli.local_play import Entrant
from bots.cli.many_games import entrants_of
from bots.cli.solitaire import play_solitaire, score_of, solitaire_figures
from bots.reference import SOLITAIRE_BOTS
from bots.reference.solitaire_bot import SolitaireBot
from bots.sdk import parse_card
from referee.record.conditions import DealMode
from referee.rules.solitaire import Add, Refuse, SolitaireConfig, Variant, legal_actions, view_of
from tests.support.solitaire import solitaire, steps, whimsical


def played(entrant: Entrant, deals: int, variant: Variant = Variant.STANDARD) -> list[int]:
    return [
        score_of(play_solitaire(variant, [entrant], number, 1, DealMode.INDEPENDENT)).piles_closed
        for number in range(1, deals + 1)
    ]


def test_it_closes_clearly_more_piles_than_chance() -> None:
    """On the same deals; three say it already."""
    random, solitaire_bot = (played(entrant, 3) for entrant in entrants_of(list(SOLITAIRE_BOTS)))
    assert min(solitaire_bot) > max(random) + 3


def test_the_figures_of_deals_won_and_lost() -> None:
    (entrant,) = entrants_of(["random"])
    games = [play_solitaire(Variant.STANDARD, [entrant], number, 1, DealMode.INDEPENDENT) for number in range(1, 9)]
    figures = solitaire_figures("random", games)
    assert sum(figures.closed_counts.values()) == 8
    assert figures.piles_closed.mean == sum(score_of(game).piles_closed for game in games) / 8
    assert (figures.wins, figures.cards_used, figures.faults) == (0, None, 0)


@pytest.mark.parametrize(
    ("piles", "turned", "pile", "discard"),
    [
        ({3: "8h 8d Kh", 7: "9s Th Jd Qc Ks 3h 4d"}, "8s", 3, "Kh"),
        ({6: "7s 8s Jd Jh Jc Ks", 9: "3h 5h 7d 8c Jc Qd Kh Ks 6d"}, "9s", 6, "Ks"),
    ],
)
def test_a_card_that_closes_a_pile_goes_there(piles: dict[int, str], turned: str, pile: int, discard: str) -> None:
    """The piles not named are closed."""
    state = solitaire(piles, f"{turned} 4d 5c 6h 7h 8c 9c")
    view = view_of(replace(state, closed=tuple(size not in piles for size in range(3, 14))))
    chosen = SolitaireBot().solitaire(view)
    assert chosen == (view.piles[pile - 3], parse_card(discard))


@settings(max_examples=15, deadline=None)
@given(
    st.binary(min_size=32, max_size=32),
    st.sampled_from(Variant),
    st.integers(0, 27),
    st.sampled_from(sorted(SOLITAIRE_BOTS)),
)
def test_every_play_is_legal(seed: bytes, variant: Variant, play: int, name: str) -> None:
    states = [state for state, _, _ in steps(SolitaireConfig(variant), seed, whimsical(7)) if not state.is_over]
    state = states[min(play, len(states) - 1)]
    bot = SOLITAIRE_BOTS[name].__new__(SOLITAIRE_BOTS[name])
    bot.random = Random(hashlib.sha256(seed).digest())
    answer = bot.solitaire(view_of(state))
    if answer == "refuse":
        assert Refuse() in legal_actions(state)
        return
    pile, card = answer  # type: ignore[misc]
    assert Add(pile.size, card) in legal_actions(state)  # type: ignore[union-attr,arg-type]
