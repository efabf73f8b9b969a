"""`crowns melds`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from bots.cli import main
from bots.cli.melds import EXPLANATIONS

ARRANGEMENTS = (Path(__file__).parents[2] / "data/arrangements.jsonl").read_text("utf-8")


def crowns(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, arguments, input=stdin, prog_name="crowns")


def answer_to(**question: Any) -> dict[str, Any]:
    result = crowns("melds", "--jsonl", stdin=json.dumps(question))
    answer: dict[str, Any] = json.loads(result.stdout)
    assert result.exit_code == ("error" in answer)
    return answer


def test_every_published_arrangement() -> None:
    result = crowns("melds", "--jsonl", stdin=ARRANGEMENTS)
    assert result.exit_code == 0
    questions = [json.loads(line) for line in ARRANGEMENTS.splitlines()]
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {"id": question["id"], "valid": question["valid"], "reason": question["reason"]} for question in questions
    ]


@pytest.mark.parametrize(
    ("melds", "hand", "reason"),
    [
        pytest.param("9s 9d 9h", None, "ok", id="hand null is no hand"),
        pytest.param("9s 9d 9h|3★ 4★ 5★", None, "ok", id="no space at the bar"),
        pytest.param("9s 9d 9h | 3s 4s", "9s", "meld 1: too_short", id="melds before the hand"),
        pytest.param(
            "9s 9s 9s 9s 9s", "9s 9s 9s 9s", "card_not_held_or_used_twice: 9s", id="five copies laid, four held"
        ),
    ],
)
def test_reasons(melds: str, hand: str | None, reason: str) -> None:
    assert answer_to(id=1, wild=5, melds=melds, hand=hand) == {"id": 1, "valid": reason == "ok", "reason": reason}


@pytest.mark.parametrize(
    ("question", "message"),
    [
        pytest.param({"melds": "9s 9d 9h"}, "wild is missing", id="no wild"),
        pytest.param({"wild": 1, "melds": "9s 9d 9h"}, "wild is 1", id="wild too low"),
        pytest.param({"wild": 5}, "melds is missing", id="no melds"),
        pytest.param({"wild": 5, "melds": [["9s"]]}, "melds is", id="melds as lists"),
        pytest.param({"wild": 5, "melds": ""}, "meld 0 has no cards", id="empty"),
        pytest.param({"wild": 5, "melds": "9s 9d 9h |"}, "meld 1 has no cards", id="a bar too many"),
        pytest.param({"wild": 5, "melds": "9s 9d 1h"}, "'1h' is not a card", id="no card"),
        pytest.param({"wild": 5, "melds": "9s 9s 9s | 9s 9s 9d"}, "5 times 9s", id="five copies"),
        pytest.param({"wild": 5, "melds": "9s 9d 9h", "hand": ""}, "no cards", id="an empty hand"),
        pytest.param({"wild": 5, "melds": "9s 9d 9h", "hand": 9}, "hand is 9", id="hand as a number"),
        pytest.param({"wild": 5, "melds": "9s 9d 9h", "hand": "9s " * 5}, "5 times 9s", id="five copies held"),
        pytest.param({"wild": 5, "melds": "9s 9d 9h", "hand": "JK " * 13}, "13 times JK", id="thirteen jokers held"),
    ],
)
def test_bad_questions(question: dict[str, Any], message: str) -> None:
    answer = answer_to(id=1, **question)
    assert list(answer) == ["id", "error"]
    assert answer["id"] == 1
    assert message in answer["error"]


def test_answers_readably() -> None:
    result = crowns("melds", "--wild", "5", "3s 4s 5s | 9h 9d 8c | 7h", "--hand", "3s")
    assert result.exit_code == 0
    assert [line.split() for line in result.stdout.splitlines()] == [
        ["0", "run", "3s", "4s", "5s"],
        [
            "1",
            "no",
            "meld",
            "9h",
            "9d",
            "8c",
            "no",
            "book:",
            "the",
            "ranks",
            "differ;",
            "no",
            "run:",
            "the",
            "suits",
            "differ",
        ],
        ["2", "no", "meld", "7h", "a", "meld", "has", "three", "cards", "or", "more"],
        ["not", "valid:", "meld", "1:", "book_mixed_ranks;", "run_mixed_suits"],
    ]


def test_valid_melds_in_several_arguments() -> None:
    result = crowns("melds", "--wild", "5", "3s", "4s", "5s", "|", "9h 9d JK", "--hand", "3s 4s 5s 9h 9d JK")
    assert result.stdout.splitlines()[-1] == "valid"


def test_as_json() -> None:
    result = crowns("melds", "--wild", "5", "--json", "3s 4s 5s", "--hand", "3s 4s 6s")
    assert json.loads(result.stdout) == {"valid": False, "reason": "card_not_held_or_used_twice: 5s"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--wild", "5"], "Give --wild and the melds", id="no melds"),
        pytest.param(["9s 9d 9h"], "Give --wild and the melds", id="no wild"),
        pytest.param(["--wild", "5", "9s 9d 9h | "], "meld 1 has no cards", id="a bar too many"),
        pytest.param(["--wild", "5", "9s 9d 9h", "--hand", "9s 9"], "'9' is not a card", id="no card in the hand"),
        pytest.param(["--jsonl", "--hand", "9s"], "leave out", id="hand beside lines"),
    ],
)
def test_bad_arguments_are_named_in_one_line(arguments: list[str], message: str) -> None:
    result = crowns("melds", *arguments)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert message in line


def test_every_code_is_explained() -> None:
    codes = {
        code
        for line in ARRANGEMENTS.splitlines()
        if (reason := json.loads(line)["reason"]).startswith("meld")
        for code in reason.split(": ")[1].split("; ")
    }
    assert codes == set(EXPLANATIONS)
