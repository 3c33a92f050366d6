"""Operands in the place of values of which not all is known: weights from a file, or a size that data tell.

The operation that takes one is a real one. Its shape function is right whatever is not known: what it refuses fails in
every run.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Final

import numpy as np

from typegrad.base.errors import DTypeError
from typegrad.base.handle import Handle
from typegrad.base.shape import SCALAR, Shape
from typegrad.base.shape import UNKNOWN as ANY_SHAPE
from typegrad.base.types import TInt32, TResource, TType, element_type_of
from typegrad.dry_run.computing.creations import LostError, as_creation, bound, definition_of, makes_variable
from typegrad.dry_run.known.arrays import StandIn, bare, is_integer, is_open_integer
from typegrad.dry_run.known.open_shapes import OpenShape
from typegrad.dry_run.known.unknown import Number, Unknown, has_unknown, is_unknown
from typegrad.dry_run.known.unsized import Unsized
from typegrad.graph.definition import InputDef, OpDef
from typegrad.graph.operand import Operand, Output
from typegrad.graph.operation import Operation
from typegrad.graph.scope import Scope
from typegrad.graph.tensors import operand_value
from typegrad.graph.variable import Variable
from typegrad.op.core.constant import DEF as CONSTANT
from typegrad.op.core.placeholder import DEF as PLACEHOLDER
from typegrad.op.core.placeholder_with_default import DEF as PLACEHOLDER_WITH_DEFAULT

__all__ = ["declared", "is_open", "made_of", "may_be_computed", "of_operator", "stands_for_another"]

_VALUE: Final = replace(PLACEHOLDER, name="Value", class_name="Value", effect="")
"""A value that nobody feeds."""
_ANY: Final = replace(_VALUE)
"""One that may also be an operand, which is computed from others."""
_CONSTANT: Final = replace(_VALUE, class_name=CONSTANT.class_name)
"""One that the program calls a constant, which has the name of one."""
_DECLARED: Final = replace(_VALUE, name="Operand", class_name="Operand")
"""One of which a declaration tells."""
_PLACEHOLDERS: Final = (PLACEHOLDER, PLACEHOLDER_WITH_DEFAULT)
"""What may have dimensions of unknown size, whatever they are in a run."""
_PACKED: Final = ("ints", "indices")
"""Which integers an input takes as a list with operands in it."""


def is_open(value: object) -> bool:
    """Whether typegrad's functions do not take a value, as too little is known of it."""
    return is_unknown(value) or is_open_integer(value)


def stands_for_another(operation: Operation) -> bool:
    """Whether an operation is in the place of another one, or of none."""
    return operation.definition in (_VALUE, _ANY, _CONSTANT, _DECLARED)


def may_be_computed(operation: Operation) -> bool:
    """Whether an operation is in the place of any other one, which may compute its result from other operands."""
    return operation.definition in (_ANY, _DECLARED)


def made_of(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """What a function of typegrad makes of values of which not all is known."""
    function, args, kwargs = as_creation(function, args, kwargs)
    if definition_of(function) is CONSTANT:
        return _constant(**bound(function, args, kwargs).arguments)
    if makes_variable(function):
        return _variable(**bound(function, args, kwargs).arguments)
    args, kwargs = _opened(function, args, kwargs)
    return function(*map(bare, args), **{name: bare(each) for name, each in kwargs.items()})


def _constant(scope: Scope, value: Any, dtype: Any = None) -> Operand[Any]:
    return Scope.add(scope, _CONSTANT, (), _attributes(scope, value, dtype)).outputs[0]


def _variable(scope: Scope, initial_value: Any = None, dtype: Any = None, **others: Any) -> Any:
    """A variable with such a value, which may be None if there is a shape."""
    if "shape" in others or has_unknown((dtype, others)):
        raise LostError
    return Variable.create(scope, _made(scope, **_attributes(scope, initial_value, dtype)), **others)


def _attributes(scope: Scope, value: Any, dtype: Any) -> dict[str, Any]:
    """The element type and the shape of a constant, to whose type an array is converted."""
    known = _value(value, scope, None if isinstance(value, (StandIn, Unsized)) else dtype)
    return {"dtype": dtype or known.dtype, "shape": known.shape}


def _opened(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> tuple[Sequence[Any], Mapping[str, Any]]:
    """The arguments of a function that builds, with operands in the place of what is not known.

    Raises:
        LostError: An operand is in the place of none of them.

    """
    scope = next((each for each in (*args[:1], kwargs.get("scope")) if isinstance(each, Scope)), None)
    if scope is None:
        raise LostError
    definition = definition_of(function)
    if definition is None:
        return [_known(each, scope) for each in args], {name: _known(each, scope) for name, each in kwargs.items()}
    arguments = bound(function, args, kwargs)
    given = arguments.arguments
    dtypes = _dtypes(definition, given)
    if not all(each in dtypes or _is_told(definition, each, given) for each in definition.types):
        raise LostError
    inputs = {each.name: each for each in definition.inputs}
    for name, value in given.items():
        if name in inputs:
            given[name] = _input(value, scope, inputs[name], dtypes.get(inputs[name].type))
        elif name == "shape" and definition in _PLACEHOLDERS:
            given[name] = _dims(value)
        elif has_unknown(value, is_open):
            raise LostError
    return arguments.args, arguments.kwargs


def of_operator(function: Any, *values: Any) -> Any:
    """What an operator returns, one of whose sides is an operand, whose element type the other one has, or an index."""
    operand = next(each for each in values if isinstance(each, Operand))
    scope = Scope.current(operand.graph)
    if function is operator.getitem:
        return operand[_index(values[1], scope)]
    return function(*(bare(_known(each, scope, operand.dtype, packs=False)) for each in values))


def _dtypes(definition: OpDef, given: Mapping[str, Any]) -> Mapping[object, type[TType]]:
    """The element types that the known inputs, or the attributes, tell."""
    found: dict[object, type[TType]] = {}
    for each in definition.inputs:
        if isinstance(each.type, type):
            found[each.type] = each.type
        parts = given.get(each.name) if each.kind == "many" else [given.get(each.name)]
        for part in parts if isinstance(parts, (list, tuple)) else ():
            if isinstance(part, Operand):
                found.setdefault(each.type, part.dtype)
    for name, allowed in definition.types.items():
        if len(allowed) == 1:
            found[name] = next(iter(allowed))
        elif isinstance(given.get(name), type):
            found[name] = given[name]
    held = None if definition.outputs else _held_type(given)
    for name, allowed in definition.types.items():
        values = [given.get(each.name) for each in definition.inputs if each.type == name]
        dtype = found.get(name) or held or _array_type(values)
        if dtype in allowed:
            found[name] = dtype
    return found


def _array_type(values: Sequence[Any]) -> type[TType] | None:
    """The element type of arrays, if all values are arrays of one type."""
    arrays = [[each for each, _ in value.kinds()] if isinstance(value, Unsized) else [value] for value in values]
    dtypes = {_dtype_of(each) for each in chain.from_iterable(arrays)}
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    return None if dtype is None else element_type_of(dtype)


def _dtype_of(value: Any) -> np.dtype[Any] | None:
    is_array = isinstance(value, (np.ndarray, np.generic)) and not is_integer(value)
    return value.dtype if is_array else None


def _held_type(given: Mapping[str, Any]) -> type[TType] | None:
    """The element type of the variable whose handle is among the inputs, into which the values go."""
    handles = (each.static_value for each in given.values() if isinstance(each, Output))
    return next((each.dtype for each in handles if isinstance(each, Handle)), None)


def _is_told(definition: OpDef, type_: str, given: Mapping[str, Any]) -> bool:
    """Whether an element type that no operand tells follows from values: from one, or from integers of Python alone."""
    inputs = [each for each in definition.inputs if each.type == type_]
    values = [given[each.name] for each in inputs if given.get(each.name) is not None]
    is_single = len(values) == 1 and inputs[0].kind == "one"
    return is_single or not has_unknown(values, is_open) or all(map(_are_integers, values))


def _are_integers(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(map(_are_integers, value))
    return isinstance(value, int) or is_integer(value)


def _input(value: Any, scope: Scope, input_def: InputDef, dtype: type[TType] | None) -> Any:
    if input_def.kind == "one":
        return _known(value, scope, dtype, packs=input_def.integers in _PACKED)
    if is_unknown(value):
        raise LostError
    return [_known(each, scope, dtype, packs=False) for each in value] if isinstance(value, (list, tuple)) else value


def _known(value: Any, scope: Scope, dtype: type[TType] | None = None, *, packs: bool = True) -> Any:
    """A value, or an operand in its place; in a list of numbers, a number in the place of each."""
    if isinstance(value, OpenShape):
        value = value.as_ints()
    if type(value) in (list, tuple) and has_unknown(value, is_open):
        return _listed(value, scope, dtype, packs=packs)
    if has_unknown(value, is_open):
        return _value(value, scope, dtype)
    return value


def _listed(values: Sequence[Any], scope: Scope, dtype: type[TType] | None, *, packs: bool) -> Any:
    """A list of numbers with operands in the place of some, if an input packs these; otherwise one operand."""
    if not any(map(_is_scalar, values)):
        if any(isinstance(each, Unsized) or not is_unknown(each) for each in values):
            raise LostError
        return _made(scope, dtype, ANY_SHAPE, _ANY)  # of numbers, or of lists of them
    if packs:
        return [_made(scope, dtype or _of_number(each), SCALAR) if is_open(each) else each for each in values]
    types = {_of_number(each) for each in values}
    return _made(scope, dtype or (types.pop() if len(types) == 1 else None), Shape((len(values),)), _ANY)


def _is_scalar(value: object) -> bool:
    """Whether a value is a number, so that what is beside it in a list is one, too."""
    return isinstance(value, (int, float, Number)) or (isinstance(value, StandIn) and not value.ndim)


def _of_number(value: Any) -> type[TType] | None:
    """The element type of a number; None for one that may be an int or a float."""
    if isinstance(value, int) or is_integer(value):
        return TInt32
    return element_type_of(value.dtype) if isinstance(value, StandIn) else None


def _value(value: Any, scope: Scope, dtype: type[TType] | None) -> Any:
    """An operand of which the same is known as of a value; an array, if that is of another element type."""
    if isinstance(value, Number):
        return _made(scope, dtype, SCALAR)
    if is_integer(value):
        return _made(scope, dtype or TInt32, SCALAR)
    if isinstance(value, StandIn):
        return _array(value, Shape(value.shape), scope, dtype)
    if isinstance(value, Unsized):
        arrays, sizes = zip(*value.kinds(), strict=True)
        shape = Shape(sizes[0]) if len(sizes) == 1 else ANY_SHAPE
        is_one_type = len({each.dtype for each in arrays}) == 1
        return _array(arrays[0], shape, scope, dtype) if is_one_type else _made(scope, dtype, shape)
    if not isinstance(value, Unknown):
        raise LostError
    return _made(scope, dtype, ANY_SHAPE, _ANY)


def _array(array: StandIn, shape: Shape, scope: Scope, dtype: type[TType] | None) -> Any:
    """An operand in the place of an array, or an array like it if that is not taken for its element type."""
    sample = np.zeros((1,) * array.ndim, array.dtype)[()]  # the array may be too large to be made
    try:
        leaf = operand_value(sample, dtype)[1]
    except DTypeError:
        return sample
    return _made(scope, leaf, shape)


def declared(scope: Scope, dtype: type[TType], shape: Shape) -> Operand[Any]:
    """An operand in the place of any other of this element type and shape."""
    return Scope.add(scope, _DECLARED, (), {"dtype": dtype, "shape": shape}).outputs[0]


def _made(scope: Scope, dtype: type[TType] | None, shape: Shape, definition: OpDef = _VALUE) -> Operand[Any]:
    if dtype is None or dtype is TResource:
        raise LostError
    return Scope.add(scope.unnamed(), definition, (), {"dtype": dtype, "shape": shape}).outputs[0]


def _dims(value: Any) -> Any:
    """The shape of a placeholder, with None for the sizes that are not known."""
    if is_unknown(value) or not isinstance(value, (list, tuple)):
        return value if not has_unknown(value, is_open) else None
    return [None if is_open(each) else each for each in value]


def _index(index: Any, scope: Scope) -> Any:
    """An index with operands in the place of unknown integers."""
    if isinstance(index, tuple):
        return tuple(_index(each, scope) for each in index)
    if isinstance(index, slice):
        return slice(*(_index(each, scope) for each in (index.start, index.stop, index.step)))
    return _made(scope, _of_number(index), SCALAR) if is_open(index) and _is_scalar(index) else bare(index)
