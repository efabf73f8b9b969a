"""A client with gRPC's default settings, idle for two minutes, is still there when a game comes."""

from __future__ import annotations

import json

import pytest

from tests.system.conftest import IDLE_S, IDLING


def test_a_third_party_stays_connected_while_nothing_happens(pytestconfig: pytest.Config) -> None:
    """Costs two minutes of waiting, next to no computing; beside other tests it costs what they leave of the two minutes."""
    output, _ = pytestconfig.stash[IDLING].communicate(timeout=IDLE_S + 180)
    told = json.loads(output)
    assert told["idle_s"] >= IDLE_S
    assert told["greetings"] == [["welcome"]] * 2
    assert told["heard"] == [["decision", "game_end", "game_start", "ping", "round_end", "round_start"]] * 2
    assert all(pings >= 5 for pings in told["pings"]), "the referee asks every ten seconds whether they are there"
    assert told["connections"] == [1, 1]
    assert (told["status"], told["faults"]) == ("GAME_STATUS_FINISHED", [])
