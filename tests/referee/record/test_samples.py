"""Records of every format that was ever released still read as what they are.

The files in tests/data/records were written once, when their format was released, and are never written anew; a new format adds
files.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

from referee.record.conditions import DealMode
from referee.record.game_record import read_record
from referee.record.transcript import transcript
from referee.record.verify import SeedFinding, SignatureFinding, verify_record

FOLDER = Path(__file__).parents[2] / "data" / "records"


@dataclass(frozen=True, slots=True)
class Sample:
    name: str
    digest: str
    totals: tuple[int, ...]
    places: tuple[int, ...]
    entries: int
    faults: tuple[str, ...] = ()
    rounds: int = 11
    deal_mode: DealMode = DealMode.INDEPENDENT
    signature: SignatureFinding = SignatureFinding.VALID
    has_seed: bool = True

    @property
    def data(self) -> bytes:
        return (FOLDER / f"{self.name}.5cgr").read_bytes()

    @property
    def seed(self) -> bytes:
        return sha256(self.name.encode()).digest()


SAMPLES = (
    Sample(
        "v1_two_seats",
        "3f21a01667b7f48f52da0e5a05fbba763d7335c3e16d6a848a1d007704bbf110",
        totals=(37, 55),
        places=(1, 2),
        entries=200,
        signature=SignatureFinding.UNSIGNED,
    ),
    Sample(
        "v1_faults",
        "466f3f71a5e5d5a00ae87492f99092c6eee9b4b3c6d0bd44129f972402723845",
        totals=(32, 199, 316, 356),
        places=(1, 3, 2, 4),
        entries=350,
        faults=("MOVE_TIMEOUT", "ILLEGAL", "MALFORMED", "BOT_ERROR", "THINKING_USED_UP", "RESIGN"),
        deal_mode=DealMode.FIELD,
    ),
    Sample(
        "v1_seven_seats_sealed",
        "12f81428defd4af3dbcec6d901af7d84932985a89d3246e91f56e1a70b3d8248",
        totals=(30, 382, 400, 361, 315, 461, 452),
        places=(1, 4, 5, 3, 2, 7, 6),
        entries=640,
        deal_mode=DealMode.ROTATED,
        has_seed=False,
    ),
    Sample(
        "v1_nobody_started",
        "51918aeb8f493205f4a98f5f80c28155fbc23c164dfe9f219833c2f328065e18",
        totals=(0, 0, 0),
        places=(1, 1, 1),
        entries=3,
        faults=("NO_SHOW", "START_TIMEOUT", "START_TIMEOUT"),
        rounds=0,
    ),
)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_a_released_record_reads_as_what_it_is(sample: Sample) -> None:
    record = read_record(sample.data)
    scores = record.footer.scores
    assert record.digest.hex() == sample.digest
    assert (scores.totals, scores.places, len(scores.rounds)) == (sample.totals, sample.places, sample.rounds)
    assert len(record.entries) == sample.entries
    assert tuple(fault.type.value for fault in record.faults) == sample.faults
    assert record.header.deal_mode is sample.deal_mode
    assert record.seal.seed == (sample.seed if sample.has_seed else b"")


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_a_released_record_still_verifies(sample: Sample) -> None:
    verdict = verify_record(sample.data)
    assert verdict.ok == sample.has_seed
    assert verdict.signature is sample.signature
    assert verdict.seed is (SeedFinding.MATCHES if sample.has_seed else SeedFinding.MISSING)
    assert verify_record(sample.data, sample.seed).problems == ()


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_a_released_record_can_be_shown(sample: Sample) -> None:
    assert transcript(read_record(sample.data), sample.seed)[-1]["places"] == list(sample.places)


def test_every_file_is_described() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {f"{sample.name}.5cgr" for sample in SAMPLES}
