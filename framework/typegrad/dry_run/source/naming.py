"""The names that a program itself has for its operands, in place of those that the graph gives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from types import FrameType
from typing import Final

from typegrad.dry_run.source.declared import attributes_of
from typegrad.graph.explain import is_of_variable, read_from
from typegrad.graph.graph import Graph
from typegrad.graph.operand import AnyOperand, Operand
from typegrad.graph.operation import Operation
from typegrad.graph.variable import METHODS
from typegrad.op._table import TABLE

__all__ = ["held_by", "name_of", "renamed"]

_FILE: Final = r"(?P<file>[^(),\n]*):(?P<line>\d+)"
_ORIGIN: Final = re.compile(rf"'(?P<name>[^']*)' \((?P<type>\w+), (?P<what>[^()]*), created at {_FILE}\)")
"""An operand in a message, and where it was made."""
_ALONE: Final = re.compile(r"(?P<kind>\bvariable )?'(?P<name>[\w./>\\-]+)(?P<output>:\d+)?'(?! object\b)")
"""An operand, or a variable, in a message by its name alone, where that is not the name of a class."""
_OPERATION: Final = re.compile(rf"\b(?P<type>\w+) '(?P<name>[^']*)' \(created at {_FILE}\)")
"""An operation in a message, and where it was made."""
_NEW: Final = re.compile(rf"^(?P<type>\w+) '[^']*' \({_FILE}\)")
"""The operation that was to be made, and where."""
_READ: Final = re.compile(r"^ReadVariableOp '[^']*' \([^()]*\): ")
"""The read of a variable, which programs do not write, before what is wrong with the variable."""
_NUMBER: Final = re.compile(r"(_\d+)?(:\d+)?$")
_ROLE: Final = re.compile(r"\b(?:loss|weight|labels|logits|operand) $")
"""What a message calls an operand before it names it."""
_OWN: Final = re.compile(r"__\w+__")
"""The names of a dry run itself, for parts of what is assigned."""
_DERIVATIVES: Final = frozenset(("gradients", "hessian", "hvp", "jacobian"))
"""The scopes of derivatives."""
_VARIABLE: Final = "Variable"
_CLASSES: Final = {type_: path.rpartition(":")[2] for type_, path in TABLE.items()} | METHODS
"""The names of the classes and methods by which programs know the types of operations."""


def held_by(frame: FrameType, is_own: Callable[[type], bool]) -> Mapping[str, AnyOperand]:
    """The operands that a function's and its module's names refer to, and the operands in objects of own classes."""
    everything = {**frame.f_locals, **frame.f_globals} | frame.f_locals  # the local names first
    values = {name: value for name, value in everything.items() if not _OWN.fullmatch(name)}
    objects = {name: value for name, value in values.items() if is_own(type(value))}
    attributes = {f"{name}.{each}": value for name, owner in objects.items() for each, value in attributes_of(owner)}
    return {name: value for name, value in (values | attributes).items() if isinstance(value, Operand)}


def renamed(text: str, held: Mapping[str, AnyOperand], main: str) -> str:
    """A message of typegrad in the words of the program: its names, its classes, and lines of the file `main`."""
    return _Names(held, main).told(text)


def name_of(operand: str, made: str, held: Mapping[str, AnyOperand]) -> str | None:
    """What a program calls an operand of this name, made at this place; None if it has no name for it."""
    name = _Names(held, "").name(operand, made)
    return None if name is None else name.partition(":")[0]


class _Names:
    def __init__(self, held: Mapping[str, AnyOperand], main: str) -> None:
        self._held = held
        self._main = main
        self._graphs: dict[Graph, None] = dict.fromkeys(each.graph for each in held.values())

    def told(self, text: str) -> str:
        text = _READ.sub("", text)
        text = _ORIGIN.sub(partial(self._with_origin, text), text)
        text = _ALONE.sub(self._alone, text)
        text = _OPERATION.sub(self._operation, text)
        return _NEW.sub(lambda found: _class(found["type"]), text)

    def _with_origin(self, text: str, found: re.Match[str]) -> str:
        made = f"{found['file']}:{found['line']}"
        name, class_, line = self.name(found["name"], made), _class(found["type"]), self._line(made)
        if name is None and class_ == _VARIABLE:
            return f"the variable from {line} ({found['what']})"
        if name is not None:
            return f"'{name}' ({class_}, {found['what']}, {line})"
        if _ROLE.search(text, 0, found.start()):
            return f"(the {class_} from {line}, {found['what']})"
        return f"the {class_} from {line} ({found['what']})"

    def _alone(self, found: re.Match[str]) -> str:
        find = _operation if found["output"] else _handle
        made = {op.created_at: op for graph in self._graphs if (op := find(graph, found["name"])) is not None}
        if len(made) != 1:
            return found[0]
        ((place, op),) = made.items()
        name, kind = self.name(f"{found['name']}{found['output'] or ''}", place), found["kind"] or ""
        class_ = _class(op.type) if found["output"] else "variable"
        return f"the {class_} from {self._line(place)}" if name is None else f"{kind}'{name}'"

    def _operation(self, found: re.Match[str]) -> str:
        made = f"{found['file']}:{found['line']}"
        name, class_, line = self.name(found["name"], made), _class(found["type"]), self._line(made)
        return f"the {class_} from {line}" if name is None else f"'{name}' ({class_}, {line})"

    def name(self, name: str, made: str) -> str | None:
        """What an operand is called by the user, or by the program; None if it has no name."""
        is_automatic = _is_automatic(name)
        if not is_automatic and not self._is_shared(name):
            return name
        same = {
            each: id(value.as_reference().op)
            for each, value in self._held.items()
            if (name, made) in _references(value)
        }
        if len(set(same.values())) == 1 and not self._is_in_several_graphs(name, made):
            return next(iter(same))
        return None if is_automatic else name

    def _is_shared(self, name: str) -> bool:
        """Whether a scope has given several operations this name, with numbers behind it: "net", "net_1"."""
        own = _NUMBER.sub("", name)
        both = [(own, f"{own}/handle"), (f"{own}_1", f"{own}_1/handle")]
        return any(all(any(each in graph for each in names) for names in both) for graph in self._graphs)

    def _is_in_several_graphs(self, name: str, made: str) -> bool:
        """Whether the same line has made operations of this name in several graphs."""
        own = name.partition(":")[0]
        found = (_operation(graph, own) or _handle(graph, own) for graph in self._graphs)
        return sum(each is not None and each.created_at == made for each in found) > 1

    def _line(self, made: str) -> str:
        file, _, line = made.rpartition(":")
        return f"line {line}" if file == self._main else f"line {line} of {Path(file).name}"


def _references(value: AnyOperand) -> Iterator[tuple[str, str]]:
    """How messages name an operand, the operation that makes it, and the variable that this reads, with their lines."""
    op = value.as_reference().op
    yield value.name, op.created_at
    yield op.name, op.created_at
    handle = read_from(op)
    if handle is not None:
        yield handle.attrs["shared_name"], handle.created_at


def _operation(graph: Graph, name: str) -> Operation | None:
    return graph.operation(name) if name in graph else None


def _handle(graph: Graph, name: str) -> Operation | None:
    """The operation that makes the handle of a variable."""
    operation = _operation(graph, f"{name}/handle")
    return operation if operation is not None and is_of_variable(operation) else None


def _class(type_: str) -> str:
    return _CLASSES.get(type_, type_)


@cache
def _of_library() -> frozenset[str]:
    """The scopes in which typegrad names operations."""
    from typegrad.training import losses, metrics, optimizers

    return _DERIVATIVES.union(*map(dir, (losses, metrics, optimizers)))


def _is_automatic(name: str) -> bool:
    """Whether the graph has named an operation after its type, or typegrad in a scope of its own."""
    if not _of_library().isdisjoint(_NUMBER.sub("", part) for part in name.split("/")[:-1]):
        return True
    own = _NUMBER.sub("", name.rpartition("/")[2])
    return own in TABLE or own == _VARIABLE or own in _CLASSES.values()
