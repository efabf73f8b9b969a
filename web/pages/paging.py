"""Lists in pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest


@dataclass(frozen=True, slots=True)
class Paged:
    """One page of a list, and what links to the others need."""

    page: Page[Any]
    pages: tuple[int | str, ...]
    query: str
    """The rest of the address's query, ending in `&` unless it is empty."""


def paged(request: HttpRequest, rows: "Sequence[Any] | QuerySet[Model]", size: int) -> Paged:
    """The page that `?page=` asks for; the nearest one where it asks for nonsense."""
    paginator = Paginator(rows, size)
    page = paginator.get_page(request.GET.get("page"))
    rest = request.GET.copy()
    rest.pop("page", None)
    pages = paginator.get_elided_page_range(page.number, on_each_side=1)
    return Paged(page, tuple(pages), f"{rest.urlencode()}&" if rest else "")
