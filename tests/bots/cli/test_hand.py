"""`crowns hand`, and what all of `crowns` does with bad arguments."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from bots.cli import COMMANDS, main
from referee.rules.cards import parse_cards
from referee.rules.melds import arrangement_problem

HANDS = (Path(__file__).parents[2] / "data/hands.jsonl").read_text("utf-8")
CROWNS = [sys.executable, "-m", "bots.cli"]
KEYS = ["id", "points", "melds", "leftover", "can_go_out", "best_discards", "points_after_best_discard"]
GOOD = '{"id": "good", "wild": 3, "cards": "9s 9d 9h"}'


def crowns(*arguments: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(main, arguments, input=stdin, prog_name="crowns")


def answers(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


# --- JSON lines


def test_every_published_hand() -> None:
    result = crowns("hand", "--jsonl", stdin=HANDS)
    assert result.exit_code == 0
    questions = [json.loads(line) for line in HANDS.splitlines()]
    for question, answer in zip(questions, answers(result), strict=True):
        assert list(answer) == KEYS
        for key in ("id", "points"):
            assert answer[key] == question[key]
        for key in ("can_go_out", "best_discards", "points_after_best_discard"):
            assert answer[key] == question.get(key)
        melds = [parse_cards(" ".join(meld)) for meld in answer["melds"]]
        hand = parse_cards(question["cards"])
        assert arrangement_problem(melds, hand, question["wild"]) == "ok"
        laid = [card for meld in melds for card in meld]
        assert sorted([*laid, *parse_cards(" ".join(answer["leftover"]))]) == sorted(hand)


@pytest.mark.parametrize(
    ("cards", "is_known"),
    [("9s 9d", False), ("9s 9d 9h", False), ("9s 9d 9h Kd", True), ("9s 9d 9h Kd Kh", False)],
    ids=["fewer", "as dealt", "one drawn", "more"],
)
def test_discards_are_told_for_one_card_more_than_dealt(cards: str, is_known: bool) -> None:
    (answer,) = answers(crowns("hand", "--jsonl", stdin=json.dumps({"id": 1, "wild": 3, "cards": cards})))
    assert [answer[key] is not None for key in KEYS[4:]] == [is_known] * 3


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        pytest.param("9s", 9, id="one card"),
        pytest.param("9s 9s 9s 9s Ks Ks Ks Ks 7d 7d 7d 7d 8h 8h", 16, id="four copies of a face"),
        pytest.param("JK JK JK JK JK JK JK JK JK JK JK JK Kd 9s", 0, id="twelve jokers"),
        pytest.param("10h T★ t♦", 0, id="other spellings"),
        pytest.param("  9s\\t9d  9h ", 0, id="white space"),
    ],
)
def test_what_is_read(cards: str, points: int) -> None:
    (answer,) = answers(crowns("hand", "--jsonl", stdin=f'{{"id": 1, "wild": 3, "cards": "{cards}"}}'))
    assert answer["points"] == points


@pytest.mark.parametrize("identifier", ["text", 7, None, 1.5, True, "\ud800", "★"])
def test_the_id_comes_back_as_it_was(identifier: Any) -> None:
    (answer,) = answers(crowns("hand", "--jsonl", stdin=json.dumps({"id": identifier, "wild": 3, "cards": "9s"})))
    assert answer["id"] == identifier


BAD_LINES: list[Any] = [
    pytest.param(b"", None, "empty line", id="empty"),
    pytest.param(b"crowns", None, "not JSON", id="no JSON"),
    pytest.param(b'{"id": 1, "wild": 3', None, "not JSON", id="cut off"),
    pytest.param(b'{"id": 1, "wild": NaN, "cards": "9s"}', None, "NaN", id="not a number"),
    pytest.param(b"[" * 100_000, None, "nested too deep", id="nested too deep"),
    pytest.param(b'{"id": [1], "wild": 3, "cards": "9s"}', None, "id is [1]", id="id as a list"),
    pytest.param(b'{"id": "\xff"}', None, "not UTF-8", id="no UTF-8"),
    pytest.param(b"[1, 2]", None, "[1, 2] is no JSON object", id="a list"),
    pytest.param(b"null", None, "null is no JSON object", id="null"),
    pytest.param(b'{"id": 1}', 1, "wild is missing", id="no wild"),
    pytest.param(b'{"id": 1, "wild": 3}', 1, "cards is missing", id="no cards"),
    pytest.param(b'{"id": 1, "wild": 2, "cards": "9s"}', 1, "wild is 2", id="wild too low"),
    pytest.param(b'{"id": 1, "wild": 14, "cards": "9s"}', 1, "wild is 14", id="wild too high"),
    pytest.param(b'{"id": 1, "wild": "5", "cards": "9s"}', 1, 'wild is "5"', id="wild as text"),
    pytest.param(b'{"id": 1, "wild": 5.0, "cards": "9s"}', 1, "wild is 5.0", id="wild as a fraction"),
    pytest.param(b'{"id": 1, "wild": true, "cards": "9s"}', 1, "wild is true", id="wild as a truth"),
    pytest.param(b'{"id": 1, "wild": null, "cards": "9s"}', 1, "wild is null", id="wild as null"),
    pytest.param(b'{"id": 1, "wild": 3, "cards": null}', 1, "cards is null", id="cards as null"),
    pytest.param(b'{"id": 1, "wild": 3, "cards": ["9s"]}', 1, 'cards is ["9s"]', id="cards as a list"),
    pytest.param(b'{"id": 1, "wild": 3, "cards": ""}', 1, "no cards", id="an empty hand"),
    pytest.param(b'{"id": 1, "wild": 3, "cards": "  "}', 1, "no cards", id="a blank hand"),
    pytest.param(b'{"id": 1, "wild": 3, "cards": "9s 2s"}', 1, "'2s' is not a card", id="no such rank"),
    pytest.param(b'{"id": 1, "wild": 3, "cards": "9s9d"}', 1, "'9s9d' is not a card", id="no space between"),
    pytest.param(b'{"id": 1, "wild": 3, "cards": "9s, 9d"}', 1, "'9s,' is not a card", id="a comma"),
    pytest.param(b'{"id": 1, "wild": 3, "cards": "9s 9s 9s 9s 9s"}', 1, "5 times 9s", id="five copies"),
    pytest.param(b'{"id": 1, "wild": 3, "cards": "3s 3s 3s 3s 3s"}', 1, "5 times 3s", id="five copies of a wild"),
    pytest.param(b'{"id": 1, "wild": 3, "cards": "' + b"JK " * 13 + b'"}', 1, "13 times JK", id="thirteen jokers"),
    pytest.param(
        b'{"id": 1, "wild": 3, "cards": "' + b"3s 4s 5s 6s 7s " * 3 + b'"}',
        1,
        "15 cards: write 1..14",
        id="fifteen cards",
    ),
]


@pytest.mark.parametrize(("line", "identifier", "message"), BAD_LINES)
def test_a_bad_line_is_answered_and_the_others_go_on(line: bytes, identifier: Any, message: str) -> None:
    good = GOOD.encode()
    result = crowns("hand", "--jsonl", stdin=b"\n".join([good, line, good]) + b"\n")
    first, bad, last = answers(result)
    assert result.exit_code == 1
    assert first == last
    assert first["id"] == "good"
    assert list(bad) == ["id", "error"]
    assert bad["id"] == identifier
    assert message in bad["error"]
    assert result.stderr == ""


@pytest.mark.parametrize("field", ["id", "wild", "cards", "other"])
def test_no_depth_of_nesting_ends_the_command(field: str) -> None:
    """Python reads a little deeper than it writes, so depths near its limit are tried one by one."""
    lines = [f'{{"{field}": {"[" * depth}{"]" * depth}, "id": 1}}' for depth in range(900, 1010)]
    result = crowns("hand", "--jsonl", stdin="\n".join(lines))
    assert result.exit_code == 1
    assert ["error" in answer for answer in answers(result)] == [True] * len(lines)


def test_a_long_word_is_not_repeated_whole() -> None:
    (answer,) = answers(crowns("hand", "--jsonl", stdin=json.dumps({"id": 1, "wild": 3, "cards": "9" * 100_000})))
    assert len(answer["error"]) < 250


def test_no_lines_are_no_error() -> None:
    result = crowns("hand", "--jsonl")
    assert (result.exit_code, result.stdout) == (0, "")


def test_windows_lines_and_byte_order_mark() -> None:
    result = crowns("hand", "--jsonl", stdin=b"\xef\xbb\xbf" + GOOD.encode() + b"\r\n" + GOOD.encode() + b"\r\n")
    assert [answer["points"] for answer in answers(result)] == [0, 0]


def test_each_line_is_answered_before_the_next_is_asked() -> None:
    with subprocess.Popen(
        [*CROWNS, "hand", "--jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        for number in range(3):
            process.stdin.write(json.dumps({"id": number, "wild": 3, "cards": "9s 9d 9h"}) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(30) == 0


# --- One hand as arguments


@pytest.mark.parametrize(
    "cards", [["8s", "8d", "8h", "Ks", "Kd", "Kh"], ["8s 8d 8h Ks Kd Kh"], ["8s 8d", "8h Ks Kd Kh"]]
)
def test_answers_readably(cards: Sequence[str]) -> None:
    result = crowns("hand", "--wild", "5", *cards)
    assert result.exit_code == 0
    assert [line.split() for line in result.stdout.splitlines()] == [
        ["6", "cards,", "wild", "5"],
        ["book", "8s", "8h", "8d"],
        ["book", "Ks", "Kh", "Kd"],
        ["left", "nothing", "0", "points"],
        ["You", "cannot", "go", "out.", "Throw", "8d", "or", "8h", "or", "8s:", "that", "leaves", "16", "points."],
    ]


@pytest.mark.parametrize(
    ("cards", "wild", "words"),
    [
        pytest.param("9s 9d 9h Kd", 3, "You can go out: throw Kd.", id="going out"),
        pytest.param("3★ 4★ 5★", 9, "run 3* 4* 5*", id="stars as stars"),
        pytest.param("3* 4* JK Kd", 9, "left Kd 13 points", id="stars in quotes"),
        pytest.param("Kd", 9, "1 card, wild 9", id="one card"),
    ],
)
def test_says(cards: str, wild: int, words: str) -> None:
    result = crowns("hand", "--wild", str(wild), cards)
    assert words in " ".join(result.stdout.split())


def test_nothing_is_said_of_discards_that_are_not_due() -> None:
    assert "hrow" not in crowns("hand", "--wild", "3", "9s 9d 9h").stdout


def test_as_json() -> None:
    result = crowns("hand", "--wild", "3", "--json", "9s 9d 9h Kd")
    assert list(json.loads(result.stdout)) == KEYS[1:]
    assert json.loads(result.stdout)["best_discards"] == ["Kd"]


def test_arguments_of_a_real_process() -> None:
    command = [*CROWNS, "hand", "--wild", "13", "--json", "3★", "4★", "5*"]
    done = subprocess.run(command, capture_output=True, check=True, text=True, encoding="utf-8")
    assert json.loads(done.stdout)["points"] == 0
    assert done.stderr == ""


# --- Bad arguments


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["hand", "--wild", "14", "9s"], "14 is not in the range", id="wild too high"),
        pytest.param(["hand", "--wild", "K", "9s"], "'K' is not a valid integer", id="wild as a letter"),
        pytest.param(["hand", "9s"], "Give --wild", id="no wild"),
        pytest.param(["hand", "--wild", "5"], "the cards", id="no cards"),
        pytest.param(["hand"], "--jsonl", id="nothing at all"),
        pytest.param(["hand", "--wild", "5", ""], "no cards", id="empty hand"),
        pytest.param(["hand", "--wild", "5", "9x"], "'9x' is not a card", id="no card"),
        pytest.param(["hand", "--wild", "5", "9s", "★9"], "'★9' is not a card", id="suit before rank"),
        pytest.param(["hand", "--wild", "5", "9s 9s 9s 9s 9s"], "5 times 9s", id="five copies"),
        pytest.param(["hand", "--wild", "5", "JK " * 15], "15 cards", id="fifteen cards"),
        pytest.param(["hand", "--jsonl", "9s"], "leave out", id="cards beside lines"),
        pytest.param(["hand", "--jsonl", "--wild", "5"], "leave out", id="wild beside lines"),
        pytest.param(["hand", "--jsonl", "--json"], "leave out", id="two kinds of answer"),
        pytest.param(["hand", "--wlid", "5", "9s"], "--wlid", id="no such option"),
        pytest.param(["hnad"], "'hnad'", id="no such command"),
        pytest.param(["--colour"], "--colour", id="no such option of crowns"),
    ],
)
def test_bad_arguments_are_named_in_one_line(arguments: list[str], message: str) -> None:
    result = crowns(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: ")
    assert message in line
    assert line.endswith("--help`.")


def test_help_teaches() -> None:
    assert "Examples:" in crowns("--help").stdout
    assert all(command in crowns("--help").stdout for command in COMMANDS)
    for text in ("Examples:", "quote", "★", "--jsonl"):
        assert text in crowns("hand", "--help").stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    result = crowns(command, "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: crowns {command}")


def test_crowns_alone_shows_its_help() -> None:
    result = crowns()
    assert result.exit_code == 2
    assert "Examples:" in result.stderr


def test_a_closed_pipe_is_no_traceback() -> None:
    with subprocess.Popen(
        [*CROWNS, "hand", "--jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        process.stdout.close()
        _, stderr = process.communicate((GOOD + "\n").encode() * 1000)
    assert stderr == b""
