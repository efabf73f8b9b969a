"""`crowns verify`: every changed byte is found, and what is wrong is said apart."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bots.cli import main
from bots.cli.local_play import Entrant, plan_games, play_game
from bots.cli.seeds import deal_seed
from bots.cli.verify import MAX_RECORD_BYTES
from bots.reference import REFERENCE_BOTS
from referee.record.codec.entries import seal_entry
from referee.record.conditions import DealMode
from referee.record.entries import Seal
from referee.record.game_record import RecordWriter, read_record
from referee.record.verify import fingerprint, verify_record
from referee.rules.state import GameConfig

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
SEED = deal_seed(1, 1)


@cache
def short_record() -> bytes:
    """A whole game in which every seat has one turn a round, so that a record is small."""
    entrants = [Entrant(name, REFERENCE_BOTS[name]) for name in ("simple", "greedy")]
    (planned,) = plan_games(entrants, 1, 1, DealMode.INDEPENDENT)
    short = replace(planned, spec=replace(planned.spec, config=GameConfig(2, turn_cap=1)))
    return play_game(short, entrants).open_record()


@cache
def signed_record() -> bytes:
    """The same, signed by a referee."""
    record = read_record(short_record())
    writer = RecordWriter(record.header)
    for entry in record.entries:
        writer.add(entry)
    data, _ = writer.finish(record.footer, lambda digest: (KEY.sign(digest), KEY.public_key().public_bytes_raw()), SEED)
    return data


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("game.5cgr")
    path.write_bytes(short_record())
    return path


def crowns(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["verify", *map(str, arguments)], prog_name="crowns")


def test_good_record(file: Path) -> None:
    actions = len(read_record(short_record()).entries)
    result = crowns(file)
    assert result.exit_code == 0
    assert result.stdout == (
        f"game.5cgr: ok: replays ({actions} actions), chain holds, seed matches its commitment, unsigned\n"
    )
    assert result.stderr == ""


def test_signed_record_names_its_key(file: Path) -> None:
    file.write_bytes(signed_record())
    result = crowns(file)
    assert result.exit_code == 0
    assert result.stdout.endswith(f", signed by {fingerprint(KEY.public_key().public_bytes_raw())}\n")


def test_json(file: Path) -> None:
    result = crowns(file, "--json")
    (answer,) = json.loads(result.stdout)
    record = read_record(short_record())
    assert answer == {
        "file": "game.5cgr",
        "ok": True,
        "problems": [],
        "replays": True,
        "chain": True,
        "seed": "matches",
        "signature": "unsigned",
        "fingerprint": None,
        "digest": record.digest.hex(),
        "game_id": record.header.attempt_id,
        "actions": len(record.entries),
        "seats": [
            {"bot": seat.bot, "version": "1", "score": score, "place": place}
            for seat, score, place in zip(
                record.header.seats, record.footer.scores.totals, record.footer.scores.places, strict=True
            )
        ],
    }


@pytest.mark.parametrize(
    ("record", "mask"), [(short_record, 0x01), (signed_record, 0xFF)], ids=["unsigned, a bit", "signed, all bits"]
)
def test_any_changed_byte_is_found(record: Callable[[], bytes], mask: int) -> None:
    data = record()
    assert verify_record(data).ok
    unnoticed = [at for at in range(len(data)) if verify_record(_changed(data, at, mask)).ok]
    assert unnoticed == []


def test_any_missing_or_added_byte_is_found() -> None:
    data = short_record()
    assert [at for at in range(len(data)) if verify_record(data[:at]).ok] == []
    assert [at for at in range(0, len(data) + 1, 7) if verify_record(data[:at] + b"\0" + data[at:]).ok] == []


def test_changed_byte_on_the_command_line(file: Path) -> None:
    data = short_record()
    file.write_bytes(_changed(data, len(data) // 2, 0x01))
    result = crowns(file)
    assert result.exit_code == 1
    assert result.stderr.startswith("game.5cgr: ")


def test_missing_seed_is_said(file: Path) -> None:
    file.write_bytes(_sealed(seed=b""))
    result = crowns(file)
    assert result.exit_code == 1
    assert result.stderr == "game.5cgr: seed: not in the record: it is shown once the deal set is final\n"
    assert result.stdout == "game.5cgr: failed: not replayed, chain holds, seed missing, unsigned\n"


@pytest.mark.parametrize(
    ("changes", "problem", "summary"),
    [
        (
            {"seed": bytes(32)},
            "seed: does not match the commitment",
            "not replayed, chain holds, seed does not match its",
        ),
        ({"head_digest": bytes(32)}, "chain: the seal says 0000000000000000, the bytes give ", "chain broken"),
        (
            {"signature": KEY.sign(b"another game"), "public_key": KEY.public_key().public_bytes_raw()},
            "signature: it is not that of this key",
            "signature wrong for key",
        ),
        ({"signature": b"short"}, "signature: it is not that of this key", "signature wrong for key"),
    ],
    ids=["seed", "digest", "signature", "no key"],
)
def test_wrong_seal(file: Path, changes: dict[str, bytes], problem: str, summary: str) -> None:
    file.write_bytes(_sealed(**changes))
    result = crowns(file)
    assert result.exit_code == 1
    assert f"game.5cgr: {problem}" in result.stderr
    assert summary in result.stdout


def test_every_problem_has_a_line_and_good_files_are_said_too(file: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.5cgr").write_bytes(_sealed(seed=bytes(32), head_digest=bytes(32)))
    (tmp_path / "none.5cgr").write_bytes(b"hello")
    result = crowns("bad.5cgr", file, "away.5cgr", "none.5cgr", ".")
    assert result.exit_code == 1
    assert [line.split(":")[0] for line in result.stderr.splitlines()] == [
        "bad.5cgr",
        "bad.5cgr",
        "away.5cgr",
        "none.5cgr",
        ".",
    ]
    assert "away.5cgr: cannot be read: No such file or directory" in result.stderr
    assert "none.5cgr: unreadable: not a game record: it does not begin with 5CGR" in result.stderr
    assert "game.5cgr: ok: " in result.stdout
    answers = json.loads(crowns("bad.5cgr", file, "away.5cgr", "--json").stdout)
    assert [answer["ok"] for answer in answers] == [False, True, False]


def test_file_too_large_is_not_read(file: Path) -> None:
    with file.open("r+b") as handle:
        handle.truncate(MAX_RECORD_BYTES + 1)
    result = crowns(file)
    assert result.exit_code == 1
    assert f"game.5cgr: too large for a game record: {MAX_RECORD_BYTES + 1} bytes" in result.stderr


def test_no_file() -> None:
    result = crowns()
    assert result.exit_code == 2
    assert "Missing argument 'FILE...'" in result.stderr


def _changed(data: bytes, at: int, mask: int) -> bytes:
    return data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :]


def _sealed(**changes: bytes) -> bytes:
    """The short record with another seal."""
    record = read_record(short_record())
    body = short_record().removesuffix(_framed(record.seal))
    return body + _framed(replace(record.seal, **changes))


def _framed(seal: Seal) -> bytes:
    payload: bytes = seal_entry(seal).SerializeToString(deterministic=True)
    return len(payload).to_bytes(4, "big") + payload
