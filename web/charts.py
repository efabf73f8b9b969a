"""Charts drawn on the server as SVG: no library and no script, each with its text beside it.

Geometry is written as presentation attributes and colour as classes (`components.css`), never as `style`, which the
content security policy forbids. Coordinates pass through `_n`, so that no locale can break a path. Where text stands
in a drawing, places are percentages of a box without `viewBox`: the text keeps its size on a phone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil, floor, log10
from typing import Literal

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

ProgressKind = Literal["done", "active", "attention", "void"]
PROGRESS_KINDS = ("done", "active", "attention", "void")
DOTS_AT_MOST = 60
"""More points than this are drawn as a line alone: dots would touch."""
PLOT = (10.0, 98.0, 8.0, 84.0)
"""Left, right, top and bottom of the plot within its box, in percent; the dates stand below."""


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating after one match: `low` and `high` bound its interval, or are both None. `label` names the match."""

    at: datetime
    rating: float
    label: str
    url: str = ""
    low: float | None = None
    high: float | None = None


def rating_chart(points: Sequence[RatingPoint], *, title: str) -> SafeString:
    """A figure: the rating after each match in the order given (not to scale in time), and the same as a table."""
    if not points:
        return format_html('<p class="soft">{}</p>', "No rated match yet: the chart begins with the first.")
    scale = _Scale.around([value for point in points for value in _values(point)], len(points))
    return format_html(
        '<figure class="chart"><figcaption>{title}</figcaption>{svg}{table}</figure>',
        title=title,
        svg=_rating_svg(points, scale, title),
        table=_rating_table(points, title),
    )


def progress_bar(parts: Sequence[tuple[ProgressKind, int]], *, total: int, label: str) -> SafeString:
    """A bar of `total` things, some of each kind, with "m of n" below; what belongs to no part is still to come."""
    _check_progress(parts, total)
    done = sum(count for kind, count in parts if kind in ("done", "void"))
    return format_html(
        '<div class="progress"><svg role="progressbar" aria-label="{label}" aria-valuemin="0" aria-valuenow="{done}"'
        ' aria-valuemax="{total}" viewBox="0 0 100 10" preserveAspectRatio="none">'
        '<rect class="progress-track" width="100" height="10"/>{bars}</svg>'
        '<p class="progress-text"><span>{label}</span><span>{done} of {total}</span></p></div>',
        label=label,
        done=done,
        total=total,
        bars=_progress_bars(parts, total),
    )


def sparkline(values: Sequence[float], *, label: str) -> SafeString:
    """A small line without axes; `label` says in words what it shows. Empty below two values."""
    if len(values) < 2:
        return SafeString("")
    scale = _Scale.around(values, len(values))
    return format_html(
        '<svg class="sparkline" role="img" aria-label="{}" viewBox="0 0 100 100" preserveAspectRatio="none">'
        '<polyline class="chart-line" vector-effect="non-scaling-stroke" points="{}"/></svg>',
        label,
        scale.line(values),
    )


def whisker(
    estimate: float, low: float, high: float, *, axis: tuple[float, float], label: str, reference: float | None = None
) -> SafeString:
    """An estimate with its interval on an axis shared by all rows of a table; `reference` is marked across the axis."""
    if not axis[0] <= low <= estimate <= high <= axis[1]:
        raise ValueError(f"whisker {low!r} <= {estimate!r} <= {high!r} must be in order and within the axis {axis!r}")
    left, middle, right = (_along(value, axis) for value in (low, estimate, high))
    mark = ""
    if reference is not None:
        mark = format_html(
            '<line class="whisker-reference" x1="{0}" x2="{0}" y1="0" y2="100%"/>', _along(reference, axis)
        )
    return format_html(
        '<svg class="whisker" role="img" aria-label="{label}"><line class="whisker-axis" x1="0" x2="100%" y1="50%"'
        ' y2="50%"/>{mark}<line class="whisker-line" x1="{left}" x2="{right}" y1="50%" y2="50%"/>'
        '<line class="whisker-line" x1="{left}" x2="{left}" y1="25%" y2="75%"/>'
        '<line class="whisker-line" x1="{right}" x2="{right}" y1="25%" y2="75%"/>'
        '<circle class="whisker-dot" cx="{middle}" cy="50%" r="5"/></svg>',
        label=label,
        mark=mark,
        left=left,
        middle=middle,
        right=right,
    )


@dataclass(frozen=True, slots=True)
class EvidencePoint:
    """What a comparison knew after so many games."""

    games: int
    evidence: float


def evidence_chart(points: Sequence[EvidencePoint], *, bounds: tuple[float, float], title: str) -> SafeString:
    """A figure: how the evidence of a sequential test went between its bounds, and the same as a table.

    What goes far beyond a bound is drawn a little beyond it: there is nothing more to be decided.
    """
    if not points:
        return format_html('<p class="soft">{}</p>', "The chart begins when the first round of games is over.")
    lower, upper = bounds
    drawn = [0.0, *(min(max(point.evidence, 1.2 * lower), 1.2 * upper) for point in points)]
    scale = _Scale.around([1.2 * lower, 1.2 * upper], len(drawn))
    return format_html(
        '<figure class="chart"><figcaption>{title}</figcaption>{svg}{table}</figure>',
        title=title,
        svg=_evidence_svg(points, drawn, scale, bounds, title),
        table=_evidence_table(points, title),
    )


def _evidence_svg(
    points: Sequence[EvidencePoint],
    drawn: Sequence[float],
    scale: _Scale,
    bounds: tuple[float, float],
    title: str,
) -> SafeString:
    last, (lower, upper) = points[-1], bounds
    between = f"between {_signed(lower)} and {_signed(upper)}"
    words = f"{title}: {_signed(last.evidence)} after {last.games} games, {between}"
    marks = ((upper, f"stronger: {_signed(upper)}"), (0.0, "0"), (lower, f"not stronger: {_signed(lower)}"))
    return format_html(
        '<svg class="chart-plot" role="img" aria-label="{words}">{grid}'
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%">'
        '<polyline class="chart-line" vector-effect="non-scaling-stroke" points="{line}"/></svg>'
        '<circle class="chart-dot chart-dot-last" cx="{x}%" cy="{y}%" r="5"/>'
        '<text class="chart-label" x="{left}%" y="97%">no game</text>'
        '<text class="chart-label" x="100%" y="97%" text-anchor="end">{games} games</text></svg>',
        words=words,
        grid=format_html_join(
            "",
            '<line class="{2}" x1="0" x2="100%" y1="{0}" y2="{0}"/>'
            '<text class="chart-label" x="0" y="{0}" dy="-4">{1}</text>',
            ((_n(scale.y(at)) + "%", text, "chart-grid" if at == 0 else "chart-axis") for at, text in marks),
        ),
        line=scale.line(drawn),
        x=_n(scale.x(len(drawn) - 1)),
        y=_n(scale.y(drawn[-1])),
        left=_n(scale.x(0)),
        games=last.games,
    )


def _evidence_table(points: Sequence[EvidencePoint], title: str) -> SafeString:
    return format_html(
        '<details><summary>{title} as a table</summary><div class="table-wrap" role="region" tabindex="0"'
        ' aria-label="{title}"><table class="table"><thead><tr><th scope="col" class="num">Games</th>'
        '<th scope="col" class="num">Evidence</th></tr></thead><tbody>{rows}</tbody></table></div></details>',
        title=title,
        rows=format_html_join(
            "",
            '<tr><td class="num">{}</td><td class="num">{}</td></tr>',
            ((point.games, _signed(point.evidence, 2)) for point in reversed(points)),
        ),
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    """From position and value to percent of the box."""

    low: float
    high: float
    count: int

    @classmethod
    def around(cls, values: Sequence[float], count: int) -> _Scale:
        low, high = min(values), max(values)
        margin = (high - low) * 0.08 or max(abs(high) * 0.02, 1.0)
        return cls(low - margin, high + margin, count)

    def x(self, position: int) -> float:
        left, right, _, _ = PLOT
        return left + (right - left) * (position / (self.count - 1) if self.count > 1 else 0.5)

    def y(self, value: float) -> float:
        _, _, top, bottom = PLOT
        return bottom - (bottom - top) * (value - self.low) / (self.high - self.low)

    def line(self, values: Sequence[float]) -> str:
        return " ".join(f"{_n(self.x(i))},{_n(self.y(value))}" for i, value in enumerate(values))


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _signed(number: float, digits: int = 1) -> str:
    return f"{number:+.{digits}f}".replace("-", "−")


def _along(value: float, axis: tuple[float, float]) -> str:
    """A place on an axis in percent, with room for half a dot at either end."""
    return _n(4 + 92 * (value - axis[0]) / ((axis[1] - axis[0]) or 1.0)) + "%"


def _values(point: RatingPoint) -> tuple[float, ...]:
    if (point.low is None) != (point.high is None):
        raise ValueError(f"{point.label}: give both bounds of the interval or none, not {point.low!r}, {point.high!r}")
    if point.low is None or point.high is None:
        return (point.rating,)
    return (point.low, point.rating, point.high)


def _ticks(low: float, high: float) -> list[float]:
    """At most six round numbers between low and high."""
    rough = (high - low) / 4
    power = 10.0 ** floor(log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    first = ceil(low / step)
    return [number * step for number in range(first, floor(high / step) + 1)]


def _rating_svg(points: Sequence[RatingPoint], scale: _Scale, title: str) -> SafeString:
    ratings = [point.rating for point in points]
    words = (
        f"{title}: {len(points)} ratings, from {ratings[0]:.0f} to {ratings[-1]:.0f}; "
        f"lowest {min(ratings):.0f}, highest {max(ratings):.0f}"
    )
    return format_html(
        '<svg class="chart-plot" role="img" aria-label="{words}">{grid}'
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%">{band}'
        '<polyline class="chart-line" vector-effect="non-scaling-stroke" points="{line}"/></svg>{dots}{dates}</svg>',
        words=words,
        grid=_grid(scale),
        band=_band(points, scale),
        line=scale.line(ratings),
        dots=_dots(points, scale),
        dates=_dates(points),
    )


def _grid(scale: _Scale) -> SafeString:
    rows = ((_n(scale.y(tick)) + "%", _n(tick)) for tick in _ticks(scale.low, scale.high))
    return format_html_join(
        "",
        '<line class="chart-grid" x1="0" x2="100%" y1="{0}" y2="{0}"/>'
        '<text class="chart-label" x="0" y="{0}" dy="-4">{1}</text>',
        rows,
    )


def _band(points: Sequence[RatingPoint], scale: _Scale) -> SafeString:
    """The interval as a surface, over each unbroken stretch of points that have one."""
    stretches: list[list[tuple[int, float, float]]] = [[]]
    for i, point in enumerate(points):
        if point.low is None or point.high is None:
            stretches.append([])
            continue
        stretches[-1].append((i, point.low, point.high))
    return format_html_join(
        "",
        '<polygon class="chart-band" points="{}"/>',
        ((_outline(part, scale),) for part in stretches if len(part) > 1),
    )


def _outline(part: Sequence[tuple[int, float, float]], scale: _Scale) -> str:
    above = [(i, high) for i, _, high in part]
    below = [(i, low) for i, low, _ in reversed(part)]
    return " ".join(f"{_n(scale.x(i))},{_n(scale.y(value))}" for i, value in above + below)


def _dots(points: Sequence[RatingPoint], scale: _Scale) -> SafeString:
    last = len(points) - 1
    shown = range(len(points)) if len(points) <= DOTS_AT_MOST else (last,)
    return format_html_join(
        "",
        '<circle class="chart-dot{}" cx="{}%" cy="{}%" r="{}"><title>{}: {}</title></circle>',
        (
            (
                " chart-dot-last" if i == last else "",
                _n(scale.x(i)),
                _n(scale.y(points[i].rating)),
                5 if i == last else 3.5,
                points[i].label,
                f"{points[i].rating:.0f}",
            )
            for i in shown
        ),
    )


def _dates(points: Sequence[RatingPoint]) -> SafeString:
    first, last = points[0].at.date().isoformat(), points[-1].at.date().isoformat()
    start = format_html('<text class="chart-label" x="0" y="97%">{}</text>', first)
    if first == last:
        return start
    return start + format_html('<text class="chart-label" x="100%" y="97%" text-anchor="end">{}</text>', last)


def _rating_table(points: Sequence[RatingPoint], title: str) -> SafeString:
    """The newest first, as a reader looks for the last match more often than for the first."""
    return format_html(
        '<details><summary>{title} as a table</summary><div class="table-wrap" role="region" tabindex="0"'
        ' aria-label="{title}"><table class="table"><thead><tr><th scope="col">Date</th><th scope="col">Match</th>'
        '<th scope="col" class="num">Rating</th></tr></thead><tbody>{rows}</tbody></table></div></details>',
        title=title,
        rows=format_html_join(
            "",
            '<tr><td><time datetime="{}">{}</time></td><td>{}</td><td class="num">{}</td></tr>',
            ((p.at.isoformat(), p.at.date().isoformat(), _match(p), _figure(p)) for p in reversed(points)),
        ),
    )


def _match(point: RatingPoint) -> str:
    return format_html('<a href="{}">{}</a>', point.url, point.label) if point.url else point.label


def _figure(point: RatingPoint) -> str:
    if point.low is None or point.high is None:
        return f"{point.rating:.0f}"
    return f"{point.rating:.0f} ({point.low:.0f} to {point.high:.0f})"


def _check_progress(parts: Sequence[tuple[ProgressKind, int]], total: int) -> None:
    for kind, count in parts:
        if kind not in PROGRESS_KINDS:
            raise ValueError(f"progress kind {kind!r} is none of {', '.join(PROGRESS_KINDS)}")
        if count < 0:
            raise ValueError(f"progress of kind {kind!r} is {count}: give 0 or more")
    if sum(count for _, count in parts) > total:
        raise ValueError(f"progress parts {list(parts)!r} add up to more than the total {total}")


def _progress_bars(parts: Sequence[tuple[ProgressKind, int]], total: int) -> SafeString:
    bars, start = [], 0
    for kind, count in parts:
        if count:
            bars.append((kind, _n(100 * start / total), _n(100 * count / total)))
        start += count
    return format_html_join("", '<rect class="progress-{}" x="{}" width="{}" height="10"/>', bars)
