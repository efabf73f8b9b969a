"""Every measurement of this project: `python -m tests.bench [WORD...]`.

Prints a table and writes build/bench.json. With words only those benches run whose name contains one of them. Meant for a machine
with nothing else to do: the table says which one it was, and how busy.
"""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.bench import field_deals, local_play, memory, pairing, referee, reply_time, site, solver
from tests.bench.report import Row

BENCHES = {
    "solver": solver.rows,
    "local play": local_play.rows,
    "referee": referee.rows,
    "reply time": reply_time.rows,
    "memory": memory.rows,
    "pairing": pairing.rows,
    "field deals": field_deals.rows,
    "site": site.rows,
}
RESULT = Path(__file__).parents[2] / "build" / "bench.json"
WIDTH = 150
"""Columns of the table in a file, where there is no terminal to ask."""
_JSON_FIELDS = ("name", "unit", "ours", "reference", "ratio", "goal", "holds")


def main(words: list[str]) -> int:
    chosen = {name: rows for name, rows in BENCHES.items() if not words or any(word in name for word in words)}
    if not chosen:
        print(f"no bench is called like {' or '.join(words)}: there are {', '.join(BENCHES)}", file=sys.stderr)
        return 2
    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    found: list[Row] = []
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=None)
        for name, rows in chosen.items():
            progress.update(task, description=f"{name} ...")
            for row in rows():
                found.append(row)
                _write(found)
                progress.update(task, description=f"{name}: {row.name}")
    console.print(_table(found))
    console.print(machine())
    return 0


def machine() -> str:
    """Which machine it was, and how busy: `2 x CPU NAME, Linux, CPython 3.11.7, load 0.5, 2026-11-30`."""
    load = f"load {os.getloadavg()[0]:.1f} at the end" if hasattr(os, "getloadavg") else "load unknown"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{os.cpu_count()} x {_processor()}, {platform.system()}, {python}, {load}, {datetime.now(UTC):%Y-%m-%d}"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _write(rows: list[Row]) -> None:
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    kept = [{name: value for name, value in asdict(row).items() if name in _JSON_FIELDS} for row in rows]
    RESULT.write_text(json.dumps(kept, indent=1) + "\n")


def _table(rows: list[Row]) -> Table:
    table = Table("", "unit", "ours", "reference", "ratio", "spread", "goal", "")
    for column in table.columns[2:7]:
        column.justify = "right"
    for row in rows:
        table.add_row(*_cells(row))
        if row.note:
            table.add_row(f"  [dim]{row.note}[/dim]")
    return table


def _cells(row: Row) -> Iterator[str]:
    yield row.name
    yield row.unit
    yield _number(row.ours)
    yield _number(row.reference)
    yield "" if row.ratio is None else f"{row.ratio:.2f}"
    yield "" if row.spread is None else f"{row.spread:.0%}"
    yield "" if row.goal is None else f"{row.goal:g}"
    yield "" if row.goal is None else "[green]holds[/green]" if row.holds else "[red]missed[/red]"


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
