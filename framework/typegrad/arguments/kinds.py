"""What a parameter takes, read off its annotation."""

from __future__ import annotations

import os
import types
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from pathlib import PurePath
from typing import Any, Final, Literal, SupportsIndex, TypeVar, Union, get_args, get_origin

import numpy as np
from attrs import evolve, frozen
from typing_extensions import TypeIs, is_typeddict

from typegrad.arguments.instead import OF_PAIRS, of_tuple
from typegrad.arguments.numbers import is_complex, is_element_type, is_integer, is_real
from typegrad.base.brief import brief, is_text
from typegrad.base.errors import AttributeValueError, DTypeError, GraphError, TypegradError
from typegrad.base.sameness import NO_VALUES, Sameness
from typegrad.base.shape import Shape
from typegrad.base.size import Size
from typegrad.base.types import ALL_TYPES, TType, allowed_names, conversion, type_hint

__all__ = [
    "JOINED",
    "OF_READ",
    "PAIR_ORDER",
    "Kind",
    "Mistake",
    "is_list",
    "is_operand",
    "kind_of",
    "operand_hint",
    "variable_hint",
]

_OPERAND: Final = "Operand"
_VARIABLE: Final = "Variable"
"""The names of classes that are defined above this module."""


@frozen(eq=False)
class Kind:
    """What a parameter takes."""

    one: str
    """Such a value, with its article: "an operand"."""
    many: str
    """Several of them: "operands"."""
    accepts: Callable[[object], bool]
    error: type[TypegradError] = AttributeValueError
    """What is raised for another value: that which `create` of an operation raises for such an argument."""
    hint: str | Callable[[object], str] = ""
    """What to do instead, for every other value or for one."""
    items: Callable[[object], Iterable[tuple[str, object, Kind]]] | None = None
    """For a container: its elements, each with its index, "[0]", and what it has to be."""
    options: tuple[Kind, ...] = ()
    element: Kind | None = None
    """Of a list: what its elements have to be."""
    is_value: bool = False
    """Whether an operand can be made of it: a number, a string, an array, or lists of these."""
    types: Collection[type[TType]] = ()
    """Of an operand: the element types that it may have; empty if it may have any."""

    def mistake(self, value: object) -> Mistake | None:
        """What is wrong with `value`: itself, or one of its elements."""
        if self.accepts(value):
            return None
        for option in (self, *self.options):
            if option.items is not None:
                for place, item, kind in option.items(value):
                    mistake = kind.mistake(item)
                    if mistake is not None:
                        return Mistake(place + mistake.place, mistake.value, mistake.kind)
        return Mistake("", value, self)

    def refused(self, value: object) -> Mistake:
        """What is wrong with a value that was not accepted, even if its methods answer otherwise the second time."""
        return self.mistake(value) or Mistake("", value, self)


@frozen(eq=False)
class Mistake:
    """A value that is not of the kind it has to be, and its place in the argument."""

    place: str
    value: object
    kind: Kind

    @property
    def wrong_type(self) -> str:
        """What is wrong with the element type of an operand; "" if the mistake is another one."""
        value: Any = self.value
        allowed = self.kind.types
        if not allowed or not is_operand(value) or value.dtype in allowed:
            return ""
        dtype = value.dtype
        return f"is {dtype.name}, but must be {allowed_names(allowed)}; {conversion('it', allowed, [dtype])}"

    @property
    def holds_operands(self) -> bool:
        """Whether the value is a list of operands."""
        return _holds_operands(self.value)

    @property
    def is_number(self) -> bool:
        """Whether the value is a number or an array."""
        return isinstance(self.value, (np.ndarray, np.generic, int, float, complex))

    @property
    def hint(self) -> str:
        """What to do instead, if there is something to say."""
        if isinstance(self.value, Sameness):
            return NO_VALUES
        if isinstance(self.value, str) and self.kind.accepts(""):
            return "surrogates, which are halves of characters, are not text"
        element = self.kind.element
        if isinstance(self.value, Iterator) and element is not None:
            return "write list(...)"
        if isinstance(self.value, Shape) and element is not None:
            return "write x.shape.as_ints() for known sizes, core.Shape.create(scope, x) for those in a run"
        if element is not None and element.accepts(self.value):
            return f"write [{brief(self.value) if type(self.value) is int else 'x'}] for one"
        if element is not None and isinstance(self.value, dict) and all(map(element.accepts, self.value.values())):
            return "write list(x.values())"
        if is_list(self.value) and _MAPPING in self.kind.options:
            return "write {x: value, y: value} for several"
        hint = self.kind.hint if isinstance(self.kind.hint, str) else self.kind.hint(self.value)
        return hint or ("" if element is None or isinstance(element.hint, str) else element.hint(self.value))


def kind_of(annotation: object) -> Kind | None:
    """The values that an annotation accepts. None: any, or a condition that only the function itself can check."""
    if isinstance(annotation, TypeVar):
        return None if annotation.__bound__ is None else kind_of(annotation.__bound__)
    annotation = _written_out(annotation)
    origin = get_origin(annotation)
    plain = annotation if origin is None else origin
    if plain in _PLAIN:
        return _PLAIN[plain]
    make = _MADE.get(plain)
    if make is not None:
        return make(get_args(annotation))
    if isinstance(plain, type) and not _is_open(plain):
        kind = _instance(plain)
        return _of_types(kind, plain, get_args(annotation)[0]) if plain.__name__ == _OPERAND and origin else kind
    return None


def _written_out(annotation: Any) -> Any:
    """An annotation in place of its name, if a `type` statement gave it one, as NumPy's do from 2.5 on."""
    alias = get_origin(annotation) or annotation
    if not hasattr(alias, "__value__"):
        return annotation
    arguments = get_args(annotation)
    return _written_out(alias.__value__[arguments] if arguments else alias.__value__)


def _of_types(kind: Kind, plain: Any, element: object) -> Kind:
    """The kind of operands whose element type is annotated."""
    bound = element.__bound__ if isinstance(element, TypeVar) else element
    classes: tuple[Any, ...] = get_args(bound) if get_origin(bound) in (Union, types.UnionType) else (bound,)
    if not all(isinstance(each, type) and issubclass(each, TType) for each in classes):
        return kind
    allowed = frozenset(leaf for leaf in ALL_TYPES if issubclass(leaf, classes))

    def accepts(value: Any) -> bool:
        return isinstance(value, plain) and value.dtype in allowed

    return kind if len(allowed) == len(ALL_TYPES) else evolve(kind, types=allowed, accepts=accepts)


def _is_open(plain: type) -> bool:
    """Whether values that are not instances of a class are accepted in its place."""
    return plain is object or getattr(plain, "_is_protocol", False) or is_typeddict(plain)


_MAPPING: Final = Kind("a mapping", "mappings", lambda value: isinstance(value, Mapping))
_PLAIN: Final[dict[object, Kind | None]] = {
    Any: None,
    None: Kind("None", "None", lambda value: value is None),
    types.NoneType: Kind("None", "None", lambda value: value is None),
    bool: Kind("a bool", "bools", lambda value: isinstance(value, (bool, np.bool_)), is_value=True),
    **dict.fromkeys((int, np.signedinteger, SupportsIndex), Kind("an int", "ints", is_integer, is_value=True)),
    **dict.fromkeys((float, np.floating), Kind("a number", "numbers", is_real, is_value=True)),
    complex: Kind("a complex number", "complex numbers", is_complex, is_value=True),
    str: Kind("a string", "strings", is_text, is_value=True),
    Callable: Kind("a function", "functions", callable),
    os.PathLike: Kind("a path", "paths", lambda value: isinstance(value, os.PathLike)),
    np.ndarray: Kind(
        "a NumPy array",
        "NumPy arrays",
        lambda value: isinstance(value, np.ndarray),
        DTypeError,
        "np.asarray makes one",
        is_value=True,
    ),
    Mapping: _MAPPING,
    PurePath: Kind("a path", "paths", lambda value: isinstance(value, PurePath)),
}


_NEW_VARIABLE: Final = "tg.Variable.create makes one"
PAIR_ORDER: Final = "a pair is (gradient, variable), as compute_gradients returns it"
OF_READ: Final = "it is a value of the variable {}; pass the variable"


def operand_hint(count: int = 0) -> str:
    """What to write where an operand has to be: for a list of so many operands, or for anything else."""
    if count == 1:
        return of_tuple(count)
    if count:
        return "math.AddN.create(scope, [...]) adds the operands, core.Stack.create(scope, [...]) stacks them"
    return f"wrap a value in core.Constant, or {_ONE_OUTPUT}"


def _holds_operands(value: object) -> bool:
    if not isinstance(value, (list, tuple)) or not value:
        return False
    return all(map(is_operand, value))


def is_operand(value: object) -> bool:
    """Whether a value is an operand, which this layer knows by name."""
    return any(base.__name__ == _OPERAND for base in type(value).__mro__)


def _operand_hint(value: object) -> str:
    if isinstance(value, tuple) and _holds_operands(value):
        return of_tuple(len(value))
    if isinstance(value, list) and any(
        isinstance(each, tuple) and each and type(each[-1]).__name__ == _VARIABLE for each in value
    ):
        return OF_PAIRS
    if callable(value) and not isinstance(value, type):
        return "call it when the graph is built: what it returns may be one"
    if isinstance(value, str):
        output = value if ":" in value else f"{value}:0"
        return f"graph.output({output!r}) is an operand by its name; of variables, {variable_hint(value)}"
    return operand_hint(len(value) if is_list(value) and _holds_operands(value) else 0)


def variable_hint(value: object) -> str:
    """What to write where a variable has to be."""
    if isinstance(value, str):
        return f"[v for v in graph.variables if v.name == {value!r}] holds the one of that name"
    if own := [f".{name}" for name, each in getattr(value, "__dict__", {}).items() if type(each).__name__ == _VARIABLE]:
        return f"its variables are {', '.join(own)}"
    if callable(value) and not isinstance(value, type):
        return "call it, and pass its result"
    if isinstance(value, (list, tuple)):
        return "write one list of all of them, without lists in it"
    if is_operand(value):
        operand: Any = value
        sources = set(operand.op.inputs)
        read = next((each.name for each in operand.graph.variables if each.handle in sources), None)
        if read is not None:
            return OF_READ.format(repr(read))
    return _NEW_VARIABLE


_ONE_OUTPUT: Final = "take one output of an operation that has several"
_HINTS: Final[dict[str, tuple[type[TypegradError], str | Callable[[object], str]]]] = {
    "Scope": (GraphError, "write tg.Scope(graph)"),
    "Graph": (GraphError, "tg.Graph() makes one, and scopes and operands have it as `.graph`"),
    "Session": (GraphError, "write tg.Session(graph)"),
    "Operation": (GraphError, "operands have it as `.op`"),
    "Op": (GraphError, "that is an operation with no output or with several"),
    _VARIABLE: (GraphError, variable_hint),
    _OPERAND: (DTypeError, _operand_hint),
}
"""By the name of a class: the error for what is not an instance of it, and how to get one."""


JOINED: Final = "write {} to join lists"
_OF_GRADIENTS: Final = "a pair has one gradient; of what clip_by_global_norm returns, [0] is the list of gradients"
_UNIONS: Final[dict[object, str]] = {
    Shape: "a tuple of sizes, such as (3, 5) or (None, 5)",
    Size: "an int, a name or None",
}
"""What a union is in short, by a class in it."""
_FILE_NAME: Final = Kind("a string", "strings", lambda value: isinstance(value, str))
"""Names of files may be no text: Python has them as strings with surrogates."""


def _instance(plain: type) -> Kind:
    name = plain.__name__
    if issubclass(plain, Enum):
        members = ", ".join(f"{name}.{member.name}" for member in plain)
        return Kind(f"one of {members}", f"values among {members}", lambda value: isinstance(value, plain))
    error, hint = _HINTS.get(name, (AttributeValueError, ""))
    article = "an" if name[0] in "AEIOU" else "a"
    is_value = issubclass(plain, (bytes, np.generic))
    return Kind(f"{article} {name}", f"{name}s", lambda value: isinstance(value, plain), error, hint, is_value=is_value)


_INTEGERS: Final = (np.dtype[np.signedinteger[Any]],)
"""The element type of arrays that are taken beside lists of integers, as lists."""


def _union(arguments: Sequence[object]) -> Kind | None:
    is_path = any((get_origin(argument) or argument) is os.PathLike for argument in arguments)
    arguments = [argument for argument in arguments if get_args(argument)[1:] != _INTEGERS]
    options = [_FILE_NAME if is_path and argument is str else kind_of(argument) for argument in arguments]
    kinds = tuple(option for option in options if option is not None)
    if len(kinds) < len(options):
        return None
    checks = tuple(kind.accepts for kind in kinds)
    names = {getattr(get_origin(each), "__name__", "") for each in arguments}
    if Sequence[int] in arguments or _OPERAND in names:  # a shape is one of integers
        kinds = tuple(kind for argument, kind in zip(arguments, kinds, strict=True) if argument is not Shape)
        arguments = [argument for argument in arguments if argument is not Shape]
    shown = _in_short(kinds) if _PLAIN[np.ndarray] in kinds else kinds
    words = next((_UNIONS[each] for each in arguments if each in _UNIONS), "")
    return Kind(
        words or " or ".join(dict.fromkeys(kind.one for kind in shown)),
        words or " or ".join(dict.fromkeys(kind.many for kind in shown)),
        lambda value: any(accepts(value) for accepts in checks),
        shown[0].error,
        shown[0].hint,
        options=shown,
        element=next((kind.element for kind in shown if kind.element is not None), None),
        is_value=all(kind.is_value for kind in kinds),
        types=_types(kinds),
    )


def _types(kinds: Iterable[Kind]) -> Collection[type[TType]]:
    """The element types that an operand may have which one of these accepts."""
    operands = [kind.types for kind in kinds if kind.one == f"an {_OPERAND}"]
    return frozenset().union(*operands) if all(operands) else ()


def _in_short(kinds: Sequence[Kind]) -> tuple[Kind, ...]:
    """Merge the kinds of values into one: an argument that may be an array may also be a number or a list."""
    scalars = [kind for kind in kinds if kind in _PLAIN.values() and kind.is_value and kind is not _PLAIN[np.ndarray]]
    value = Kind("a number, list or array", "numbers, lists or arrays", lambda _: False, DTypeError, is_value=True)
    if scalars in ([_PLAIN[int]], [_PLAIN[bool]], [_PLAIN[str]]):
        (scalar,) = scalars
        value = evolve(
            value,
            one=f"{scalar.one}, list or array of {scalar.many}",
            many=f"{scalar.many} and lists or arrays of {scalar.many}",
        )
    merged = [value if kind.is_value else kind for kind in kinds]
    return tuple(evolve(kind, hint=_ONE_OUTPUT) if kind.error is DTypeError else kind for kind in dict.fromkeys(merged))


def _literal(values: Sequence[object]) -> Kind:
    names = ", ".join(map(repr, values))
    return Kind(
        f"one of {names}",
        f"values among {names}",
        lambda value: any(isinstance(value, type(known)) and value == known for known in values),
    )


def _class(arguments: Sequence[object]) -> Kind | None:
    """A class: an element type, or a subclass of something."""
    if not arguments:
        return None
    (base,) = arguments
    bound = base.__bound__ if isinstance(base, TypeVar) else base
    classes = tuple(get_args(bound)) if get_origin(bound) in (Union, types.UnionType) else (bound,)
    if not all(isinstance(one, type) and issubclass(one, TType) for one in classes):
        return None
    return Kind(
        "an element type",
        "element types",
        is_element_type,
        DTypeError,
        type_hint,
    )


def _listed(arguments: Sequence[object]) -> Kind:
    """A collection of any kind that has a length: a list, a tuple, a set, an array of rank 1 or more."""
    kind = kind_of(arguments[0]) if arguments else None
    one = None if kind is None else _of_joined(kind)

    def items(value: object) -> Iterable[tuple[str, object, Kind]]:
        if one is not None and is_list(value):
            yield from ((f"[{i}]", item, one) for i, item in enumerate(value))

    def accepts(value: object) -> bool:
        if isinstance(value, str):  # a string is a sequence of strings
            return kind is not None and kind.accepts(value)
        return is_list(value) and (kind is None or all(map(kind.accepts, value)))

    if kind is None:
        return Kind("a list", "lists", accepts)
    return Kind(
        f"a list of {kind.many}",
        f"lists of {kind.many}",
        accepts,
        kind.error,
        items=items,
        element=kind,
        is_value=kind.is_value,
    )


def _of_joined(kind: Kind) -> Kind:
    """The kind of an item of a list, which has words for a list in its place, as in `[weights, biases]`."""

    def hint(value: object) -> str:
        if is_list(value) and _holds_operands(value) and all(map(kind.accepts, value)):
            return JOINED.format("[*xs, *ys]")
        return kind.hint if isinstance(kind.hint, str) else kind.hint(value)

    return evolve(kind, hint=hint)


def is_list(value: object) -> TypeIs[Collection[Any]]:
    """Whether a value is a list of some kind: not a string, nor a shape, and no array of rank 0."""
    if type(value) in (tuple, list):
        return True
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Collection) and not isinstance(value, (str, bytes, bytearray, memoryview, Mapping, Shape))


def _alone(kind: Kind | None) -> Kind | None:
    """The kind of an item of a tuple: an operand is a gradient, as only the pairs of an optimizer hold any."""

    def hint(value: object) -> str:
        return _OF_GRADIENTS if isinstance(value, list) else _operand_hint(value)

    return evolve(kind, hint=hint) if kind is not None and kind.hint is _operand_hint else kind


def _iterable(arguments: Sequence[object]) -> Kind:
    """Any iterable; the elements of one that can be iterated only once are not checked."""
    listed = _listed(arguments)

    def accepts(value: Any) -> bool:
        if isinstance(value, (Collection, np.ndarray)):
            return listed.accepts(value)
        try:
            iter(value)
        except TypeError:  # operands have an __iter__ that says so
            return False
        return True

    return evolve(listed, accepts=accepts)


def _in_pair(kind: Kind) -> Kind:
    """The kind of an item of a tuple: a variable, which only the pairs of an optimizer hold, beside its gradient."""

    def hint(value: object) -> str:
        of_variable = variable_hint(value)
        return PAIR_ORDER if is_operand(value) and of_variable == _NEW_VARIABLE else of_variable

    return evolve(kind, hint=hint) if kind.hint is variable_hint else kind


def _tuple(arguments: Sequence[object]) -> Kind | None:
    if not arguments or arguments[-1] is Ellipsis:
        return _listed(arguments[:1])
    kinds = [_alone(kind_of(argument)) for argument in arguments]

    def parts(value: object, order: int = 1) -> list[tuple[int, object, Kind]] | None:
        if not isinstance(value, (tuple, list)) or len(value) != len(kinds):
            return None
        pairs = zip(value[::order], kinds, strict=True)
        return [(i, item, kind) for i, (item, kind) in enumerate(pairs) if kind is not None]

    def accepts(value: object, order: int = 1) -> bool:
        known = parts(value, order)
        return known is not None and all(kind.accepts(item) for _, item, kind in known)

    def items(value: object) -> Iterable[tuple[str, object, Kind]]:
        if not accepts(value, -1):
            yield from ((f"[{i}]", item, _in_pair(kind)) for i, item, kind in parts(value) or ())

    def hint(value: object) -> str:
        if is_operand(value):  # the pairs of an optimizer are the only ones with operands
            return "write zip(gradients, variables) for pairs"
        return "swap them" if accepts(value, -1) else ""

    names = ", ".join("anything" if kind is None else kind.one for kind in kinds)
    error = next((kind.error for kind in kinds if kind is not None), AttributeValueError)
    return Kind(f"a tuple ({names})", f"tuples ({names})", accepts, error, hint, items)


_MADE: Final[dict[object, Callable[[Sequence[object]], Kind | None]]] = {
    Union: _union,
    types.UnionType: _union,
    Literal: _literal,
    type: _class,
    Sequence: _listed,
    Collection: _listed,
    AbstractSet: _listed,
    list: _listed,
    tuple: _tuple,
    Iterable: _iterable,
}
