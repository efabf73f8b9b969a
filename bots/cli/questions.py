"""Questions about cards, asked in arguments or as JSON lines: what may be asked, and how lines are answered."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any, NoReturn

import click

from referee.rules.cards import JOKER, MAX_RANK, MIN_RANK, Card, parse_card

MAX_CARDS = MAX_RANK + 1
"""The thirteen dealt in the last round and one drawn."""
MAX_COPIES = 4
MAX_JOKERS = 12
"""Two games combined hold so many (RULES 4)."""
_SHOWN = 24

Question = dict[str, Any]
Answer = dict[str, Any]


wild_option = click.option(
    "--wild",
    type=click.IntRange(MIN_RANK, MAX_RANK),
    help="The wild rank, which is the number of cards dealt; J, Q, K are 11, 12, 13.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Answer as one JSON object.")
jsonl_option = click.option(
    "--jsonl", is_flag=True, help="Read questions from stdin, one JSON object a line, and answer each by one line."
)


class BadQuestion(ValueError):
    """A question that cannot be answered; the message names the value and what to write instead."""


def wild_of(question: Question) -> int:
    """The field `wild`: an integer 3..13."""
    wild = _field(question, "wild")
    if type(wild) is not int or not MIN_RANK <= wild <= MAX_RANK:
        raise BadQuestion(f"wild is {_shown(wild)}: write an integer {MIN_RANK}..{MAX_RANK}")
    return wild


def text_of(question: Question, name: str) -> str:
    """A field that must be text."""
    text = _field(question, name)
    if type(text) is not str:
        raise BadQuestion(f"{name} is {_shown(text)}: write cards as text, as in '8s 3* JK'")
    return text


def cards_of(text: str) -> tuple[Card, ...]:
    """Cards as they are written, of any number."""
    try:
        return tuple(parse_card(word if len(word) <= _SHOWN else word[:_SHOWN] + "...") for word in text.split())
    except ValueError as error:
        raise BadQuestion(str(error)) from None


def hand_of(text: str) -> tuple[Card, ...]:
    """One to fourteen cards that two games combined can hold."""
    cards = cards_of(text)
    if not 1 <= len(cards) <= MAX_CARDS:
        raise BadQuestion(f"{len(cards) or 'no'} cards: write 1..{MAX_CARDS}")
    check_copies(cards)
    return cards


def check_copies(cards: tuple[Card, ...]) -> None:
    """Refuses more of a face than two games combined hold."""
    for card, held in Counter(cards).items():
        most = MAX_JOKERS if card is JOKER else MAX_COPIES
        if held > most:
            raise BadQuestion(f"{held} times {card}: there are at most {most}")


def answer_lines(answer: Callable[[Question], Answer]) -> None:
    """Answers every line of stdin by one line, at once and in order. Ends the command with exit code 1 if a line was bad."""
    is_any_bad = False
    for line in sys.stdin.buffer:
        reply = _reply(line, answer)
        is_any_bad |= "error" in reply
        # click.echo flushes: whoever asks line by line gets each answer before the next question.
        click.echo(json.dumps(reply))
    if is_any_bad:
        click.get_current_context().exit(1)


def _reply(line: bytes, answer: Callable[[Question], Answer]) -> Answer:
    identifier = None
    try:
        question = _question(line)
        identifier = _id_of(question)
        return {"id": identifier, **answer(question)}
    except BadQuestion as error:
        return {"id": identifier, "error": str(error)}
    except RecursionError:
        return {"id": identifier, "error": "nested too deep: write one flat JSON object a line"}


def _question(line: bytes) -> Question:
    if not line.strip():
        raise BadQuestion("an empty line: write one JSON object a line")
    try:
        question = json.loads(line.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise BadQuestion(f"not UTF-8: {error.reason} at byte {error.start}") from None
    except ValueError as error:
        raise BadQuestion(f"not JSON: {error}") from None
    if type(question) is not dict:
        raise BadQuestion(f'{_shown(question)} is no JSON object: write one, as in {{"id": 1, ...}}')
    return question


def _id_of(question: Question) -> str | int | float | None:
    """The field `id`, null if there is none: whatever JSON has but lists and objects."""
    identifier: Any = question.get("id")
    if isinstance(identifier, list | dict):
        raise BadQuestion(f"id is {_shown(identifier)}: write text or a number")
    return identifier


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _field(question: Question, name: str) -> Any:
    if name not in question:
        raise BadQuestion(f"{name} is missing")
    return question[name]


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
