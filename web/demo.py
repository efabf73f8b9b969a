"""`python -m web.demo`: a league of sixteen bots on this machine, from an empty folder to final tables.

All processes are the real ones: referee, workers, beat, web, and each bot in a process of its own. The data lie in var/demo and are
made afresh at each start.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click
import django
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from bots.cli.arena import Arena, ArenaError, bot_process, initialise, prepared, site_processes
from bots.cli.supervisor import Group, PortUnavailable, ProcessFailed, running

if TYPE_CHECKING:  # models can be imported only once the arena's environment is set
    from tournaments.models import Account, Bot, Tournament
    from tournaments.services.registration import StagePlan

OWNERS = 8
KINDS = ("planner", "greedy", "simple", "random")
BEST = 8
MAX_GAMES = 4
MARK = ".crowns-demo"
POLL_S = 0.25
CONNECT_S = 90


@dataclass(frozen=True, slots=True)
class Login:
    username: str
    password: str


@click.command(help=__doc__)
@click.option("--data", type=click.Path(file_okay=False, path_type=Path), default=Path("var/demo"), show_default=True)
@click.option("--port", default=8000, show_default=True, envvar="DEMO_PORT", help="Port of the site.")
@click.option("--bot-port", default=7070, show_default=True, envvar="DEMO_BOT_PORT", help="Port where bots dial in.")
@click.option("--exit", "exits", is_flag=True, envvar="DEMO_EXIT", help="End once all is played.")
def main(data: Path, port: int, bot_port: int, exits: bool) -> None:
    console = Console(highlight=False)
    try:
        with _terminate_as_interrupt():
            _run(_fresh_arena(data, port, bot_port), console, exits)
    except (PortUnavailable, ProcessFailed, ArenaError) as error:
        raise click.ClickException(str(error)) from error
    except KeyboardInterrupt:
        console.print("stopped")


def _fresh_arena(data: Path, port: int, bot_port: int) -> Arena:
    """An empty folder; one that no demo made is never touched."""
    if data.exists() and any(data.iterdir()) and not (data / MARK).exists():
        raise ArenaError(f"{data} holds something that no demo made: choose another folder with --data")
    arena = prepared(data, "127.0.0.1", port, bot_port)
    for item in arena.data_dir.iterdir():
        shutil.rmtree(item) if item.is_dir() else item.unlink()
    (arena.data_dir / MARK).touch()
    return arena


def _run(arena: Arena, console: Console, exits: bool) -> None:
    console.print("making the database", style="dim")
    organiser = initialise(arena, house_bots=())
    os.environ.update(arena.environment)
    django.setup()
    logins, bots = _make_bots(arena)
    processes = [
        bot_process(arena, bot.name, _token_file(arena, bot), spec=bot.name.split()[0], max_games=MAX_GAMES)
        for bot in bots
    ]
    with running([*site_processes(arena), *processes]) as group:
        _wait_until(group, group.is_ready)
        console.print(f"site  [bold]{arena.site_url}[/]")
        _wait_for_bots(group, console, bots)
        swiss = _play(group, console, "Demo Swiss", _swiss_plan(), bots, trusted=True)
        best = _best(swiss)
        robin = _play(group, console, "Demo Round Robin", _robin_plan(), best, trusted=True)
        for tournament in (swiss, robin):
            _show_table(console, tournament)
        _show_ratings(console)
        _show_checks(console)
        _show_logins(console, arena, Login(organiser["username"], organiser["password"]), logins)
        if exits:
            return
        console.print("the site stays up until Ctrl-C", style="dim")
        _wait_until(group, lambda: False)


def _make_bots(arena: Arena) -> tuple[list[Login], list[Bot]]:
    """Eight owners with two bots each, of two kinds; every kind four times."""
    from tournaments.models import Account
    from tournaments.services.bots import bot_create, bot_rotate_token

    logins = [Login(f"owner{number}", secrets.token_urlsafe(9)) for number in range(1, OWNERS + 1)]
    owners: list[Account] = [Account.objects.create_user(login.username, password=login.password) for login in logins]
    bots = []
    for number in range(2 * OWNERS):
        turn, seat = divmod(number, OWNERS)
        owner, kind = owners[seat], KINDS[(seat + turn) % len(KINDS)]
        bot = bot_create(owner=owner, name=f"{kind} {number // len(KINDS) + 1}")
        _write_token(_token_file(arena, bot), bot_rotate_token(bot=bot, actor=owner))
        bots.append(bot)
    return logins, bots


def _token_file(arena: Arena, bot: Bot) -> Path:
    return arena.data_dir / "tokens" / f"{bot.name}.token"


def _write_token(path: Path, token: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.touch(mode=0o600)
    path.write_text(token)


def _swiss_plan() -> StagePlan:
    from tournaments.services.registration import StagePlan

    return StagePlan(format="swiss", seats=4, rounds=4)


def _robin_plan() -> StagePlan:
    from tournaments.services.registration import StagePlan

    return StagePlan(format="round_robin", seats=2)


def _wait_for_bots(group: Group, console: Console, bots: Sequence[Bot]) -> None:
    from tournaments.models import Presence

    def present() -> int:
        return Presence.objects.values("bot").distinct().count()

    with _progress(console) as progress:
        bar = progress.add_task("bots connect", total=len(bots))
        give_up_at = time.monotonic() + CONNECT_S

        def all_here() -> bool:
            progress.update(bar, completed=(count := present()))
            if time.monotonic() > give_up_at:
                raise ArenaError(f"only {count} of {len(bots)} bots connected within {CONNECT_S} s: see the logs")
            return count >= len(bots)

        _wait_until(group, all_here)


def _play(
    group: Group, console: Console, name: str, plan: StagePlan, bots: Sequence[Bot], *, trusted: bool
) -> Tournament:
    """A tournament from its registration to its end."""
    from tournaments.models import Account, TournamentStatus
    from tournaments.selectors.tournaments import tournament_progress
    from tournaments.services.registration import entrant_enter, tournament_create, tournament_open_registration
    from tournaments.services.running import tournament_start

    organiser = Account.objects.get(is_superuser=True)
    tournament = tournament_create(
        organiser=organiser,
        name=name,
        stages=[plan],
        is_trusted=trusted,
        description="House bots, on one machine.",
    )
    tournament_open_registration(tournament=tournament, actor=organiser)
    for bot in bots:
        entrant_enter(tournament=tournament, bot=bot, actor=bot.owner)
    tournament_start(tournament=tournament, actor=organiser)
    with _progress(console) as progress:
        bar = progress.add_task(name, total=None)

        def has_ended() -> bool:
            seen = tournament_progress(tournament)
            progress.update(bar, completed=seen.games_finished, total=seen.games_planned)
            tournament.refresh_from_db()
            return tournament.status not in (TournamentStatus.RUNNING, TournamentStatus.PAUSED)

        _wait_until(group, has_ended)
    if tournament.status != TournamentStatus.FINISHED:
        raise ArenaError(f"{name} is {tournament.status}: {tournament.status_reason}")
    return tournament


def _best(tournament: Tournament) -> list[Bot]:
    from tournaments.selectors.standings import tournament_standings

    lines = tournament_standings(tournament)[0].lines
    return [line.entrant.bot for line in lines[:BEST]]


def _show_table(console: Console, tournament: Tournament) -> None:
    from tournaments.selectors.standings import tournament_standings

    (standings,) = tournament_standings(tournament)
    table = Table(title=tournament.name, title_justify="left", box=None, header_style="dim")
    for heading, side in (
        ("place", "right"),
        ("bot", "left"),
        ("owner", "left"),
        ("points", "right"),
        ("matches", "right"),
    ):
        table.add_column(heading, justify=side)  # type: ignore[arg-type]  # rich wants a Literal
    for line in standings.lines:
        row, bot = line.row, line.entrant.bot
        table.add_row(
            row.place_text, bot.name, bot.owner.username, f"{float(row.points.value or 0):.2f}", str(row.matches)
        )
    console.print()
    console.print(table)
    console.print(f"repeated meetings: {_repeated_meetings(tournament)}", style="dim")


def _repeated_meetings(tournament: Tournament) -> int:
    """Pairs that met more than once, each time after the first counted."""
    from collections import Counter
    from itertools import combinations

    from tournaments.models import MatchEntrant

    seated: dict[int, list[int]] = {}
    rows = MatchEntrant.objects.filter(match__tournament_round__stage__tournament=tournament, is_current=True)
    for match, entrant in rows.order_by("entrant").values_list("match", "entrant"):
        seated.setdefault(match, []).append(entrant)
    met = Counter(pair for table in seated.values() for pair in combinations(table, 2))
    return sum(times - 1 for times in met.values())


def _show_ratings(console: Console) -> None:
    from tournaments.selectors.ratings import leaderboard

    table = Table(title="Ratings", title_justify="left", box=None, header_style="dim")
    table.add_column("bot")
    table.add_column("Elo", justify="right")
    table.add_column("matches", justify="right")
    for entry in leaderboard():
        table.add_row(entry.row.version.bot.name, f"{entry.row.rating_after:.0f}", str(entry.row.number))
    console.print()
    console.print(table)


def _show_checks(console: Console) -> None:
    """What makes the tables trustworthy, checked here and now."""
    from referee.record.verify import verify_record
    from tournaments.models import GameRecord
    from tournaments.selectors.deals import seed_of
    from tournaments.services.ratings import ratings_rebuild

    records = list(GameRecord.objects.select_related("attempt"))
    bad = [record for record in records if not verify_record(bytes(record.data), seed_of(record.attempt)).ok]
    differences = ratings_rebuild(check=True)
    console.print()
    console.print(
        f"{len(records)} game records, {len(records) - len(bad)} verify; ratings rebuilt: {len(differences)} rows differ"
    )
    if bad or differences:
        raise ArenaError("the league is not sound: see the records and rows named above")


def _show_logins(console: Console, arena: Arena, organiser: Login, logins: Sequence[Login]) -> None:
    table = Table(title="Logins", title_justify="left", box=None, show_header=False)
    for login in (organiser, *logins):
        table.add_row(login.username, login.password)
    console.print()
    console.print(table)
    console.print(f"site  [bold]{arena.site_url}[/]   admin  {arena.site_url}/admin/")


def _wait_until(group: Group, holds: Callable[[], bool]) -> None:
    """Asks again and again; raises ProcessFailed as soon as a process has ended."""
    while not holds():
        group.check()
        time.sleep(POLL_S)


def _progress(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description:<18}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), console=console
    )


@contextmanager
def _terminate_as_interrupt() -> Iterator[None]:
    """SIGTERM ends the demo as Ctrl-C does, so that nothing is left running."""

    def interrupt(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


if __name__ == "__main__":
    sys.exit(main())
