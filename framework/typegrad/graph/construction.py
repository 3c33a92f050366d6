"""Adding one operation to a graph: convert the inputs, infer the types, check the attributes, infer the shapes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from typegrad.base.brief import described, shortened
from typegrad.base.errors import DTypeError, GraphError, TypegradError
from typegrad.base.location import Place, show
from typegrad.base.shape import Shape
from typegrad.base.types import CAST, TFloat32, TFloat64, TIntegral
from typegrad.graph.attributes import check_attributes
from typegrad.graph.conversion import make_constants
from typegrad.graph.definition import InputDef, OpDef
from typegrad.graph.dropped import in_function
from typegrad.graph.explain import input_lines, origin, read_from
from typegrad.graph.inference import Inferred, inferred
from typegrad.graph.operand import AnyOperand, AnyOutput, Output
from typegrad.graph.operand_like import is_operand
from typegrad.graph.operation import NewOperation, Operation
from typegrad.graph.sizes_as_values import of_sizes
from typegrad.graph.swapped import swapped
from typegrad.graph.wrapper import Op, OperandOp, outputs_of

if TYPE_CHECKING:
    from typegrad.graph.scope import Scope

__all__ = ["add_operation"]

_Group: TypeAlias = "AnyOutput | tuple[AnyOutput, ...]"


def add_operation(
    scope: Scope, proposed_name: str, place: Place, definition: OpDef, inputs: Sequence[object], attrs: dict[str, Any]
) -> Operation:
    """Check everything about one operation, then add it to the scope's graph. `place` is the user's call."""
    graph = scope.graph
    before = len(graph)
    groups: list[Any] = []
    try:
        known = _known(scope, definition, inputs, attrs, groups)
    except TypegradError as error:
        node = f"'{shortened(proposed_name, 100)}' ({show(place)})"
        fits = partial(_fits, scope, definition)
        message = of_sizes(scope, inputs, error, partial(fits, attrs))
        if message == str(error):
            message = swapped(scope, definition, attrs, inputs, groups, error, fits)
        odd = _odd_variables(definition, groups) if isinstance(error, DTypeError) else ""
        if odd and message == str(error) and message.endswith(CAST):
            message = f"{error}, or create {odd}"
        message = in_function(message, groups)
        graph.withdraw(before)
        lines = _input_lines(definition, groups, message)
        raise type(error)(f"{definition.name} {node}: {message}{lines}") from error.__cause__
    name = graph.unique_name(proposed_name)
    if definition.effect == "random" and scope.seed is not None:
        known = known._replace(attrs=_with_seeds(known.attrs, scope.seed, name))
    flat, counts = _flatten(definition, groups)
    operation = NewOperation(graph, definition, name, flat, counts, scope.control_inputs, scope.device, place, known)
    graph.append(
        operation,
        is_initializer=definition.effect == "write" and scope.is_init,
        is_gradient=scope.is_gradient,
    )
    return operation


def _odd_variables(definition: OpDef, groups: Sequence[Any]) -> str:
    """The variables of float64, NumPy's own type, beside operands of float32, or turned round, and how to make them.

    If variables of both types meet, either may be the mistake. One of float32 is where what it meets is made of a
    variable of float64. One of integers is where these are not taken.
    """
    outputs = [
        (each.type, group) for each, group in zip(definition.inputs, groups, strict=False) if type(group) is Output
    ]
    taken = [(definition.types[type_], output) for type_, output in outputs if isinstance(type_, str)]
    for allowed, output in taken:
        if output.dtype not in allowed:
            is_whole = issubclass(output.dtype, TIntegral) and TFloat32 in allowed
            return _named([output] if is_whole else [], "with dtype=tg.TFloat32")
    met = [{type_ for type_, output in outputs if output.dtype is leaf} for leaf in (TFloat32, TFloat64)]
    mixed = [output for type_, output in outputs if type_ in met[0] & met[1]]
    singles, doubles = ([each for each in mixed if each.dtype is leaf] for leaf in (TFloat32, TFloat64))
    if not any(read_from(each.op) for each in singles):
        return _named(doubles, "from an array.astype(np.float32)")
    if any(read_from(each.op) for each in doubles):
        return _named(mixed, "of one dtype")
    is_of_doubles = any(map(_is_of_variable, doubles))
    return _named(singles, "with dtype=tg.TFloat64") if is_of_doubles else ""


def _named(outputs: Iterable[AnyOutput], how: str) -> str:
    handles = filter(None, (read_from(each.op) for each in outputs))
    names = " and ".join(f"variable '{handle.attrs['shared_name']}'" for handle in handles)
    return f"{names} {how}" if names else ""


def _is_of_variable(output: AnyOutput) -> bool:
    """Whether an operand is made of a variable of its own element type."""
    waiting, seen = [output], {output.op}
    while waiting:
        for each in waiting.pop().op.inputs:
            if each.dtype is output.dtype and each.op not in seen:
                if read_from(each.op) is not None:
                    return True
                seen.add(each.op)
                waiting.append(each)
    return False


def _known(
    scope: Scope, definition: OpDef, inputs: Sequence[object], attrs: dict[str, Any], groups: list[Any]
) -> Inferred:
    """What follows from inputs and attributes. The inputs are appended to `groups`, as outputs."""
    has_values = _take_inputs(scope, definition, inputs, groups)
    checked = check_attributes(definition, attrs)
    if has_values:
        make_constants(scope, definition, groups, checked)
    return inferred(definition, groups, checked)


def _fits(scope: Scope, definition: OpDef, attrs: dict[str, Any], inputs: Sequence[object]) -> bool:
    """Whether an operation takes these inputs."""
    try:
        _known(scope, definition, inputs, attrs, [])
    except TypegradError:
        return False
    return True


# Inputs


def _take_inputs(scope: Scope, definition: OpDef, inputs: Sequence[object], groups: list[Any]) -> bool:
    """Append each input to `groups`, operands as outputs; return whether any is a value or missing."""
    has_values = False
    for input_def, argument in zip(definition.inputs, inputs, strict=True):
        if input_def.kind == "one":
            group = _output(scope, input_def, argument)
            if type(group) is not Output:
                has_values = True
        else:
            group = tuple([_output(scope, input_def, item) for item in _items(input_def, argument)])
            has_values = has_values or any(type(item) is not Output for item in group)
        groups.append(group)
    return has_values


def _items(input_def: InputDef, argument: object) -> Sequence[object]:
    if is_operand(argument) or isinstance(argument, (str, bytes, Shape)) or not isinstance(argument, Sequence):
        is_other = hasattr(argument, "__iter__") and not isinstance(argument, (str, bytes))
        remedy = "; write [x, ...]" if is_operand(argument) else "; write list(...)" if is_other else ""
        raise DTypeError(f"input `{input_def.name}` takes a list of operands, not {described(argument)}{remedy}")
    return argument


def _output(scope: Scope, input_def: InputDef, argument: Any) -> Any:
    """Convert an operand to its output; return anything else unchanged."""
    if type(argument) is Output or isinstance(argument, OperandOp):
        op = argument.op
        if op.graph is not scope.graph:
            raise _foreign(input_def, argument)
        return argument if type(argument) is Output else op.outputs[0]
    if not is_operand(argument):
        return _value(input_def, argument)
    if argument.graph is not scope.graph:
        raise _foreign(input_def, argument)
    return argument.output_in(scope)


def _foreign(input_def: InputDef, argument: AnyOperand) -> GraphError:
    return GraphError(
        f"input `{input_def.name}` is {origin(argument)}, which belongs to another graph; build both on one graph"
    )


def _value(input_def: InputDef, argument: object) -> object:
    """Return a value that may become a constant; refuse an operation that does not have exactly one output."""
    if isinstance(argument, Op | Operation):
        raise DTypeError(
            f"input `{input_def.name}` must be an operand or a value, not {described(argument)}; {outputs_of(argument)}"
        )
    return argument


# Attributes


def _with_seeds(attrs: Mapping[str, Any], seed: int, name: str) -> Mapping[str, Any]:
    """Where an operation's seeds are not set, the scope's seed, and another that is derived from the name."""
    if "seed" not in attrs or attrs["seed"] or attrs["seed2"]:
        return attrs
    from hashlib import blake2b

    digest = blake2b(name.encode(), digest_size=8).digest()
    return MappingProxyType({**attrs, "seed": seed, "seed2": int.from_bytes(digest, "little") >> 1 or 1})


def _flatten(definition: OpDef, groups: Sequence[_Group]) -> tuple[tuple[AnyOutput, ...], tuple[int, ...] | None]:
    if not definition.has_list_inputs:
        all_single: tuple[Any, ...] = tuple(groups)
        return all_single, None
    flat: list[AnyOutput] = []
    for group in groups:
        if isinstance(group, tuple):
            flat.extend(group)
        else:
            flat.append(group)
    return tuple(flat), tuple(len(group) if isinstance(group, tuple) else 1 for group in groups)


# Errors


def _input_lines(definition: OpDef, groups: Sequence[_Group], text: str) -> str:
    """A line for each input that is an operand."""
    named: list[tuple[str, AnyOutput, None]] = []
    for input_def, group in zip(definition.inputs, groups, strict=False):
        if isinstance(group, Output):
            named.append((input_def.name, group, None))
        elif input_def.kind != "one":
            named.extend((f"{input_def.name}[{i}]", output, None) for i, output in enumerate(group))
    return input_lines((each for each in named if type(each[1]) is Output), text)
