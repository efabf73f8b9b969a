"""Limits for streams that are not welcome yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.rpc.config import Config
from referee.rpc.gate import Buckets, Gate, TooMany, peer_name


def gate(**config: object) -> Gate:
    return Gate(Config("", "", Path(), "run", "watch", **config))  # type: ignore[arg-type] # some of its fields


@pytest.mark.parametrize(
    ("peer", "name"),
    [
        ("ipv4:192.0.2.7:4711", "192.0.2.7"),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:4711", "2001:db8:1:2::/64"),
        ("ipv6:[2001:db8:1:2:ffff::1]:1", "2001:db8:1:2::/64"),
        ("ipv6:%5B::ffff:192.0.2.7%5D:4711", "192.0.2.7"),
        ("ipv6:%5Bfe80::1%25eth0%5D:4711", "fe80::/64"),
        ("unix:", ""),
        ("unix:/run/hosted.sock", ""),
    ],
)
def test_whom_a_limit_holds_for(peer: str, name: str) -> None:
    assert peer_name(peer) == name


def test_one_address_does_not_fill_the_door() -> None:
    door = gate(max_visitors=5, max_visitors_an_address=2)
    visits = [door.visit(f"ipv4:192.0.2.7:{port}") for port in range(3)]
    visits[0].__enter__()
    visits[1].__enter__()
    with pytest.raises(TooMany, match="of this address"):
        visits[2].__enter__()
    others = [door.visit(f"ipv4:192.0.2.{number}:1") for number in (8, 9, 10, 11)]
    for visit in others[:3]:
        visit.__enter__()
    with pytest.raises(TooMany, match="too many streams wait"):
        others[3].__enter__()
    visits[0].__exit__(None, None, None)
    with door.visit("ipv4:192.0.2.7:9"):
        assert len(door) == 5


def test_the_limit_of_an_address_can_be_off() -> None:
    """Behind a proxy every bot has its address."""
    door = gate(max_visitors_an_address=0, opens_a_minute_an_address=0)
    visits = [door.visit("ipv4:192.0.2.7:1") for _ in range(500)]
    for visit in visits:
        visit.__enter__()
    assert all(door.knock("ipv4:192.0.2.7:1", 0.0) for _ in range(5_000))


def test_a_minute_makes_room_again() -> None:
    buckets = Buckets(per_minute=60)
    assert [buckets.add("b1", 100.0) for _ in range(61)] == [True] * 60 + [False]
    assert buckets.add("b2", 100.0)
    assert [buckets.add("b1", 101.0) for _ in range(2)] == [True, False]
    assert [buckets.add("b1", 161.0) for _ in range(61)] == [True] * 60 + [False]


def test_names_without_end_are_not_remembered_without_end() -> None:
    buckets = Buckets(per_minute=1)
    for number in range(20_000):
        buckets.add(str(number), 0.0)
    assert len(buckets) == 10_000
    assert not buckets.add("19999", 0.0)


def test_a_stream_that_lingers_takes_room_of_its_address_alone() -> None:
    door = gate(max_visitors=1, max_visitors_an_address=2)
    with door.linger("ipv4:192.0.2.7:1"), door.linger("ipv4:192.0.2.7:2"):
        with pytest.raises(TooMany, match="of this address"):
            door.visit("ipv4:192.0.2.7:3").__enter__()
        with door.visit("ipv4:192.0.2.8:1"):
            assert len(door) == 1
    with door.visit("ipv4:192.0.2.7:3"):
        assert len(door) == 1
