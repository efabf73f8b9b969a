"""Tags and filters of the pages: `{% load pages %}`."""

from datetime import datetime
from fractions import Fraction
from typing import Any

from django import template
from django.conf import settings
from django.template.context import RequestContext
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournaments.models import Bot, BotVersion
from tournaments.ranking.tiebreaks import fraction_text
from web.pages import words
from web.pages.paging import Paged

register = template.Library()

register.filter("figure", words.figure)
register.filter("margin", words.margin)
register.filter("signed1", words.signed1)
register.filter("signed2", words.signed2)
register.filter("milliseconds", words.milliseconds)
register.filter("duration", words.duration)
register.filter("stage_words", words.stage_words)
register.filter("pace_words", words.pace_words)
register.filter("act_words", words.act_words)
register.filter("tiebreak_words", words.tiebreak_words)


@register.filter
def exact(value: Fraction | None) -> str:
    """As a sum is written: `2 1/3`."""
    return "" if value is None else fraction_text(value)


@register.filter
def count_of(count: int, names: str) -> str:
    """`3|count_of:"match,matches"` is "3 matches"."""
    return words.plural(count, *names.split(","))


@register.simple_tag(takes_context=True)
def canonical(context: RequestContext) -> str:
    """The address of this page without its query, on the host that the settings name."""
    return f"{settings.SITE_URL}{context.request.path}"


@register.simple_tag
def moment(at: datetime | None, nothing: str = "–") -> SafeString | str:
    """A point in time, in UTC."""
    if at is None:
        return nothing
    return format_html('<time datetime="{}">{} UTC</time>', at.isoformat(timespec="seconds"), f"{at:%Y-%m-%d %H:%M}")


@register.simple_tag
def day(at: datetime | None, nothing: str = "–") -> SafeString | str:
    if at is None:
        return nothing
    return format_html('<time datetime="{}">{}</time>', at.isoformat(timespec="seconds"), f"{at:%Y-%m-%d}")


@register.inclusion_tag("components/bot.html")
def bot_link(bot: Bot, version: BotVersion | None = None, *, owner: bool = False) -> dict[str, Any]:
    return {
        "name": bot.name,
        "url": reverse("bot", args=[bot.public_id]),
        "version": f"version {version.name}" if version else "",
        "owner": bot.owner.username if owner else "",
    }


@register.inclusion_tag("components/badge.html")
def state(row: Any) -> dict[str, str]:
    """The badge of a tournament, round, match or attempt."""
    return {"status": row.status.replace("_", "-"), "label": row.get_status_display()}


@register.inclusion_tag("components/pagination.html")
def pagination(part: Paged) -> dict[str, Any]:
    return {"page": part.page, "pages": part.pages, "query": part.query}
