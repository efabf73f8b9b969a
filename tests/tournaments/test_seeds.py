"""The seed scheme against its published vectors, and against a second reading of its description."""

import hashlib
import hmac
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments import seeds

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "seed_vectors.json").read_text())
SECRET = bytes(range(32))
PLACE = {"tournament": "abc", "stage": 1, "tournament_round": 2, "deal_set": 3, "replacement": 0}


@pytest.mark.parametrize("vector", VECTORS["entropy"], ids=lambda vector: f"{len(vector['entrants'])} entrants")
def test_entropy_vectors(vector: dict) -> None:
    assert seeds.entropy(map(tuple, vector["entrants"])).hex() == vector["entropy"]


@pytest.mark.parametrize("vector", VECTORS["deal"], ids=lambda vector: vector["tournament"] + str(vector["deal_set"]))
def test_deal_vectors(vector: dict) -> None:
    place = {name: vector[name] for name in PLACE}
    assert seeds.secret_hash(bytes.fromhex(vector["secret"])) == vector["secret_hash"]
    assert (
        seeds.deal_seed(bytes.fromhex(vector["secret"]), bytes.fromhex(vector["entropy"]), **place).hex()
        == vector["seed"]
    )


@pytest.mark.parametrize("vector", VECTORS["seating"], ids=lambda vector: f"round {vector['tournament_round']}")
def test_seating_vectors(vector: dict) -> None:
    place = {name: vector[name] for name in ("tournament", "stage", "tournament_round")}
    seating = seeds.seating_seed(bytes.fromhex(vector["secret"]), bytes.fromhex(vector["entropy"]), **place)
    assert seating.hex() == vector["seed"]
    assert {entrant: seeds.lot(seating, entrant).hex() for entrant in vector["lots"]} == vector["lots"]


@given(st.text(max_size=20), *[st.integers(0, 10**6)] * 4)
def test_it_is_what_the_description_says(
    tournament: str, stage: int, number: int, deal_set: int, replacement: int
) -> None:
    entropy = hashlib.sha256(b"x").digest()
    parts = [b"deal", entropy, tournament.encode(), *(b"%d" % each for each in (stage, number, deal_set, replacement))]
    message = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    assert (
        seeds.deal_seed(
            SECRET,
            entropy,
            tournament=tournament,
            stage=stage,
            tournament_round=number,
            deal_set=deal_set,
            replacement=replacement,
        )
        == hmac.new(SECRET, message, "sha256").digest()
    )


def test_every_field_changes_the_seed() -> None:
    entropy = bytes(32)
    first = seeds.deal_seed(SECRET, entropy, **PLACE)
    others = [seeds.deal_seed(SECRET, entropy, **{**PLACE, name: 7}) for name in PLACE if name != "tournament"]
    others.append(seeds.deal_seed(SECRET, entropy, **{**PLACE, "tournament": "abd"}))
    others.append(seeds.deal_seed(SECRET, bytes([1] * 32), **PLACE))
    others.append(seeds.seating_seed(SECRET, entropy, tournament="abc", stage=1, tournament_round=2))
    assert len({first, *others}) == 8


def test_fields_do_not_run_into_each_other() -> None:
    assert seeds.entropy([("a", "bc")]) != seeds.entropy([("ab", "c")])


def test_the_order_of_entry_does_not_matter() -> None:
    assert seeds.entropy([("a", "1"), ("b", "2")]) == seeds.entropy([("b", "2"), ("a", "1")])


def test_a_secret_has_32_bytes() -> None:
    assert len(seeds.new_secret()) == 32
    with pytest.raises(ValueError, match="32 bytes, not 31"):
        seeds.deal_seed(bytes(31), bytes(32), **PLACE)
