"""Python operators on operands: `x + y` makes the operation that TensorFlow makes for it.

A Python number beside an operand becomes a constant of the operand's type. An operand never changes its type by itself:
int32 + 1.5 and float32 + float64 are errors, for a type checker, too. `==` compares identity, because operands are keys of
dictionaries; `math.Equal` compares values.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Protocol, TypeAlias, overload

from typing_extensions import TypeVar

from typegrad.errors import DTypeError
from typegrad.types import TComplex, TFloating, TIntegral, TNumber, TReal, TType

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
    from typegrad.operand import Operand, Output
    from typegrad.scope import Scope
    from typegrad.types import TBool

    Index: TypeAlias = "int | slice | EllipsisType | None | Operand[Any, tuple[()]]"

T = TypeVar("T", bound=TType)
S_co = TypeVar("S_co", bound=tuple[int, ...], default=tuple[Any, ...], covariant=True)
I = TypeVar("I", bound=TIntegral)  # noqa: E741
F = TypeVar("F", bound=TFloating)
C = TypeVar("C", bound=TComplex)
N = TypeVar("N", bound=TNumber)
R = TypeVar("R", bound=TReal)

# mypy does not check a type variable's bound when it binds `self`, but it does check a protocol; Pyright is the other way round.
MYPY = False
if MYPY:

    class IntegralSelf(Protocol[I]):
        """An operand of integers."""

        @property
        def dtype(self) -> type[TIntegral]: ...
        def as_output(self) -> Output[I, Any]: ...

    class FloatingSelf(Protocol[F]):
        """An operand of floats."""

        @property
        def dtype(self) -> type[TFloating]: ...
        def as_output(self) -> Output[F, Any]: ...

    class ComplexSelf(Protocol[C]):
        """An operand of complex numbers."""

        @property
        def dtype(self) -> type[TComplex]: ...
        def as_output(self) -> Output[C, Any]: ...

    class RealSelf(Protocol[R]):
        """An operand of real numbers."""

        @property
        def dtype(self) -> type[TReal]: ...
        def as_output(self) -> Output[R, Any]: ...

    class NumberSelf(Protocol[N]):
        """An operand of numbers."""

        @property
        def dtype(self) -> type[TNumber]: ...
        def as_output(self) -> Output[N, Any]: ...

    class BoolSelf(Protocol):
        """An operand of bools."""

        @property
        def dtype(self) -> type[TBool]: ...
elif TYPE_CHECKING:
    IntegralSelf: TypeAlias = Operand[I, Any]
    FloatingSelf: TypeAlias = Operand[F, Any]
    ComplexSelf: TypeAlias = Operand[C, Any]
    RealSelf: TypeAlias = Operand[R, Any]
    NumberSelf: TypeAlias = Operand[N, Any]
    BoolSelf: TypeAlias = Operand[TBool, Any]


class Operators(Generic[T, S_co]):
    """The operators of `Operand`."""

    __slots__ = ()
    __array_ufunc__ = None
    """NumPy leaves `array + operand` to the operand."""
    @overload
    def __add__(self: IntegralSelf[I], other: Operand[I, Any] | int) -> Add[I]: ...
    @overload
    def __add__(self: FloatingSelf[F], other: Operand[F, Any] | float) -> Add[F]: ...
    @overload
    def __add__(self: ComplexSelf[C], other: Operand[C, Any] | complex) -> Add[C]: ...
    def __add__(self, other: Any) -> Any:
        """`math.Add`"""
        return _binary("math", "Add", self, other)

    @overload
    def __radd__(self: IntegralSelf[I], other: int) -> Add[I]: ...
    @overload
    def __radd__(self: FloatingSelf[F], other: float) -> Add[F]: ...
    @overload
    def __radd__(self: ComplexSelf[C], other: complex) -> Add[C]: ...
    def __radd__(self, other: Any) -> Any:
        """`math.Add`"""
        return _binary("math", "Add", other, self)

    @overload
    def __sub__(self: IntegralSelf[I], other: Operand[I, Any] | int) -> Sub[I]: ...
    @overload
    def __sub__(self: FloatingSelf[F], other: Operand[F, Any] | float) -> Sub[F]: ...
    @overload
    def __sub__(self: ComplexSelf[C], other: Operand[C, Any] | complex) -> Sub[C]: ...
    def __sub__(self, other: Any) -> Any:
        """`math.Sub`"""
        return _binary("math", "Sub", self, other)

    @overload
    def __rsub__(self: IntegralSelf[I], other: int) -> Sub[I]: ...
    @overload
    def __rsub__(self: FloatingSelf[F], other: float) -> Sub[F]: ...
    @overload
    def __rsub__(self: ComplexSelf[C], other: complex) -> Sub[C]: ...
    def __rsub__(self, other: Any) -> Any:
        """`math.Sub`"""
        return _binary("math", "Sub", other, self)

    @overload
    def __mul__(self: IntegralSelf[I], other: Operand[I, Any] | int) -> Mul[I]: ...
    @overload
    def __mul__(self: FloatingSelf[F], other: Operand[F, Any] | float) -> Mul[F]: ...
    @overload
    def __mul__(self: ComplexSelf[C], other: Operand[C, Any] | complex) -> Mul[C]: ...
    def __mul__(self, other: Any) -> Any:
        """`math.Mul`"""
        return _binary("math", "Mul", self, other)

    @overload
    def __rmul__(self: IntegralSelf[I], other: int) -> Mul[I]: ...
    @overload
    def __rmul__(self: FloatingSelf[F], other: float) -> Mul[F]: ...
    @overload
    def __rmul__(self: ComplexSelf[C], other: complex) -> Mul[C]: ...
    def __rmul__(self, other: Any) -> Any:
        """`math.Mul`"""
        return _binary("math", "Mul", other, self)

    @overload
    def __truediv__(self: FloatingSelf[F], other: Operand[F, Any] | float) -> RealDiv[F]: ...
    @overload
    def __truediv__(self: ComplexSelf[C], other: Operand[C, Any] | complex) -> RealDiv[C]: ...
    def __truediv__(self, other: Any) -> Any:
        """`math.RealDiv`; integers are not divided so, see `math.FloorDiv` and `dtypes.Cast`."""
        return _binary("math", "RealDiv", self, other)

    @overload
    def __rtruediv__(self: FloatingSelf[F], other: float) -> RealDiv[F]: ...
    @overload
    def __rtruediv__(self: ComplexSelf[C], other: complex) -> RealDiv[C]: ...
    def __rtruediv__(self, other: Any) -> Any:
        """`math.RealDiv`; integers are not divided so, see `math.FloorDiv` and `dtypes.Cast`."""
        return _binary("math", "RealDiv", other, self)

    @overload
    def __floordiv__(self: IntegralSelf[I], other: Operand[I, Any] | int) -> FloorDiv[I]: ...
    @overload
    def __floordiv__(self: FloatingSelf[F], other: Operand[F, Any] | float) -> FloorDiv[F]: ...
    def __floordiv__(self, other: Any) -> Any:
        """`math.FloorDiv`"""
        return _binary("math", "FloorDiv", self, other)

    @overload
    def __rfloordiv__(self: IntegralSelf[I], other: int) -> FloorDiv[I]: ...
    @overload
    def __rfloordiv__(self: FloatingSelf[F], other: float) -> FloorDiv[F]: ...
    def __rfloordiv__(self, other: Any) -> Any:
        """`math.FloorDiv`"""
        return _binary("math", "FloorDiv", other, self)

    @overload
    def __mod__(self: IntegralSelf[I], other: Operand[I, Any] | int) -> FloorMod[I]: ...
    @overload
    def __mod__(self: FloatingSelf[F], other: Operand[F, Any] | float) -> FloorMod[F]: ...
    def __mod__(self, other: Any) -> Any:
        """`math.FloorMod`: the result has the divisor's sign."""
        return _binary("math", "FloorMod", self, other)

    @overload
    def __rmod__(self: IntegralSelf[I], other: int) -> FloorMod[I]: ...
    @overload
    def __rmod__(self: FloatingSelf[F], other: float) -> FloorMod[F]: ...
    def __rmod__(self, other: Any) -> Any:
        """`math.FloorMod`: the result has the divisor's sign."""
        return _binary("math", "FloorMod", other, self)

    @overload
    def __pow__(self: IntegralSelf[I], other: Operand[I, Any] | int) -> Pow[I]: ...
    @overload
    def __pow__(self: FloatingSelf[F], other: Operand[F, Any] | float) -> Pow[F]: ...
    @overload
    def __pow__(self: ComplexSelf[C], other: Operand[C, Any] | complex) -> Pow[C]: ...
    def __pow__(self, other: Any) -> Any:
        """`math.Pow`"""
        return _binary("math", "Pow", self, other)

    @overload
    def __rpow__(self: IntegralSelf[I], other: int) -> Pow[I]: ...
    @overload
    def __rpow__(self: FloatingSelf[F], other: float) -> Pow[F]: ...
    @overload
    def __rpow__(self: ComplexSelf[C], other: complex) -> Pow[C]: ...
    def __rpow__(self, other: Any) -> Any:
        """`math.Pow`"""
        return _binary("math", "Pow", other, self)

    @overload
    def __lt__(self: IntegralSelf[I], other: Operand[I, Any] | int) -> Less: ...
    @overload
    def __lt__(self: FloatingSelf[F], other: Operand[F, Any] | float) -> Less: ...
    def __lt__(self, other: Any) -> Any:
        """`math.Less`"""
        return _binary("math", "Less", self, other)

    @overload
    def __le__(self: IntegralSelf[I], other: Operand[I, Any] | int) -> LessEqual: ...
    @overload
    def __le__(self: FloatingSelf[F], other: Operand[F, Any] | float) -> LessEqual: ...
    def __le__(self, other: Any) -> Any:
        """`math.LessEqual`"""
        return _binary("math", "LessEqual", self, other)

    @overload
    def __gt__(self: IntegralSelf[I], other: Operand[I, Any] | int) -> Greater: ...
    @overload
    def __gt__(self: FloatingSelf[F], other: Operand[F, Any] | float) -> Greater: ...
    def __gt__(self, other: Any) -> Any:
        """`math.Greater`"""
        return _binary("math", "Greater", self, other)

    @overload
    def __ge__(self: IntegralSelf[I], other: Operand[I, Any] | int) -> GreaterEqual: ...
    @overload
    def __ge__(self: FloatingSelf[F], other: Operand[F, Any] | float) -> GreaterEqual: ...
    def __ge__(self, other: Any) -> Any:
        """`math.GreaterEqual`"""
        return _binary("math", "GreaterEqual", self, other)

    def __and__(self: BoolSelf, other: Operand[TBool, Any] | bool) -> LogicalAnd:
        """`math.LogicalAnd`"""
        result: LogicalAnd = _binary("math", "LogicalAnd", self, other)
        return result

    def __rand__(self: BoolSelf, other: bool) -> LogicalAnd:
        """`math.LogicalAnd`"""
        result: LogicalAnd = _binary("math", "LogicalAnd", other, self)
        return result

    def __or__(self: BoolSelf, other: Operand[TBool, Any] | bool) -> LogicalOr:
        """`math.LogicalOr`"""
        result: LogicalOr = _binary("math", "LogicalOr", self, other)
        return result

    def __ror__(self: BoolSelf, other: bool) -> LogicalOr:
        """`math.LogicalOr`"""
        result: LogicalOr = _binary("math", "LogicalOr", other, self)
        return result

    def __invert__(self: BoolSelf) -> LogicalNot[S_co]:
        """`math.LogicalNot`"""
        result: LogicalNot[S_co] = _create("math", "LogicalNot", self)
        return result

    def __neg__(self: NumberSelf[N]) -> Neg[N, S_co]:
        """`math.Neg`"""
        result: Neg[N, S_co] = _create("math", "Neg", self)
        return result

    def __abs__(self: RealSelf[R]) -> Abs[R, S_co]:
        """`math.Abs`"""
        result: Abs[R, S_co] = _create("math", "Abs", self)
        return result

    def __matmul__(self: NumberSelf[N], other: Operand[N, Any]) -> MatMul[N] | BatchMatMul[N]:
        """`linalg.MatMul` of two matrices; `train.BatchMatMul` of stacks of them."""
        result: MatMul[N] | BatchMatMul[N] = _matmul(self, other)
        return result

    def __getitem__(self, index: Index | tuple[Index, ...]) -> StridedSlice[T]:
        """`core.StridedSlice`: integers, slices, `...` and None, as in NumPy; a scalar operand where an int may stand."""
        from typegrad.indexing import strided_slice

        return strided_slice(_scope(self), self, index)

    def __bool__(self) -> NoReturn:
        raise TypeError(
            f"{self!r} has no truth value while the graph is built; use core.Select to choose by value, "
            "or `is None` to ask whether there is an operand"
        )

    def __iter__(self) -> NoReturn:
        raise TypeError(f"{self!r} cannot be iterated while the graph is built; core.Unpack makes a list of operands")

    def __array__(self, *args: object, **keywords: object) -> NoReturn:
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

    operand = x if hasattr(x, "as_output") else y
    pair = []
    for value in (x, y):
        if not hasattr(value, "as_output"):
            try:
                tensor, _ = as_tensor(value, operand.dtype)
            except DTypeError as error:
                raise DTypeError(f"{name} of {operand!r} and {value!r}: {error}") from None
            value = constant(_scope(operand), tensor, operand.dtype)
        pair.append(value)
    wrapper = getattr(import_module(f"typegrad.op.{group}"), name)
    return wrapper.create(_scope(operand), *pair)


def _matmul(a: Any, b: Any) -> Any:
    if a.rank == 2 and b.rank == 2:
        return _create("linalg", "MatMul", a, b)
    return import_module("typegrad.op.train").BatchMatMul.create(_scope(a), a, b, a.dtype)
