"""Which tables of a round share a deal."""

import random
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.formats import Pairing, deal_sets
from tournaments.formats.deal_sets import EXHAUSTIVE, LEAST_TABLES, MOST_TABLES, DealMode, DealSet, GameRef

FIELD, INDEPENDENT = DealMode.FIELD, DealMode.INDEPENDENT


def seated(*sizes: int) -> list[Pairing]:
    """Tables of entrants 0, 1, 2 ... in order."""
    starts = [sum(sizes[:number]) for number in range(len(sizes))]
    return [Pairing(tuple(range(start, start + size))) for start, size in zip(starts, sizes, strict=True)]


def groups(sets: Sequence[DealSet], game: int = 1) -> list[list[int]]:
    """The tables of each set of this game."""
    return [[ref.table for ref in each.games] for each in sets if each.games[0].game == game]


def cut(*sizes: int, owners: dict[int, int] | None = None) -> list[list[int]]:
    return groups(deal_sets(seated(*sizes), 1, FIELD, owners))


def test_independent_games_are_sets_of_their_own() -> None:
    assert deal_sets([Pairing((1, 2)), Pairing((3, 4))], games=2) == (
        DealSet(1, (GameRef(0, 1),)),
        DealSet(2, (GameRef(0, 2),)),
        DealSet(3, (GameRef(1, 1),)),
        DealSet(4, (GameRef(1, 2),)),
    )


def test_a_match_has_a_game() -> None:
    with pytest.raises(ValueError, match="games a match is 0: at least 1"):
        deal_sets([Pairing((1, 2))], games=0)


def test_the_gth_games_of_the_tables_share_a_deal() -> None:
    assert deal_sets(seated(4, 4, 4), 2, FIELD) == (
        DealSet(1, (GameRef(0, 1), GameRef(1, 1), GameRef(2, 1)), FIELD),
        DealSet(2, (GameRef(0, 2), GameRef(1, 2), GameRef(2, 2)), FIELD),
    )


CUTS: dict[str, tuple[tuple[int, ...], list[list[int]]]] = {
    "two tables": ((4, 4), [[0], [1]]),
    "three": ((4, 4, 4), [[0, 1, 2]]),
    "a table of another size plays by itself": ((4, 4, 4, 3), [[0, 1, 2], [3]]),
    "sizes do not mix": ((4, 4, 4, 3, 3, 3), [[0, 1, 2], [3, 4, 5]]),
    "sixteen": ((3,) * 16, [list(range(16))]),
    "seventeen are two sets": ((3,) * 17, [list(range(9)), list(range(9, 17))]),
    "none": ((), []),
}


@pytest.mark.parametrize(("sizes", "tables"), CUTS.values(), ids=CUTS)
def test_a_trusted_field_is_cut_in_as_few_sets_as_there_can_be(sizes: tuple[int, ...], tables: list[list[int]]) -> None:
    assert cut(*sizes) == tables


def test_no_owner_sits_twice_in_a_set() -> None:
    """Owner 99 has a bot at each of the first two tables: both cannot share, and three others are needed for each."""
    owners = {entrant: entrant for entrant in range(24)}
    assert cut(4, 4, 4, 4, owners=owners | {1: 99, 4: 99}) == [[0, 2, 3], [1]]
    assert cut(*(4,) * 6, owners=owners | {1: 99, 4: 99}) == [[0, 2, 3], [1, 4, 5]]
    assert cut(4, 4, 4, owners=owners | {1: 99, 4: 99}) == [[0], [1], [2]]
    assert cut(4, 4, 4, owners=None) == [[0, 1, 2]]


def test_a_table_with_two_bots_of_one_owner_shares_with_nobody() -> None:
    owners = {entrant: entrant for entrant in range(16)}
    assert cut(4, 4, 4, 4, owners=owners | {0: 99, 1: 99}) == [[0], [1, 2, 3]]


def test_full_sets_make_room_for_a_table_that_clashes_with_each() -> None:
    """A third set is opened for it."""
    owners = {entrant: entrant for entrant in range(64)} | {62: 0, 63: 40}
    assert all(len(group) > 1 for group in cut(*(2,) * 32, owners=owners))


@st.composite
def rounds(draw: st.DrawFn) -> tuple[list[Pairing], dict[int, int]]:
    sizes = draw(st.lists(st.sampled_from([2, 3, 3, 4]), max_size=40))
    tables = seated(*sizes)
    owners = draw(st.integers(1, 3 * sum(sizes) + 1))
    chance = draw(st.randoms(use_true_random=False))
    return tables, {entrant: chance.randrange(owners) for entrant in range(sum(sizes))}


@settings(deadline=None)
@given(rounds(), st.integers(1, 3), st.booleans())
def test_what_every_cut_keeps(field: tuple[list[Pairing], dict[int, int]], games: int, is_trusted: bool) -> None:
    tables, owners = field
    sets = deal_sets(tables, games, FIELD, None if is_trusted else owners)
    assert [each.number for each in sets] == list(range(1, len(sets) + 1))
    refs = [ref for each in sets for ref in each.games]
    assert sorted((ref.table, ref.game) for ref in refs) == [
        (table, game) for table in range(len(tables)) for game in range(1, games + 1)
    ]
    for each in sets:
        members = [tables[ref.table] for ref in each.games]
        assert (each.mode is FIELD) == (len(members) > 1)
        assert len(members) == 1 or LEAST_TABLES <= len(members) <= MOST_TABLES
        assert len({table.size for table in members}) == 1
        assert len({ref.game for ref in each.games}) == 1
        owned = [owners[entrant] for table in members for entrant in table.entrants]
        assert len(members) == 1 or is_trusted or len(set(owned)) == len(owned)
    assert all(groups(sets, game) == groups(sets) for game in range(1, games + 1))
    if is_trusted:
        alone = [group[0] for group in groups(sets) if len(group) == 1]
        counts = [sum(other.size == tables[table].size for other in tables) for table in alone]
        assert all(count < LEAST_TABLES for count in counts)


def _fewest_left_over(owned: list[frozenset[int]]) -> int:
    """Every cut of the tables, one by one."""
    if len(owned) < LEAST_TABLES:
        return len(owned)
    first, rest = owned[0], owned[1:]
    found = [1 + _fewest_left_over(rest)]
    for size in range(LEAST_TABLES - 1, len(rest) + 1):
        for chosen in combinations(range(len(rest)), size):
            members = [first, *(rest[at] for at in chosen)]
            if all(a.isdisjoint(b) for a, b in combinations(members, 2)):
                found.append(_fewest_left_over([each for at, each in enumerate(rest) if at not in chosen]))
    return min(found)


@pytest.mark.parametrize("seed", range(60))
def test_up_to_ten_tables_nothing_leaves_fewer_over(seed: int) -> None:
    chance = random.Random(seed)
    tables = seated(*(3,) * chance.randint(3, 8))
    owners = {
        entrant: chance.choice([chance.randrange(12), 100 + entrant]) for table in tables for entrant in table.entrants
    }
    owned = [frozenset(owners[entrant] for entrant in table.entrants) for table in tables]
    twice = [each for each in owned if len(each) < 3]
    left_over = sum(len(group) == 1 for group in groups(deal_sets(tables, 1, FIELD, owners)))
    assert len(tables) <= EXHAUSTIVE
    assert left_over == len(twice) + _fewest_left_over([each for each in owned if len(each) == 3])


def test_a_thousand_entrants_of_few_owners_are_cut_all_the_same() -> None:
    """250 owners of four: each owner's bots are at four tables, which need four sets."""
    tables = seated(*(4,) * 250)
    owners = {entrant: entrant % 250 for entrant in range(1000)}
    assert sum(len(group) == 1 for group in groups(deal_sets(tables, 1, FIELD, owners))) == 0
