"""Comparison of sizes with floored quotients: each is an exact quotient less a remainder of a known range."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from typegrad.base.size import ONE, Dim, Floor, Product, has_floor, joined, minus, parts_of

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["differ"]

_Range: TypeAlias = "tuple[Fraction | int, Fraction | int]"
_Ranges: TypeAlias = dict[Product, _Range]
"""The least and the greatest coefficient of each product of names."""

_ZERO: Final = (0, 0)


def differ(a: Dim, b: Dim) -> bool:
    """Whether two known dimensions differ: certainly, or for all but some sizes of their names.

    As a name equals only itself, `Batch` differs from `Time`, from 3 and from `2*Batch`. Floored quotients may be equal
    although their forms differ: `2*((Time + 1)//2)` is `Time` if that is even.
    """
    if a == b or not (has_floor(a) or has_floor(b)):
        return a != b
    ranges = _ranges(minus(a, b))
    constant = ranges.pop(ONE, _ZERO)
    if any(low > 0 or high < 0 for low, high in ranges.values()):
        return True
    return all(each == _ZERO for each in ranges.values()) and (constant[0] > 0 or constant[1] < 0)


def _ranges(dim: Dim) -> _Ranges:
    from fractions import Fraction  # seldom needed, and slow to import

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
    from fractions import Fraction

    share = Fraction(1, atom.divisor)
    ranges: _Ranges = {product: (low * share, high * share) for product, (low, high) in _ranges(atom.dividend).items()}
    _add(ranges, ONE, share - 1, 0)
    return ranges


def _multiplied(first: _Ranges, second: _Ranges) -> _Ranges:
    result: _Ranges = {}
    for a, (low, high) in first.items():
        for b, other in second.items():
            bounds = [each * bound for each in (low, high) for bound in other]
            _add(result, joined(a, b), min(bounds), max(bounds))
    return result


def _add(ranges: _Ranges, product: Product, low: Fraction | int, high: Fraction | int) -> None:
    before = ranges.get(product, _ZERO)
    ranges[product] = before[0] + low, before[1] + high
