"""Comparison of sizes with floored quotients, each of which is an exact quotient less a remainder of a known range."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, TypeAlias

from typegrad.base.size import ONE, Dim, Floor, Product, joined, parts_of

__all__ = ["excludes_zero"]

_Range: TypeAlias = tuple[Fraction, Fraction]
_Ranges: TypeAlias = dict[Product, _Range]
"""The least and the greatest coefficient of each product of names."""

_ZERO: Final = (Fraction(0), Fraction(0))


def excludes_zero(difference: Dim) -> bool:
    """Whether a difference is never 0, or is 0 for some sizes of its names only."""
    ranges = _ranges(difference)
    constant = ranges.pop(ONE, _ZERO)
    if any(low > 0 or high < 0 for low, high in ranges.values()):
        return True
    return all(each == _ZERO for each in ranges.values()) and (constant[0] > 0 or constant[1] < 0)


def _ranges(dim: Dim) -> _Ranges:
    terms, divisor = parts_of(dim)
    result: _Ranges = {}
    for product, count in terms.items():
        part: _Ranges = {ONE: (Fraction(count, divisor), Fraction(count, divisor))}
        for atom, power in product:
            if isinstance(atom, str):
                part = {joined(each, ((atom, power),)): bounds for each, bounds in part.items()}
            else:
                for _ in range(power):
                    part = _multiplied(part, _of_quotient(atom))
        for each, bounds in part.items():
            _add(result, each, *bounds)
    return result


def _of_quotient(atom: Floor) -> _Ranges:
    ranges = {
        product: (low / atom.divisor, high / atom.divisor) for product, (low, high) in _ranges(atom.dividend).items()
    }
    _add(ranges, ONE, -Fraction(atom.divisor - 1, atom.divisor), Fraction(0))
    return ranges


def _multiplied(first: _Ranges, second: _Ranges) -> _Ranges:
    result: _Ranges = {}
    for a, (low, high) in first.items():
        for b, other in second.items():
            bounds = [each * bound for each in (low, high) for bound in other]
            _add(result, joined(a, b), min(bounds), max(bounds))
    return result


def _add(ranges: _Ranges, product: Product, low: Fraction, high: Fraction) -> None:
    before = ranges.get(product, _ZERO)
    ranges[product] = before[0] + low, before[1] + high
