"""A static site of test pages: templates rendered once, served on loopback under the site's content security policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from django.contrib.staticfiles import finders
from django.template import engines
from django.test import RequestFactory
from django.urls import set_urlconf

from tests.web.viewer.samples import replay_of
from web.commentary import narrate

TEMPLATES = Path(__file__).parent / "pages"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def page(name: str, **context: Any) -> bytes:
    """A template of `pages/` as the site would send it."""
    set_urlconf("tests.web.viewer.urls")
    try:
        template = engines["django"].from_string((TEMPLATES / name).read_text(encoding="utf-8"))
        return template.render(context, RequestFactory().get("/")).encode()
    finally:
        set_urlconf(None)


def replay_page(replay: Mapping[str, Any]) -> bytes:
    return page("replay.html", replay=replay, story=narrate(replay))


def sample_page(seats: int, **how: Any) -> bytes:
    return replay_page(replay_of(seats, **how))


@contextmanager
def served(pages: Mapping[str, Callable[[], bytes]]) -> Iterator[str]:
    """The address of a server on loopback that knows `pages` by path and the site's static files."""
    made_once = {path: cache(make) for path, make in pages.items()}
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, made_once))
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    def __init__(self, pages: Mapping[str, Callable[[], bytes]], *args: Any) -> None:
        self.pages = pages
        super().__init__(*args)

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        body, kind = self._body(path)
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def _body(self, path: str) -> tuple[bytes | None, str]:
        if path.startswith("/static/"):
            found = finders.find(path.removeprefix("/static/"))
            kind = guess_type(path)[0] or "application/octet-stream"
            return (Path(found).read_bytes() if found else None), kind
        make = self.pages.get(path)
        return (make() if make else None), "text/html; charset=utf-8"

    def log_message(self, *args: Any) -> None:
        """Quiet: a failing test tells more."""
