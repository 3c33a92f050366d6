"""Plans: what is compiled once and used again, what they fold, and that programs of all kinds do the same."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from types import CodeType
from typing import Any, Literal
from weakref import WeakValueDictionary

import numpy as np
import pytest

import typegrad as tg
from typegrad.graph import definition
from typegrad.kernels import trigonometry
from typegrad.op import core, linalg, math, random
from typegrad.session import interpreted, program
from typegrad.session.plan import Plan


@pytest.fixture
def scope() -> tg.Scope:
    return tg.Scope(tg.Graph(seed=1))


@pytest.fixture(params=["compiled", "loop", "interpreted"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each kind of program, whatever its size and from the first run on."""
    if request.param == "loop":
        monkeypatch.setattr(program, "COMPILED", -1)
    if request.param == "interpreted":
        monkeypatch.setattr(interpreted, "INTERPRETED", 100)
    parameter: str = request.param
    return parameter


# Which plans there are


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> list[Plan]:
    """The plans that sessions make from now on."""
    result: list[Plan] = []

    def note(*args: Any) -> Plan:
        result.append(Plan(*args))
        return result[-1]

    monkeypatch.setattr("typegrad.session.executor.Plan", note)
    return result


def test_the_order_of_feeds_makes_no_other_plan(scope: tg.Scope, plans: list[Plan]) -> None:
    x, y, z = (core.Placeholder.create(scope, tg.TFloat32, shape=()) for _ in range(3))
    total = x * 100.0 + y * 10.0 + z
    session = tg.Session(scope.graph)
    for feeds in permutations([(x, 1.0), (y, 2.0), (z, 3.0)]):
        assert session.run(total, dict(feeds)) == 123
    assert len(plans) == 1


@pytest.mark.parametrize("is_direct", [False, True])
def test_the_plan_that_was_not_used_for_longest_makes_room(
    scope: tg.Scope, plans: list[Plan], monkeypatch: pytest.MonkeyPatch, is_direct: bool
) -> None:
    monkeypatch.setattr("typegrad.session.executor._PLANS", 3)
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(1,) if is_direct else ())
    sums = [(x + float(number)).as_output() for number in range(5)]
    feeds = {x: np.zeros(1 if is_direct else (), np.float32)}
    session = tg.Session(scope.graph)

    def made(*numbers: int) -> list[int]:
        """The sums, of those that are run, for which a plan is made."""
        plans.clear()
        thrice = [number for number in numbers for _ in range(3)]
        assert [session.run(sums[number], feeds).item() for number in thrice] == thrice
        return [sums.index(plan.fetches[0]) for plan in plans]

    assert made(0, 1, 2, 0, 3) == [0, 1, 2, 3]
    assert made(0, 2, 3) == []
    assert made(4, 2, 3, 4) == [4]
    assert made(0) == [0]


# What is folded


def test_constants_of_a_plan_are_frozen(scope: tg.Scope) -> None:
    """A fetch of what was folded, alone or with others, is a copy; writing to it changes no later run."""
    x = core.Constant.create(scope, np.ones(3, np.float32))
    folded = [math.Neg.create(scope, x), *core.Split.create(scope, 0, x, num_split=3).output]
    session = tg.Session(scope.graph)
    expected = [array.copy() for array in session.run(folded)]
    for fetches in ([folded[0]], folded, folded * 2):
        for _ in range(2):
            values = session.run(fetches)
            for value, each in zip(values, expected * 2, strict=False):
                np.testing.assert_array_equal(value, each)
                value[...] = 9


def test_the_same_fetch_twice_is_two_arrays(scope: tg.Scope, kind: str) -> None:
    del kind
    fed = core.Placeholder.create(scope, tg.TFloat32)
    for value in (fed, math.Neg.create(scope, fed), core.Constant.create(scope, [1.0])):
        one, other = tg.Session(scope.graph).run([value, value], {fed: [1.0]})
        assert not np.shares_memory(one, other)


@pytest.mark.parametrize("fed", range(3))
def test_feeding_one_output_of_a_constant_reaches_its_consumers(scope: tg.Scope, kind: str, fed: int) -> None:
    del kind
    parts = core.Split.create(scope, 0, core.Constant.create(scope, [1.0, 2.0, 3.0]), num_split=3).output
    doubled = [math.Neg.create(scope, part) for part in parts]
    total = math.AddN.create(scope, parts)
    values = tg.Session(scope.graph).run([*parts, *doubled, total], {parts[fed]: [7.0]})
    expected = [1.0, 2.0, 3.0]
    expected[fed] = 7.0
    assert [float(value[0]) for value in values] == [*expected, *(-number for number in expected), sum(expected)]


# What programs do


def _chain(scope: tg.Scope, x: Any) -> tuple[list[Any], Any]:
    y = x
    for _ in range(50):
        y = math.Neg.create(scope, math.Add.create(scope, y, x))
    return [y], y


def _lists(scope: tg.Scope, x: Any) -> tuple[list[Any], Any]:
    rows = core.Unstack.create(scope, x, num=3).output
    both = core.Concat.create(scope, [rows[2], rows[0]], 0)
    return [both, *core.Split.create(scope, 0, both, num_split=2).output], rows[1]


def _state(scope: tg.Scope, x: Any) -> tuple[list[Any], Any]:
    w = tg.Variable.create(scope, np.zeros((3, 3), np.float32))
    noise = random.RandomUniform.create(scope.with_name("noise"), [3, 3], tg.TFloat32)
    other = random.RandomStandardNormal.create(scope.with_name("other"), [3, 3], tg.TFloat32)
    update = w.assign_add(scope, linalg.MatMul.create(scope, x + noise, other))
    with_update = scope.with_control_dependencies([update])
    return [w.read(with_update), other], noise


@pytest.mark.parametrize("build", [_chain, _lists, _state])
def test_the_interpreter_and_a_loop_compute_what_compiled_source_does(
    scope: tg.Scope, monkeypatch: pytest.MonkeyPatch, build: Callable[[tg.Scope, Any], tuple[list[Any], Any]]
) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(3, 3))
    fetches, inner = build(scope, x)
    results = []
    for uncompiled, limit in ((0, 100), (0, -1), (1, 100), (100, 100)):
        monkeypatch.setattr(interpreted, "INTERPRETED", uncompiled)
        monkeypatch.setattr(program, "COMPILED", limit)
        with tg.Session(scope.graph) as session:
            feeds: dict[Any, Any] = {x: np.arange(9, dtype=np.float32).reshape(3, 3)}
            runs = [session.run([*fetches, inner], feeds) for _ in range(2)]
            fed = session.run(fetches, {**feeds, inner: np.full(inner.shape.as_ints(), 5, np.float32)})
            results.append([value.tolist() for value in (*runs[0], *runs[1], *fed)])
    assert all(result == results[0] for result in results)


def test_an_error_names_the_step_it_is_of(scope: tg.Scope, kind: str) -> None:
    del kind
    divisors = [core.Placeholder.create(scope, tg.TInt32, shape=()) for _ in range(3)]
    quotients = [
        math.FloorDiv.create(scope.with_name(f"quotient{number}"), divisor, divisor)
        for number, divisor in enumerate(divisors)
    ]
    session = tg.Session(scope.graph)
    for zero in (0, 1, 2, 0):
        feeds = {divisor: int(number != zero) for number, divisor in enumerate(divisors)}
        with pytest.raises(tg.InvalidArgumentError, match=f"^FloorDiv 'quotient{zero}' "):
            session.run(quotients, feeds)


def test_a_plan_is_compiled_when_it_runs_again_unless_it_has_many_steps(
    scope: tg.Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python takes a second for ten thousand lines, and memory to match."""
    monkeypatch.setattr(program, "COMPILED", 100)
    monkeypatch.setattr(interpreted, "INTERPRETED", 1)
    x = core.Placeholder.create(scope, tg.TFloat32, shape=())
    y: tg.Operand[tg.TFloat32] = x
    compiled: list[str] = []

    def note(source: str, name: str, mode: Literal["exec"]) -> CodeType:
        compiled.append(name)
        return compile(source, name, mode)

    monkeypatch.setattr(program, "compile", note, raising=False)
    for length in (100, 101):
        while len(scope.graph) <= length:
            y = math.Tanh.create(scope, y)
        session = tg.Session(scope.graph)
        for lines in ([], ["<typegrad plan>"] if length == 100 else [], []):
            compiled.clear()
            assert 0 < session.run(y, {x: 1.0}) < 1
            assert compiled == lines


def test_large_values_go_when_they_are_dead(scope: tg.Scope, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if nothing takes their place."""
    del kind
    alive: WeakValueDictionary[int, np.ndarray] = WeakValueDictionary()
    counts: list[int] = []

    def sine(_: Any, x: Any) -> Any:
        result = np.sin(x.copy())  # `copy` makes it no mere ufunc, which would be fused
        alive[len(counts)] = result
        counts.append(len(alive))
        return result

    monkeypatch.setitem(vars(trigonometry), "sin", sine)
    definition.resolve.cache_clear()
    x, y = (core.Placeholder.create(scope, tg.TFloat32, shape=(None,)) for _ in range(2))
    both = core.Concat.create(scope, [math.Sin.create(scope, x), math.Sin.create(scope, y)], 0)
    tg.Session(scope.graph).run(math.Sin.create(scope, both), {x: [1.0], y: [2.0]})
    definition.resolve.cache_clear()
    assert counts == [1, 2, 1]
