"""Tables of a ladder: nobody starves, nobody sits twice, the order of the rows is nothing."""

from hypothesis import given
from hypothesis import strategies as st

from tournaments.formats.ladder import Waiting, ladder_tables

FIELDS = st.lists(
    st.tuples(st.integers(0, 3000), st.integers(0, 900), st.integers(0, 5), st.frozensets(st.integers(0, 14))),
    max_size=15,
).map(lambda rows: [Waiting(i, float(r), float(w), o, last) for i, (r, w, o, last) in enumerate(rows)])


@given(FIELDS, st.integers(2, 7), st.booleans(), st.randoms())
def test_nobody_starves_or_sits_twice(field, seats, is_trusted, random) -> None:  # type: ignore[no-untyped-def]
    tables = ladder_tables(field, seats, is_trusted=is_trusted)
    seated = [entrant for table in tables for entrant in table]
    assert len(seated) == len(set(seated))
    owners = {one.entrant: one.owner for one in field}
    for table in tables:
        assert len(table) == seats
        assert is_trusted or len({owners[entrant] for entrant in table}) == seats
    there_are_enough = len(field) if is_trusted else len(set(owners.values()))
    if there_are_enough >= seats:
        assert min(field, key=lambda one: (-one.waited_s, one.entrant)).entrant in seated
    shuffled = random.sample(field, len(field))
    assert ladder_tables(shuffled, seats, is_trusted=is_trusted) == tables


def test_near_ratings_meet_and_not_at_once_again() -> None:
    field = [
        Waiting(1, 1500, 9, 1, frozenset({2})),
        Waiting(2, 1505, 1, 2),
        Waiting(3, 1540, 1, 3),
        Waiting(4, 2500, 1, 4),
    ]
    assert ladder_tables(field, 2) == [(1, 3)]
    assert ladder_tables(field[:2], 2) == [(1, 2)]
