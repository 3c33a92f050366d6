# mypy: disable-error-code="misc"
# mypy looks for the reflected comparison of any operand at all, also of types for which this one does not exist.
"""Python operators on operands: `x + y` is `math.Add` of the two, made in the top scope of their graph.

A Python number beside an operand becomes a constant of the operand's type. An operand never changes its type by itself:
int32 + 1.5 and float32 + float64 are errors, for a type checker, too. `==` compares identity, because operands are keys of
dictionaries; `math.Equal` compares values.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, NoReturn, TypeAlias, overload

from typing_extensions import TypeVar

from typegrad.brief import brief
from typegrad.errors import DTypeError
from typegrad.types import TType

if TYPE_CHECKING:
    from types import EllipsisType

    from typegrad.op.core import StridedSlice
    from typegrad.op.linalg import MatMul
    from typegrad.op.math import (
        Abs,
        Add,
        FloorDiv,
        FloorMod,
        Greater,
        GreaterEqual,
        Less,
        LessEqual,
        LogicalAnd,
        LogicalNot,
        LogicalOr,
        Mul,
        Neg,
        Pow,
        RealDiv,
        Sub,
    )
    from typegrad.op.train import BatchMatMul
    from typegrad.operand import Operand
    from typegrad.scope import Scope
    from typegrad.types import TBool, TComplex, TFloating, TInt32, TInt64, TIntegral, TSigned, TUint8

    Index: TypeAlias = "int | slice | EllipsisType | None | Operand[Any, tuple[()]]"

T_co = TypeVar("T_co", bound=TType, covariant=True)
S_co = TypeVar("S_co", bound=tuple[int, ...], default=tuple[Any, ...], covariant=True)


class Operators(Generic[T_co, S_co]):
    """The operators of `Operand`.

    `Operand` is invariant in its element type, this base class is covariant: so `self: Operators[TFloating]` accepts operands of every
    floating-point type, which is how each operator says for which types it exists.
    """

    __slots__ = ()
    __array_ufunc__ = None
    """NumPy leaves `array + operand` to the operand."""

    @overload
    def __add__(self: Operators[TSigned | TUint8, Any], other: Operand[T_co, Any] | int) -> Add[T_co]: ...
    @overload
    def __add__(self: Operators[TFloating, Any], other: Operand[T_co, Any] | float) -> Add[T_co]: ...
    @overload
    def __add__(self: Operators[TComplex, Any], other: Operand[T_co, Any] | complex) -> Add[T_co]: ...
    def __add__(self, other: Any) -> Any:
        """`math.Add`"""
        return _binary("math", "Add", self, other)

    @overload
    def __radd__(self: Operators[TSigned | TUint8, Any], other: int) -> Add[T_co]: ...
    @overload
    def __radd__(self: Operators[TFloating, Any], other: float) -> Add[T_co]: ...
    @overload
    def __radd__(self: Operators[TComplex, Any], other: complex) -> Add[T_co]: ...
    def __radd__(self, other: Any) -> Any:
        """`math.Add`"""
        return _binary("math", "Add", other, self)

    @overload
    def __sub__(self: Operators[TIntegral, Any], other: Operand[T_co, Any] | int) -> Sub[T_co]: ...
    @overload
    def __sub__(self: Operators[TFloating, Any], other: Operand[T_co, Any] | float) -> Sub[T_co]: ...
    @overload
    def __sub__(self: Operators[TComplex, Any], other: Operand[T_co, Any] | complex) -> Sub[T_co]: ...
    def __sub__(self, other: Any) -> Any:
        """`math.Sub`"""
        return _binary("math", "Sub", self, other)

    @overload
    def __rsub__(self: Operators[TIntegral, Any], other: int) -> Sub[T_co]: ...
    @overload
    def __rsub__(self: Operators[TFloating, Any], other: float) -> Sub[T_co]: ...
    @overload
    def __rsub__(self: Operators[TComplex, Any], other: complex) -> Sub[T_co]: ...
    def __rsub__(self, other: Any) -> Any:
        """`math.Sub`"""
        return _binary("math", "Sub", other, self)

    @overload
    def __mul__(self: Operators[TIntegral, Any], other: Operand[T_co, Any] | int) -> Mul[T_co]: ...
    @overload
    def __mul__(self: Operators[TFloating, Any], other: Operand[T_co, Any] | float) -> Mul[T_co]: ...
    @overload
    def __mul__(self: Operators[TComplex, Any], other: Operand[T_co, Any] | complex) -> Mul[T_co]: ...
    def __mul__(self, other: Any) -> Any:
        """`math.Mul`"""
        return _binary("math", "Mul", self, other)

    @overload
    def __rmul__(self: Operators[TIntegral, Any], other: int) -> Mul[T_co]: ...
    @overload
    def __rmul__(self: Operators[TFloating, Any], other: float) -> Mul[T_co]: ...
    @overload
    def __rmul__(self: Operators[TComplex, Any], other: complex) -> Mul[T_co]: ...
    def __rmul__(self, other: Any) -> Any:
        """`math.Mul`"""
        return _binary("math", "Mul", other, self)

    @overload
    def __truediv__(self: Operators[TFloating, Any], other: Operand[T_co, Any] | float) -> RealDiv[T_co]: ...
    @overload
    def __truediv__(self: Operators[TComplex, Any], other: Operand[T_co, Any] | complex) -> RealDiv[T_co]: ...
    def __truediv__(self, other: Any) -> Any:
        """`math.RealDiv`; integers are not divided so, see `math.FloorDiv` and `dtypes.Cast`."""
        return _true_division(self, other)

    @overload
    def __rtruediv__(self: Operators[TFloating, Any], other: float) -> RealDiv[T_co]: ...
    @overload
    def __rtruediv__(self: Operators[TComplex, Any], other: complex) -> RealDiv[T_co]: ...
    def __rtruediv__(self, other: Any) -> Any:
        """`math.RealDiv`; integers are not divided so, see `math.FloorDiv` and `dtypes.Cast`."""
        return _true_division(other, self)

    @overload
    def __floordiv__(self: Operators[TIntegral, Any], other: Operand[T_co, Any] | int) -> FloorDiv[T_co]: ...
    @overload
    def __floordiv__(self: Operators[TFloating, Any], other: Operand[T_co, Any] | float) -> FloorDiv[T_co]: ...
    def __floordiv__(self, other: Any) -> Any:
        """`math.FloorDiv`"""
        return _binary("math", "FloorDiv", self, other)

    @overload
    def __rfloordiv__(self: Operators[TIntegral, Any], other: int) -> FloorDiv[T_co]: ...
    @overload
    def __rfloordiv__(self: Operators[TFloating, Any], other: float) -> FloorDiv[T_co]: ...
    def __rfloordiv__(self, other: Any) -> Any:
        """`math.FloorDiv`"""
        return _binary("math", "FloorDiv", other, self)

    @overload
    def __mod__(self: Operators[TIntegral, Any], other: Operand[T_co, Any] | int) -> FloorMod[T_co]: ...
    @overload
    def __mod__(self: Operators[TFloating, Any], other: Operand[T_co, Any] | float) -> FloorMod[T_co]: ...
    def __mod__(self, other: Any) -> Any:
        """`math.FloorMod`: the result has the divisor's sign."""
        return _binary("math", "FloorMod", self, other)

    @overload
    def __rmod__(self: Operators[TIntegral, Any], other: int) -> FloorMod[T_co]: ...
    @overload
    def __rmod__(self: Operators[TFloating, Any], other: float) -> FloorMod[T_co]: ...
    def __rmod__(self, other: Any) -> Any:
        """`math.FloorMod`: the result has the divisor's sign."""
        return _binary("math", "FloorMod", other, self)

    @overload
    def __pow__(self: Operators[TSigned, Any], other: Operand[T_co, Any] | int) -> Pow[T_co]: ...
    @overload
    def __pow__(self: Operators[TFloating, Any], other: Operand[T_co, Any] | float) -> Pow[T_co]: ...
    @overload
    def __pow__(self: Operators[TComplex, Any], other: Operand[T_co, Any] | complex) -> Pow[T_co]: ...
    def __pow__(self, other: Any) -> Any:
        """`math.Pow`"""
        return _binary("math", "Pow", self, other)

    @overload
    def __rpow__(self: Operators[TSigned, Any], other: int) -> Pow[T_co]: ...
    @overload
    def __rpow__(self: Operators[TFloating, Any], other: float) -> Pow[T_co]: ...
    @overload
    def __rpow__(self: Operators[TComplex, Any], other: complex) -> Pow[T_co]: ...
    def __rpow__(self, other: Any) -> Any:
        """`math.Pow`"""
        return _binary("math", "Pow", other, self)

    @overload
    def __lt__(self: Operators[TIntegral, Any], other: Operand[T_co, Any] | int) -> Less: ...
    @overload
    def __lt__(self: Operators[TFloating, Any], other: Operand[T_co, Any] | float) -> Less: ...
    def __lt__(self, other: Any) -> Any:
        """`math.Less`"""
        return _binary("math", "Less", self, other)

    @overload
    def __le__(self: Operators[TIntegral, Any], other: Operand[T_co, Any] | int) -> LessEqual: ...
    @overload
    def __le__(self: Operators[TFloating, Any], other: Operand[T_co, Any] | float) -> LessEqual: ...
    def __le__(self, other: Any) -> Any:
        """`math.LessEqual`"""
        return _binary("math", "LessEqual", self, other)

    @overload
    def __gt__(self: Operators[TIntegral, Any], other: Operand[T_co, Any] | int) -> Greater: ...
    @overload
    def __gt__(self: Operators[TFloating, Any], other: Operand[T_co, Any] | float) -> Greater: ...
    def __gt__(self, other: Any) -> Any:
        """`math.Greater`"""
        return _binary("math", "Greater", self, other)

    @overload
    def __ge__(self: Operators[TIntegral, Any], other: Operand[T_co, Any] | int) -> GreaterEqual: ...
    @overload
    def __ge__(self: Operators[TFloating, Any], other: Operand[T_co, Any] | float) -> GreaterEqual: ...
    def __ge__(self, other: Any) -> Any:
        """`math.GreaterEqual`"""
        return _binary("math", "GreaterEqual", self, other)

    def __and__(self: Operators[TBool, Any], other: Operand[TBool, Any] | bool) -> LogicalAnd:
        """`math.LogicalAnd`"""
        result: LogicalAnd = _binary("math", "LogicalAnd", self, other)
        return result

    def __rand__(self: Operators[TBool, Any], other: bool) -> LogicalAnd:
        """`math.LogicalAnd`"""
        result: LogicalAnd = _binary("math", "LogicalAnd", other, self)
        return result

    def __or__(self: Operators[TBool, Any], other: Operand[TBool, Any] | bool) -> LogicalOr:
        """`math.LogicalOr`"""
        result: LogicalOr = _binary("math", "LogicalOr", self, other)
        return result

    def __ror__(self: Operators[TBool, Any], other: bool) -> LogicalOr:
        """`math.LogicalOr`"""
        result: LogicalOr = _binary("math", "LogicalOr", other, self)
        return result

    def __invert__(self: Operators[TBool, Any]) -> LogicalNot[S_co]:
        """`math.LogicalNot`"""
        result: LogicalNot[S_co] = _create("math", "LogicalNot", self)
        return result

    def __neg__(self: Operators[TFloating | TSigned | TComplex, Any]) -> Neg[T_co, S_co]:
        """`math.Neg`"""
        result: Neg[T_co, S_co] = _create("math", "Neg", self)
        return result

    def __abs__(self: Operators[TFloating | TSigned, Any]) -> Abs[T_co, S_co]:
        """`math.Abs`"""
        result: Abs[T_co, S_co] = _create("math", "Abs", self)
        return result

    def __matmul__(
        self: Operators[TFloating | TInt32 | TInt64 | TComplex, Any], other: Operand[T_co, Any]
    ) -> MatMul[T_co] | BatchMatMul[T_co]:
        """`linalg.MatMul` of two matrices; `train.BatchMatMul` of stacks of them."""
        result: MatMul[T_co] | BatchMatMul[T_co] = _matmul(self, other)
        return result

    def __getitem__(self, index: Index | tuple[Index, ...]) -> StridedSlice[T_co]:
        """`core.StridedSlice`: integers, slices, `...` and None, as in NumPy; a scalar operand where an int may stand."""
        from typegrad.indexing import strided_slice

        return strided_slice(_scope(self), self, index)

    def __bool__(self) -> NoReturn:
        raise TypeError(
            f"{self!r} has no truth value while the graph is built; use core.Select to choose by value, "
            "or `is None` to ask whether there is an operand"
        )

    if TYPE_CHECKING:
        __iter__: None
        """None, and no `__array__`: else every operand would pass for an `Iterable` and for NumPy's `ArrayLike`."""
    else:

        def __iter__(self):
            raise TypeError(
                f"{self!r} cannot be iterated while the graph is built; core.Unstack makes a list of operands"
            )

        def __array__(self, *args, **keywords):
            raise TypeError(f"{self!r} has no value before the run; session.run gives an array")


def _scope(operand: Any) -> Scope:
    from typegrad.scope import Scope

    return Scope(operand.graph)


def _create(group: str, name: str, *operands: Any) -> Any:
    wrapper = getattr(import_module(f"typegrad.op.{group}"), name)
    return wrapper.create(_scope(operands[0]), *operands)


def _binary(group: str, name: str, x: Any, y: Any) -> Any:
    """Create operation `name` of `x` and `y`, one of which may be a number."""
    from typegrad.tensors import as_tensor, constant

    operand = x if hasattr(type(x), "as_output") else y
    number = y if operand is x else x
    if not hasattr(type(number), "as_output"):
        try:
            tensor, _ = as_tensor(number, operand.dtype)
        except DTypeError as error:
            raise DTypeError(f"{name} of {operand!r} and {brief(number)}: {error}") from None
        made = constant(_scope(operand), tensor, operand.dtype)
        x, y = (x, made) if operand is x else (made, y)
    return _create(group, name, x, y)


def _true_division(x: Any, y: Any) -> Any:
    """`RealDiv`, but not of integers: of those it gives the integer part, which `/` means nowhere in Python."""
    from typegrad.explain import origin
    from typegrad.types import TComplex, TFloating

    operand = (x if hasattr(type(x), "as_output") else y).as_output()
    if not issubclass(operand.dtype, (TFloating, TComplex)):
        raise DTypeError(
            f"/ divides floating-point and complex numbers, not {origin(operand)}: write // for the floor of the quotient, "
            "or convert with dtypes.Cast first"
        )
    return _binary("math", "RealDiv", x, y)


def _matmul(a: Any, b: Any) -> Any:
    if not hasattr(type(b), "as_output"):
        return NotImplemented
    if a.rank == 2 and b.rank == 2:
        return _create("linalg", "MatMul", a, b)
    return import_module("typegrad.op.train").BatchMatMul.create(_scope(a), a, b, a.dtype)
