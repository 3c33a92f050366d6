"""Arguments of the public functions, checked where a user's call comes in.

`guard(__name__)` at the end of a public module checks the arguments of all that the module offers against the
annotations of its functions: an argument of another kind is refused, by name, before the function runs. What an
annotation cannot say, such as a range or a shape, the function checks itself. Type checkers and `inspect` see the
functions as they are written.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import wraps
from importlib import import_module
from inspect import Parameter
from itertools import pairwise
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, ForwardRef, NoReturn, TypeAlias, get_args, get_origin

from typing_extensions import Unpack

from typegrad.arguments.calls import called, explain, form, made_by, use_of
from typegrad.arguments.instead import instead, of_function, of_labels, of_operand, of_several, of_text, of_value
from typegrad.arguments.unknown import UncallableModule, unknown_attribute, unknown_attribute_of_class, unknown_name
from typegrad.base.brief import described
from typegrad.base.explained import Explained
from typegrad.base.location import frame

if TYPE_CHECKING:
    from typegrad.arguments.kinds import Kind, Mistake

__all__ = ["checked", "guard", "guarded", "kind_in", "public_members", "without_first"]

_Function: TypeAlias = Callable[..., object]

_SPECIAL: Final = frozenset({"__call__", "__contains__", "__getitem__", "__init__"})
"""The special methods that users call with arguments of their own."""

_SIZE: Final = "an int or an Operand"
"""What is said of a part of a shape."""
_MADE_ONCE: Final = ("graph", "session")
"""What a program has one of, so that another one is no remedy where it is forgotten."""
_LACKS: Final = "__getattr__"
"""What Python calls for an attribute that is not there."""

_FOR_CHECKERS: Final = {
    "AnyOperand": "typegrad.graph.operand",
    "AnyOutput": "typegrad.graph.operand",
    "AnyVariable": "typegrad.graph.variable",
    "Array": "typegrad.base.array",
    "Dataset": "typegrad.training.data.dataset",
    "Feeds": "typegrad.session.run_types",
    "GradYs": "typegrad.differentiation.api",
    "Graph": "typegrad.graph.graph",
    "Op": "typegrad.graph.wrapper",
    "Operand": "typegrad.graph.operand",
    "Operation": "typegrad.graph.operation",
    "Options": "typegrad.tools.pictures.view",
    "OwnGradient": "typegrad.differentiation.custom",
    "PathLike": "os",
    "Scope": "typegrad.graph.scope",
    "Session": "typegrad.session.session",
    "SupportsIndex": "typing",
    "Unpack": "typing_extensions",
    "Variable": "typegrad.graph.variable",
    "Ys": "typegrad.differentiation.api",
}
"""Where names are defined that modules import for type checkers alone, or for fields that classes of others inherit."""


def guard(module: str, *, trusted: Collection[_Function] = ()) -> None:
    """Check the arguments of what a module offers: of its own functions and classes, and those from below it.

    The module says what to write instead of a name that it lacks, and `dir` lists what it offers.

    Args:
        module: The name of the module; the call is its last statement.
        trusted: Functions that stay as they are: the package itself calls them for every operation, or they check all
            themselves.
    """
    namespace = vars(sys.modules[module])
    offered = namespace.get("__all__") or [
        name for name, value in namespace.items() if not name.startswith("_") and not isinstance(value, ModuleType)
    ]
    for name in offered:
        home = getattr(namespace[name], "__module__", None)
        if isinstance(home, str) and f"{home}.".startswith(f"{module}."):
            namespace[name] = guarded(namespace[name], trusted=trusted)
    for each in namespace.values() if "." not in module else ():
        if isinstance(each, ModuleType) and each.__name__.startswith(f"{module}."):
            UncallableModule.claim(each, namespace)
    namespace.setdefault(_LACKS, lambda name: unknown_name(module, name, (), frame(1)))
    namespace.setdefault("__dir__", lambda: sorted(offered))


def guarded(value: Any, *, trusted: Collection[_Function] = ()) -> Any:
    """Check the methods of a class, or return a checked function; return anything else unchanged.

    Objects of the class say what to write instead of an attribute that they lack.
    """
    if isinstance(value, type):
        for owner, name, member in public_members(value):
            replaced = _replaced(member, owner.__module__, trusted)
            if replaced is not member:
                setattr(owner, name, replaced)
        has_own = any(_LACKS in vars(base) for base in value.__mro__)  # `hasattr` would find the metaclass's, too
        if not issubclass(value, BaseException) and not has_own:
            setattr(value, _LACKS, unknown_attribute)
        if isinstance(value, Explained):
            setattr(Explained, _LACKS, unknown_attribute_of_class)
    elif inspect.isfunction(value) and value not in trusted:
        wrapper = checked(value, value.__module__)
        setattr(sys.modules[value.__module__], value.__name__, wrapper)
        return wrapper
    return value


def public_members(cls: type) -> Iterator[tuple[type, str, Any]]:
    """The methods of a class that users call, each with the class that defines it and its name."""
    for owner in cls.__mro__:
        if owner.__module__.partition(".")[0] == __name__.partition(".")[0]:
            for name, member in list(vars(owner).items()):
                is_function = inspect.isfunction(member) or isinstance(member, (staticmethod, classmethod))
                if is_function and (name in _SPECIAL or not name.startswith("_")):
                    yield owner, name, member


def _replaced(member: Any, module: str, trusted: Collection[_Function]) -> Any:
    function = getattr(member, "__func__", member)
    if function in trusted:
        return member
    wrapper = checked(function, module)
    if wrapper is function:
        return member
    return wrapper if function is member else type(member)(wrapper)


def checked(function: _Function, module: str) -> _Function:
    """`function`, with its arguments checked against its annotations, which are read when it is first called.

    `module` is where the names of the annotations are known.
    """
    if hasattr(function, "__checked__"):
        return function
    kinds: _Kinds | None = None

    @wraps(function)
    def call(*args: object, **kwargs: object) -> Any:
        nonlocal kinds
        if kinds is None:
            kinds = _Kinds(function, module)
        try:
            for position, accepts in kinds.checks:
                if position >= len(args):
                    break
                if not accepts(args[position]):
                    _refuse(function, args, *kinds.positional[position], args[position])
            if kinds.rest is not None:
                for i, value in enumerate(args[len(kinds.positional) :]):
                    if not kinds.rest.accepts(value):
                        _refuse(function, args, f"{kinds.rest_name}[{i}]", kinds.rest, value, is_rest=True)
            for name, value in kwargs.items():
                kind = kinds.by_name.get(name)
                if kind is not None and not kind.accepts(value):
                    _refuse(function, args, name, kind, value)
            return function(*args, **kwargs)
        except Exception as error:  # whatever a method of an argument raises
            better = explain(function, args, kwargs, error)
            if better is None:
                raise
            raise better from better.__cause__

    vars(call)["__checked__"] = True
    return call


def kind_in(function: _Function, name: str) -> Kind | None:
    """What a parameter of a function, or of a class that is called, takes; None for anything."""
    own = inspect.unwrap(getattr(function, "__init__") if isinstance(function, type) else function)  # noqa: B009
    kinds = _Kinds(own, own.__module__)
    return {**dict(kinds.positional), **kinds.by_name}.get(name)


def _refuse(
    function: _Function, args: Sequence[object], name: str, kind: Kind | None, value: object, *, is_rest: bool = False
) -> NoReturn:
    assert kind is not None
    mistake = kind.refused(value)
    what = called(function, args)
    if mistake.wrong_type:
        alone = f"{name}{mistake.place} {mistake.wrong_type}{of_labels(what, name)}"
        problem = _swapped(function, args, name) or alone
        raise mistake.kind.error(f"{what}: {problem}")
    hint = _hint_of_call(function, args, name, what, mistake, value)
    if not hint and is_rest and isinstance(value, (list, tuple)) and all(map(kind.accepts, value)):
        hint = f"pass them one by one, by *{name.partition('[')[0]}"
    hint = hint or instead(what, name) or _exchanged(function, args, name, what) or in_place_of(mistake, what, name)
    hint = hint or mistake.hint
    problem = f"argument `{name}{mistake.place}` must be {mistake.kind.one}, not {described(mistake.value)}"
    raise mistake.kind.error(f"{what}(): {problem}{f'; {hint}' if hint else ''}")


def _hint_of_call(
    function: _Function, args: Sequence[object], name: str, what: str, mistake: Mistake, value: object
) -> str:
    """What to write instead of the whole call; "" where only the argument is wrong."""
    if function.__name__ == "__init__" and hasattr(type(args[0]), "create"):
        return made_by(type(args[0]))
    if mistake.value is None and mistake.place and mistake.kind.one == _SIZE:
        return "core.Shape.create(scope, x)[0] is a size that is known in a run alone"
    if _is_about_scope(name, value):
        return (of_function(what) if inspect.isroutine(value) else "") or form(function, what)
    if name in _MADE_ONCE and (usage := without_first(function, name, value, what)):
        return usage
    if function.__name__ == "__init__" and hasattr(type(value), "graph") and (use := use_of(type(args[0]), what)):
        return f"{form(function, what)}{use}"  # an operand is for what the class makes
    return ""


def without_first(function: _Function, name: str, value: object, what: str) -> str:
    """How a function is called, if an argument is right for the parameter behind its own, as in `Adam(0.1)`."""
    positional = _Kinds(inspect.unwrap(function), function.__module__).positional
    behind = [kind for (before, _), (_, kind) in pairwise(positional) if before == name]
    return form(function, what) if any(kind is not None and kind.accepts(value) for kind in behind) else ""


def in_place_of(mistake: Mistake, called: str, parameter: str) -> str:
    """What to write instead of several operands, a function, an operand, or a value."""
    from typegrad.arguments.kinds import is_operand  # for few programs

    if mistake.holds_operands:
        return of_several(called, parameter)
    if inspect.isroutine(mistake.value):
        return of_function(called)
    if is_operand(mistake.value):
        return of_operand(called, parameter)
    if isinstance(mistake.value, str) and not mistake.place:
        return of_text(called, parameter, mistake.value)
    return of_value(called, parameter) if mistake.is_number else ""


def _swapped(function: _Function, args: Sequence[object], name: str) -> str:
    """What to swap with an operand of a wrong element type, if both are right in each other's place alone."""
    from typegrad.arguments.kinds import is_operand  # for few programs

    positional = _Kinds(inspect.unwrap(function), function.__module__).positional
    pairs = zip(positional, args, strict=False)
    operands: dict[str, tuple[Kind | None, Any]] = {each: (kind, x) for (each, kind), x in pairs if is_operand(x)}
    kind, value = operands.get(name, (None, None))
    for other, (other_kind, other_value) in operands.items():
        if kind is None or other_kind is None or other_kind.accepts(other_value):
            continue
        if kind.accepts(other_value) and other_kind.accepts(value):
            first, second = sorted((name, other), key=list(operands).index)
            shown = (f"{each} is {operands[each][1].dtype.name}" for each in (first, second))
            return f"{' and '.join(shown)}; swap them"
    return ""


def _exchanged(function: _Function, args: Sequence[object], name: str, what: str) -> str:
    """What to swap with an argument that is none, such as a number in the place of an operand; "" for others."""
    from typegrad.arguments.kinds import is_operand

    passed = [*zip(_Kinds(inspect.unwrap(function), function.__module__).positional, args, strict=False)]
    kind, value = next(((kind, value) for (own, kind), value in passed if own == name), (None, None))
    for (other, other_kind), beside in passed:
        is_type = isinstance(value, type)
        if kind is None or other_kind is None or not (is_operand(beside) or is_type):
            continue
        if kind.accepts(beside) and other_kind.accepts(value):
            return form(function, what) if is_type else f"`{other}` is an operand; swap them"
    return ""


def _is_about_scope(name: str, value: object) -> bool:
    """Whether a call lacks its scope, or has one where none is taken, and no attribute of it would do."""
    if name == "scope":
        return not hasattr(type(value), "operations")
    return hasattr(type(value), "with_seed") and name not in ("graph", "session")


class _Kinds:
    """What the parameters of a function take."""

    def __init__(self, function: _Function, module: str) -> None:
        self.positional: list[tuple[str, Kind | None]] = []
        self.by_name: dict[str, Kind | None] = {}
        self.rest: Kind | None = None
        self.rest_name = ""
        known = _Names(module)
        for name, parameter in inspect.signature(function).parameters.items():
            if name == "self":
                self.positional.append((name, None))
                continue
            if parameter.kind is Parameter.VAR_KEYWORD:
                self.by_name.update(_options(known.value(parameter.annotation)))
                continue
            kind = known.kind(parameter.annotation)
            if parameter.kind is Parameter.VAR_POSITIONAL:
                self.rest, self.rest_name = kind, name
                continue
            if parameter.kind is not Parameter.KEYWORD_ONLY:
                self.positional.append((name, kind))
            if parameter.kind is not Parameter.POSITIONAL_ONLY:
                self.by_name[name] = kind
        self.checks = [(i, kind.accepts) for i, (_, kind) in enumerate(self.positional) if kind is not None]


def _options(annotation: object) -> Mapping[str, Kind | None]:
    """What the keywords of `**options: Unpack[Options]` take."""
    if get_origin(annotation) is not Unpack:
        return {}
    (options,) = get_args(annotation)
    known = _Names(options.__module__)
    return {name: known.kind(annotated) for name, annotated in options.__annotations__.items()}


class _Names(dict[str, Any]):
    """The names that the annotations of a module may use."""

    def __init__(self, module: str) -> None:
        super().__init__()
        self._module = module

    def __missing__(self, name: str) -> Any:
        namespace = vars(sys.modules[self._module])
        if name in namespace:
            return namespace[name]
        return getattr(import_module(_FOR_CHECKERS[name]), name)

    def value(self, annotation: object) -> Any:
        """Evaluate an annotation; return it unchanged if only a type checker can."""
        if isinstance(annotation, ForwardRef):
            annotation = annotation.__forward_arg__
        if not isinstance(annotation, str):
            return annotation
        try:
            return eval(annotation, {}, self)
        except (NameError, TypeError):
            return annotation

    def kind(self, annotation: object) -> Kind | None:
        """What a parameter with this annotation takes."""
        from typegrad.arguments.kinds import kind_of

        return None if annotation is Parameter.empty else kind_of(self.value(annotation))
