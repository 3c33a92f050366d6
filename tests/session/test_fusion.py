"""Groups of operations on each element: which there are, and that blocks change no bit of a result."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from support.blocks import small_blocks
from typegrad.base.shape import UNKNOWN
from typegrad.op import core, linalg, math, nn
from typegrad.session.arrays import Arrays
from typegrad.session.fused import FusedKernel
from typegrad.session.plan import Plan
from typegrad.session.state import Resources

Build = Callable[[tg.Scope, Any, Any, Any], Any]

ROWS: Final = 300

UNARY: Final = [
    *("Abs", "Neg", "Sign", "Square", "Exp", "Expm1", "Log", "Log1p", "Sqrt", "Rsqrt", "Sin", "Cos", "Tan", "Tanh"),
    *("Sinh", "Cosh", "Asin", "Acos", "Atan", "Asinh", "Acosh", "Atanh", "Floor", "Ceil", "Rint", "Reciprocal"),
    *("Erf", "Erfc", "Sigmoid", "Relu", "Relu6"),
]


@pytest.mark.parametrize("dtype", [tg.TFloat32, tg.TFloat64])
@pytest.mark.parametrize("name", UNARY)
def test_blocks_change_no_bit(name: str, dtype: Any) -> None:
    """Vector instructions take elements in groups; whoever cuts in other places must get the same."""
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, dtype)
    y = getattr(nn if name.startswith("Relu") else math, name).create(scope, x * 1.5) * 2.0
    random = np.random.default_rng(1)
    values = random.standard_normal(100_003).astype(dtype.numpy) * random.choice([1e-3, 1.0, 1e3], 100_003)
    values[::1000] = [np.inf, -np.inf, np.nan, -0.0, 1e-310] * 20 + [0.0]
    values = values.astype(dtype.numpy)
    results = [tg.Session(scope.graph, passes=passes).run(y, {x: values}).tobytes() for passes in (["fusion"], ())]
    assert results[0] == results[1]


def _softmax(scope: tg.Scope, x: Any, weights: Any) -> list[Any]:
    top = core.StopGradient.create(scope, core.Max.create(scope, x, -1, keep_dims=True))
    powers = math.Exp.create(scope, x - top)
    chances = powers / core.Sum.create(scope, powers, -1, keep_dims=True)
    return [chances, tg.grad(scope, core.Sum.create(scope, chances * weights, (0, 1)), x)]


def _normalized(scope: tg.Scope, x: Any, gain: Any) -> Any:
    centered = x - math.Mean.create(scope, x, -1, keep_dims=True)
    variance = math.Mean.create(scope, math.Square.create(scope, centered), -1, keep_dims=True)
    return centered * math.Rsqrt.create(scope, variance + 1e-5) * gain


GROUPS: Final[dict[str, tuple[Build, list[Any]]]] = {
    "a chain": (lambda s, x, r, c: math.Exp.create(s, -x), [2]),
    "two that one takes": (lambda s, x, r, c: math.Exp.create(s, x) + math.Tanh.create(s, x), [3]),
    "a value that is fetched, too": (lambda s, x, r, c: [y := -x, math.Exp.create(s, y)], [2]),
    "a row and a column": (lambda s, x, r, c: (x + r) * c, [2]),
    "kernels of several calls": (lambda s, x, r, c: math.Sigmoid.create(s, nn.Relu.create(s, x)), [5]),
    "a list": (lambda s, x, r, c: math.AddN.create(s, [x, -x, x]), [3]),
    "no reduction without its axis": (
        lambda s, x, r, c: (y := math.Exp.create(s, -x)) / core.ExpandDims.create(s, core.Sum.create(s, y, [1]), 1),
        [2, "Sum", "ExpandDims", "RealDiv"],
    ),
    "no operation of another shape": (lambda s, x, r, c: math.Exp.create(s, -r) + x, [2, "AddV2"]),
    "not those that a product is between": (
        lambda s, x, r, c: -linalg.MatMul.create(s, -x, x, transpose_b=True),
        ["Neg", "MatMul", "Neg"],
    ),
    "one call alone": (lambda s, x, r, c: -x, ["Neg"]),
    "conditions": (lambda s, x, r, c: -core.Select.create(s, math.Greater.create(s, x, r), x, c), [3]),
    "choices of a kernel": (lambda s, x, r, c: -nn.Elu.create(s, x), [4]),
}


ALONE: Final[dict[str, tuple[Build, list[Any]]]] = {
    "a choice": (
        lambda s, x, r, c: core.Select.create(s, np.arange(ROWS * 500).reshape(ROWS, 500) % 3 == 0, x, r),
        [1],
    ),
    "a maximum with a number": (lambda s, x, r, c: nn.Relu.create(s, x), [1]),
    "no maximum of arrays": (lambda s, x, r, c: math.Maximum.create(s, x, r), ["Maximum"]),
}


REDUCTIONS: Final[dict[str, tuple[Build, list[Any]]]] = {
    "a softmax and its gradient": (lambda s, x, r, c: _softmax(s, x, r), [13]),
    "a mean, and what follows with columns": (lambda s, x, r, c: _normalized(s, x, r), [11]),
    "a column from outside": (
        lambda s, x, r, c: core.Sum.create(s, -x, [-1], keep_dims=True) * c + x,
        [4],
    ),
    "a column that is fetched, too": (
        lambda s, x, r, c: [y := core.Max.create(s, -x, 1, keep_dims=True), x - math.Exp.create(s, y)],
        [4],
    ),
    "two reductions": (
        lambda s, x, r, c: core.Min.create(s, x, 1, keep_dims=True) + core.Sum.create(s, -x, 1, keep_dims=True),
        [4],
    ),
    "no reduction of other axes": (
        lambda s, x, r, c: (y := math.Exp.create(s, -x)) / core.Sum.create(s, y, [0], keep_dims=True),
        [2, "Sum", "RealDiv"],
    ),
}


@pytest.mark.parametrize("is_known", [True, False])
@pytest.mark.parametrize("what", GROUPS)
def test_what_is_fused(what: str, *, is_known: bool) -> None:
    build, expected = GROUPS[what]
    assert_fused(build, expected, ROWS if is_known else "rows")


@pytest.mark.parametrize("what", ALONE)
def test_large_arrays_that_take_less_time_in_blocks(what: str) -> None:
    assert_fused(*ALONE[what])


@pytest.mark.parametrize("what", REDUCTIONS)
def test_reductions_that_are_fused(what: str) -> None:
    assert_fused(*REDUCTIONS[what])


def assert_fused(build: Build, expected: list[Any], rows: Any = ROWS) -> None:
    """Assert which steps there are, groups by the number of their calls, and that the results have the same bits."""
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(rows, 500))
    r = core.Placeholder.create(scope, tg.TFloat32, shape=(500,))
    c = core.Placeholder.create(scope, tg.TFloat32, shape=(rows, 1))
    y = build(scope, x, r, c)
    fetches = y if isinstance(y, list) else [y]
    random = np.random.default_rng(1)
    feeds = {each: random.standard_normal(size).astype(np.float32) for each, size in
             ((x, (ROWS, 500)), (r, (500,)), (c, (ROWS, 1)))}  # fmt: skip
    plain = run_thrice(scope.graph, fetches, feeds, ())
    for one, other in zip(run_thrice(scope.graph, fetches, feeds, None), plain, strict=True):
        assert one.tobytes() == other.tobytes() and one.strides == other.strides
    for size in (3, 500 * 7):
        with small_blocks(size):
            in_blocks = run_thrice(scope.graph, fetches, feeds, None)
        for one, other in zip(in_blocks, plain, strict=True):
            assert one.tobytes() == other.tobytes() and one.shape == other.shape
    with small_blocks():
        plan = Plan([each.as_output() for each in fetches], (), [each.as_output() for each in feeds], Resources())
        steps = plan.lowered(frozenset())
    assert [len(step.owners) if isinstance(step.kernel, FusedKernel) else step.op.type for step in steps] == expected


@pytest.mark.parametrize(("rows", "is_group"), [(ROWS, True), ("rows", False), (3, False)])
def test_calls_of_one_step_are_a_group_if_its_result_is_known_to_be_large(rows: Any, *, is_group: bool) -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(rows, 500))
    y = math.Sigmoid.create(scope, x).as_output()
    (step,) = Plan([y], (), [x.as_output()], Resources()).lowered(frozenset())
    assert isinstance(step.kernel, FusedKernel) == is_group


@pytest.mark.parametrize("name", ["Exp", "Neg"])
@pytest.mark.parametrize("threads", [1, 2])
def test_threads_share_one_call_that_takes_longer_than_memory(
    name: str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("typegrad.session.fused.sharing", lambda: threads)
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(ROWS, 500))
    y = getattr(math, name).create(scope, x).as_output()
    (step,) = Plan([y], (), [x.as_output()], Resources()).lowered(frozenset())
    assert isinstance(step.kernel, FusedKernel) == (name == "Exp" and threads > 1)
    value = np.random.default_rng(1).standard_normal((ROWS, 500)).astype(np.float32)
    shared, alone = (run_thrice(scope.graph, [y], {x: value}, passes)[0] for passes in (None, ()))
    assert shared.tobytes() == alone.tobytes()


def run_thrice(graph: tg.Graph, fetches: list[Any], feeds: dict[Any, Any], passes: Any) -> list[Any]:
    """The results of the third run, which is compiled."""
    session = tg.Session(graph, passes=passes)
    session.run(fetches, feeds)
    session.run(fetches, feeds)
    results: list[Any] = session.run(fetches, feeds)
    return results


@pytest.mark.parametrize("dtype", [tg.TFloat32, tg.TFloat64, tg.TInt32, tg.TInt64])
@pytest.mark.parametrize("name", ["Max", "Min", "Sum", "Mean"])
def test_blocks_change_no_bit_of_a_reduction(name: str, dtype: Any) -> None:
    random = np.random.default_rng(1)
    for shape in ((50, 3), (7, 9000), (3, 5, 700), (40, 1), (1, 300), (6, 0)):
        scope = tg.Scope(tg.Graph(seed=1))
        x = core.Placeholder.create(scope, dtype, shape=shape)
        reduced = getattr(math if name == "Mean" else core, name).create(scope, -x, -1, keep_dims=True)
        value = (random.standard_normal(shape) * 1000).astype(dtype.numpy)
        if dtype is tg.TFloat32 and value.size:
            value.flat[:: value.size // 3] = np.nan
        with small_blocks(1000):
            results = [run_thrice(scope.graph, [reduced + x], {x: value}, passes)[0] for passes in (None, ())]
        assert results[0].tobytes() == results[1].tobytes()


def test_few_rows_in_the_last_block_are_summed_as_the_others() -> None:
    shape = (66, 1000)  # blocks of 65 rows, and of one, whose numbers alone would be added by a single call
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=shape)
    total = core.Sum.create(scope, -x, -1, keep_dims=True)
    feeds = {x: np.random.default_rng(1).standard_normal(shape).astype(np.float32)}
    in_blocks, whole = (run_thrice(scope.graph, [total + x], feeds, passes)[0] for passes in (None, ()))
    assert in_blocks.tobytes() == whole.tobytes()


def test_powers_of_columns_are_the_same_in_the_last_block() -> None:
    """NumPy squares, and takes roots, where an exponent is repeated in a row that it does not copy into a buffer."""
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(3, 40))
    y = core.Placeholder.create(scope, tg.TFloat32, shape=(3, 1))
    power = math.Pow.create(scope, abs(x), y)
    feeds = {x: np.random.default_rng(1).standard_normal((3, 40)).astype(np.float32)}
    for exponent in (0.5, 2.0):
        feeds[y] = np.full((3, 1), exponent, np.float32)
        with small_blocks(80):
            results = [run_thrice(scope.graph, [power], feeds, passes)[0] for passes in (None, ())]
        assert results[0].tobytes() == results[1].tobytes()


LAYOUTS: Final[dict[str, Callable[[Any], Any]]] = {
    "turned": lambda x: x.T,
    "every other": lambda x: x[::2, ::2],
    "backwards": lambda x: x[::-1],
    "repeated": lambda x: np.broadcast_to(x[:1], x.shape),
    "repeated columns": lambda x: np.broadcast_to(x[:, :1].copy(), x.shape),
    "empty": lambda x: x[:0],
    "one element": lambda x: x[:1, :1],
    "not to the end": lambda x: x[:, :-1],
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_arrays_that_lie_otherwise_in_memory(layout: str) -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(None, None))
    y = math.Exp.create(scope, -x) * x + math.Tanh.create(scope, x)
    value = LAYOUTS[layout](np.random.default_rng(1).standard_normal((40, 40)).astype(np.float32))
    with small_blocks(64):
        results = [tg.Session(scope.graph, passes=passes).run(y, {x: value}) for passes in (None, ())]
    assert results[0].tobytes() == results[1].tobytes() and results[0].strides == results[1].strides


@pytest.mark.parametrize("shape", [(300, 1), (1, 500), (500,)])
def test_a_repeated_array_takes_part_in_blocks(shape: tuple[int, ...]) -> None:
    """So there is nothing of the size of the result but the result."""
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(ROWS, 500))
    repeated = core.Placeholder.create(scope, tg.TFloat32, shape=(ROWS, 500))
    session = tg.Session(scope.graph)
    fetches = math.Exp.create(scope, -(x + repeated))
    value = np.ones((ROWS, 500), np.float32)
    feeds = {x: value, repeated: np.broadcast_to(np.ones(shape, np.float32), value.shape)}
    with small_blocks(1000):
        for _ in range(3):  # the first runs compile
            session.run(fetches, feeds)
        tracemalloc.start()
        session.run(fetches, feeds)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 0.5 * value.nbytes  # the result itself is in memory of an earlier run


def test_fed_arrays_stay_and_results_are_the_callers() -> None:
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(None,))
    y = -x
    fetches = [y, math.Exp.create(scope, y), math.Neg.create(scope, x)]
    fed = np.ones(10, np.float32)
    with small_blocks():
        session = tg.Session(scope.graph)
        results = session.run(fetches, {x: fed})
        kept = [each.copy() for each in results]
        for each in results:
            assert each.flags.writeable
        session.run(fetches, {x: fed * 2})
    np.testing.assert_array_equal(results, kept)
    np.testing.assert_array_equal(fed, np.ones(10))


def test_complex_scalars_are_rounded_as_without_groups() -> None:
    """NumPy's operators, which kernels use, round products of complex scalars otherwise than its ufuncs."""
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TComplex64, shape=UNKNOWN)
    y = -math.SigmoidGrad.create(scope, x, x)
    for value in np.random.default_rng(1).normal(size=(20, 2)).astype(np.float32):
        results = [tg.Session(scope.graph, passes=passes) for passes in ((), None)]
        fed = np.array(complex(*value), np.complex64)
        first, second = ([session.run(y, {x: fed}) for _ in range(2)][1].tobytes() for session in results)
        assert first == second


def test_an_error_in_a_group_names_the_operation(monkeypatch: pytest.MonkeyPatch) -> None:
    """No ufunc refuses numbers, but memory may be short, for the whole arrays or for a block."""
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(None,))
    y = math.Exp.create(scope.with_name("power"), math.Neg.create(scope.with_name("opposite"), x))

    def fail(*_: object, **__: object) -> None:
        raise MemoryError("not one byte")

    no_memory: Any = fail

    kernel = run_alone(y, x)
    for limit in (1 << 16, 1):
        monkeypatch.setattr("typegrad.session.fused.LARGE", limit)
        for number, name in enumerate(["opposite", "power"]):
            session = tg.Session(scope.graph)
            calls = list(kernel.calls)
            calls[number] = calls[number]._replace(ufunc=no_memory)
            broken = FusedKernel(calls, 1, [2], Arrays())
            monkeypatch.setattr("typegrad.session.passes.fusion.FusedKernel", lambda *_, broken=broken: broken)
            with pytest.raises(tg.ResourceExhaustedError, match=rf"^(Neg|Exp) '{name}' .*not one byte"):
                session.run(y, {x: np.ones(4, np.float32)})


def run_alone(y: Any, x: Any) -> FusedKernel:
    """The kernel of the only step."""
    (step,) = Plan([y.as_output()], (), [x.as_output()], Resources()).program(((4,),)).steps
    assert isinstance(step.kernel, FusedKernel)
    return step.kernel
