"""When the next round opens, on the clocks of any zone."""

from datetime import datetime, time

import pytest

from tournaments.pace import next_opening

EIGHT = time(20, 0)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(f"{text}:00+00:00")


DAILY = [
    pytest.param("Europe/Berlin", EIGHT, "2026-06-01T17:59", "2026-06-01T18:00", id="a minute before"),
    pytest.param("Europe/Berlin", EIGHT, "2026-06-01T18:00", "2026-06-02T18:00", id="at that minute"),
    pytest.param("Europe/Berlin", EIGHT, "2026-12-01T10:00", "2026-12-01T19:00", id="winter"),
    pytest.param("Europe/Berlin", EIGHT, "2026-03-28T20:00", "2026-03-29T18:00", id="over the change in spring"),
    pytest.param("Europe/Berlin", EIGHT, "2026-10-24T19:00", "2026-10-25T19:00", id="over the change in autumn"),
    pytest.param("Europe/Berlin", time(2, 30), "2026-03-28T12:00", "2026-03-29T01:30", id="a time left out in spring"),
    pytest.param("Europe/Berlin", time(2, 30), "2026-10-24T12:00", "2026-10-25T00:30", id="a time shown twice"),
    pytest.param("Europe/Berlin", time(2, 30), "2026-10-25T00:30", "2026-10-26T01:30", id="and only once"),
    pytest.param("Pacific/Kiritimati", time(0, 5), "2026-06-01T10:00", "2026-06-01T10:05", id="a day ahead"),
    pytest.param("Pacific/Pago_Pago", time(23, 55), "2026-06-01T10:56", "2026-06-02T10:55", id="a day behind"),
    pytest.param("UTC", time(0, 0), "2026-12-31T23:59", "2027-01-01T00:00", id="a new year"),
]


@pytest.mark.parametrize(("zone", "at", "after", "opens"), DAILY)
def test_every_day(zone: str, at: time, after: str, opens: str) -> None:
    found = next_opening("daily", minutes=None, at=at, zone=zone, opened=utc("2026-01-01T00:00"), after=utc(after))
    assert found == utc(opens)


@pytest.mark.parametrize(
    ("minutes", "opened", "after", "opens"),
    [
        pytest.param(30, "2026-06-01T10:00", "2026-06-01T10:05", "2026-06-01T10:30", id="waits"),
        pytest.param(30, "2026-06-01T10:00", "2026-06-01T11:05", "2026-06-01T11:05", id="took longer"),
        pytest.param(1440, "2026-03-28T20:00", "2026-03-28T21:00", "2026-03-29T20:00", id="a day is 24 hours"),
    ],
)
def test_every_so_many_minutes(minutes: int, opened: str, after: str, opens: str) -> None:
    found = next_opening("every", minutes=minutes, at=None, zone="Europe/Berlin", opened=utc(opened), after=utc(after))
    assert found == utc(opens)


def test_one_after_the_other() -> None:
    now = utc("2026-06-01T10:00")
    assert next_opening("back_to_back", minutes=5, at=EIGHT, zone="UTC", opened=now, after=now) is None
