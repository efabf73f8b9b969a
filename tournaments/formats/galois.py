"""Finite fields of a few hundred elements at most, for building designs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True, slots=True)
class Field:
    """GF(prime^degree). Elements are 0 .. order-1, read as polynomials by their digits in base `prime`."""

    prime: int
    degree: int
    modulus: tuple[int, ...]
    """Coefficients c0 .. c(degree-1) of x^degree = c0 + c1 x + ...; x generates the field without 0."""

    @property
    def order(self) -> int:
        return int(self.prime**self.degree)

    def digits(self, element: int) -> tuple[int, ...]:
        return tuple(element // self.prime**power % self.prime for power in range(self.degree))

    def number(self, digits: tuple[int, ...]) -> int:
        return sum(digit * self.prime**power for power, digit in enumerate(digits))

    def add(self, a: int, b: int) -> int:
        if self.degree == 1:
            return (a + b) % self.prime
        return self.number(tuple((x + y) % self.prime for x, y in zip(self.digits(a), self.digits(b), strict=True)))

    def powers(self) -> tuple[int, ...]:
        """1, x, x^2, ...: every element but 0 once."""
        row, current = [], (1, *(0,) * (self.degree - 1))
        for _ in range(self.order - 1):
            row.append(self.number(current))
            current = self._times_x(current)
        return tuple(row)

    def _times_x(self, digits: tuple[int, ...]) -> tuple[int, ...]:
        carry = digits[-1]
        shifted = (0, *digits[:-1])
        return tuple((digit + carry * back) % self.prime for digit, back in zip(shifted, self.modulus, strict=True))


def prime_power(order: int) -> tuple[int, int] | None:
    """The prime and the power of it that gives the number; None if there are none."""
    prime = next((number for number in range(2, order + 1) if order % number == 0), 0)
    degree = next((power for power in range(1, order.bit_length()) if prime**power == order), 0)
    return (prime, degree) if degree else None


def field_of(order: int) -> Field | None:
    """The field with so many elements; None if the order is no prime power."""
    powers = prime_power(order)
    if powers is None:
        return None
    prime, degree = powers
    candidates = (Field(prime, degree, modulus) for modulus in product(range(prime), repeat=degree))
    return next(field for field in candidates if len(set(field.powers())) == order - 1 and 0 not in field.powers())
