"""Many games between the same bots: here, or in several processes at once, given back in their order.

What a game is follows from its number and the seed alone, so where it is played changes nothing.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

import click

from bots.cli.bot_spec import load_bot
from bots.cli.local_play import Entrant, PlayedGame, plan_game, play_game
from referee.record.conditions import DealMode

PATIENCE_S = 1.0
"""Starting processes takes about half of this; what is done sooner is done here."""
AHEAD = 2
"""Games handed to each process, so that none waits for the next."""


def entrants_of(bots: Sequence[str]) -> list[Entrant]:
    """What the arguments mean. Bots of one name are told apart by a number."""
    loaded = [load_bot(bot) for bot in bots]
    total, seen, entrants = Counter(bot.name for bot in loaded), Counter[str](), []
    for bot in loaded:
        seen[bot.name] += 1
        name = f"{bot.name} #{seen[bot.name]}" if total[bot.name] > 1 else bot.name
        entrants.append(Entrant(name, bot.bot_class))
    return entrants


PlayOne = Callable[[Sequence[Entrant], int, int, DealMode], PlayedGame]
"""Plays a game by entrants, number from 1, seed and mode. Of a module, for other processes import it."""


def play_planned(entrants: Sequence[Entrant], number: int, seed: int, deal_mode: DealMode) -> PlayedGame:
    """A game in which every entrant sits once."""
    return play_game(plan_game(entrants, number, seed, deal_mode), entrants)


def play_with_playoff(entrants: Sequence[Entrant], number: int, seed: int, deal_mode: DealMode) -> PlayedGame:
    """As `play_planned`; ties for the first place are played off (RULES 20)."""
    return play_game(plan_game(entrants, number, seed, deal_mode, playoff=True), entrants)


@dataclass(frozen=True, slots=True)
class ManyGames:
    bots: tuple[str, ...]
    """As they were named: each process loads them for itself."""
    entrants: Sequence[Entrant]
    games: int
    seed: int
    deal_mode: DealMode
    jobs: int | None
    """Games at a time; None to begin with one and go on with all cores."""
    play_one: PlayOne = play_planned

    def play(self, is_stopped: Callable[[], bool]) -> Generator[PlayedGame]:
        """All games in order; none is begun once `is_stopped` says so, and those at work are still given."""
        began, number = time.monotonic(), 1
        while number <= self.games and not is_stopped():
            if self._jobs_now(time.monotonic() - began) > 1 and number < self.games:
                yield from self._play_in_processes(range(number, self.games + 1), is_stopped)
                return
            yield _play(self.play_one, self.entrants, number, self.seed, self.deal_mode)
            number += 1

    def _jobs_now(self, elapsed_s: float) -> int:
        if self.jobs is None:
            return cores() if elapsed_s >= PATIENCE_S else 1
        return self.jobs

    def _play_in_processes(self, numbers: range, is_stopped: Callable[[], bool]) -> Generator[PlayedGame]:
        jobs = min(self.jobs or cores(), len(numbers))
        start = (os.getcwd(), self.bots, self.seed, self.deal_mode, self.play_one)
        executor = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _start_process, start)
        at_work: deque[Future[PlayedGame]] = deque()
        left = iter(numbers)
        try:
            while True:
                while len(at_work) < jobs * AHEAD and not is_stopped() and (number := next(left, None)):
                    with _deaf_to_ctrl_c():
                        at_work.append(executor.submit(_play_number, number))
                if not at_work:
                    return
                yield at_work.popleft().result()
        except BrokenProcessPool as error:
            raise click.ClickException("a process that played games ended by itself: try --jobs 1.") from error
        except KeyboardInterrupt:  # the second one: a bot may never answer
            for process in multiprocessing.active_children():
                process.terminate()
            raise
        finally:
            executor.shutdown(cancel_futures=True)


def cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0))


def _play(play_one: PlayOne, entrants: Sequence[Entrant], number: int, seed: int, deal_mode: DealMode) -> PlayedGame:
    with contextlib.redirect_stdout(sys.stderr):  # what a bot prints must not mix with the answer
        return play_one(entrants, number, seed, deal_mode)


@contextlib.contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Processes started meanwhile never hear Ctrl-C, which a terminal sends to all; this one hears it at the end."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- In a process that plays


_play_number_here: Callable[[int], PlayedGame]


def _start_process(folder: str, bots: Sequence[str], seed: int, deal_mode: DealMode, play_one: PlayOne) -> None:
    global _play_number_here
    os.chdir(folder)
    with contextlib.redirect_stdout(sys.stderr):
        entrants = entrants_of(bots)

    def play(number: int) -> PlayedGame:
        return _play(play_one, entrants, number, seed, deal_mode)

    _play_number_here = play


def _play_number(number: int) -> PlayedGame:
    return _play_number_here(number)
