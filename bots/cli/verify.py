"""`crowns verify`: is a record the game it claims to be?"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import click

from referee.record.verify import SeedFinding, SignatureFinding, Verdict, verify_record

MAX_RECORD_BYTES = 64 << 20
"""No game comes near; a file beyond is not read into memory."""


@dataclass(frozen=True, slots=True)
class Checked:
    file: Path
    verdict: Verdict | None
    """None for a file that cannot be read."""
    problems: tuple[str, ...]


@click.command("verify", short_help="Check game records by playing them again.")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list with an object for each file.")
def command(files: tuple[Path, ...], as_json: bool) -> None:
    """Check the game records FILE... (.5cgr) and say apart whether

    \b
      - the game replays: every action follows from the seed by the rules, and so do scores and places
      - the chain holds: the digest in the seal is that of all bytes before it
      - the seed matches the commitment made before the first card
      - the referee signed it, and with which key (fingerprint); unsigned is no failure

    A record whose seed is not shown yet cannot be replayed: it is said and fails. Any changed byte fails.
    Exit code 1 if any file fails, with a line for each problem.

    \b
    Examples:
      crowns verify games/game-0001.5cgr
      crowns verify --json games/*.5cgr
    """
    checked = [check(path) for path in files]
    if as_json:
        click.echo(json.dumps([_as_json(one) for one in checked]))
    else:
        for one in checked:
            _say(one)
    if any(one.problems for one in checked):
        sys.exit(1)


def check(path: Path) -> Checked:
    """Reads and verifies one file."""
    try:
        if path.stat().st_size > MAX_RECORD_BYTES:
            return Checked(path, None, (f"too large for a game record: {path.stat().st_size} bytes",))
        data = path.read_bytes()
    except OSError as error:
        return Checked(path, None, (f"cannot be read: {error.strerror}",))
    verdict = verify_record(data)
    return Checked(path, verdict, verdict.problems)


def _say(checked: Checked) -> None:
    for problem in checked.problems:
        click.echo(f"{checked.file}: {problem}", err=True)
    verdict = checked.verdict
    if verdict is None or verdict.record is None:
        return
    click.echo(
        f"{checked.file}: {'failed' if checked.problems else 'ok'}: "
        f"{_replay_words(verdict)}, chain {'holds' if verdict.chain else 'broken'}, "
        f"seed {_seed_words(verdict)}, {_signature_words(verdict)}"
    )


def _replay_words(verdict: Verdict) -> str:
    if verdict.replays and verdict.record is not None:
        return f"replays ({len(verdict.record.entries)} actions)"
    return "not replayed" if verdict.seed is not SeedFinding.MATCHES else "does not replay"


def _seed_words(verdict: Verdict) -> str:
    return {
        SeedFinding.MATCHES: "matches its commitment",
        SeedFinding.MISSING: "missing",
        SeedFinding.WRONG: "does not match its commitment",
    }[verdict.seed]


def _signature_words(verdict: Verdict) -> str:
    return {
        SignatureFinding.UNSIGNED: "unsigned",
        SignatureFinding.VALID: f"signed by {verdict.fingerprint}",
        SignatureFinding.INVALID: f"signature wrong for key {verdict.fingerprint}",
    }[verdict.signature]


def _as_json(checked: Checked) -> dict[str, object]:
    answer: dict[str, object] = {
        "file": str(checked.file),
        "ok": not checked.problems,
        "problems": list(checked.problems),
    }
    verdict = checked.verdict
    if verdict is None or verdict.record is None:
        return answer
    header, scores = verdict.record.header, verdict.record.footer.scores
    if scores.solitaire is not None:
        answer["solitaire"] = asdict(scores.solitaire)
    return {
        **answer,
        "replays": verdict.replays,
        "chain": verdict.chain,
        "seed": verdict.seed.name.lower(),
        "signature": verdict.signature.value,
        "fingerprint": verdict.fingerprint or None,
        "digest": verdict.record.digest.hex(),
        "game_id": header.attempt_id,
        "actions": len(verdict.record.entries),
        "seats": [
            {"bot": seat.bot, "version": seat.version, "score": score, "place": place}
            for seat, score, place in zip(header.seats, scores.totals, scores.places, strict=True)
        ],
    }
