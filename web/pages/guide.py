"""How to write a bot, and what one needs for it to download."""

from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from bots.cli.new import TEMPLATE, class_name

FILE = "my_bot"
PROTOS = "protos.zip"
_TYPES = {".whl": "application/octet-stream", ".zip": "application/zip"}


@require_safe
def write_a_bot(request: HttpRequest) -> HttpResponse:
    wheel = newest_wheel()
    context = {
        "file": FILE,
        "code": TEMPLATE.format(class_name=class_name(FILE)),
        "wheel": wheel.name if wheel else "",
        "pip": f"pip install {settings.SITE_URL}/downloads/{wheel.name}" if wheel else "",
        "has_protos": (settings.DOWNLOADS_DIR / PROTOS).is_file(),
        "file_name": f"{FILE}.py",
        "play": f"crowns play {FILE}.py greedy greedy planner --games 100",
        "connect": f"CROWNS_TOKEN=... crowns connect {FILE}.py --server {settings.SHARDS[0].bots}",
        "server": settings.SHARDS[0].bots,
    }
    return render(request, "pages/write_a_bot.html", context)


def newest_wheel() -> Path | None:
    """The one made last, should several lie there."""
    wheels = settings.DOWNLOADS_DIR.glob("*.whl") if settings.DOWNLOADS_DIR.is_dir() else ()
    return max(wheels, key=lambda path: (path.stat().st_mtime, path.name), default=None)


@require_safe
def download(request: HttpRequest, name: str) -> HttpResponse:
    """A wheel or protos.zip; where it is missing, how to make it."""
    path = settings.DOWNLOADS_DIR / name
    if path.suffix not in _TYPES or path.parent != settings.DOWNLOADS_DIR or name.startswith("."):
        raise Http404(f"no download is called {name!r}")
    if not path.is_file():
        return render(request, "pages/no_download.html", {"name": name}, status=404)
    headers = {"Content-Disposition": f'attachment; filename="{path.name}"', "X-Content-Type-Options": "nosniff"}
    return HttpResponse(path.read_bytes(), content_type=_TYPES[path.suffix], headers=headers)
