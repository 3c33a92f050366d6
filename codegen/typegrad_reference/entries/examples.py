"""Examples of entries as programs, in three styles: with the classes, with the facade, with Python's operators."""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Final

import numpy as np
from attrs import frozen

from typegrad.base.types import BY_NAME, TComplex
from typegrad.graph.operators import Operators
from typegrad_codegen.names import snake
from typegrad_codegen.schema import CORE, Entry, EntryInput, Example
from typegrad_reference.entries.declaration import facade, facade_name

__all__ = ["SYMBOLS", "Program", "Style", "operators", "programs"]

_WIDTH: Final = 88
"""The longest line of a program that is written on one line."""

_FILE: Final = {"dtype": "string", "shape": []}
"""How an example states a file whose bytes may differ from machine to machine; its program prints how it begins."""

SYMBOLS: Final[Mapping[str, str]] = {
    "__add__": "{} + {}",
    "__sub__": "{} - {}",
    "__mul__": "{} * {}",
    "__truediv__": "{} / {}",
    "__floordiv__": "{} // {}",
    "__mod__": "{} % {}",
    "__pow__": "{} ** {}",
    "__matmul__": "{} @ {}",
    "__lt__": "{} < {}",
    "__le__": "{} <= {}",
    "__gt__": "{} > {}",
    "__ge__": "{} >= {}",
    "__and__": "{} & {}",
    "__or__": "{} | {}",
    "__xor__": "{} ^ {}",
    "__invert__": "~{}",
    "__neg__": "-{}",
    "__abs__": "abs({})",
}
"""How Python writes what a special method does. Indexing is not here: it has no fixed number of arguments."""


@frozen
class Style:
    """How a program creates operations: with the classes or with the facade."""

    name: str
    facade: bool

    def call(self, op: Entry, arguments: Iterable[str]) -> str:
        """The expression that creates an operation. The class of a user's package is imported by itself."""
        if self.facade:
            return f"{facade(op)}({', '.join(arguments)})"
        group = f"{op.group}." if op.is_typegrad else ""
        return f"{group}{op.class_name}.create({', '.join(['scope', *arguments])})"

    def accumulator(self, name: str, arguments: Iterable[str], place: str = "") -> str:
        """The expression that creates an operation on an accumulator."""
        return (
            f"tf{place}.train.{snake(name)}({', '.join(arguments)})"
            if self.facade
            else f"train.{name}.create({', '.join([f'scope{place}', *arguments])})"
        )

    def constant(self, arguments: Iterable[str]) -> str:
        """The expression that creates a constant."""
        return (
            f"tf.constant({', '.join(arguments)})"
            if self.facade
            else f"core.Constant.create({', '.join(['scope', *arguments])})"
        )


@frozen
class Program:
    """One example in one style. It prints the values that the entry states, in the entry's order."""

    style: str
    """The name of the style."""
    text: str
    """The Python code."""


_CLASSES: Final = Style("Classes", False)
_FACADE: Final = Style("Facade", True)
_OPERATORS: Final = Style("Operators", False)


@cache
def operators() -> Mapping[str, str]:
    """The Python expression for each operation that has one: "math.AddV2" is "{} + {}".

    Read from the operators' docstrings.
    """
    expressions: dict[str, str] = {}
    for method, symbol in SYMBOLS.items():
        for name in re.findall(r"`(\w+\.\w+)`", getattr(Operators, method).__doc__.split(";")[0]):
            expressions.setdefault(name, symbol)
    return expressions


def programs(op: Entry, example: Example) -> list[Program]:
    """The example with the classes, with the facade and, where Python has an operator for the operation, with that."""
    styles = (_CLASSES,) if _is_hidden(op) else (_CLASSES, _FACADE)
    made = [_program(op, example, style) for style in styles]
    symbol = operators().get(f"{op.group}.{op.class_name}") if op.is_typegrad else None
    if symbol is not None and not example.attrs and symbol.count("{}") == len(op.inputs):
        made.append(_program(op, example, _OPERATORS, symbol))
    return made


def _is_hidden(op: Entry) -> bool:
    """Whether the facade has a function in place of a random operation, which draws under another name."""
    functions: Mapping[str, str] = vars(import_module(f"{op.package}.{op.group}._facade")).get("_FUNCTIONS", {})
    return op.effect == "random" and facade(op).rpartition(".")[2] in functions


def _program(op: Entry, example: Example, style: Style, symbol: str = "") -> Program:
    return Program(style.name, _Writer(op, example, style, symbol).write())


class _Writer:
    """Writes one program, line by line."""

    def __init__(self, op: Entry, example: Example, style: Style, symbol: str) -> None:
        self._op = op
        self._example = example
        self._style = style
        self._symbol = symbol
        self._groups = {op.group} if op.is_typegrad and not symbol else set[str]()
        self._numpy = False
        self._names = _variables(op)

    def write(self) -> str:
        """The program."""
        body = [*self._inputs(), *self._operation(), *self._gradients(), *self._run()]
        return "\n".join([*self._imports(), "", *self._start(), *body, ""])

    def _imports(self) -> Iterator[str]:
        op = self._op
        if any(isinstance(value, Mapping) and "base64" in value for value in self._example.inputs.values()):
            yield "from base64 import b64decode"
            yield ""
        yield "import typegrad as tg"
        if not op.is_typegrad:
            yield (
                f"from {op.package} import Ops"
                if self._style.facade
                else f"from {op.package}.{op.group} import {op.class_name}"
            )
        if self._groups and not self._style.facade:
            yield f"from typegrad.op import {', '.join(sorted(self._groups))}"

    def _start(self) -> Iterator[str]:
        graph = "tg.Graph(seed=1)" if self._op.effect == "random" else "tg.Graph()"
        yield f"tf = tg.Ops.create({graph})" if self._style.facade else f"scope = tg.Scope({graph})"
        if self._style.facade and not self._op.is_typegrad:
            yield f"{facade_name(self._op)} = Ops.create(tf.scope)"

    @property
    def _scope(self) -> str:
        return "tf.scope" if self._style.facade else "scope"

    # Inputs

    def _inputs(self) -> Iterator[str]:
        for input_ in self._op.inputs:
            value = self._example.inputs.get(input_.name)
            if value is not None and not self._is_plain(input_, value):
                yield from self._input(self._names[input_.name], input_, value)

    def _is_plain(self, input_: EntryInput, value: object) -> bool:
        """Whether the value is written among the arguments; values with a gradient have a name."""
        if input_.name in self._example.gradients:
            return False
        second = bool(self._symbol) and input_ is not self._op.inputs[0]
        return _is_inline(input_, value) or (second and type(value) in (int, float))

    def _input(self, name: str, input_: EntryInput, value: object) -> Iterator[str]:
        if isinstance(value, Mapping) and "variable" in value:
            arguments = ", ".join([self._scope, *_constant(value["variable"])])
            yield from _assign(name, f"tg.Variable.create({arguments})")
        elif isinstance(value, Mapping) and "accumulator" in value:
            yield from self._accumulator(name, value["accumulator"])
        elif input_.kind != "one" and isinstance(value, list):
            yield from _listed(name, [self._constant(item) for item in value])
        else:
            yield from _assign(name, self._constant(value))

    def _accumulator(self, name: str, gradients: list[object]) -> Iterator[str]:
        """An accumulator that holds these gradients once the session begins."""
        arguments = ["tg.TFloat32", str(np.asarray(gradients).shape[1:])]
        yield from _assign(name, self._style.accumulator("ResourceConditionalAccumulator", arguments))
        for gradient in gradients:
            arguments = [name, "0", _source_of(gradient)]
            yield self._style.accumulator("ResourceAccumulatorApplyGradient", arguments, ".with_init_scope()")

    def _constant(self, value: object) -> str:
        self._groups.add(CORE)
        return self._style.constant(_constant(value))

    # The operation

    def _operation(self) -> Iterator[str]:
        name = self._names[""]
        arguments = list(self._arguments())
        if self._symbol:
            yield f"{name} = {self._symbol.format(*arguments)}"
        else:
            yield from _assign(name, self._style.call(self._op, arguments))

    def _arguments(self) -> Iterator[str]:
        """Positional as long as nothing is left out."""
        op, example = self._op, self._example
        if op.tensor is not None:
            yield _source_of(example.attrs[op.tensor.name])
        left_out = False
        for input_ in op.inputs:
            if input_.name not in example.inputs:
                left_out = True
                continue
            argument = self._argument(input_, example.inputs[input_.name])
            yield f"{input_.name}={argument}" if left_out else argument
        for kind in op.explicit_types:
            if kind.name in example.attrs and not (op.tensor is not None and _follows(op, example)):
                argument = _types(example.attrs[kind.name])
                yield argument if kind.default is None and not left_out else f"{kind.name}={argument}"
        for attr in op.attrs:
            if attr.name in example.attrs and attr is not op.tensor:
                yield f"{attr.name}={_attribute(attr.type, example.attrs[attr.name])}"

    def _argument(self, input_: EntryInput, value: object) -> str:
        if self._is_plain(input_, value):
            return _source_of(value)
        is_variable = isinstance(value, Mapping) and "variable" in value
        return self._names[input_.name] + (".handle" if is_variable else "")

    def _gradients(self) -> Iterator[str]:
        inputs = list(self._example.gradients)
        if inputs:
            gradients = ", ".join(map(_gradient, inputs)) if len(inputs) > 1 else f"({_gradient(inputs[0])},)"
            xs = "".join(f"{self._names[name]}, " for name in inputs)
            xs = xs.rstrip() if len(inputs) == 1 else xs.removesuffix(", ")
            yield f"{gradients} = tg.gradients({self._scope}, {self._names['']}, ({xs}))"

    # The run

    def _run(self) -> Iterator[str]:
        op, name = self._op, self._names[""]
        if not op.has_known_values:
            yield f"print({name})"
            return
        yield f"with tg.Session({self._scope}.graph) as session:"
        if op.is_operand:
            is_file = self._example.outputs.get(op.outputs[0].name) == _FILE
            yield f"    print(session.run({name}){'.item()[:8]' if is_file else ''})"
        elif len(op.outputs) == 1:
            yield f'    print(*session.run({name}.{op.outputs[0].name}), sep="\\n")'
        elif op.outputs:
            fetched = ", ".join(f"{name}.{output.name}" for output in op.outputs)
            yield f'    print(*session.run([{fetched}]), sep="\\n")'
        else:
            yield f"    session.run({name})"
        for x, value in self._example.gradients.items():
            yield f"    print({_gradient(x)})" if value is None else f"    print(session.run({_gradient(x)}))"
        held = [self._held(input_) for input_ in self._example.after]
        if held:
            yield f"    print({', '.join(held)}" + (', sep="\\n")' if len(held) > 1 else ")")

    def _held(self, input_: str) -> str:
        """The expression for what a variable or an accumulator holds after the run."""
        name, value = self._names[input_], self._example.inputs[input_]
        if isinstance(value, Mapping) and "accumulator" in value:
            taken = self._style.accumulator("ResourceAccumulatorTakeGradient", [name, "1", "tg.TFloat32"])
            return f"session.run({taken})"
        return f"session.value({name})"


# Names


def _variables(op: Entry) -> dict[str, str]:
    """A variable for each input, and one for the operation, named after its output or, with several, its class."""
    reserved = {"scope", "session", "tf", "tg", "typegrad", "np", CORE, op.group, "dtypes", "Ops", facade_name(op)}
    result = op.outputs[0].name if op.is_operand else snake(op.class_name) if op.outputs else "update"
    names: dict[str, str] = {}
    for key, preferred in [*((each.name, each.name) for each in op.inputs), ("", result)]:
        name = preferred
        while name in reserved or keyword.iskeyword(name) or hasattr(builtins, name):
            name += "_"
        reserved.add(name)
        names[key] = name
    return names


def _gradient(name: str) -> str:
    """The variable for the gradient of an input."""
    return f"d_{name}"


# Values


def _is_inline(input_: EntryInput, value: object) -> bool:
    """Whether the value can be written as plain Python integers among the arguments."""
    return bool(input_.integers) and (_depth(value) <= 1 or input_.integers == "indices") and _all_ints(value)


def _all_ints(value: object) -> bool:
    if isinstance(value, list):
        return bool(value) and all(map(_all_ints, value))
    return type(value) is int


def _depth(value: object) -> int:
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0


def _constant(value: object) -> list[str]:
    """The arguments of a constant: its value and, where the value does not say it, its type."""
    if isinstance(value, Mapping):
        if "base64" in value:
            return [_source_of(value)]
        stated = value["value"]
        if issubclass(BY_NAME[value["dtype"]], TComplex):
            stated = np.asarray(stated, np.complex128).tolist()
        return [_source_of(stated), _types(value["dtype"])]
    return [_source_of(value), *(["tg.TFloat32"] if not np.asarray(value).size else [])]


def _follows(op: Entry, example: Example) -> bool:
    """Whether the stated type of a constant is its default type."""
    value = example.attrs[op.tensor.name] if op.tensor else None
    stated = next(example.attrs[kind.name] for kind in op.explicit_types if kind.name in example.attrs)
    element = next(iter(np.asarray(value).ravel().tolist()), None)
    usual: dict[type, str] = {int: "int32", float: "float32", str: "string", bool: "bool"}
    return bool(stated == usual.get(type(element)))


def _types(stated: object) -> str:
    if isinstance(stated, list):
        return f"({', '.join(map(_types, stated))},)"
    return f"tg.{BY_NAME[str(stated)].__name__}"


def _attribute(kind: str, value: object) -> str:
    if kind == "shape" and isinstance(value, list):
        return "(" + ", ".join("None" if dim == -1 else repr(dim) for dim in value) + (",)" if len(value) == 1 else ")")
    return _source_of(value)


def _source_of(value: object) -> str:
    """Python source of a value; not-a-number and the infinities cannot be written as numbers."""
    if isinstance(value, Mapping):
        if "base64" in value:
            return f"b64decode({_quoted(value['base64'])})"
        value = value["value"]
    if isinstance(value, list):
        return f"[{', '.join(map(_source_of, value))}]"
    if isinstance(value, float) and (value != value or value in (float("inf"), -float("inf"))):
        return f'float("{value}")'
    return _quoted(value) if isinstance(value, str) else repr(value)


def _quoted(text: str) -> str:
    return '"' + text.encode("unicode_escape").decode("ascii").replace('"', '\\"') + '"'


# Lines


def _assign(name: str, call: str) -> Iterator[str]:
    """One line, or the arguments of the call on lines of their own, as many on each as fit."""
    line = f"{name} = {call}"
    if len(line) <= _WIDTH:
        yield line
        return
    yield f"{line.partition('(')[0]}("
    row = "   "
    for argument in _arguments(call):
        if len(f"{row} {argument}") > _WIDTH and row.strip():
            yield row
            row = "   "
        row += f" {argument}"
    yield row.removesuffix(",")
    yield ")"


def _arguments(call: str) -> Iterator[str]:
    """The arguments of a call, as they are written, with commas."""
    parsed = ast.parse(call, mode="eval").body
    assert isinstance(parsed, ast.Call)
    for item in (*parsed.args, *parsed.keywords):
        yield f"{ast.get_source_segment(call, item)},"


def _listed(name: str, items: list[str]) -> Iterator[str]:
    line = f"{name} = [{', '.join(items)}]"
    if len(line) <= _WIDTH:
        yield line
    else:
        yield from (f"{name} = [", *(f"    {item}," for item in items), "]")
