"""Designs: rounds of disjoint tables at which every pair meets equally often.

| entrants, seats | rounds | each pair meets | where from |
|---|---|---|---|
| entrants = seats + 1 | entrants | seats - 1 times | one table, one sits out |
| seats = q, entrants = q^d, q a prime power | (entrants - 1) / (q - 1) | once | lines of affine space, a round a direction |
| entrants a prime power, 1 more than a multiple of seats | entrants | seats - 1 times | cosets, shifted; one sits out |
| as stored below | as stored | as stored | found by a search over starters, counted again by the tests |

A starter is a round (or two) that is shifted modulo a number: entrant p of a full block of `modulus` entrants becomes
(p + shift) within its block, an entrant beyond the full blocks stays. Both the starters and the coset construction are
classical (R. C. Bose, "On the construction of balanced incomplete block designs", 1939). Known gaps: entrants that
neither fit a whole number of tables nor exceed it by one, of which few are stored; beyond the list, numbers of entrants
that are no prime power.
"""

from __future__ import annotations

from tournaments.formats.galois import Field, field_of, prime_power

Rounds = list[list[tuple[int, ...]]]
"""Rounds of disjoint tables of entrants 0 .. n - 1."""


def design_rounds(n: int, seats: int) -> Rounds | None:
    """The rounds of a design for n entrants at tables of `seats` (3 to 14, fewer than n); None where none is known."""
    if n == seats + 1:
        return [[tuple(entrant for entrant in range(n) if entrant != resting)] for resting in range(n)]
    if (n, seats) in STARTERS:
        return _shifted(n, *STARTERS[n, seats])
    field = field_of(n)
    if field is None:
        return None
    lines = field_of(seats)
    if lines is not None and _has_lines(n, seats):
        return _affine(n, lines)
    return _cosets(field, seats) if n % seats == 1 else None


def design_size(n: int, seats: int) -> int | None:
    """How many rounds `design_rounds` has, without building them."""
    if n == seats + 1:
        return n
    if (n, seats) in STARTERS:
        modulus, *starters = STARTERS[n, seats]
        return modulus * len(starters)
    if prime_power(n) is None:
        return None
    if _has_lines(n, seats):
        return (n - 1) // (seats - 1)
    return n if n % seats == 1 else None


def _has_lines(n: int, seats: int) -> bool:
    """Whether n points make an affine space whose lines have so many points."""
    space, line = prime_power(n), prime_power(seats)
    return space is not None and line is not None and space[0] == line[0] and space[1] % line[1] == 0


def _affine(n: int, field: Field) -> Rounds:
    """Parallel lines of the affine space of n points over the field: one round for each direction."""
    q = field.order
    dimensions = next(power for power in range(2, n.bit_length()) if q**power == n)
    times = _times(field)

    def move(point: int, direction: int, steps: int) -> int:
        """point + steps * direction, coordinate by coordinate."""
        return sum(
            field.add(point // q**axis % q, times[steps][direction // q**axis % q]) * q**axis
            for axis in range(dimensions)
        )

    # One direction of each line through 0: the one whose leading coordinate is 1.
    directions = [vector for axis in range(dimensions) for vector in range(q**axis, 2 * q**axis)]
    lines = (
        {tuple(sorted(move(point, direction, steps) for steps in range(q))) for point in range(n)}
        for direction in directions
    )
    return [sorted(round_lines) for round_lines in lines]


def _times(field: Field) -> list[list[int]]:
    powers = field.powers()
    logarithm = {element: power for power, element in enumerate(powers)}
    elements = range(field.order)
    return [[powers[(logarithm[a] + logarithm[b]) % len(powers)] if a and b else 0 for b in elements] for a in elements]


def _cosets(field: Field, seats: int) -> Rounds:
    """The cosets of the roots of unity, shifted by every element, which then sits out."""
    powers = field.powers()
    tables = len(powers) // seats
    cosets = [powers[first::tables] for first in range(tables)]
    return [
        [tuple(sorted(field.add(element, shift) for element in coset)) for coset in cosets]
        for shift in range(field.order)
    ]


def _shifted(n: int, modulus: int, *starters: str) -> Rounds:
    """Every starter under every shift."""
    blocks = n // modulus * modulus

    def move(entrant: int, shift: int) -> int:
        residue = entrant % modulus
        return entrant - residue + (residue + shift) % modulus if entrant < blocks else entrant

    tables = [[[int(entrant) for entrant in table.split()] for table in starter.split("|")] for starter in starters]
    return [
        [tuple(sorted(move(entrant, shift) for entrant in table)) for table in starter]
        for starter in tables
        for shift in range(modulus)
    ]


STARTERS: dict[tuple[int, int], tuple[int, *tuple[str, ...]]] = {
    (5, 3): (
        5,
        "1 3 4",
        "0 3 4",
    ),
    (6, 3): (
        5,
        "0 2 4 | 1 3 5",
        "0 1 2 | 3 4 5",
    ),
    (10, 3): (
        5,
        "0 2 9 | 1 4 7 | 3 5 8",
        "0 1 6 | 3 4 7 | 5 8 9",
    ),
    (12, 3): (
        11,
        "0 4 11 | 1 2 6 | 3 5 8 | 7 9 10",
    ),
    (15, 3): (
        7,
        "0 4 6 | 1 10 14 | 2 7 8 | 3 11 13 | 5 9 12",
    ),
    (18, 3): (
        17,
        "0 13 16 | 1 3 9 | 2 6 14 | 4 5 11 | 7 10 12 | 8 15 17",
    ),
    (21, 3): (
        5,
        "0 7 8 | 1 4 5 | 2 12 19 | 3 10 11 | 6 13 16 | 9 17 20 | 14 15 18",
        "0 4 18 | 1 16 17 | 2 13 20 | 3 8 12 | 5 7 19 | 6 11 14 | 9 10 15",
    ),
    (22, 3): (
        11,
        "0 17 18 | 1 2 14 | 3 8 13 | 4 6 15 | 5 9 16 | 7 10 11 | 12 19 20",
        "0 8 14 | 1 10 20 | 2 16 21 | 3 12 18 | 4 5 9 | 6 11 19 | 13 15 17",
    ),
    (24, 3): (
        23,
        "0 2 18 | 1 4 12 | 3 16 17 | 5 21 23 | 6 10 20 | 7 19 22 | 8 13 14 | 9 11 15",
    ),
    (28, 3): (
        28,
        "0 3 15 | 1 5 22 | 2 6 23 | 4 12 13 | 7 20 21 | 8 11 17 | 9 25 27 | 10 16 18 | 14 19 24",
    ),
    (30, 3): (
        29,
        "0 19 20 | 1 4 28 | 2 7 9 | 3 18 24 | 5 16 26 | 6 21 29 | 8 14 17 | 10 23 27 | 11 15 22 | 12 13 25",
    ),
    (33, 3): (
        32,
        "0 23 27 | 1 21 32 | 2 3 20 | 4 12 14 | 5 16 24 | 6 9 26 | 7 13 29 | 8 10 15 | 11 18 22 | 17 30 31 | 19 25 28",
    ),
    (39, 3): (
        19,
        "0 8 20 | 1 10 23 | 2 27 37 | 3 18 32 | 4 5 31 | 6 13 36 | 7 24 26"
        " | 9 15 30 | 11 29 38 | 12 14 17 | 16 21 25 | 19 22 33 | 28 34 35",
    ),
    (7, 4): (
        7,
        "2 3 4 6",
    ),
    (8, 4): (
        7,
        "0 2 5 6 | 1 3 4 7",
    ),
    (12, 4): (
        11,
        "0 1 2 8 | 3 5 6 10 | 4 7 9 11",
    ),
    (20, 4): (
        19,
        "0 3 4 19 | 1 8 10 17 | 2 7 13 15 | 5 6 9 14 | 11 12 16 18",
    ),
    (21, 4): (
        21,
        "0 1 2 18 | 3 6 11 13 | 4 10 15 19 | 5 8 12 20 | 7 9 16 17",
    ),
    (24, 4): (
        23,
        "0 4 13 21 | 1 7 14 19 | 2 15 22 23 | 3 6 8 12 | 5 16 17 20 | 9 10 11 18",
    ),
    (28, 4): (
        9,
        "0 6 8 20 | 1 5 11 23 | 2 13 18 26 | 3 15 22 27 | 4 9 12 17 | 7 14 16 24 | 10 19 21 25",
    ),
    (32, 4): (
        31,
        "0 2 9 21 | 1 15 18 19 | 3 10 11 31 | 4 8 20 25 | 5 12 28 30 | 6 24 26 29 | 7 16 22 27 | 13 14 17 23",
    ),
    (33, 4): (
        33,
        "0 12 23 24 | 1 9 28 29 | 2 19 22 31 | 3 14 18 21 | 4 15 30 32 | 5 6 8 13 | 7 16 20 26 | 11 17 25 27",
    ),
    (36, 4): (
        35,
        "0 5 23 29 | 1 15 26 28 | 2 18 22 31 | 3 13 30 33 | 4 16 25 32"
        " | 6 20 21 24 | 7 9 10 14 | 8 17 19 27 | 11 12 34 35",
    ),
    (9, 5): (
        9,
        "3 4 6 7 8",
        "0 1 3 6 8",
    ),
    (10, 5): (
        9,
        "0 1 4 6 9 | 2 3 5 7 8",
        "0 5 7 8 9 | 1 2 3 4 6",
    ),
    (15, 5): (
        14,
        "0 3 5 12 13 | 1 2 6 9 14 | 4 7 8 10 11",
        "0 1 6 10 12 | 2 5 7 8 14 | 3 4 9 11 13",
    ),
    (20, 5): (
        19,
        "0 3 4 9 12 | 1 5 7 8 18 | 2 13 14 16 19 | 6 10 11 15 17",
    ),
    (21, 5): (
        21,
        "0 2 5 6 13 | 1 9 11 14 15 | 3 4 8 18 20 | 7 10 16 17 19",
    ),
    (26, 5): (
        26,
        "0 6 8 21 25 | 1 9 13 16 19 | 2 11 17 18 23 | 3 4 7 20 22 | 10 12 14 15 24",
    ),
    (30, 5): (
        29,
        "0 13 26 27 29 | 1 6 7 8 18 | 2 5 14 23 28 | 3 11 15 21 25 | 4 9 17 22 24 | 10 12 16 19 20",
    ),
    (35, 5): (
        34,
        "0 6 14 21 30 | 1 11 12 18 33 | 2 8 23 28 31 | 3 5 7 25 34 | 4 13 24 29 32 | 9 10 19 22 26 | 15 16 17 20 27",
    ),
    (11, 6): (
        11,
        "1 3 4 6 7 8",
    ),
    (12, 6): (
        11,
        "0 4 5 6 8 9 | 1 2 3 7 10 11",
    ),
    (16, 6): (
        16,
        "0 1 3 9 12 15 | 2 5 6 7 11 13",
    ),
    (18, 6): (
        17,
        "0 3 4 5 14 15 | 1 2 7 9 11 17 | 6 8 10 12 13 16",
        "0 5 6 8 9 13 | 1 4 7 10 11 16 | 2 3 12 14 15 17",
    ),
    (24, 6): (
        23,
        "0 1 8 12 21 23 | 2 5 6 10 16 22 | 3 4 9 11 13 18 | 7 14 15 17 19 20",
    ),
    (30, 6): (
        29,
        "0 5 8 14 26 28 | 1 2 4 17 21 23 | 3 7 9 18 22 25 | 6 11 12 13 16 24 | 10 15 19 20 27 29",
    ),
    (13, 7): (
        13,
        "3 4 5 6 7 10 12",
        "1 3 6 7 8 10 11",
    ),
    (14, 7): (
        13,
        "0 4 5 6 8 10 11 | 1 2 3 7 9 12 13",
        "0 5 8 9 11 12 13 | 1 2 3 4 6 7 10",
    ),
    (15, 7): (
        15,
        "0 2 7 8 10 13 14 | 1 3 4 5 6 9 12",
        "0 1 6 9 10 11 13 | 3 4 5 7 8 12 14",
    ),
    (21, 7): (
        20,
        "0 5 7 9 10 13 19 | 1 2 4 11 14 16 20 | 3 6 8 12 15 17 18",
        "0 2 3 4 6 15 19 | 1 7 8 9 13 16 17 | 5 10 11 12 14 18 20",
    ),
    (28, 7): (
        27,
        "0 4 10 12 13 21 26 | 1 5 8 9 11 20 25 | 2 6 7 14 16 23 27 | 3 15 17 18 19 22 24",
    ),
}
"""(entrants, seats): modulus, then the starters, tables divided by bars."""
