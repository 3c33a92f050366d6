# mypy: disable-error-code="misc"
# mypy looks for the reflected comparison of any operand at all, also of types for which this one does not exist.
"""Python operators on operands: `x + y` is `math.AddV2` of the two, made in the current scope of their graph.

A number, a list or an array beside an operand becomes a constant of the operand's type. An operand never changes its
type by itself: int32 + 1.5 and float32 + float64 are errors, for a type checker, too. `==` asks whether two operands
are the same output, because operands are keys of dictionaries; `math.Equal` compares values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Generic, NoReturn, TypeAlias, overload

from typing_extensions import TypeVar

from typegrad.base.errors import DTypeError, ShapeError
from typegrad.base.types import (
    TBool,
    TComplex,
    TComplex64,
    TFloat32,
    TFloat64,
    TFloating,
    TIntegral,
    TResource,
    TString,
    TType,
)
from typegrad.graph import later
from typegrad.graph.explain import origin
from typegrad.graph.indexing import indexed
from typegrad.graph.operand_like import MYPY, is_operand
from typegrad.graph.operator_table import path_of
from typegrad.graph.refusals import (
    NO_FLOOR,
    NO_PRODUCT,
    NO_TRUTH,
    NO_VALUE,
    NOT_IN_PLACE,
    NUMPY_OPERATORS,
    REFUSED,
    beside_numpy,
    no_division,
    not_iterated,
)
from typegrad.graph.tensors import as_array, operand_value

if TYPE_CHECKING:
    from types import EllipsisType

    import numpy as np
    from numpy.typing import NDArray

    from typegrad.base.types import TComplex128, TInt16, TInt32, TInt64, TNumber, TReal, TSigned
    from typegrad.graph.operand import Operand
    from typegrad.graph.values import (
        BoolLike,
        ComplexArray,
        ComplexLike,
        FloatArray,
        FloatLike,
        IntegerLike,
        StringLike,
    )

    _Scalar: TypeAlias = "Operand[TInt16, tuple[()]] | Operand[TInt32, tuple[()]] | Operand[TInt64, tuple[()]]"
    Index: TypeAlias = "int | np.integer[Any] | slice | EllipsisType | None | _Scalar"
    Dims: TypeAlias = Any
    """The dimensions of the result, which follow from the operands. Only the plugin infers them."""

E_co = TypeVar("E_co", covariant=True)
T_co = TypeVar("T_co", bound=TType, covariant=True)
S_co = TypeVar("S_co", bound=tuple[Any, ...], default=tuple[Any, ...], covariant=True)
"""The static shape as a class parameter."""


class Fetchable(Generic[E_co, S_co]):
    """What a run fetches as an array. Unlike an operand's, its element type may be a protocol."""

    __slots__ = ()


class Operators(Fetchable[T_co, S_co], Generic[T_co, S_co]):
    """The operators of `Operand`.

    `Operand` is invariant in its element type, this base class is covariant: so `self: Operators[TFloating]` accepts
    operands of every floating-point type, which is how each operator says for which types it exists.
    """

    __slots__ = ()

    @overload
    def __add__(self: Operators[TNumber], other: Operand[T_co] | IntegerLike) -> Operand[T_co, Dims]: ...
    @overload
    def __add__(self: Operators[TFloating | TComplex], other: Operand[T_co] | FloatLike) -> Operand[T_co, Dims]: ...
    @overload
    def __add__(self: Operators[TComplex], other: Operand[T_co] | ComplexLike) -> Operand[T_co, Dims]: ...
    @overload
    def __add__(self: Operators[TString], other: Operand[T_co] | StringLike) -> Operand[T_co, Dims]: ...
    def __add__(self, other: object) -> object:
        """`math.AddV2`; `math.Add` of strings."""
        return _made("add", self, self, other)

    @overload
    def __radd__(self: Operators[TNumber], other: IntegerLike) -> Operand[T_co, Dims]: ...
    @overload
    def __radd__(self: Operators[TFloating | TComplex], other: FloatLike) -> Operand[T_co, Dims]: ...
    @overload
    def __radd__(self: Operators[TComplex], other: ComplexLike) -> Operand[T_co, Dims]: ...
    @overload
    def __radd__(self: Operators[TString], other: StringLike) -> Operand[T_co, Dims]: ...
    def __radd__(self, other: object) -> object:
        """`math.AddV2`; `math.Add` of strings."""
        return _made("add", self, other, self)

    @overload
    def __sub__(self: Operators[TNumber], other: Operand[T_co] | IntegerLike) -> Operand[T_co, Dims]: ...
    @overload
    def __sub__(self: Operators[TFloating | TComplex], other: Operand[T_co] | FloatLike) -> Operand[T_co, Dims]: ...
    @overload
    def __sub__(self: Operators[TComplex], other: Operand[T_co] | ComplexLike) -> Operand[T_co, Dims]: ...
    def __sub__(self, other: object) -> object:
        """`math.Sub`"""
        return _made("sub", self, self, other)

    @overload
    def __rsub__(self: Operators[TNumber], other: IntegerLike) -> Operand[T_co, Dims]: ...
    @overload
    def __rsub__(self: Operators[TFloating | TComplex], other: FloatLike) -> Operand[T_co, Dims]: ...
    @overload
    def __rsub__(self: Operators[TComplex], other: ComplexLike) -> Operand[T_co, Dims]: ...
    def __rsub__(self, other: object) -> object:
        """`math.Sub`"""
        return _made("sub", self, other, self)

    @overload
    def __mul__(self: Operators[TNumber], other: Operand[T_co] | IntegerLike) -> Operand[T_co, Dims]: ...
    @overload
    def __mul__(self: Operators[TFloating | TComplex], other: Operand[T_co] | FloatLike) -> Operand[T_co, Dims]: ...
    @overload
    def __mul__(self: Operators[TComplex], other: Operand[T_co] | ComplexLike) -> Operand[T_co, Dims]: ...
    def __mul__(self, other: object) -> object:
        """`math.Mul`"""
        return _made("mul", self, self, other)

    @overload
    def __rmul__(self: Operators[TNumber], other: IntegerLike) -> Operand[T_co, Dims]: ...
    @overload
    def __rmul__(self: Operators[TFloating | TComplex], other: FloatLike) -> Operand[T_co, Dims]: ...
    @overload
    def __rmul__(self: Operators[TComplex], other: ComplexLike) -> Operand[T_co, Dims]: ...
    def __rmul__(self, other: object) -> object:
        """`math.Mul`"""
        return _made("mul", self, other, self)

    @overload
    def __truediv__(self: Operators[TFloating | TComplex], other: Operand[T_co] | FloatLike) -> Operand[T_co, Dims]: ...
    @overload
    def __truediv__(self: Operators[TComplex], other: Operand[T_co] | ComplexLike) -> Operand[T_co, Dims]: ...
    def __truediv__(self, other: object) -> object:
        """`math.RealDiv`; for integers, see `math.FloorDiv` and `dtypes.Cast`."""
        return _true_division(self, self, other)

    @overload
    def __rtruediv__(self: Operators[TFloating | TComplex], other: FloatLike) -> Operand[T_co, Dims]: ...
    @overload
    def __rtruediv__(self: Operators[TComplex], other: ComplexLike) -> Operand[T_co, Dims]: ...
    def __rtruediv__(self, other: object) -> object:
        """`math.RealDiv`; for integers, see `math.FloorDiv` and `dtypes.Cast`."""
        return _true_division(self, other, self)

    @overload
    def __floordiv__(self: Operators[TReal], other: Operand[T_co] | IntegerLike) -> Operand[T_co, Dims]: ...
    @overload
    def __floordiv__(self: Operators[TFloating], other: Operand[T_co] | FloatLike) -> Operand[T_co, Dims]: ...
    def __floordiv__(self, other: object) -> object:
        """`math.FloorDiv`"""
        return _made("floordiv", self, self, other)

    @overload
    def __rfloordiv__(self: Operators[TReal], other: IntegerLike) -> Operand[T_co, Dims]: ...
    @overload
    def __rfloordiv__(self: Operators[TFloating], other: FloatLike) -> Operand[T_co, Dims]: ...
    def __rfloordiv__(self, other: object) -> object:
        """`math.FloorDiv`"""
        return _made("floordiv", self, other, self)

    @overload
    def __mod__(self: Operators[TReal], other: Operand[T_co] | IntegerLike) -> Operand[T_co, Dims]: ...
    @overload
    def __mod__(self: Operators[TFloating], other: Operand[T_co] | FloatLike) -> Operand[T_co, Dims]: ...
    def __mod__(self, other: object) -> object:
        """`math.FloorMod`: the result has the divisor's sign."""
        return _made("mod", self, self, other)

    @overload
    def __rmod__(self: Operators[TReal], other: IntegerLike) -> Operand[T_co, Dims]: ...
    @overload
    def __rmod__(self: Operators[TFloating], other: FloatLike) -> Operand[T_co, Dims]: ...
    def __rmod__(self, other: object) -> object:
        """`math.FloorMod`: the result has the divisor's sign."""
        return _made("mod", self, other, self)

    @overload
    def __pow__(
        self: Operators[TSigned | TFloating | TComplex], other: Operand[T_co] | IntegerLike
    ) -> Operand[T_co, Dims]: ...
    @overload
    def __pow__(self: Operators[TFloating | TComplex], other: Operand[T_co] | FloatLike) -> Operand[T_co, Dims]: ...
    @overload
    def __pow__(self: Operators[TComplex], other: Operand[T_co] | ComplexLike) -> Operand[T_co, Dims]: ...
    def __pow__(self, other: object) -> object:
        """`math.Pow`"""
        return _made("pow", self, self, other)

    @overload
    def __rpow__(self: Operators[TSigned | TFloating | TComplex], other: IntegerLike) -> Operand[T_co, Dims]: ...
    @overload
    def __rpow__(self: Operators[TFloating | TComplex], other: FloatLike) -> Operand[T_co, Dims]: ...
    @overload
    def __rpow__(self: Operators[TComplex], other: ComplexLike) -> Operand[T_co, Dims]: ...
    def __rpow__(self, other: object) -> object:
        """`math.Pow`"""
        return _made("pow", self, other, self)

    @overload
    def __lt__(self: Operators[TReal], other: Operand[T_co] | IntegerLike) -> Operand[TBool, Dims]: ...
    @overload
    def __lt__(self: Operators[TFloating], other: Operand[T_co] | FloatLike) -> Operand[TBool, Dims]: ...
    def __lt__(self, other: object) -> object:
        """`math.Less`"""
        return _made("lt", self, self, other)

    @overload
    def __le__(self: Operators[TReal], other: Operand[T_co] | IntegerLike) -> Operand[TBool, Dims]: ...
    @overload
    def __le__(self: Operators[TFloating], other: Operand[T_co] | FloatLike) -> Operand[TBool, Dims]: ...
    def __le__(self, other: object) -> object:
        """`math.LessEqual`"""
        return _made("le", self, self, other)

    @overload
    def __gt__(self: Operators[TReal], other: Operand[T_co] | IntegerLike) -> Operand[TBool, Dims]: ...
    @overload
    def __gt__(self: Operators[TFloating], other: Operand[T_co] | FloatLike) -> Operand[TBool, Dims]: ...
    def __gt__(self, other: object) -> object:
        """`math.Greater`"""
        return _made("gt", self, self, other)

    @overload
    def __ge__(self: Operators[TReal], other: Operand[T_co] | IntegerLike) -> Operand[TBool, Dims]: ...
    @overload
    def __ge__(self: Operators[TFloating], other: Operand[T_co] | FloatLike) -> Operand[TBool, Dims]: ...
    def __ge__(self, other: object) -> object:
        """`math.GreaterEqual`"""
        return _made("ge", self, self, other)

    @overload
    def __and__(self: Operators[TBool], other: Operand[TBool] | BoolLike) -> Operand[TBool, Dims]: ...
    @overload
    def __and__(self: Operators[TIntegral], other: Operand[T_co] | IntegerLike) -> Operand[T_co, Dims]: ...
    def __and__(self, other: object) -> object:
        """`math.LogicalAnd` of bools, `bitwise.BitwiseAnd` of integers."""
        return _made("and", self, self, other)

    @overload
    def __rand__(self: Operators[TBool], other: BoolLike) -> Operand[TBool, Dims]: ...
    @overload
    def __rand__(self: Operators[TIntegral], other: IntegerLike) -> Operand[T_co, Dims]: ...
    def __rand__(self, other: object) -> object:
        """`math.LogicalAnd` of bools, `bitwise.BitwiseAnd` of integers."""
        return _made("and", self, other, self)

    @overload
    def __or__(self: Operators[TBool], other: Operand[TBool] | BoolLike) -> Operand[TBool, Dims]: ...
    @overload
    def __or__(self: Operators[TIntegral], other: Operand[T_co] | IntegerLike) -> Operand[T_co, Dims]: ...
    def __or__(self, other: object) -> object:
        """`math.LogicalOr` of bools, `bitwise.BitwiseOr` of integers."""
        return _made("or", self, self, other)

    @overload
    def __ror__(self: Operators[TBool], other: BoolLike) -> Operand[TBool, Dims]: ...
    @overload
    def __ror__(self: Operators[TIntegral], other: IntegerLike) -> Operand[T_co, Dims]: ...
    def __ror__(self, other: object) -> object:
        """`math.LogicalOr` of bools, `bitwise.BitwiseOr` of integers."""
        return _made("or", self, other, self)

    @overload
    def __xor__(self: Operators[TBool], other: Operand[TBool] | BoolLike) -> Operand[TBool, Dims]: ...
    @overload
    def __xor__(self: Operators[TIntegral], other: Operand[T_co] | IntegerLike) -> Operand[T_co, Dims]: ...
    def __xor__(self, other: object) -> object:
        """`bitwise.BitwiseXor` of integers; of bools, `math.NotEqual`."""
        return _made("xor", self, self, other)

    @overload
    def __rxor__(self: Operators[TBool], other: BoolLike) -> Operand[TBool, Dims]: ...
    @overload
    def __rxor__(self: Operators[TIntegral], other: IntegerLike) -> Operand[T_co, Dims]: ...
    def __rxor__(self, other: object) -> object:
        """`bitwise.BitwiseXor` of integers; of bools, `math.NotEqual`."""
        return _made("xor", self, other, self)

    def __invert__(self: Operators[TBool | TIntegral]) -> Operand[T_co, S_co]:
        """`math.LogicalNot` of bools, `bitwise.Invert` of integers."""
        result: Operand[T_co, S_co] = _made("invert", self, self)
        return result

    def __neg__(self: Operators[TFloating | TSigned | TComplex]) -> Operand[T_co, S_co]:
        """`math.Neg`"""
        result: Operand[T_co, S_co] = _made("neg", self, self)
        return result

    @overload
    def __abs__(self: Operators[TFloating | TSigned]) -> Operand[T_co, S_co]: ...
    @overload
    def __abs__(self: Operators[TComplex64]) -> Operand[TFloat32, S_co]: ...
    @overload
    def __abs__(self: Operators[TComplex128]) -> Operand[TFloat64, S_co]: ...
    def __abs__(self) -> object:
        """`math.Abs`; `math.ComplexAbs` of complex numbers, which is real."""
        return _absolute(self)

    @overload
    def __matmul__(
        self: Operators[TFloating | TComplex | TInt32 | TInt64], other: Operand[T_co] | FloatArray
    ) -> Operand[T_co, Dims]: ...
    @overload
    def __matmul__(self: Operators[TComplex], other: Operand[T_co] | ComplexArray) -> Operand[T_co, Dims]: ...
    def __matmul__(self, other: object) -> object:
        """`linalg.MatMul` of two matrices; `train.BatchMatMul` of stacks of them."""
        return _product(self, self, other)

    @overload
    def __rmatmul__(
        self: Operators[TFloating | TComplex | TInt32 | TInt64], other: FloatArray
    ) -> Operand[T_co, Dims]: ...
    @overload
    def __rmatmul__(self: Operators[TComplex], other: ComplexArray) -> Operand[T_co, Dims]: ...
    def __rmatmul__(self, other: object) -> object:
        """`linalg.MatMul` of two matrices; `train.BatchMatMul` of stacks of them."""
        return _product(self, other, self)

    def __getitem__(self, index: Index | tuple[Index, ...] | Operand[TBool] | NDArray[np.bool_]) -> Operand[T_co, Dims]:
        """`core.StridedSlice`: integers, slices, `...` and None, as in NumPy; a scalar operand in place of an int.

        A mask (bools, of the shape of the first dimensions) selects with `core.Gather`, as TensorFlow's `boolean_mask`
        does.
        """
        result: Operand[T_co, Dims] = _index(self, index)
        return result

    if MYPY:  # what follows `if x` would be unreachable, were `__bool__` to return never, or a final class to have none

        def __bool__(self) -> object: ...  # pyright: ignore[reportRedeclaration]  # with bool, `max` would take operands
    else:

        def __bool__(self) -> NoReturn:  # Pyright reports each use
            raise TypeError(f"{self!r} {NO_TRUTH}")

    if TYPE_CHECKING:
        __iter__: None
        """None, and no `__array__`: else every operand would pass for an `Iterable` and for NumPy's `ArrayLike`."""
        __array_ufunc__: None
        """NumPy leaves `array + operand` to the operand."""
    else:

        def __array_ufunc__(self, function, method, *inputs, **options):
            """NumPy's functions for operators do what the operators do; `array + operand` calls this, too."""
            name = function.__name__
            if name in ("equal", "not_equal"):
                return self == inputs[inputs[0] is self] if name == "equal" else self != inputs[inputs[0] is self]
            if name in NUMPY_OPERATORS and "out" in options:
                raise TypeError(f"{self!r} {NOT_IN_PLACE}")
            if name not in NUMPY_OPERATORS or method != "__call__" or options:
                raise TypeError(beside_numpy(repr(self), name))
            left, right = NUMPY_OPERATORS[name]
            return getattr(self, left)(inputs[1]) if inputs[0] is self else getattr(self, right)(inputs[0])

        def __array_function__(self, function, types, args, keywords):
            name = f"{function.__module__}.{function.__name__}".removeprefix("numpy.")
            raise TypeError(beside_numpy(repr(self), name))

        def __format__(self, form):
            if form:
                raise TypeError(f"{self!r} {NO_VALUE}")
            return str(self)


_FRACTIONS: Final = (TFloating, TComplex)
_classes: Final[dict[tuple[str, type[TType]], Any]] = {}


def _refusing(what: str) -> Any:
    def refused(self: Any, *_: object, **__: object) -> NoReturn:
        raise TypeError(f"{self!r} {what}")

    return refused


def _iterated(self: Any) -> NoReturn:
    raise TypeError(f"{self!r} {not_iterated(is_scalar=self.shape.rank == 0)}")


for _name, _what in REFUSED.items():
    setattr(Operators, _name, _iterated if _name == "__iter__" else _refusing(_what))


def operation_of(operator: str, dtype: type[TType]) -> Any:
    """The class of the operations that an operator makes of operands of an element type; of `@`, for two matrices."""
    key = operator, dtype
    if key not in _classes:
        group, name = path_of(operator, dtype).split(".")
        _classes[key] = getattr(getattr(later, group), name)
    return _classes[key]


def _made(operator: str, operand: Any, *operands: Any) -> Any:
    """An operation of `operands`, which include `operand`; the others may be numbers or arrays."""
    if operator == "floordiv" and issubclass(operand.dtype, TComplex):  # which Python does not round down, either
        raise DTypeError(NO_FLOOR.format(origin(operand)))
    return _create(operation_of(operator, operand.dtype), operand, *operands)


def _create(wrapper: Any, operand: Any, *arguments: Any) -> Any:
    return wrapper.create(later.Scope.current(operand.graph), *arguments)


def _true_division(operand: Any, x: Any, y: Any) -> Any:
    """`RealDiv`, but not of integers: it truncates their quotients, which `/` never does in Python."""
    if not issubclass(operand.dtype, _FRACTIONS):
        other = y if operand is x else x
        by_fraction = issubclass(other.dtype, _FRACTIONS) if is_operand(other) else isinstance(other, float)
        raise DTypeError(no_division(origin(operand), [operand.dtype], by_fraction=by_fraction))
    return _made("truediv", operand, x, y)


def _absolute(operand: Any) -> Any:
    if not issubclass(operand.dtype, TComplex):
        return _made("abs", operand, operand)
    return _made("abs", operand, operand, TFloat32 if operand.dtype is TComplex64 else TFloat64)


_NUMBERS: Final = "biufcV"
"""The kinds of arrays of numbers; V is bfloat16."""


def _is_numeric(value: Any) -> bool:
    """Whether a value is an array of numbers, or an operand that is no handle."""
    return value.dtype is not TResource if is_operand(value) else value.dtype.kind in _NUMBERS


def _product(operand: Any, a: Any, b: Any) -> Any:
    arrays = [each if is_operand(each) else as_array(each) for each in (a, b)]
    ranks = [each.rank if is_operand(each) else each.ndim for each in arrays]
    if 0 in ranks and all(map(_is_numeric, arrays)):
        matrices = [each for each, rank in zip((a, b), ranks, strict=True) if rank != 0 and is_operand(each)]
        raise ShapeError(NO_PRODUCT.format("right" if ranks[0] else "left", origin(next(iter(matrices), operand))))
    values = [] if ranks == [2, 2] else [_of_type(each, operand.dtype) for each in (a, b)]
    if not values or any(each is None for each in values):  # which refuses other element types
        return _made("matmul", operand, a, b)
    return _create(later.train.BatchMatMul, operand, *values, operand.dtype)


def _of_type(value: Any, dtype: type[TType]) -> Any:
    """A value as an array of an element type, or an operand of that type; None if it is of another."""
    if is_operand(value):
        return value if value.dtype is dtype else None
    try:
        return operand_value(value, dtype)[0]
    except DTypeError:
        return None


def _index(operand: Any, index: Any) -> Any:
    return indexed(later.Scope.current(operand.graph), operand, index)
