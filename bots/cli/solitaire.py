"""`crowns play --solitaire`: one bot alone, deal after deal, and what that shows."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import sqrt
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from bots.cli.figures import Estimate, Z, estimate
from bots.cli.local_play import Entrant, PlannedGame, PlayedGame, play_game
from bots.cli.many_games import PlayOne
from bots.cli.seeds import attempt_id, deal_seed
from bots.reference import SOLITAIRE_BOTS
from bots.sdk.bot import formats_of
from referee.play.spec import GameSpec
from referee.record.conditions import DealMode, Format, SeatName
from referee.record.game_record import read_record
from referee.record.solitaire_transcript import solitaire_lines
from referee.record.transcript import transcript
from referee.rules.solitaire import PILES, STACK_SIZE, Score, SolitaireConfig, Variant

TABLE_WIDTH = 100
"""Where no terminal says how wide it is."""


def play_solitaire(
    variant: Variant, entrants: Sequence[Entrant], number: int, seed: int, deal_mode: DealMode
) -> PlayedGame:
    """The solitaire of this number, from 1: a `PlayOne` once the variant is given."""
    (entrant,) = entrants
    names = (SeatName(entrant.name, entrant.bot_class.version),)
    game_seed = deal_seed(seed, number)
    spec = GameSpec(attempt_id(seed, number), SolitaireConfig(variant), names, game_seed, deal_mode=deal_mode)
    return play_game(PlannedGame(number, number, game_seed, (0,), spec), entrants)


def playing(variant: Variant) -> PlayOne:
    return partial(play_solitaire, variant)


def require_one_player(entrants: Sequence[Entrant]) -> None:
    """Raises click.UsageError unless it is one bot that plays solitaire."""
    if len(entrants) != 1:
        raise click.UsageError(f"{len(entrants)} bots: solitaire is for one, name one bot.")
    (entrant,) = entrants
    if Format.SOLITAIRE not in formats_of(entrant.bot_class):
        raise click.UsageError(
            f"{entrant.name} plays no solitaire: write a method `solitaire` in its class, "
            f"or choose from {', '.join(SOLITAIRE_BOTS)}."
        )


@dataclass(frozen=True, slots=True)
class SolitaireFigures:
    """One bot over all its deals."""

    name: str
    piles_closed: Estimate
    wins: int
    win_share: tuple[float, float]
    """95 % interval of the share of deals won."""
    cards_used: float | None
    """Mean over the deals won; None if there are none."""
    closed_counts: Counter[int]
    """How often so many piles were closed."""
    faults: int
    retirements: int


def solitaire_figures(name: str, games: Sequence[PlayedGame]) -> SolitaireFigures:
    """Of at least one game."""
    scores = [score_of(game) for game in games]
    won = [score.cards_used for score in scores if score.won]
    faults = [fault for game in games for fault in game.faults[0]]
    return SolitaireFigures(
        name=name,
        piles_closed=estimate([score.piles_closed for score in scores]),
        wins=len(won),
        win_share=share_interval(len(won), len(scores)),
        cards_used=sum(won) / len(won) if won else None,
        closed_counts=Counter(score.piles_closed for score in scores),
        faults=len(faults),
        retirements=sum(fault.retires for fault in faults),
    )


def score_of(game: PlayedGame) -> Score:
    assert game.solitaire is not None, "only solitaires come here"
    return game.solitaire


def share_interval(count: int, total: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, right for few wins and for none."""
    share, z2 = count / total, Z * Z
    middle = (share + z2 / (2 * total)) / (1 + z2 / total)
    half = Z / (1 + z2 / total) * sqrt(share * (1 - share) / total + z2 / (4 * total * total))
    return max(0.0, middle - half), min(1.0, middle + half)


def show(
    name: str,
    games: Sequence[PlayedGame],
    seed: int,
    variant: Variant,
    files: Sequence[Path] | None,
    *,
    as_json: bool,
) -> None:
    """The figures; of a single solitaire, which has its record still, every play too."""
    figures = solitaire_figures(name, games)
    if as_json:
        click.echo(json.dumps(_as_json(figures, games, seed, variant, files)))
        return
    if games[0].record:
        record = read_record(games[0].record)
        for line in solitaire_lines(transcript(record, games[0].seed)):
            click.echo(line)
    else:
        _print_table(figures)
    deals = "1 deal" if len(games) == 1 else f"{len(games)} deals"
    of_many = "" if len(games) == 1 else f": of {PILES} piles and {STACK_SIZE} cards, means with 95 % intervals"
    click.echo(f"{deals}, variant {variant.value}, seed {seed}{of_many}")
    if files:
        click.echo(f"records in {files[0].parent}: crowns verify {files[0].parent / '*.5cgr'}")


def _print_table(figures: SolitaireFigures) -> None:
    columns = ["bot", "piles closed", "won", "share won", "cards used to win"]
    row = [figures.name, _shown(figures.piles_closed), str(figures.wins), _share(figures.win_share)]
    row.append("" if figures.cards_used is None else f"{figures.cards_used:.1f}")
    if figures.faults:
        columns += ["faults", "retired"]
        row += [str(figures.faults), str(figures.retirements)]
    table = Table(*columns)
    for column in table.columns[1:]:
        column.justify = "right"
    table.add_row(*row)
    Console(width=None if sys.stdout.isatty() else TABLE_WIDTH).print(table)


def _shown(value: Estimate) -> str:
    return f"{value.mean:.2f}" if value.half_width is None else f"{value.mean:.2f} ± {value.half_width:.2f}"


def _share(interval: tuple[float, float]) -> str:
    low, high = interval
    return f"{100 * low:.1f} to {100 * high:.1f} %"


def _as_json(
    figures: SolitaireFigures, games: Sequence[PlayedGame], seed: int, variant: Variant, files: Sequence[Path] | None
) -> dict[str, object]:
    low, high = figures.win_share
    piles = figures.piles_closed
    return {
        "games": len(games),
        "seed": seed,
        "solitaire": variant.value,
        "bots": [
            {
                "bot": figures.name,
                "piles_closed": {
                    "mean": round(piles.mean, 4),
                    "low": None if piles.low is None else round(piles.low, 4),
                    "high": None if piles.high is None else round(piles.high, 4),
                },
                "won": figures.wins,
                "share_won": {"low": round(low, 4), "high": round(high, 4)},
                "cards_used_to_win": None if figures.cards_used is None else round(figures.cards_used, 4),
                "deals": [
                    {"won": score.won, "piles_closed": score.piles_closed, "cards_used": score.cards_used}
                    for score in map(score_of, games)
                ],
                "faults": figures.faults,
                "retired": figures.retirements,
            }
        ],
        "records": [str(path) for path in files[: len(games)]] if files else [],
    }
