"""`crowns hand`: the best layout of a hand and what to throw from it."""

from __future__ import annotations

import json

import click
from rich.console import Console
from rich.table import Table

from bots.cli.questions import (
    Answer,
    BadQuestion,
    Question,
    answer_lines,
    hand_of,
    json_option,
    jsonl_option,
    text_of,
    wild_of,
    wild_option,
)
from referee.rules.cards import Card, cards_text, rank_letter
from referee.rules.layout import best_discards, best_layout
from referee.rules.melds import is_book


@click.command("hand", short_help="The best layout of a hand and what to throw.")
@click.argument("cards", nargs=-1, metavar="[CARD]...")
@wild_option
@json_option
@jsonl_option
def command(cards: tuple[str, ...], wild: int | None, as_json: bool, jsonl: bool) -> None:
    """Lay out CARDs so that the fewest points are left, and say what to throw.

    A hand has 1 to 14 cards, with up to four copies of a face and twelve jokers. With one card more than were dealt it is also
    told whether one may go out and which discards leave the least.

    \b
    Examples:
      crowns hand --wild 5 8s 8d 8h Ks Kd Kh
      crowns hand --wild 8 "3* 4* JK Kd"       quotes: shells expand *
      crowns hand --wild 8 3★ 4★ JK Kd         or write ★
      crowns hand --jsonl < hands.jsonl

    A line for --jsonl is {"id": 1, "wild": 5, "cards": "8s 8d JK"}, its answer {"id", "points", "melds", "leftover",
    "can_go_out", "best_discards", "points_after_best_discard"}; the last three are null unless wild + 1 cards are given.
    A bad line is answered by {"id", "error"}; the others go on, and the exit code is 1.
    """
    if jsonl:
        if cards or wild is not None or as_json:
            raise click.UsageError("--jsonl reads cards and wild from stdin: leave out CARD, --wild and --json.")
        answer_lines(_answer)
        return
    if wild is None or not cards:
        raise click.UsageError("Give --wild and the cards, as in crowns hand --wild 5 8s 8d JK, or --jsonl.")
    try:
        held = hand_of(" ".join(cards))
    except BadQuestion as error:
        raise click.UsageError(f"{error}.") from None
    if as_json:
        click.echo(json.dumps(hand_answer(held, wild)))
    else:
        _print_hand(held, wild)


def hand_answer(cards: tuple[Card, ...], wild: int) -> Answer:
    """What is known of a hand, as JSON takes it."""
    layout = best_layout(cards, wild)
    best = best_discards(cards, wild) if len(cards) == wild + 1 else None
    return {
        "points": layout.points,
        "melds": [[card.text for card in meld] for meld in layout.melds],
        "leftover": [card.text for card in layout.leftover],
        "can_go_out": best and best.points == 0,
        "best_discards": best and [card.text for card in best.faces],
        "points_after_best_discard": best and best.points,
    }


def _answer(question: Question) -> Answer:
    wild = wild_of(question)
    return hand_answer(hand_of(text_of(question, "cards")), wild)


def _print_hand(cards: tuple[Card, ...], wild: int) -> None:
    layout = best_layout(cards, wild)
    table = Table.grid(padding=(0, 2))
    for meld in layout.melds:
        table.add_row("book" if is_book(meld, wild) else "run", cards_text(meld))
    table.add_row("left", cards_text(layout.leftover) or "nothing", f"[bold]{_points(layout.points)}[/]")
    console = Console(highlight=False)
    console.print(f"{_count(cards)}, wild {rank_letter(wild)}", style="bold")
    console.print(table)
    if len(cards) == wild + 1:
        console.print(_advice(cards, wild))


def _advice(cards: tuple[Card, ...], wild: int) -> str:
    best = best_discards(cards, wild)
    throw = " or ".join(card.text for card in best.faces)
    if best.points == 0:
        return f"You can go out: throw {throw}."
    return f"You cannot go out. Throw {throw}: that leaves {_points(best.points)}."


def _points(points: int) -> str:
    return "1 point" if points == 1 else f"{points} points"


def _count(cards: tuple[Card, ...]) -> str:
    return "1 card" if len(cards) == 1 else f"{len(cards)} cards"
