"""Arguments whose own methods raise, or return what Python refuses: the error is ours, and names the argument."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, math


class Index:
    """An integer that cannot be had."""

    def __index__(self) -> int:
        raise ZeroDivisionError("no index")


class Length(list[float]):
    """A list whose length cannot be had."""

    def __len__(self) -> int:
        raise ZeroDivisionError("no length")


class Items:
    """A collection that cannot be gone through."""

    def __len__(self) -> int:
        return 1

    def __contains__(self, _: object) -> bool:
        return False

    def __iter__(self) -> Iterator[Any]:
        raise ZeroDivisionError("no items")


class Array:
    """A tensor of another library that cannot be converted."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise ZeroDivisionError("no array")


class Feeds:
    """What raises for every attribute."""

    def __getattr__(self, name: str) -> Any:
        raise ZeroDivisionError(name)


class Fetches(list[Any]):
    """A list that cannot be gone through."""

    def __iter__(self) -> Iterator[Any]:
        raise ZeroDivisionError("no items")


class Interrupted:
    """An integer during whose making the user stops the program."""

    def __index__(self) -> int:
        raise KeyboardInterrupt


def _any(value: Any) -> Any:
    return value


def _x(scope: tg.Scope) -> Any:
    return core.Placeholder.create(scope, tg.TFloat32, shape=(2,))


CALLS: Final[dict[str, tuple[str, Callable[[tg.Scope], object]]]] = {
    "a seed": (r"Graph\(\): argument `seed` .* its __index__", lambda _: tg.Graph(seed=_any(Index()))),
    "a dimension": (r"Shape.of\(\): argument `dims\[1\]` .* its __index__", lambda _: tg.Shape.of(2, _any(Index()))),
    "an attribute": (
        r"Split.create\(\): argument `num_split` .* its __index__",
        lambda s: core.Split.create(s, 0, _x(s), num_split=_any(Index())),
    ),
    "an index": (r"__getitem__\(\): argument `index` .* its __index__", lambda s: _x(s)[_any(Index())]),
    "an index of a shape": (r"Shape.__getitem__\(\): argument `index` ", lambda s: _x(s).shape[_any(Index())]),
    "a shape": (
        r"Placeholder.create\(\): argument `shape` .* its __iter__",
        lambda s: core.Placeholder.create(s, tg.TFloat32, shape=_any(Items())),
    ),
    "xs": (r"gradients\(\): argument `xs` .* its __len__", lambda s: tg.gradients(s, _x(s), _any(Length([1.0])))),
    "names": (
        r"Session.restore\(\): argument `names` .* its __iter__",
        lambda s: tg.Session(s.graph).restore(Path("model"), names=_any(Items())),
    ),
    "feeds": (
        r"Session.run\(\): argument `feed_dict` .* its __getattr__",
        lambda s: tg.Session(s.graph).run(_x(s), _any(Feeds())),
    ),
    "a fed value": (
        r"Session.run\(\): argument `feed_dict` .* its __len__",
        lambda s: tg.Session(s.graph).run((x := _x(s)), {x: Length([1.0])}),
    ),
    "an item of a list": (
        r"Session.run\(\): argument `fetches\[1\]` .* its __iter__",
        lambda s: tg.Session(s.graph).run([_x(s), _any(Fetches())]),
    ),
}


@pytest.mark.parametrize("what", CALLS)
def test_the_argument_is_named(what: str) -> None:
    message, call = CALLS[what]
    with pytest.raises(tg.AttributeValueError, match=f"{message}.*raised ZeroDivisionError: ") as caught:
        call(tg.Scope(tg.Graph()))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


VALUES: Final[dict[str, tuple[str, Callable[[tg.Scope], object]]]] = {
    "a constant": ("attribute `value`", lambda s: core.Constant.create(s, _any(Array()))),
    "an operand": ("input `y`", lambda s: math.Add.create(s, _x(s), _any(Array()))),
    "the only operand": ("input `x`", lambda s: math.Neg.create(s, _any(Array()))),
    "a feed": ("the feed of 'Placeholder:0'", lambda s: tg.Session(s.graph).run((x := _x(s)), {x: _any(Array())})),
}


@pytest.mark.parametrize("what", VALUES)
def test_a_value_that_does_not_become_an_array(what: str) -> None:
    place, call = VALUES[what]
    message = f"{place}.*does not become an array: ZeroDivisionError: no array"
    with pytest.raises(tg.TypegradError, match=message) as caught:
        call(tg.Scope(tg.Graph()))
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


def test_an_interrupt_passes() -> None:
    with pytest.raises(KeyboardInterrupt):
        tg.Graph(seed=_any(Interrupted()))


def test_what_a_users_own_program_raises_passes() -> None:
    scope = tg.Scope(tg.Graph())

    def program(_: tg.Scope, __: Any) -> None:
        len(Length())

    function: Any = tg.custom_gradient(_any(program))
    with pytest.raises(ZeroDivisionError, match="no length"):
        function(scope, core.Constant.create(scope, 1.0))


class Sizes:
    """Sizes that a generator computes."""

    def __iter__(self) -> Iterator[int]:
        yield 2
        raise ZeroDivisionError("no more sizes")


class Counter:
    """An iterator that fails."""

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        raise ZeroDivisionError("no more sizes")


class Table:
    """Feeds that a method computes."""

    def __len__(self) -> int:
        raise ZeroDivisionError("no more sizes")

    def items(self) -> Any:
        return len(self)


@pytest.mark.parametrize("passed", [Sizes(), Counter()], ids=["generator", "iterator"])
def test_what_an_iterator_raises_passes(passed: Any) -> None:
    with pytest.raises(ZeroDivisionError, match="no more sizes"):
        core.Placeholder.create(tg.Scope(tg.Graph()), tg.TFloat32, shape=passed)


def test_what_a_method_of_another_name_raises_passes() -> None:
    scope = tg.Scope(tg.Graph())
    with tg.Session(scope.graph) as session, pytest.raises(ZeroDivisionError, match="no more sizes"):
        session.run(_x(scope), _any(Table()))


class Unsteady:
    """What answers as an integer the first times, and then as a string."""

    def __init__(self, integers: int) -> None:
        self._integers = integers

    def __index__(self) -> Any:
        self._integers -= 1
        answer: Any = 3 if self._integers >= 0 else "3"
        return answer


def test_what_is_no_integer_when_it_is_checked() -> None:
    with pytest.raises(tg.AttributeValueError, match=r"`seed` must be an int or None, not Unsteady"):
        tg.Graph(seed=_any(Unsteady(0)))


UNSTEADY: Final[dict[str, Callable[[tg.Scope, Any], object]]] = {
    r"Graph\(\): argument `seed`": lambda _, number: tg.Graph(seed=number),
    r"Scope.with_seed\(\): argument `seed`": tg.Scope.with_seed,
    r"hann_window\(\): argument `window_length`": tg.functions.hann_window,
    r"eye\(\): argument `num_rows`": tg.functions.eye,
}


@pytest.mark.parametrize("place", UNSTEADY)
def test_what_is_an_integer_only_when_it_is_checked(place: str) -> None:
    with pytest.raises(tg.AttributeValueError, match=rf"{place} cannot be used: .*__index__.*\bstr\b"):
        UNSTEADY[place](tg.Scope(tg.Graph()), Unsteady(1))


class Tensor:
    """A tensor of another library, with names that operands have, too."""

    op, graph, shape, dtype = "op", "graph", (2,), np.float32

    def as_output(self) -> Any:
        return self


def test_what_only_looks_like_an_operand_is_a_value() -> None:
    scope = tg.Scope(tg.Graph())
    with pytest.raises(tg.DTypeError, match="input `y`: .* is not float32; give an operand, a number or an array"):
        math.Add.create(scope, _x(scope), _any(Tensor()))
    with pytest.raises(tg.DTypeError, match="input `y`: "):
        _any(_x(scope)) + Tensor()


@pytest.mark.parametrize("dims", [5, [2, 3], "ab", (2.5,), (True,), ((2,),)], ids=str)
def test_a_shape_is_made_of_a_tuple_of_dimensions(dims: Any) -> None:
    with pytest.raises(tg.ShapeError, match=r"Shape\(\) takes .*, not .*; write tg.Shape.of\(3, None\)"):
        tg.Shape(dims)


def test_dimensions_are_a_tuple_of_ints_names_and_none() -> None:
    with pytest.raises(tg.ShapeError, match=r"^Shape\(\) takes a tuple of dimensions, or None, not int 5; write"):
        tg.Shape(_any(5))
    with pytest.raises(tg.ShapeError, match=r"^Shape\(\) takes ints, names and None, not float 2.5; write tg.Shape.of"):
        tg.Shape((2, _any(2.5)))


def test_a_shape_is_indexed_by_ints_and_slices() -> None:
    shape = tg.Shape.of(2, 3)
    assert shape[0] == 2 and shape[1:] == (3,)
    with pytest.raises(tg.ShapeError, match=r"^shape \[2, 3\] has 2 dimensions; there is no dimension 5$"):
        shape[5]
    with pytest.raises(tg.AttributeValueError, match=r"argument `index` must be an int or a slice, not str 'a'"):
        shape[_any("a")]


def test_gradients_are_made_by_create() -> None:
    with pytest.raises(tg.DTypeError, match=r"Gradients\(\): argument `dys` must be a list .*; write Gradients"):
        core.Gradients(_any(5))


def test_one_of_any_number_of_arguments_is_counted_from_0() -> None:
    with pytest.raises(tg.AttributeValueError, match=r"Shape.of\(\): argument `dims\[1\]` must be .*, not float 1.5"):
        tg.Shape.of(2, _any(1.5))
