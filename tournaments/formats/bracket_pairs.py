"""Brackets at two seats.

A frame of 2^d places, of which those beyond the field are empty: who would meet nobody passes on without a match, in the
losers' side too. In round r of the main side match b is won by one of 2^r neighbouring places: block b.

**Where losers enter.** The loser of block b in round r meets, in the losers' side, the survivor who stands at place
`b xor reversed(r - 1)`: the number r - 1 written backwards in the d - r bits that a block has in that round. Losers of
two rounds can meet the later, the earlier the bits of their numbers differ, and numbers written backwards differ early;
those of neighbouring rounds, where a rematch is likeliest, in the very first bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tournaments.formats.brackets import Draft, FromSeed, Side, Source

_Places = list[Source | None]
"""None: nobody comes from there."""


def draft_pairs(n: int, *, double: bool, third_place: bool) -> Draft:
    """The bracket of n entrants (at least 2) at two seats."""
    draft = Draft()
    depth = (n - 1).bit_length()
    standing: _Places = [FromSeed(seed) if seed <= n else None for seed in seed_order(depth)]
    losers: list[_Places] = []
    for number in range(1, depth + 1):
        standing, beaten = _round(draft, Side.MAIN, number, _neighbours(standing))
        losers.append(beaten)
    if third_place and depth > 1:
        _round(draft, Side.THIRD_PLACE, 1, _neighbours(losers[-2]))
    if double:
        draft.finish(_present(standing), _present(_losers_side(draft, losers)))
    return draft


def seed_order(depth: int) -> list[int]:
    """The seeds of a full frame from top to bottom: 1 8 4 5 2 7 3 6. The best so many meet when so many are left."""
    order = [1]
    for level in range(1, depth + 1):
        order = [seed for better in order for seed in (better, 2**level + 1 - better)]
    return order


def _losers_side(draft: Draft, losers: Sequence[_Places]) -> _Places:
    """Play down those who lose in each round of the main side; who is left meets who has not lost."""
    depth = len(losers)
    standing = losers[0]
    for number in range(1, depth + 1):
        if number > 1:
            entry = _reversed(number - 1, depth - number)
            entering = [losers[number - 1][place ^ entry] for place in range(len(standing))]
            standing, _ = _round(draft, Side.LOSERS, 2 * number - 2, zip(standing, entering, strict=True))
        if number < depth:
            standing, _ = _round(draft, Side.LOSERS, 2 * number - 1, _neighbours(standing))
    return standing


def _reversed(number: int, bits: int) -> int:
    """The lowest so many bits of a number, written backwards."""
    return sum((number >> bit & 1) << (bits - 1 - bit) for bit in range(bits))


def _neighbours(places: _Places) -> Iterator[tuple[Source | None, Source | None]]:
    return zip(places[::2], places[1::2], strict=True)


def _round(
    draft: Draft, side: Side, number: int, pairs: Iterator[tuple[Source | None, Source | None]]
) -> tuple[_Places, _Places]:
    """Winners and losers."""
    winners: _Places = []
    losers: _Places = []
    for one, other in pairs:
        if one is None or other is None:
            winners.append(one or other)
            losers.append(None)
            continue
        winner, loser = draft.meet(side, number, sorted((one, other), key=draft.expected), 1)
        winners.append(winner)
        losers.append(loser)
    return winners, losers


def _present(places: _Places) -> list[Source]:
    return [source for source in places if source is not None]
