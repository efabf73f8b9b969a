"""`manage.py check_league [--data DIR] [--json]`"""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tournaments.services.league_check import LeagueReport, league_check, problem_lines


class Command(BaseCommand):
    help = (
        "Check a whole database: one result a game, ratings by their formula, points that add up, records that replay. "
        "Nothing is written. Exit 1 with a line for each thing that is wrong."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--data", type=Path, metavar="DIR", help="data folder of another site with its own database"
        )
        parser.add_argument("--json", action="store_true", help="print one line of JSON: counts, problems, spreads")

    def handle(self, *args: Any, data: Path | None, json: bool, **options: Any) -> None:
        with _database(data), _progress() as advance:
            report = league_check(on_record=advance)
        if json:
            self.stdout.write(_as_json(report))
        else:
            self._tell(report)
        if report.problems:
            sys.exit(1)

    def _tell(self, report: LeagueReport) -> None:
        for line in problem_lines(report.problems):
            self.stdout.write(line)
        for each in report.spreads:
            sat = "-".join(map(str, each.sittings))
            self.stdout.write(f"seats of {each.bot} in {each.tournament}, stage {each.stage}: {sat} (no error)")
        self.stdout.write(
            f"{report.tournaments} tournaments, {report.matches} matches, {report.games} games, {report.rating_rows} "
            f"rating rows, {report.records} records verified: {len(report.problems) or 'no'} problems"
        )


def _as_json(report: LeagueReport) -> str:
    return json.dumps(asdict(report))


@contextmanager
def _database(data: Path | None) -> Iterator[None]:
    """The file in another site's data folder, for as long as it takes."""
    if data is None:
        yield
        return
    if connection.vendor != "sqlite":
        raise CommandError("--data names a folder with an embedded database: run it without CROWNS_DATABASE_URL")
    file = data / "db.sqlite3"
    if not file.is_file():
        raise CommandError(f"{file} does not exist: --data takes the folder that CROWNS_DATA_DIR names")
    here = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = str(file)
    try:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            raise CommandError(f"{file} is not of this version: run `manage.py migrate` there")
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = here


@contextmanager
def _progress() -> Iterator[Callable[[int], None]]:
    console = Console(stderr=True)
    columns = (TextColumn("records"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("", total=None)

        def advance(records: int) -> None:
            is_first = progress.tasks[0].total is None
            progress.update(bar, total=records, advance=0 if is_first else 1)

        yield advance
