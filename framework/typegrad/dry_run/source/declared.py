"""Values for which a program may declare a type: what functions return, parameters, annotated names, fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, Literal, NamedTuple, TypeAlias

from typegrad.dry_run.known.values import Value, operands_in, value_of
from typegrad.dry_run.source.places import Place
from typegrad.graph.operand import AnyOperand

__all__ = ["Declarations", "Declared", "Frame", "Kind", "attributes_of"]

Kind: TypeAlias = Literal["call", "field", "name", "parameter", "result"]


class Frame(NamedTuple):
    """A line that is running."""

    file: str
    line: int
    function: str
    """The function that it is in, with its class."""
    last_line: int
    """The last line of the call that is running, which may have its arguments in lines of their own."""

    @property
    def lines(self) -> range:
        """The lines of the call that is running."""
        return range(self.line, max(self.line, self.last_line) + 1)


class Declared(NamedTuple):
    """A value of operands, and where it was first."""

    kind: Kind
    """A call is of `create`, whose result has the element type of numbers."""
    module: str
    """The module of the function or class."""
    name: str
    """The function with its class, or the field with its class; both may be in a function."""
    place: Place | None
    """The `return`, the name, the parameter or the call; None for a field."""
    value: Value
    operands: tuple[AnyOperand, ...]
    frames: tuple[Frame, ...]
    """The lines that are running, the innermost one first."""


class Declarations(list[Declared]):
    """The distinct values of a program, in the order in which they are made."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[tuple[object, ...], list[Value]] = {}

    def note(
        self,
        kind: Kind,
        owner: tuple[str, str],
        place: Place | None,
        value: Any,
        frames: Callable[[], tuple[Frame, ...]],
    ) -> None:
        """Note a value, unless it has no operands or is known; `owner` is a module and a name in it."""
        made = value_of(value)
        known = self._known.setdefault((kind, owner, place), [])
        if made is not None and made not in known:
            known.append(made)
            self.append(Declared(kind, *owner, place, made, tuple(operands_in(value)), frames()))

    def note_fields(self, value: Any, frames: Callable[[], tuple[Frame, ...]]) -> None:
        """Note the operands that a new object has."""
        class_ = type(value)
        for name, part in attributes_of(value):
            self.note("field", (class_.__module__, f"{class_.__qualname__}.{name}"), None, part, frames)


def attributes_of(owner: Any) -> Iterator[tuple[str, Any]]:
    """The attributes of an object, or the fields of a tuple, with their names."""
    slots = [name for each in type(owner).__mro__ for name in getattr(each, "__slots__", ())]
    for name in (*getattr(owner, "__dict__", ()), *slots):
        with suppress(AttributeError):
            yield name, object.__getattribute__(owner, name)
    if isinstance(owner, tuple):
        yield from zip(getattr(owner, "_fields", ()), owner, strict=False)
