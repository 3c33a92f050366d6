"""`Formula`: arithmetic on operands and numbers, in one scope and one element type."""

from __future__ import annotations

from typing import Any, Final, TypeAlias, final

from typegrad.base.types import TType
from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope
from typegrad.graph.tensors import constant
from typegrad.op.core import Select
from typegrad.op.dtypes import Cast
from typegrad.op.math import (
    Abs,
    Add,
    Ceil,
    Cos,
    Floor,
    LessEqual,
    Maximum,
    Minimum,
    Mul,
    Pow,
    RealDiv,
    Sign,
    Sqrt,
    Square,
    Sub,
)

__all__ = ["AnyOperand", "Formula"]

AnyOperand: TypeAlias = Operand[Any, Any]
"""An operand of any type and shape."""

_Term: TypeAlias = "AnyOperand | float"


@final
class Formula:
    """Makes operations in `scope`, on operands of type `dtype` and on Python numbers, which become constants of that type."""

    def __init__(self, scope: Scope, dtype: type[TType]) -> None:
        """Formulas in `scope`, on operands of `dtype`."""
        self.scope: Final = scope
        self.dtype: Final = dtype

    def term(self, x: _Term) -> AnyOperand:
        """`x` as an operand of this formula's type."""
        if not isinstance(x, Operand):
            return constant(self.scope, float(x), self.dtype)
        if x.dtype is self.dtype:
            return x
        return Cast.create(self.scope, x, self.dtype)

    def add(self, x: _Term, y: _Term) -> AnyOperand:
        """`x + y`."""
        return Add.create(self.scope, self.term(x), self.term(y))

    def sub(self, x: _Term, y: _Term) -> AnyOperand:
        """`x - y`."""
        return Sub.create(self.scope, self.term(x), self.term(y))

    def mul(self, x: _Term, y: _Term) -> AnyOperand:
        """`x * y`."""
        return Mul.create(self.scope, self.term(x), self.term(y))

    def div(self, x: _Term, y: _Term) -> AnyOperand:
        """`x / y`."""
        return RealDiv.create(self.scope, self.term(x), self.term(y))

    def pow(self, x: _Term, y: _Term) -> AnyOperand:
        """`x ** y`."""
        return Pow.create(self.scope, self.term(x), self.term(y))

    def maximum(self, x: _Term, y: _Term) -> AnyOperand:
        """The larger of `x` and `y`."""
        return Maximum.create(self.scope, self.term(x), self.term(y))

    def minimum(self, x: _Term, y: _Term) -> AnyOperand:
        """The smaller of `x` and `y`."""
        return Minimum.create(self.scope, self.term(x), self.term(y))

    def mix(self, old: _Term, new: _Term, decay: _Term) -> AnyOperand:
        """`decay * old + (1 - decay) * new`, as `old + (1 - decay) * (new - old)`: one step of an exponential moving average."""
        return self.add(old, self.mul(self.sub(1.0, decay), self.sub(new, old)))

    def at_most(self, x: _Term, limit: _Term, then: _Term, otherwise: _Term) -> AnyOperand:
        """`then` if `x <= limit`, else `otherwise`."""
        condition = LessEqual.create(self.scope, self.term(x), self.term(limit))
        return Select.create(self.scope, condition, self.term(then), self.term(otherwise))

    def sqrt(self, x: _Term) -> AnyOperand:
        """The square root of `x`."""
        return Sqrt.create(self.scope, self.term(x))

    def square(self, x: _Term) -> AnyOperand:
        """`x * x`."""
        return Square.create(self.scope, self.term(x))

    def sign(self, x: _Term) -> AnyOperand:
        """-1, 0 or 1."""
        return Sign.create(self.scope, self.term(x))

    def abs(self, x: _Term) -> AnyOperand:
        """The absolute value of `x`."""
        return Abs.create(self.scope, self.term(x))

    def floor(self, x: _Term) -> AnyOperand:
        """The largest integer that is not above `x`."""
        return Floor.create(self.scope, self.term(x))

    def ceil(self, x: _Term) -> AnyOperand:
        """The smallest integer that is not below `x`."""
        return Ceil.create(self.scope, self.term(x))

    def cos(self, x: _Term) -> AnyOperand:
        """The cosine of `x`."""
        return Cos.create(self.scope, self.term(x))
