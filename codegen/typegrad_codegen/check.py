"""Checking what entries mean: names, types, defaults, functions, examples. Every error is noted, none is raised."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Final

from attrs import evolve

from typegrad.base.types import BY_NAME, TComplex, TFloating
from typegrad.graph.definition import Flow
from typegrad_codegen.check_attributes import check_attr
from typegrad_codegen.functions import Function, find_function, places
from typegrad_codegen.module import IMPORTED
from typegrad_codegen.names import is_name, pascal, snake
from typegrad_codegen.problems import Notes, Problem, Problems, choices
from typegrad_codegen.schema import CORE, Entry, EntryInput, Functions
from typegrad_codegen.static_shapes import mistake

__all__ = ["FACADE", "RESERVED", "check", "functions"]

RESERVED: Final = frozenset(
    (
        "OP_NAME",
        "as_output",
        "as_reference",
        "create",
        "dtype",
        "expect",
        "graph",
        "inputs",
        "name",
        "ndim",
        "of",
        "op",
        "output_in",
        "rank",
        "shape",
    )
)
"""What wrapper classes already have: no output may have these names."""

FACADE: Final = frozenset(
    ("create", "gradients", "graph", "scope")
    + ("with_control_dependencies", "with_device", "with_init_scope", "with_name", "with_seed", "with_sub_scope")
)
"""What the facade has besides operations: no operation of the core group may have these names."""

_A_NAME: Final = "a Python name of ASCII letters that is not a keyword"

_HIDDEN: Final = frozenset(("bool", "float", "int", "list", "property", "staticmethod", "str", "tuple"))
"""Built-ins that annotations of later accessors use: one of that name would hide them."""

_DEFINED: Final = frozenset(("DEF", "S"))
"""What the modules of operations define besides the class."""

_ARGUMENTS: Final = _HIDDEN | {"cls", "scope", "self"}
_ACCESSORS: Final = _HIDDEN | IMPORTED | _DEFINED | RESERVED | {"type"}


def check(operations: list[Entry], root: str, errors: list[Problem]) -> list[Entry]:
    """Note every error in `errors`; return the operations with their functions' import paths."""
    _duplicates(operations, errors)
    _check_groups(operations, errors)
    names = {op.name for op in operations}
    checked = []
    for op in operations:
        note = Notes(op, Problems(op.file, errors))
        _check_names(op, note)
        _check_types(op, note)
        for attr in op.attrs:
            check_attr(attr, note)
        _check_positional(op, note)
        _check_outputs(op, note)
        _check_order(op, note)
        _check_examples(op, note)
        _check_neighbours(op, names, note)
        checked.append(evolve(op, functions=functions(op, root, note)))
    if not errors:
        for op in checked:
            _check_shape_answers(op, Notes(op, Problems(op.file, errors)))
    return checked


def _duplicates(operations: list[Entry], errors: list[Problem]) -> None:
    names: dict[str, Entry] = {}
    classes: dict[tuple[str, str], Entry] = {}
    groups = {op.group for op in operations}
    for op in operations:
        problems = Problems(op.file, errors)
        first = names.setdefault(op.name, op)
        if first is not op:
            problems.add(op.line, op.name, f"duplicate operation; the first is in {first.file}:{first.line}")
            continue
        other = classes.setdefault((op.group, op.module), op)
        if other is not op:
            clash = f"class {op.class_name!r} clashes with the class of {other.name} in {other.file}:{other.line}"
            problems.add(op.line, op.name, f"{clash}; expected another `class`")
        hidden = _HIDDEN | IMPORTED | (FACADE | groups if op.group == CORE else frozenset())
        if op.module in hidden:
            clash = f"the method {op.module!r} clashes with what the facade has under that name"
            problems.add(op.line, op.name, f"{clash}; expected another `class`")


def _check_groups(operations: list[Entry], errors: list[Problem]) -> None:
    """Whether the facade can have an attribute for each group, and each a class of its own."""
    groups = {op.group: op for op in reversed(operations)}
    for group, op in groups.items():
        namesakes = [other for other in groups if other < group and pascal(other) == pascal(group)]
        if group in FACADE | IMPORTED or namesakes:
            other = f"group {namesakes[0]!r}" if namesakes else "what the facade has under that name"
            clash = f"{group!r} clashes with {other}; expected another"
            Problems(op.file, errors).add(op.lines["group"], f"{op.name}.group", clash)


# Names and types


def _check_names(op: Entry, note: Notes) -> None:
    if not is_name(op.class_name) or not op.class_name[0].isupper() or op.class_name in _DEFINED:
        line = op.lines.get("class", op.line)
        note.add(line, "class", f"found {op.class_name!r}; expected a class name in CamelCase, of ASCII letters")
    owners = dict.fromkeys(_list_lengths(op), "the length of the list inputs")
    arguments = [(f"inputs.{each.name}", each.name, each.line) for each in op.inputs]
    arguments += [(f"attrs.{attr.name}", attr.name, attr.line) for attr in op.attrs]
    arguments += [(f"types.{type_.name}", type_.name, type_.line) for type_ in op.types]
    for where, name, line in arguments:
        _check_argument(name, line, where, note)
        if name in owners:
            note.add(line, where, f"the name is taken by {owners[name]}; expected another")
        owners[name] = where


def _check_argument(name: str, line: int, where: str, note: Notes) -> None:
    if not is_name(name) or name.startswith("_"):
        note.add(line, where, f"{name!r} cannot be the name of an argument; expected {_A_NAME}")
    elif name in _ARGUMENTS or (name in IMPORTED | _DEFINED | {note.op.class_name} and name not in _fixed(note.op)):
        note.add(line, where, f"{name!r} is reserved in generated code; expected another name")


def _fixed(op: Entry) -> set[str]:
    """The type attributes that are not arguments."""
    return {each.name for each in op.types} - {each.name for each in op.explicit_types}


def _check_types(op: Entry, note: Notes) -> None:
    used = [(f"inputs.{each.name}", each.type, each.line) for each in op.inputs]
    used += [(f"outputs.{output.name}", output.type, output.line) for output in op.outputs]
    for where, name, line in used:
        if name and name not in op.types_by_name and name not in BY_NAME:
            expected = f"a type attribute ({choices(op.types_by_name)}) or a type such as int32"
            note.add(line, where, f"unknown type {name!r}; expected {expected}")
    for input_ in op.inputs:
        where = f"inputs.{input_.name}"
        if input_.kind == "mixed" and input_.type in BY_NAME:
            note.add(
                input_.line,
                where,
                f"kind 'mixed' has type {input_.type!r}; expected a type attribute, for the list of types",
            )
        if isinstance(input_.default, float) and not _are_floating(op, input_):
            reason = f"default {input_.default!r} is not an integer, but the type may be; expected an integer"
            note.add(input_.line, where, reason)
        if input_.kind != "one" and (input_.integers or input_.default is not None):
            note.add(input_.line, where, f"kind {input_.kind!r} takes no integers and no default; expected neither")


def _are_floating(op: Entry, input_: EntryInput) -> bool:
    """Whether an input takes floating and complex numbers alone."""
    attribute = op.types_by_name.get(input_.type)
    allowed = [BY_NAME[input_.type]] if input_.type in BY_NAME else attribute.allowed if attribute else []
    return all(issubclass(leaf, (TFloating, TComplex)) for leaf in allowed)


# Options by position


def _check_positional(op: Entry, note: Notes) -> None:
    """Whether every option by position precedes what is passed by name."""
    omitted = [
        *(input_.name for input_ in op.inputs if input_.default is not None),
        *(type_.name for type_ in op.explicit_types if type_.default is not None),
        *(attr.name for attr in op.attrs if not attr.required),
    ]
    for attr in op.attrs:
        if attr.positional and omitted[:1] != [attr.name]:
            note.add(
                attr.line,
                f"attrs.{attr.name}",
                "positional is for the first argument that may be left out; expected no positional",
            )


# Outputs and the order of arguments


def _check_outputs(op: Entry, note: Notes) -> None:
    counts = {attr.name for attr in op.attrs if attr.type == "int"} | _list_lengths(op)
    for output in op.outputs:
        where = f"outputs.{output.name}"
        if not is_name(output.name) or output.name.startswith("_"):
            note.add(output.line, where, f"{output.name!r} cannot be the name of an accessor; expected {_A_NAME}")
        elif output.name in _ACCESSORS:
            note.add(
                output.line,
                where,
                f"{output.name!r} is reserved: wrapper classes have it already; expected another name",
            )
        if output.count and output.count not in counts:
            note.add(
                output.line,
                where,
                f"unknown count {output.count!r}; expected {choices(sorted(counts))}, an int attribute",
            )
    lists = [place for place, output in enumerate(op.outputs) if op.is_list(output)]
    for output in op.outputs[lists[0] : lists[-1]] if lists else ():
        if not op.is_list(output):
            note.add(
                output.line,
                f"outputs.{output.name}",
                "a single output between lists of outputs; expected it before or after all of them",
            )


def _list_lengths(op: Entry) -> set[str]:
    return {"N"} if any(each.kind == "many" for each in op.inputs) else set()


def _check_order(op: Entry, note: Notes) -> None:
    optional = ""
    for input_ in op.inputs:
        if input_.default is not None:
            optional = input_.name
        elif optional:
            note.add(
                input_.line,
                f"inputs.{input_.name}",
                f"has no default, but follows {optional!r}, which has one; expected a default",
            )


# Examples


def _check_examples(op: Entry, note: Notes) -> None:
    inputs = [each.name for each in op.inputs]
    attributes = [each.name for each in op.attrs] + [each.name for each in op.types] + sorted(_list_lengths(op))
    outputs = [each.name for each in op.outputs]
    single = [each.name for each in op.inputs if each.kind == "one"] if op.is_operand else []
    known = {"inputs": inputs, "attrs": attributes, "outputs": outputs, "gradients": single, "after": inputs}
    required = {"inputs": [each.name for each in op.inputs if each.default is None], "attrs": _required(op)}
    for index, example in enumerate(op.examples):
        for key, names in known.items():
            where = f"examples[{index}].{key}"
            values: Mapping[str, object] = getattr(example, key)
            for name in values:
                if name not in names:
                    note.add(example.line, where, f"unknown name {name!r}; expected {choices(names)}")
            for name in required.get(key, ()):
                if name not in values:
                    note.add(example.line, where, f"missing name {name!r}; expected a value, as it has no default")


def _required(op: Entry) -> list[str]:
    stated = op.tensor is not None
    attributes = [each.name for each in op.attrs if each.required]
    return attributes + [each.name for each in op.explicit_types if each.default is None and not stated]


# Functions


class _Finder:
    """Finds the functions of one operation; one that is missing is an error."""

    def __init__(self, op: Entry, root: str, note: Notes) -> None:
        self._op = op
        self._root = root
        self._note = note

    def find(self, name: str, kind: str, where: str, line: int = 0) -> Function | None:
        """The function `name` of a kind; `where` is the key that names it."""
        line = line or self._op.lines.get(where, self._op.line)
        paths = places(name, kind, self._op.stem, self._root)
        try:
            function = find_function(paths)
        except SyntaxError as error:
            self._note.add(line, where, f"{error.filename}:{error.lineno} is not valid Python: {error.msg}")
            return None
        if function is None:
            self._note.add(line, where, f"no function {name!r} was found; expected {choices(paths)}")
        return function


def functions(op: Entry, root: str, note: Notes) -> Functions:
    """The functions that do the work; one that is missing, or does not fit, is an error."""
    finder = _Finder(op, root, note)
    has_rule = Flow.RULE in op.gradient.values()
    shape = finder.find(op.shape.function, "shapes", "shape") if op.shape.function else None
    kernel = finder.find(op.kernel or snake(op.name), "kernels", "kernel")
    value = finder.find(op.value, "shapes", "value") if op.value else None
    gradient = finder.find(op.gradient_function or snake(op.name), "rules", "gradient_function") if has_rule else None
    if op.gradient_function and not has_rule:
        note.add(
            op.lines["gradient_function"], "gradient_function", "no input has a rule; expected no gradient_function"
        )
    if shape is not None:
        _check_shape_call(op, shape, note)
    if kernel is not None:
        _check_kernel(op, kernel, note)
    defaults = {
        each.name: _path(finder.find(each.default, "defaults", f"inputs.{each.name}.default", each.line))
        for each in op.inputs
        if isinstance(each.default, str)
    }
    return Functions(_path(shape), _path(kernel), _path(value), _path(gradient), defaults)


def _path(function: Function | None) -> str:
    return "" if function is None else function.path


def _check_shape_call(op: Entry, shape: Function, note: Notes) -> None:
    line = op.lines["shape"]
    names = [each.name for each in op.inputs] + [each.name for each in op.attrs]
    for name in op.shape.arguments:
        if name not in names:
            note.add(line, "shape", f"unknown argument {name!r}; expected {choices(names)}")
    if shape.definition is None:
        return
    arguments = shape.definition.args
    needed = len(arguments.posonlyargs + arguments.args) - 1
    stated = len(op.shape.arguments)
    if not (stated >= needed if arguments.vararg else needed - len(arguments.defaults) <= stated <= needed):
        note.add(line, "shape", f"{shape.path} is given {stated} arguments; expected {needed}")


def _check_shape_answers(op: Entry, note: Notes) -> None:
    """Whether typegrad's own shape function works for the entry, which may name any."""
    if reason := mistake(op):
        note.add(op.lines["shape"], "shape", f"{op.functions.shape} does not work for this entry: {reason}")


def _check_kernel(op: Entry, kernel: Function, note: Notes) -> None:
    """Whether the runtime can call the kernel: an argument per input after `xp`, and keywords that are attributes."""
    if kernel.definition is None:
        return
    line = op.lines.get("kernel", op.line)
    arguments = kernel.definition.args
    needed = len(op.inputs) + 1
    accepted = len(arguments.posonlyargs + arguments.args)
    if not (accepted <= needed if arguments.vararg else accepted - len(arguments.defaults) <= needed <= accepted):
        message = f"{kernel.path} takes {accepted} positional arguments; expected {needed}: xp and one per input"
        note.add(line, "kernel", message)
    allowed = list(_keywords(op))
    for argument in arguments.kwonlyargs:
        if argument.arg not in allowed:
            note.add(line, "kernel", f"{kernel.path} has the keyword {argument.arg!r}; expected {choices(allowed)}")


def _keywords(op: Entry) -> Iterable[str]:
    yield from (each.name for each in op.attrs)
    yield from (each.name for each in op.types)
    yield from _list_lengths(op)
    if op.effect == "random":
        yield "rng"


# Neighbours


def _check_neighbours(op: Entry, names: set[str], note: Notes) -> None:
    for name in op.see_also:
        if name == op.name or name not in names:
            nearest = get_close_matches(name, names - {op.name}, 1)
            hint = f", such as {nearest[0]!r}" if nearest else ""
            note.add(op.lines["see_also"], "see_also", f"found {name!r}; expected the name of another operation{hint}")
