"""How pytest calls the tests of a program: with fixtures, and the values of `pytest.mark.parametrize`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from inspect import Parameter, signature
from itertools import islice, product
from types import FunctionType, GeneratorType
from typing import Any, Final, NamedTuple, TypeVar, final

from typegrad.dry_run.known.unknown import UNKNOWN

__all__ = ["Mark", "arguments_for", "cases_of", "fixture", "tests_in"]

_MOST: Final = 32
"""How many calls of a test are followed."""
_CASES: Final = "__cases__"
_FIXTURE: Final = "__fixture__"
_SETUP: Final = "setup_method"
_TEST: Final = "test"
_PATCHING: Final = frozenset(("mocker", "monkeypatch"))
"""The fixtures by which a test changes what others know."""
_F = TypeVar("_F")


@final
class Mark:
    """`pytest.mark`, of which only `parametrize` is known."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return UNKNOWN

    def parametrize(
        self,
        names: str | Sequence[str],
        values: Sequence[Any],
        indirect: bool | Sequence[str] = False,
        **_report: object,
    ) -> Callable[[_F], _F]:
        """Note the values of some parameters, for `cases_of`. Those of indirect ones are for their fixtures."""
        split = [each.strip() for each in names.split(",")] if isinstance(names, str) else [*names]
        own = set[str]() if indirect is True else set(split) - set(indirect or ())

        def noted(test: _F) -> _F:
            cases = [
                {
                    name: each
                    for name, each in zip(split, value if len(split) > 1 else [value], strict=False)
                    if name in own
                }
                for value in values
            ]
            setattr(test, _CASES, [*getattr(test, _CASES, ()), cases])
            return test

        return noted


class _Fixture(NamedTuple):
    name: str
    is_for_all: bool


def fixture(function: Any = None, *, name: Any = None, autouse: Any = False, **_options: object) -> Any:
    """Note that a function makes what tests get for a parameter, for `arguments_for`."""

    def noted(function: FunctionType) -> FunctionType:
        vars(function)[_FIXTURE] = _Fixture(name or function.__name__, autouse is not False)
        return function

    return noted if function is None else noted(function)


def tests_in(class_: type) -> Iterator[FunctionType]:
    """The tests in a class; none if pytest does not take it for one of tests."""
    if class_.__name__.startswith("Test") and not any("__init__" in vars(each) for each in class_.__mro__[:-1]):
        for name, value in vars(class_).items():
            if name.startswith(_TEST) and isinstance(value, FunctionType):
                yield value


def cases_of(function: FunctionType) -> Iterator[dict[str, Any]]:
    """The known arguments of each call of a function; one call without any, if nothing is noted of it."""
    noted: Sequence[Sequence[dict[str, Any]]] = getattr(function, _CASES, ())
    for parts in islice(product(*noted), _MOST):
        yield {name: value for part in parts for name, value in part.items()}


def arguments_for(
    function: FunctionType,
    known: Mapping[str, Any],
    call: Callable[..., Any],
    declared: Callable[[FunctionType, str], Any],
    class_: type | None = None,
) -> Callable[[], dict[str, Any]] | None:
    """What makes all arguments of a function from the known ones, by calling fixtures; None if nobody calls it so.

    A test of a class is called on an object of its own, as are the fixtures of the class. Of a fixture that is not of
    the file, such as one of `conftest.py`, `declared` tells what a function declares.
    """
    is_test = function.__name__.startswith(_TEST)
    owner = None if class_ is None else next(iter(signature(function).parameters))  # such as `self`
    missing = (_needed(function) if is_test else set(signature(function).parameters)) - {*known, owner}
    if missing and not is_test:
        return None
    by_name = _fixtures_in(function.__globals__)
    own = _fixtures_of(class_)
    by_name |= own
    used = [name for name, each in by_name.items() if is_test and vars(each)[_FIXTURE].is_for_all] + sorted(missing)
    if not _PATCHING.isdisjoint(_all_needed(used, by_name)):
        return None
    suspended: list[object] = []  # until the test has ended

    def made() -> dict[str, Any]:
        values = dict(known)
        if owner is not None:
            values[owner] = _object_of(class_, call)
        for name in used:
            value_of(name, values, function)
        return {name: value for name, value in values.items() if name in signature(function).parameters}

    def value_of(name: str, values: dict[str, Any], asking: FunctionType) -> Any:
        if name not in values:
            values[name] = UNKNOWN  # where two need each other, too
            if name not in by_name:
                values[name] = declared(asking, name)
            else:
                bound = (values[owner],) if name in own and owner is not None else ()
                needed = _needed(by_name[name], len(bound))
                value = call(
                    by_name[name], *bound, **{each: value_of(each, values, by_name[name]) for each in sorted(needed)}
                )
                values[name] = call(next, value) if isinstance(value, GeneratorType) else value
                suspended.append(value)
        return values[name]

    return made


def _all_needed(names: Iterable[str], by_name: Mapping[str, FunctionType]) -> set[str]:
    """The names of fixtures, and of what these need in turn."""
    result = set[str]()
    following = set(names)
    while following:
        result |= following
        following = {each for name in following & by_name.keys() for each in _needed(by_name[name])} - result
    return result


def _fixtures_in(names: Mapping[str, Any]) -> dict[str, FunctionType]:
    """The fixtures among the names of a module or a class, by what tests call them."""
    found = (value for value in names.values() if isinstance(value, FunctionType))
    return {vars(value)[_FIXTURE].name: value for value in found if _FIXTURE in vars(value)}


def _fixtures_of(class_: type | None) -> dict[str, FunctionType]:
    """The fixtures of a class, which are taken before those of the module."""
    classes = () if class_ is None else reversed(class_.__mro__)
    return {name: value for each in classes for name, value in _fixtures_in(vars(each)).items()}


def _object_of(class_: Any, call: Callable[..., Any]) -> Any:
    """The object that a test of a class is called on."""
    made = call(class_)
    if hasattr(class_, _SETUP):
        call(getattr(made, _SETUP))
    return made


def _needed(function: FunctionType, bound: int = 0) -> set[str]:
    """The parameters for which pytest has fixtures, without the first ones that are bound."""
    parameters = [*signature(function).parameters.values()][bound:]
    return {each.name for each in parameters if each.default is Parameter.empty}
