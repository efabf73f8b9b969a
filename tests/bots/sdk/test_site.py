"""What the SDK asks the site, and what it says of the answer."""

from __future__ import annotations

import json
import queue
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from bots.sdk.site import SHOWN_RESULTS, SiteError, SiteNews, fetch_bot_page

BOT = {"id": "b1", "name": "Test Bot", "url": "http://site/bots/b1/"}
ENTRY = {
    "tournament": "t1",
    "name": "Autumn League",
    "status": "running",
    "next_round_at": "2126-12-01T18:00:00Z",
    "url": "http://site/tournaments/t1/",
}


def result(number: int) -> dict[str, Any]:
    return {
        "match": f"m{number}",
        "tournament": "t1",
        "name": "Autumn League",
        "place": 2,
        "points": 0.75,
        "url": f"http://site/matches/m{number}/",
        "finished_at": f"2026-12-01T18:{number:02}:00Z",
    }


class Site:
    """Answers `GET /api/v1/bot` with what it is told to, and keeps the headers it was asked with."""

    def __init__(self) -> None:
        self.status = 200
        self.body: Any = {"bot": BOT, "entries": [], "results": []}
        self.location = ""
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.url = ""


@pytest.fixture
def site() -> Iterator[Site]:
    with serving_site() as served:
        yield served


@contextmanager
def serving_site() -> Iterator[Site]:
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append((self.path, dict(self.headers)))
            body = site.body if isinstance(site.body, bytes) else json.dumps(site.body).encode()
            self.send_response(site.status)
            if site.location:
                self.send_header("Location", site.location)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=[0.02])
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_asks_with_the_token(site: Site) -> None:
    site.body = {"bot": BOT, "entries": [ENTRY], "results": [result(1)]}
    page = fetch_bot_page(f"{site.url}/", "secret-token")
    assert (page.name, page.entries[0].tournament, page.results[0].points) == ("Test Bot", "Autumn League", 0.75)
    ((path, headers),) = site.asked
    assert path == "/api/v1/bot"
    assert headers["Authorization"] == "Bearer secret-token"


def test_token_is_not_sent_on_to_another_host(site: Site) -> None:
    with serving_site() as other:
        site.status, site.location = 302, f"{other.url}/api/v1/bot"
        assert fetch_bot_page(site.url, "secret-token").name == "Test Bot"
        ((_, headers),) = other.asked
    assert "Authorization" not in headers


@pytest.mark.parametrize(
    ("status", "body", "message"),
    [
        (401, {}, "answers 401 Unauthorized"),
        (500, b"oops", "answers 500 Internal Server Error"),
        (200, b"<html>", "answers what is not understood here"),
        (200, {}, "answers what is not understood here"),
        (200, [], "answers what is not understood here"),
        (200, {"bot": BOT, "entries": [{"name": "x"}], "results": []}, "answers what is not understood here"),
        (200, {"bot": BOT, "entries": [{**ENTRY, "next_round_at": "soon"}], "results": []}, "not understood here"),
    ],
)
def test_bad_answers(site: Site, status: int, body: object, message: str) -> None:
    site.status, site.body = status, body
    with pytest.raises(SiteError, match=message) as error:
        fetch_bot_page(site.url, "t")
    assert "\n" not in str(error.value)


def test_site_that_is_not_there() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
    with pytest.raises(SiteError, match=f"{url} does not answer"):
        fetch_bot_page(url, "t")


@pytest.mark.parametrize("url", ["file:///etc/passwd", "arena.example", ""])
def test_addresses_that_are_none(url: str) -> None:
    with pytest.raises(SiteError, match="it must begin with http:// or https://"):
        fetch_bot_page(url, "t")


class Listener:
    """Collects what is said in the thread of the news."""

    def __init__(self) -> None:
        self.lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.news = SiteNews("t", self.lines.put)

    def said(self, count: int) -> list[str]:
        return [self.lines.get(timeout=30) for _ in range(count)]


def test_who_where_and_when(site: Site) -> None:
    site.body = {
        "bot": BOT,
        "entries": [
            ENTRY,
            {**ENTRY, "name": "Cup", "next_round_at": None},
            {**ENTRY, "name": "Open", "next_round_at": "2020-01-01T10:00:00Z"},
        ],
        "results": [result(1)],
    }
    listener = Listener()
    listener.news.ask(site.url)
    who, league, cup, opened, last = listener.said(5)
    assert who == "Test Bot: http://site/bots/b1/"
    assert league.startswith("entered in Autumn League (running, next round 2126-12-0")
    assert league.endswith("): http://site/tournaments/t1/")
    assert cup == "entered in Cup (running): http://site/tournaments/t1/"
    assert opened == "entered in Open (running, the round is open): http://site/tournaments/t1/"
    assert last == "result: place 2, 0.75 points in Autumn League: http://site/matches/m1/"


def test_only_what_is_new_is_said(site: Site) -> None:
    listener = Listener()
    listener.news.ask(site.url)
    assert listener.said(2) == ["Test Bot: http://site/bots/b1/", "not entered in any tournament"]
    site.body["results"] = [result(1)]
    listener.news.ask(site.url)
    assert listener.said(1) == ["result: place 2, 0.75 points in Autumn League: http://site/matches/m1/"]
    site.body["results"] = [result(2), result(1)]
    listener.news.ask(site.url)
    assert listener.said(1) == ["result: place 2, 0.75 points in Autumn League: http://site/matches/m2/"]
    assert listener.lines.empty()


def test_the_last_results_of_before(site: Site) -> None:
    site.body["results"] = [result(number) for number in range(SHOWN_RESULTS + 4, 0, -1)]
    listener = Listener()
    listener.news.ask(site.url)
    shown = listener.said(2 + SHOWN_RESULTS)[2:]
    assert [line.rsplit("/", 2)[1] for line in shown] == ["m5", "m6", "m7", "m8", "m9"]


def test_a_failure_is_said_once_and_the_news_go_on(site: Site) -> None:
    site.status = 503
    listener = Listener()
    listener.news.ask(site.url)
    assert listener.said(1) == [f"no news of tournaments: {site.url} answers 503 Service Unavailable"]
    site.status = 200
    listener.news.ask(site.url)
    assert listener.said(2) == ["Test Bot: http://site/bots/b1/", "not entered in any tournament"]
    assert listener.lines.empty()
