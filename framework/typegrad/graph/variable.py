# mypy: disable-error-code="overload-overlap, type-var"
# pyright: reportOverlappingOverload=false, reportInvalidTypeArguments=false, reportPrivateUsage=false
# An empty array is of every element type, so the overloads of `create` overlap; the first that fits wins.
# `Variable` is covariant in its element type, `Operand` is not: see `_T_co`.
"""`Variable`: state that a session keeps from run to run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast, final, overload

import numpy as np
from numpy.typing import ArrayLike
from typing_extensions import TypeVar

from typegrad.arguments.fixed import fixed_attribute
from typegrad.base.brief import brief
from typegrad.base.errors import AttributeValueError, DTypeError, GraphError
from typegrad.base.shape import Shape, ShapeLike, as_shape
from typegrad.base.types import (
    TBool,
    TComplex64,
    TComplex128,
    TFloat16,
    TFloat32,
    TFloat64,
    TInt8,
    TInt16,
    TInt32,
    TInt64,
    TResource,
    TType,
    TUint8,
    TUint16,
    TUint32,
    TUint64,
    as_element_type,
    conversion,
)
from typegrad.graph import later
from typegrad.graph.conversion import constant
from typegrad.graph.explain import foreign, origin
from typegrad.graph.operand import AnyOperand, Operand, Output, S_co, T
from typegrad.graph.operand_like import (
    AnyLike,
    BoolArray,
    Complex64Array,
    Complex128Array,
    ComplexLike,
    Float16Array,
    Float32Array,
    Float64Array,
    Int8Array,
    Int16Array,
    Int32Array,
    Int64Array,
    IntegerLike,
    Nested,
    Uint8Array,
    Uint16Array,
    Uint32Array,
    Uint64Array,
    UntypedArray,
    is_operand,
)

if TYPE_CHECKING:
    from typegrad.graph.graph import Graph
    from typegrad.graph.scope import Scope
    from typegrad.graph.wrapper import Op

__all__ = ["ASSIGNED", "MADE_OF_SIZES", "AnyVariable", "Variable", "meant_shape", "sizes_as_values"]

ASSIGNED: Final = "session.assign takes a variable and its value, or a mapping alone"
NO_DTYPE: Final = "a variable made of a shape needs a dtype as well, such as dtype=tg.TFloat32"
"""The error message for a shape alone."""

OF_NOTHING: Final = "there is no initial value; give one, or shape=... and dtype=... for a variable without a value"
"""The error message for a variable made of neither a value nor a shape."""

NOT_BOTH: Final = "a variable has the shape of its initial value; give a value or a shape, not both"

OF_INITIALIZER: Final = (
    "the initial value is a function; an initializer makes the value: initializer(scope, (2, 3), tg.TFloat32)"
)

OF_SHAPE: Final = (
    "the initial value is a shape, not a value; write shape=... and dtype=... for a variable without a value, "
    "functions.zeros(scope, shape) for zeros"
)
"""The error message for a variable of a shape, in TensorFlow Java's order."""

MADE_OF_SIZES: Final = "{} was made of the values {}; shape={} makes a variable of that shape"
"""What is said of a variable that would fit if the numbers it was made of were its shape."""

METHODS: Final = {
    "AssignAddVariableOp": "Variable.assign_add",
    "AssignSubVariableOp": "Variable.assign_sub",
    "AssignVariableOp": "Variable.assign",
    "ResourceGather": "Variable.gather",
}
"""The operations that methods of variables make, and the methods."""

S = TypeVar("S", bound=tuple[Any, ...])
# The default makes `list[tg.Variable]` a list of any variables. Were it invariant, Pyright would try every overload of
# `create` for each call. As an operand, a variable is invariant like any other.
_T_co = TypeVar("_T_co", bound=TType, default=Any, covariant=True)


@final
class Variable(Operand[_T_co, S_co]):
    """A value that a session keeps from run to run, made of TensorFlow's resource variable operations.

    A variable is an operand: using it reads it, there and then. Within one run, state is read and written in the order
    in which the operations were created, always. The initial value is assigned once per session, before the first run
    after the variable was made.
    """

    __slots__ = ("_handle", "_initializer", "_sizes", "_trainable")

    if not TYPE_CHECKING:
        __setattr__ = fixed_attribute

    def __init__(self, handle: Output[TResource], *, trainable: bool) -> None:
        """Made by `create`."""
        self._handle = handle
        self._initializer: Op | None = None
        self._sizes: Shape | None = None
        self._trainable = trainable

    # The most common values first: type checkers try the overloads in turn.
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: UntypedArray, dtype: None = None, *, trainable: bool = True
    ) -> Variable[Any]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: Float32Array, dtype: None = None, *, trainable: bool = True
    ) -> Variable[TFloat32]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope,
        initial_value: Operand[T, S],
        dtype: type[T] | None = None,
        *,
        trainable: bool = True,
    ) -> Variable[T, S]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: Float64Array, dtype: None = None, *, trainable: bool = True
    ) -> Variable[TFloat64]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: Int32Array, dtype: None = None, *, trainable: bool = True
    ) -> Variable[TInt32]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: Int64Array, dtype: None = None, *, trainable: bool = True
    ) -> Variable[TInt64]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: BoolArray, dtype: None = None, *, trainable: bool = True
    ) -> Variable[TBool]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: Float16Array, dtype: None = None, *, trainable: bool = True
    ) -> Variable[TFloat16]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: Int8Array, dtype: None = None, *, trainable: bool = True
    ) -> Variable[TInt8]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: Int16Array, dtype: None = None, *, trainable: bool = True
    ) -> Variable[TInt16]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: Uint8Array, dtype: None = None, *, trainable: bool = True
    ) -> Variable[TUint8]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: Uint16Array, dtype: None = None, *, trainable: bool = True
    ) -> Variable[TUint16]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: Uint32Array, dtype: None = None, *, trainable: bool = True
    ) -> Variable[TUint32]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: Uint64Array, dtype: None = None, *, trainable: bool = True
    ) -> Variable[TUint64]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: Complex64Array, dtype: None = None, *, trainable: bool = True
    ) -> Variable[TComplex64]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: Complex128Array, dtype: None = None, *, trainable: bool = True
    ) -> Variable[TComplex128]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: np.generic, dtype: None = None, *, trainable: bool = True
    ) -> Variable[Any, tuple[()]]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: bool, dtype: None = None, *, trainable: bool = True
    ) -> Variable[TBool, tuple[()]]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: int, dtype: None = None, *, trainable: bool = True
    ) -> Variable[TInt32, tuple[()]]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: float, dtype: None = None, *, trainable: bool = True
    ) -> Variable[TFloat32, tuple[()]]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: Nested[bool], dtype: None = None, *, trainable: bool = True
    ) -> Variable[TBool]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: Nested[int], dtype: None = None, *, trainable: bool = True
    ) -> Variable[TInt32]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: Nested[float], dtype: None = None, *, trainable: bool = True
    ) -> Variable[TFloat32]: ...
    @overload
    @staticmethod
    def create(scope: Scope, initial_value: ArrayLike, dtype: type[T], *, trainable: bool = True) -> Variable[T]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: None = None, *, shape: ShapeLike, dtype: type[T], trainable: bool = True
    ) -> Variable[T]: ...
    @overload
    @staticmethod
    def create(
        scope: Scope, initial_value: None, dtype: type[T], *, shape: ShapeLike, trainable: bool = True
    ) -> Variable[T]: ...
    @staticmethod
    def create(
        scope: Scope,
        initial_value: Any = None,
        dtype: type[TType] | None = None,
        *,
        shape: ShapeLike = None,
        trainable: bool = True,
    ) -> Any:
        """Make a variable with the type and shape of `initial_value`, or of `dtype` and `shape` without a value.

        A variable without an initial value gets its first one from `session.assign`, `session.restore` or an
        assignment; to read it before is a `FailedPreconditionError`.

        Args:
            scope: Where the variable goes; its name is the scope's, "Variable" by default.
            initial_value: An array, a Python number, or an operand of the same graph, which is evaluated when a session
                initializes the variable.
            dtype: The element type, required without an initial value. A number or an array is converted to it; an
                operand must have it.
            shape: The shape of a variable without an initial value; None in it means any size, `tg.Shape(None)` for any
                shape.
            trainable: Whether an optimizer trains the variable when it is not told which variables to train.

        Raises:
            DTypeError: The value has no element type, or does not fit `dtype`; or there is a shape without a `dtype`.
            AttributeValueError: There are both a value and a shape, or neither; or the value is a function or a shape.
            GraphError: The operand belongs to another graph.
        """
        if callable(initial_value) and not is_operand(initial_value):
            raise AttributeValueError(OF_INITIALIZER)
        if isinstance(initial_value, Shape):
            raise AttributeValueError(OF_SHAPE)
        if shape is not None:
            if initial_value is not None:
                raise AttributeValueError(NOT_BOTH)
            if dtype is None:
                raise DTypeError(NO_DTYPE)
            return _made(scope.with_sub_scope("Variable"), as_element_type(dtype), as_shape(shape), trainable=trainable)
        if initial_value is None:
            raise AttributeValueError(OF_NOTHING)
        inner = scope.with_sub_scope("Variable")
        initial = inner.with_init_scope()
        value = initial_value
        if not is_operand(value):
            value = constant(initial.with_name("initial_value"), value, dtype)
        elif value.graph is not scope.graph:
            raise GraphError(
                f"the initial value is {origin(value)}, which belongs to another graph; build both on one graph"
            )
        elif dtype is not None and dtype is not value.dtype:
            remedy = conversion("it", [as_element_type(dtype)], [value.dtype])
            raise DTypeError(f"the initial value {value!r} is not {brief(dtype)}; {remedy}")
        variable = _made(inner, value.dtype, value.shape, trainable=trainable)
        variable._initializer = variable.assign(initial.with_name("initialize"), value)
        variable._sizes = None if dtype is None else sizes_as_values(initial_value)
        return variable

    @property
    def handle(self) -> Output[TResource]:
        """The handle that the resource operations take."""
        return self._handle

    @property
    def initializer(self) -> Op | None:
        """The operation that assigns the initial value; None if there is none."""
        return self._initializer

    @property
    def trainable(self) -> bool:
        """Whether an optimizer trains this variable by default."""
        return self._trainable

    @property
    def name(self) -> str:
        """The name under which a session keeps the value."""
        name: str = self._handle.op.attrs["shared_name"]
        return name

    @property
    def rank(self) -> int | None:
        """The number of dimensions, or None if it is not known before the run."""
        return self.shape.rank

    @property
    def graph(self) -> Graph:
        """The graph this variable belongs to."""
        return self._handle.op.graph

    @property
    def dtype(self) -> type[_T_co]:
        """The element type."""
        dtype: type[_T_co] = self._handle.op.attrs["dtype"]
        return dtype

    @property
    def shape(self) -> Shape:
        """The static shape, which every assigned value must fit."""
        shape: Shape = self._handle.op.attrs["shape"]
        return shape

    def as_output(self) -> Output[_T_co, S_co]:
        """The value at this point of the creation order, read in the current scope."""
        return self.output_in(later.Scope.current(self.graph))

    def output_in(self, scope: Scope) -> Output[_T_co, S_co]:
        """The value at this point of the creation order: the last read, if nothing was written since, or a new one."""
        if scope.graph is not self.graph:
            raise foreign(origin(self), "the scope")
        for operation in reversed(self.graph.consumers(self._handle.op)):
            if operation.definition.effect == "write":
                break
            if (
                operation.type == "ReadVariableOp"
                and operation.control_inputs == scope.control_inputs
                and operation.device == scope.device
            ):
                return operation.outputs[0]
        return self.read(scope.unnamed()).as_output()

    def as_reference(self) -> Output[TResource]:
        """The handle."""
        return self._handle

    def read(self, scope: Scope) -> Operand[_T_co, S_co]:
        """The value at this point of the creation order, read by an operation of its own, with the scope's name."""
        dtype: type[Any] = self.dtype
        read = later.core.ReadVariableOp.create(scope, self._handle, dtype)
        return cast("Operand[_T_co, S_co]", read)

    def gather(
        self, scope: Scope, indices: Operand[TInt32, Any] | Operand[TInt64, Any] | IntegerLike
    ) -> Operand[_T_co]:
        """The rows at `indices`, of shape [*indices.shape, ...], without reading the rest of the value.

        The gradient is an `IndexedSlices`. An index out of range is an `InvalidArgumentError` when the graph runs.
        """
        dtype: type[Any] = self.dtype
        return later.core.ResourceGather.create(scope, self._handle, indices, dtype)

    def assign(self, scope: Scope, value: Operand[_T_co] | AnyLike) -> Op:
        """An operation that replaces the value in each run that fetches it, and in no other.

        `Session.assign` replaces the value there and then.

        Args:
            scope: Where in the graph the operation goes, and under which name.
            value: The new value, of the variable's element type and shape.

        Returns:
            The operation. In a run of it, reads that were made after it have the new value.

        Raises:
            DTypeError: The value has another element type.
            ShapeError: The value has another shape.
            GraphError: The scope, or the value, belongs to another graph.

        Source: TensorFlow's `AssignVariableOp`.
        """
        return later.core.AssignVariableOp.create(scope, self._handle, cast("AnyOperand | AnyLike", value))

    def assign_add(self, scope: Scope, value: Operand[_T_co] | ComplexLike) -> Op:
        """An operation that adds to the value, of a numeric type, with the arguments and errors of `assign`.

        Source: TensorFlow's `AssignAddVariableOp`.
        """
        return later.core.AssignAddVariableOp.create(scope, self._handle, cast("AnyOperand | ComplexLike", value))

    def assign_sub(self, scope: Scope, value: Operand[_T_co] | ComplexLike) -> Op:
        """An operation that subtracts from the value, of a numeric type, with the arguments and errors of `assign`.

        Source: TensorFlow's `AssignSubVariableOp`.
        """
        return later.core.AssignSubVariableOp.create(scope, self._handle, cast("AnyOperand | ComplexLike", value))

    def __repr__(self) -> str:
        return f"<Variable '{self.name}' {self.dtype.__name__} {self.shape}>"


AnyVariable: TypeAlias = Variable[Any, Any]
"""A variable of any element type and shape."""


def meant_shape(operand: AnyOperand) -> Shape | None:
    """The shape that a variable's initial value may be meant as, as in TensorFlow Java: `(2, 1), tg.TFloat32`."""
    return operand._sizes if type(operand) is Variable else None


def sizes_as_values(value: object) -> Shape | None:
    """The shape that a list of numbers may be meant as; None for any other value."""
    if not isinstance(value, (list, tuple)) or not value:
        return None
    are_sizes = all(type(each) is int and each >= 0 for each in value)
    return Shape(tuple(value)) if are_sizes else None


def _made(inner: Scope, dtype: type[Any], shape: Shape, *, trainable: bool) -> AnyVariable:
    """A variable without a value, named after the scope."""
    place = inner.with_init_scope().with_name("handle")
    handle = later.core.VarHandleOp.create(place, dtype, shape=shape, shared_name=inner.path)
    variable: AnyVariable = Variable(handle.as_output(), trainable=trainable)
    inner.graph.add_variable(variable)
    return variable
