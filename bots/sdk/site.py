"""What the site says about one's bot: who it is, where it is entered, when it plays next, how it did."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

TIMEOUT_S = 10.0
SHOWN_RESULTS = 5
"""Of those there were before, on connecting."""


class SiteError(Exception):
    """The site did not answer, or not as expected; one line."""


@dataclass(frozen=True, slots=True)
class Entry:
    tournament: str
    status: str
    next_round_at: datetime | None
    url: str


@dataclass(frozen=True, slots=True)
class Result:
    match: str
    tournament: str
    place: int
    points: float
    url: str
    finished_at: str


@dataclass(frozen=True, slots=True)
class BotPage:
    """The answer of `GET /api/v1/bot`."""

    name: str
    url: str
    entries: tuple[Entry, ...]
    results: tuple[Result, ...]


def fetch_bot_page(site_url: str, token: str) -> BotPage:
    """Asks the site with the bot's token. Raises SiteError."""
    if not site_url.startswith(("http://", "https://")):
        raise SiteError(f"the site's address is {site_url!r}: it must begin with http:// or https://")
    request = urllib.request.Request(f"{site_url.rstrip('/')}/api/v1/bot", headers={"Accept": "application/json"})  # noqa: S310 - checked above
    # Not sent on to another host if the site redirects.
    request.add_unredirected_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as response:  # noqa: S310 - checked above
            return _bot_page(json.load(response))
    except urllib.error.HTTPError as error:
        error.close()
        raise SiteError(f"{site_url} answers {error.code} {error.reason}") from error
    except OSError as error:
        raise SiteError(f"{site_url} does not answer ({getattr(error, 'reason', error)})") from error
    except (ValueError, KeyError, TypeError) as error:
        raise SiteError(f"{site_url} answers what is not understood here ({error!r})") from error


class SiteNews:
    """Asks the site in a thread of its own and says what is new; a failure is said once and stops nothing."""

    def __init__(self, token: str, say: Callable[[str], None]) -> None:
        self._token = token
        self._say = say
        self._said: set[str] = set()
        self._is_first = True
        self._site_url = ""
        self._due_at = 0.0
        self._asked = threading.Event()
        threading.Thread(target=self._run, name="site", daemon=True).start()

    def ask(self, site_url: str, after_s: float = 0.0) -> None:
        """Ask `after_s` from now: a result takes a moment from the table to the site. Any thread may call."""
        self._site_url, self._due_at = site_url, time.monotonic() + after_s
        self._asked.set()

    def _run(self) -> None:
        while self._asked.wait():
            self._asked.clear()  # what is asked for from here on is asked once more
            time.sleep(max(0.0, self._due_at - time.monotonic()))
            try:
                lines = self._news(fetch_bot_page(self._site_url, self._token))
            except SiteError as error:
                lines = [f"no news of tournaments: {error}"]
            for line in lines:
                if line not in self._said:
                    self._said.add(line)
                    self._say(line)

    def _news(self, page: BotPage) -> list[str]:
        lines = [f"{page.name}: {page.url}", *map(_entry_line, page.entries)]
        if not page.entries:
            lines.append("not entered in any tournament")
        results = sorted(page.results, key=lambda result: result.finished_at)
        if self._is_first:
            self._said.update(map(_result_line, results[:-SHOWN_RESULTS]))
            self._is_first = False
        return [*lines, *map(_result_line, results)]


def _entry_line(entry: Entry) -> str:
    when = f", {_when(entry.next_round_at)}" if entry.next_round_at else ""
    return f"entered in {entry.tournament} ({entry.status}{when}): {entry.url}"


def _result_line(result: Result) -> str:
    return f"result: place {result.place}, {result.points:g} points in {result.tournament}: {result.url}"


def _when(next_round: datetime) -> str:
    if next_round <= datetime.now(UTC):
        return "the round is open"
    return f"next round {next_round.astimezone():%Y-%m-%d %H:%M}"


def _bot_page(answer: dict[str, Any]) -> BotPage:
    return BotPage(
        name=answer["bot"]["name"],
        url=answer["bot"]["url"],
        entries=tuple(map(_entry, answer["entries"])),
        results=tuple(map(_result, answer["results"])),
    )


def _entry(entry: dict[str, Any]) -> Entry:
    return Entry(_title(entry), entry["status"], _moment(entry["next_round_at"]), entry["url"])


def _result(result: dict[str, Any]) -> Result:
    return Result(
        match=str(result["match"]),
        tournament=_title(result),
        place=int(result["place"]),
        points=float(result["points"]),
        url=result["url"],
        finished_at=result["finished_at"] or "",
    )


def _title(row: dict[str, Any]) -> str:
    return str(row.get("name") or row["tournament"])


def _moment(text: str | None) -> datetime | None:
    if text is None:
        return None
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
