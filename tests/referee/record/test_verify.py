"""What `verify_record` finds, each thing apart; and that no changed byte gets past it."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from referee.record.entries import ActionEntry, Cause, RetirementEntry
from referee.record.game_record import read_record, with_seed
from referee.record.verify import SeedFinding, SignatureFinding, Verdict, fingerprint, verify_record
from referee.rules.actions import Discard, Draw, Source
from referee.rules.cards import CARDS, Card
from referee.rules.shuffle import commitment
from tests.referee.record.forge import (
    PUBLIC_KEY,
    SEED,
    record_of,
    sign,
    small_record,
    whole_record,
    with_entry,
    written,
)
from tests.support.scripted import playing, thrower

SMALL = with_seed(small_record(), SEED)
UNSIGNED = with_seed(small_record(signed=False), SEED)
WHOLE = with_seed(whole_record(), SEED)
OTHER_SEED = bytes(32)


def findings(verdict: Verdict) -> tuple[bool, SeedFinding, bool, SignatureFinding, bool]:
    return verdict.chain, verdict.seed, verdict.replays, verdict.signature, verdict.ok


@pytest.mark.parametrize("data", [SMALL, WHOLE], ids=["small", "whole"])
def test_a_good_record(data: bytes) -> None:
    verdict = verify_record(data)
    assert findings(verdict) == (True, SeedFinding.MATCHES, True, SignatureFinding.VALID, True)
    assert verdict.problems == ()
    assert verdict.fingerprint == sha256(PUBLIC_KEY).hexdigest()[:16] == fingerprint(PUBLIC_KEY)
    assert verdict.record == read_record(data)


def test_unsigned_is_said_and_is_no_failure() -> None:
    verdict = verify_record(UNSIGNED)
    assert findings(verdict) == (True, SeedFinding.MATCHES, True, SignatureFinding.UNSIGNED, True)
    assert verdict.fingerprint == ""


def test_a_missing_seed_is_said_and_nothing_is_replayed() -> None:
    verdict = verify_record(small_record())
    assert findings(verdict) == (True, SeedFinding.MISSING, False, SignatureFinding.VALID, False)
    assert len(verdict.problems) == 1
    assert "seed" in verdict.problems[0]


def test_a_seed_the_caller_knows_stands_in_for_one_not_yet_shown() -> None:
    assert verify_record(small_record(), SEED).ok
    verdict = verify_record(small_record(), OTHER_SEED)
    assert findings(verdict) == (True, SeedFinding.WRONG, False, SignatureFinding.VALID, False)


def test_the_seed_in_the_record_counts_whatever_the_caller_knows() -> None:
    record = read_record(SMALL)
    wrong = written(record, signer=sign, seed=OTHER_SEED)
    assert verify_record(wrong, SEED).seed is SeedFinding.WRONG


@pytest.mark.parametrize("seed", [OTHER_SEED, b"short", SEED + b"\x00"], ids=["another", "short", "long"])
def test_a_seed_that_is_not_the_committed_one(seed: bytes) -> None:
    verdict = verify_record(written(read_record(SMALL), signer=sign, seed=seed))
    assert findings(verdict) == (True, SeedFinding.WRONG, False, SignatureFinding.VALID, False)


def test_a_broken_chain_is_said_apart() -> None:
    """The seal of one game under the entries of another: both are good by themselves."""
    other = with_seed(record_of(playing(thrower), playing(thrower)), SEED)
    seal_at = SMALL.rindex(read_record(SMALL).seal.head_digest)
    head = read_record(other).seal.head_digest
    verdict = verify_record(SMALL[:seal_at] + head + SMALL[seal_at + 32 :])
    assert findings(verdict) == (False, SeedFinding.MATCHES, True, SignatureFinding.INVALID, False)
    assert [problem.partition(":")[0] for problem in verdict.problems] == ["chain", "signature"]


def foreign_key(digest: bytes) -> tuple[bytes, bytes]:
    """Signed by one key, shown with another."""
    return Ed25519PrivateKey.from_private_bytes(bytes(32)).sign(digest), PUBLIC_KEY


@pytest.mark.parametrize(
    "signer",
    [
        pytest.param(foreign_key, id="another key"),
        pytest.param(lambda digest: sign(digest[::-1]), id="another digest"),
        pytest.param(lambda digest: (sign(digest)[0], b""), id="no key"),
        pytest.param(lambda digest: (b"", PUBLIC_KEY), id="no signature"),
        pytest.param(lambda digest: (sign(digest)[0][:-1], PUBLIC_KEY), id="a short signature"),
        pytest.param(lambda digest: (sign(digest)[0], PUBLIC_KEY + b"\x00"), id="a long key"),
    ],
)
def test_a_signature_that_is_none(signer: object) -> None:
    verdict = verify_record(written(read_record(SMALL), signer=signer))
    assert findings(verdict) == (True, SeedFinding.MATCHES, True, SignatureFinding.INVALID, False)


@pytest.mark.parametrize("data", [b"", b"5CGR", SMALL[:-1], SMALL + b"\x00"], ids=["nothing", "magic", "torn", "more"])
def test_what_cannot_be_read(data: bytes) -> None:
    verdict = verify_record(data)
    assert not verdict.ok
    assert verdict.record is None
    assert len(verdict.problems) == 1
    assert verdict.problems[0].startswith("unreadable: ")


@pytest.mark.parametrize("pattern", [0x01, 0x80, 0xFF], ids=["lowest bit", "highest bit", "all bits"])
@pytest.mark.parametrize("data", [SMALL, UNSIGNED], ids=["signed", "unsigned"])
def test_any_changed_byte_makes_it_fail(data: bytes, pattern: int) -> None:
    for at in range(len(data)):
        changed = bytearray(data)
        changed[at] ^= pattern
        assert not verify_record(bytes(changed)).ok, f"byte {at} of {len(data)} ^ {pattern:#x}"


def test_any_changed_bit_of_a_seal_makes_it_fail() -> None:
    seal_at = SMALL.rindex(read_record(SMALL).seal.head_digest) - 8
    for at in range(seal_at, len(SMALL)):
        for bit in range(8):
            changed = bytearray(SMALL)
            changed[at] ^= 1 << bit
            assert not verify_record(bytes(changed)).ok, f"byte {at}, bit {bit}"


def test_any_byte_left_out_or_put_in_makes_it_fail() -> None:
    for at in range(len(SMALL)):
        assert not verify_record(SMALL[:at] + SMALL[at + 1 :]).ok
        assert not verify_record(SMALL[:at] + b"\x00" + SMALL[at:]).ok


# -- who knows the format and writes the chain anew ------------------------------------------------------------------


def replay_problem(data: bytes) -> str:
    """The chain is right again and there is no signature; only the game itself can tell."""
    verdict = verify_record(data)
    assert findings(verdict) == (True, SeedFinding.MATCHES, False, SignatureFinding.UNSIGNED, False)
    (problem,) = verdict.problems
    assert problem.startswith("replay: ")
    return problem


WHOLE_RECORD = read_record(WHOLE)
NUMBERS = range(len(WHOLE_RECORD.entries))


def number_of(cause: Cause, kind: type) -> int:
    return next(
        number
        for number, entry in enumerate(WHOLE_RECORD.entries)
        if isinstance(entry, ActionEntry) and entry.cause is cause and isinstance(entry.action, kind)
    )


FAULTED = number_of(Cause.FAULT, Draw)
RETIRED = number_of(Cause.RETIRED, Draw)
RETIREMENT = next(number for number in NUMBERS if isinstance(WHOLE_RECORD.entries[number], RetirementEntry))


@pytest.mark.parametrize(
    ("entries", "names"),
    [
        pytest.param(WHOLE_RECORD.entries[:-1], "not over", id="the last action is missing"),
        pytest.param(WHOLE_RECORD.entries[1:], "entry 1", id="the first action is missing"),
        pytest.param(
            (WHOLE_RECORD.entries[1], WHOLE_RECORD.entries[0], *WHOLE_RECORD.entries[2:]), "entry 1", id="reordered"
        ),
        pytest.param(
            (*WHOLE_RECORD.entries, WHOLE_RECORD.entries[-1]),
            f"entry {len(NUMBERS) + 1}",
            id="an action after the end",
        ),
        pytest.param(with_entry(WHOLE_RECORD, 0, seat=3), "entry 1", id="another seat acts"),
        pytest.param(with_entry(WHOLE_RECORD, 0, seat=9), "entry 1", id="a seat that is not there"),
        pytest.param(with_entry(WHOLE_RECORD, 0, cause=Cause.RETIRED), "entry 1", id="retired, but is not"),
        pytest.param(with_entry(WHOLE_RECORD, 0, cause=Cause.FAULT), "entry 1", id="a fault without a fault"),
        pytest.param(
            with_entry(WHOLE_RECORD, 0, fault=WHOLE_RECORD.faults[0]), "entry 1", id="a fault, but the bot chose"
        ),
        pytest.param(
            with_entry(WHOLE_RECORD, FAULTED, action=Draw(Source.DISCARD)),
            f"entry {FAULTED + 1}",
            id="RULES 21: not the default for a fault",
        ),
        pytest.param(
            with_entry(WHOLE_RECORD, RETIRED, action=Draw(Source.DISCARD)),
            f"entry {RETIRED + 1}",
            id="RULES 21: not the default for a retired seat",
        ),
        pytest.param(
            with_entry(WHOLE_RECORD, RETIRED, cause=Cause.BOT), f"entry {RETIRED + 1}", id="a retired bot chooses"
        ),
        pytest.param(
            WHOLE_RECORD.entries[:RETIREMENT] + WHOLE_RECORD.entries[RETIREMENT + 1 :],
            f"entry {RETIREMENT + 1}",
            id="the retirement is missing",
        ),
        pytest.param(
            (*WHOLE_RECORD.entries[: RETIREMENT + 1], *WHOLE_RECORD.entries[RETIREMENT:]),
            f"entry {RETIREMENT + 1}",
            id="retired twice",
        ),
        pytest.param(
            with_entry(WHOLE_RECORD, FAULTED, fault=replace(WHOLE_RECORD.faults[0], seat=2)),
            f"entry {FAULTED + 1}",
            id="another seat is blamed for a fault",
        ),
        pytest.param(
            with_entry(WHOLE_RECORD, RETIREMENT, fault=replace(WHOLE_RECORD.faults[-1], seat=2)),
            f"entry {RETIREMENT + 1}",
            id="another seat is blamed for a retirement",
        ),
        pytest.param(
            with_entry(WHOLE_RECORD, RETIREMENT, seat=7),
            f"entry {RETIREMENT + 1}",
            id="a seat of another table retires",
        ),
    ],
)
def test_a_game_that_does_not_follow_by_the_rules(entries: tuple, names: str) -> None:
    assert names in replay_problem(written(WHOLE_RECORD, entries=entries))


DISCARDS = [
    (number, entry.action.card)
    for number, entry in enumerate(WHOLE_RECORD.entries)
    if isinstance(entry, ActionEntry) and isinstance(entry.action, Discard)
]


@pytest.mark.parametrize(("number", "card"), DISCARDS[::10])
def test_another_discard_is_found(number: int, card: Card) -> None:
    """By the first entry that no longer fits, or by the scores."""
    other = CARDS[(card.code + 1) % len(CARDS)]
    assert replay_problem(written(WHOLE_RECORD, entries=with_entry(WHOLE_RECORD, number, action=Discard(other))))


SCORES = WHOLE_RECORD.footer.scores
ROUNDS = SCORES.rounds


@pytest.mark.parametrize(
    "scores",
    [
        pytest.param(replace(SCORES, totals=(0, *SCORES.totals[1:])), id="a total"),
        pytest.param(replace(SCORES, places=SCORES.places[::-1]), id="the places"),
        pytest.param(replace(SCORES, places=SCORES.places[:-1]), id="a place too few"),
        pytest.param(replace(SCORES, retired_in_round=(0, 0, 0, 0)), id="nobody retired"),
        pytest.param(replace(SCORES, rounds=ROUNDS[:-1]), id="a round too few"),
        pytest.param(replace(SCORES, rounds=(*ROUNDS, ROUNDS[-1])), id="a round too many"),
        pytest.param(
            replace(SCORES, rounds=(replace(ROUNDS[0], scores=ROUNDS[0].scores[::-1]), *ROUNDS[1:])), id="a score"
        ),
        pytest.param(replace(SCORES, rounds=(replace(ROUNDS[0], went_out=2), *ROUNDS[1:])), id="who went out"),
    ],
)
def test_scores_that_are_not_those_of_the_game(scores: object) -> None:
    footer = replace(WHOLE_RECORD.footer, scores=scores)
    assert "scores" in replay_problem(written(WHOLE_RECORD, footer=footer))


@pytest.mark.parametrize(("field", "value"), [("rules_version", 2), ("shuffle_version", 2), ("rules_version", 0)])
def test_a_game_by_rules_not_known_here(field: str, value: int) -> None:
    header = replace(WHOLE_RECORD.header, **{field: value})
    assert f"version {value}" in replay_problem(written(WHOLE_RECORD, header=header))


def test_another_game_config_is_another_game() -> None:
    header = replace(WHOLE_RECORD.header, config=replace(WHOLE_RECORD.header.config, turn_cap=1))
    assert replay_problem(written(WHOLE_RECORD, header=header))


def test_another_seed_with_its_commitment_is_another_game() -> None:
    header = replace(WHOLE_RECORD.header, commitment=commitment(OTHER_SEED))
    assert "entry" in replay_problem(written(WHOLE_RECORD, header=header, seed=OTHER_SEED))
