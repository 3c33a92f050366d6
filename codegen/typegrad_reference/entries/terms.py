r"""Formulas as LaTeX: a term is a number times powers; operators on terms add brackets, signs and fractions.

Products are written as elementwise ones: equal factors become a power, divisors one denominator, the number comes
first. So `y * (2 * x) / z` is `\frac{2 y\, x}{z}`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final, TypeAlias

from attrs import evolve, frozen

__all__ = ["Term", "applied", "bracketed", "cases", "compared", "mat_mul", "name", "summed", "transposed"]

_ROOT_OF_PI: Final = math.sqrt(math.pi)

_ATOM: Final = 0
"""Needs brackets nowhere."""
_SCRIPTED: Final = 1
"""Has an exponent or a mark: needs brackets to get another."""
_PRODUCT: Final = 2
"""Needs brackets as a factor, as a sum over an axis does."""
_SUM: Final = 3
"""Needs brackets as a factor, and when it is subtracted."""
_CONDITION: Final = 4


@frozen
class _Base:
    """What is raised to a power."""

    latex: str
    kind: int = _ATOM
    conjugate_of: _Base | None = None

    def within(self, kind: int) -> str:
        """In a place where something of this kind, or looser, needs brackets."""
        return f"({self.latex})" if self.kind >= kind else self.latex

    def conjugate(self) -> _Base:
        return self.conjugate_of or _Base(f"{self.within(_SCRIPTED)}^*", _SCRIPTED, self)


_Powers: TypeAlias = tuple[tuple[_Base, Fraction], ...]


@frozen
class Term:
    """A number times powers."""

    number: float
    powers: _Powers = ()

    def __add__(self, other: Term) -> Term:
        if not self.number or not other.number:
            return other if not self.number else self
        if self.powers == other.powers:
            return evolve(self, number=self.number + other.number)
        sign, added = ("-", (-other).latex_within(_SUM)) if other.number < 0 else ("+", other.latex_within(_CONDITION))
        return _of(f"{self.latex_within(_CONDITION)} {sign} {added}", _SUM)

    def __sub__(self, other: Term) -> Term:
        return self + -other

    def __neg__(self) -> Term:
        return evolve(self, number=-self.number)

    def __mul__(self, other: Term) -> Term:
        exponents: dict[_Base, Fraction] = {}
        for base, exponent in (*self.powers, *other.powers):
            exponents[base] = exponents.get(base, Fraction(0)) + exponent
        powers = tuple((base, exponent) for base, exponent in exponents.items() if exponent)
        number = self.number * other.number
        return Term(number, powers if number else ())

    def __truediv__(self, other: Term) -> Term:
        return self * other.power(-1)

    def power(self, exponent: float) -> Term:
        """This term to the power of a number."""
        return Term(self.number**exponent, tuple((base, of * Fraction(exponent)) for base, of in self.powers))

    def __pow__(self, exponent: Term) -> Term:
        if not exponent.powers:
            return self.power(exponent.number)
        return _of(f"{self.latex_within(_SCRIPTED)}^{{{exponent.latex}}}", _SCRIPTED)

    def conjugate(self) -> Term:
        """The complex conjugate."""
        return Term(self.number, tuple((base.conjugate(), exponent) for base, exponent in self.powers))

    @property
    def base(self) -> _Base:
        """The term as a single base, which can be raised to a power."""
        is_base = self.number == 1 and len(self.powers) == 1 and self.powers[0][1] == 1
        return self.powers[0][0] if is_base else _Base(self.latex, _PRODUCT if self.number >= 0 else _SUM)

    @property
    def latex(self) -> str:
        """The term as LaTeX."""
        numbers = _numbers(abs(self.number))
        above = [(base, exponent) for base, exponent in self.powers if exponent > 0]
        below = [(base, -exponent) for base, exponent in self.powers if exponent < 0]
        up, down = _product(numbers[0], above, alone=self.number > 0), _product(numbers[1], below, alone=True)
        text = f"\\frac{{{up}}}{{{down}}}" if down != "1" else up
        return f"-{text}" if self.number < 0 else text

    def latex_within(self, kind: int) -> str:
        """As LaTeX, in a place where something of this kind, or looser, needs brackets."""
        return self.base.within(kind)


def _of(latex: str, kind: int = _ATOM) -> Term:
    return Term(1, ((_Base(latex, kind), Fraction(1)),))


def _product(number: str, powers: Sequence[tuple[_Base, Fraction]], *, alone: bool) -> str:
    factors = [number] if number != "1" or not powers else []
    alone = alone and len(powers) == 1 and not factors
    factors += [_power(base, exponent, alone=alone) for base, exponent in powers]
    return r"\, ".join(factors)


def _power(base: _Base, exponent: Fraction, *, alone: bool) -> str:
    if exponent == 1:
        return base.latex if alone else base.within(_PRODUCT)
    if exponent == Fraction(1, 2):
        return rf"\sqrt{{{base.latex}}}"
    return (
        f"{base.within(_SCRIPTED)}^{{{exponent}}}"
        if exponent.denominator > 1
        else f"{base.within(_SCRIPTED)}^{exponent}"
    )


def _numbers(number: float) -> tuple[str, str]:
    """The numerator and the denominator of a number: a simple fraction, one over the root of pi, or decimals."""
    over_root = round(number * _ROOT_OF_PI)
    if over_root and math.isclose(number * _ROOT_OF_PI, over_root, rel_tol=1e-6):
        return str(over_root), r"\sqrt{\pi}"
    fraction = Fraction(number).limit_denominator(16)
    if fraction == number:
        return str(fraction.numerator), str(fraction.denominator)
    return f"{number:.6g}", "1"


def name(text: str, *, bar: bool = False) -> Term:
    """The name of an operand; with `bar`, of its gradient."""
    letters = text if len(text) == 1 else rf"\mathrm{{{text}}}".replace("_", r"\_")
    return _of(rf"\bar{{{letters}}}" if bar else letters)


def applied(function: str, *arguments: Term) -> Term:
    """A function, written in LaTeX, of its arguments."""
    listed = r",\, ".join(argument.latex for argument in arguments)
    return _of(f"{function}({listed})")


def bracketed(opening: str, term: Term, closing: str) -> Term:
    """Within brackets of its own, such as bars."""
    return _of(f"{opening}{term.latex}{closing}")


def summed(term: Term, axes: str) -> Term:
    """The sum over axes; "" for all."""
    return _of(rf"\sum{f'_{{{axes}}}' if axes else ''} {term.latex_within(_SUM)}", _PRODUCT)


def compared(sign: str) -> Callable[[Term, Term], Term]:
    """A function that writes the comparison of its two arguments."""
    return lambda x, y: _of(f"{x.latex} {sign} {y.latex}", _CONDITION)


def cases(*branches: tuple[Term, Term], otherwise: Term) -> Term:
    """The first value whose condition holds."""
    rows = [rf"{value.latex} & \text{{if }} {condition.latex}" for value, condition in branches]
    listed = r" \\ ".join([*rows, rf"{otherwise.latex} & \text{{otherwise}}"])
    return _of(rf"\begin{{cases}} {listed} \end{{cases}}")


def mat_mul(x: Term, y: Term) -> Term:
    """The product of matrices."""
    return _of(rf"{x.latex_within(_SUM)}\, {y.latex_within(_SUM)}", _PRODUCT)


def transposed(x: Term) -> Term:
    """The transpose of a matrix; the dagger is the conjugate transpose."""
    original = x.base.conjugate_of
    if original is not None:
        return _of(rf"{original.within(_SCRIPTED)}^\dagger", _SCRIPTED)
    return _of(rf"{x.latex_within(_SCRIPTED)}^\top", _SCRIPTED)
