"""`crowns melds`: may these melds be laid?"""

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
    cards_of,
    check_copies,
    hand_of,
    json_option,
    jsonl_option,
    text_of,
    wild_of,
    wild_option,
)
from referee.rules.cards import Card, cards_text
from referee.rules.melds import MeldProblem, arrangement_problem, is_book, meld_problems

Melds = tuple[tuple[Card, ...], ...]

EXPLANATIONS: dict[MeldProblem, str] = {
    "too_short": "a meld has three cards or more",
    "book_mixed_ranks": "no book: the ranks differ",
    "run_mixed_suits": "no run: the suits differ",
    "run_repeated_rank": "no run: a rank comes twice",
    "run_too_long": "no run: 3 to K are eleven cards at most",
    "run_gap_not_filled": "no run: not enough wilds for the gaps",
}


@click.command("melds", short_help="Whether melds are valid, and why not.")
@click.argument("melds", nargs=-1, metavar="[MELDS]")
@wild_option
@click.option("--hand", metavar="CARDS", help="The hand they are laid from: every card must be held.")
@json_option
@jsonl_option
def command(melds: tuple[str, ...], wild: int | None, hand: str | None, as_json: bool, jsonl: bool) -> None:
    """Judge MELDS, with | between them, as they would be laid on the table.

    The order of cards in a meld says nothing: it is valid if its wilds can stand for what is missing. Quote the melds: shells
    take | and * for themselves.

    \b
    Examples:
      crowns melds --wild 5 "3s 4s 5s | 9h 9d 9c"
      crowns melds --wild 6 "7s 8s 9s | 9s 9d 9h" --hand "7s 8s 9s 9d 9h Ts Kd"
      crowns melds --jsonl < arrangements.jsonl

    A line for --jsonl is {"id": 1, "wild": 5, "melds": "3s 4s 5s | 9h 9d 9c", "hand": "..."}, the hand or not, its answer
    {"id", "valid", "reason"}. The reason is ok, or meld I: CODE[; CODE] for the first meld (I from 0) that is none, or
    card_not_held_or_used_twice: CARD. A bad line is answered by {"id", "error"}; the others go on, and the exit code is 1.
    """
    if jsonl:
        if melds or wild is not None or hand is not None or as_json:
            raise click.UsageError("--jsonl reads everything from stdin: leave out MELDS, --wild, --hand and --json.")
        answer_lines(_answer)
        return
    if wild is None or not melds:
        raise click.UsageError(
            'Give --wild and the melds, as in crowns melds --wild 5 "3s 4s 5s | 9h 9d 9c", or --jsonl.'
        )
    try:
        laid, held = _arrangement(" ".join(melds), hand)
    except BadQuestion as error:
        raise click.UsageError(f"{error}.") from None
    if as_json:
        click.echo(json.dumps(melds_answer(laid, held, wild)))
    else:
        _print_melds(laid, held, wild)


def melds_answer(melds: Melds, hand: tuple[Card, ...] | None, wild: int) -> Answer:
    """The verdict, as JSON takes it."""
    reason = arrangement_problem(melds, hand, wild)
    return {"valid": reason == "ok", "reason": reason}


def _answer(question: Question) -> Answer:
    wild = wild_of(question)
    hand = text_of(question, "hand") if question.get("hand") is not None else None
    melds, held = _arrangement(text_of(question, "melds"), hand)
    return melds_answer(melds, held, wild)


def _arrangement(melds_text: str, hand_text: str | None) -> tuple[Melds, tuple[Card, ...] | None]:
    """The melds, and the hand if there is one; without a hand the melds must be cards that exist."""
    melds = tuple(cards_of(text) for text in melds_text.split("|"))
    for index, meld in enumerate(melds):
        if not meld:
            raise BadQuestion(f"meld {index} has no cards: write melds as in '3s 4s 5s | 9h 9d 9c'")
    if hand_text is not None:
        return melds, hand_of(hand_text)
    check_copies(tuple(card for meld in melds for card in meld))
    return melds, None


def _print_melds(melds: Melds, hand: tuple[Card, ...] | None, wild: int) -> None:
    table = Table.grid(padding=(0, 2))
    for index, meld in enumerate(melds):
        problems = meld_problems(meld, wild)
        kind = "no meld" if problems else "book" if is_book(meld, wild) else "run"
        table.add_row(f"{index}", kind, cards_text(meld), "; ".join(EXPLANATIONS[problem] for problem in problems))
    reason = arrangement_problem(melds, hand, wild)
    console = Console(highlight=False)
    console.print(table)
    console.print("[bold]valid[/]" if reason == "ok" else f"[bold]not valid[/]: {reason}")
