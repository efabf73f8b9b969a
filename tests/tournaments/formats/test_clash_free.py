"""The search for tables at which nobody clashes."""

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.formats.brute import partitions
from tournaments.formats import table_sizes
from tournaments.formats.clash_free import clash_free
from tournaments.formats.swiss_weights import weights_of


@settings(max_examples=150)
@given(st.integers(5, 9), st.integers(3, 5), st.data())
def test_it_finds_tables_exactly_when_there_are_some(n: int, seats: int, data: st.DataObject) -> None:
    pairs = list(combinations(range(n), 2))
    clashing = set(data.draw(st.lists(st.sampled_from(pairs), max_size=len(pairs) // 2)))
    met = [{b: 1 for b in range(n) if (min(a, b), max(a, b)) in clashing} for a in range(n)]
    sizes = table_sizes(n, seats)
    found = clash_free(weights_of([0] * n, range(n), met, [0] * n), sizes)
    possible = any(
        not any(pair in clashing for table in tables for pair in combinations(table, 2))
        for tables in partitions(tuple(range(n)), tuple(sizes))
    )
    assert (found is not None) == possible
    if found is not None:
        assert sorted(map(len, found)) == sorted(sizes)
        assert sorted(place for table in found for place in table) == list(range(n))
        assert not any(pair in clashing for table in found for pair in combinations(sorted(table), 2))
