"""Calls that do not fit a signature: a misspelt argument, one of another library, one missing or too many; what the
message says.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterator
from difflib import SequenceMatcher
from importlib import import_module
from typing import Any, Final

import pytest

import typegrad as tg
from typegrad.op import core, dtypes, linalg, math, nn
from typegrad.op._table import TABLE

Call = Callable[["World"], object]


class World:
    """A graph with something in it."""

    def __init__(self) -> None:
        self.graph = tg.Graph()
        self.scope = tg.Scope(self.graph)
        self.x = core.Placeholder.create(self.scope, tg.TFloat32, shape=(2, 3))
        self.tf: Any = tg.Ops.create(self.graph)
        self.session: Any = tg.Session(self.graph)
        self.any: Any = tg


def untyped(result: Any) -> Any:
    """What no type checker looks into."""
    return result


REFUSED: Final[dict[str, tuple[Call, str]]] = {
    # Other libraries' names
    "keepdims": (lambda w: untyped(core.Sum).create(w.scope, w.x, keepdims=True), "did you mean `keep_dims`?"),
    "keepdim": (lambda w: w.tf.math.mean(w.x, keepdim=True), "did you mean `keep_dims`?"),
    "dim": (lambda w: untyped(core.Sum).create(w.scope, w.x, dim=0), "did you mean `axis`?"),
    "reduction_indices": (lambda w: w.tf.sum(w.x, reduction_indices=0), "did you mean `axis`?"),
    "axis of ArgMax": (lambda w: untyped(math.ArgMax).create(w.scope, w.x, axis=0), "did you mean `dimension`?"),
    "dtype of ArgMax": (
        lambda w: untyped(math.ArgMax).create(w.scope, w.x, 0, dtype=tg.TInt32),
        "did you mean `output_type`?",
    ),
    "dtype of Cast": (lambda w: untyped(dtypes.Cast).create(w.scope, w.x, dtype=tg.TInt32), "did you mean `dst_t`?"),
    "dtype of Add": (
        lambda w: untyped(math.Add).create(w.scope, w.x, w.x, dtype=tg.TFloat32),
        "the element type follows from the arguments; dtypes.Cast converts",
    ),
    "axes of Transpose": (
        lambda w: untyped(linalg.Transpose).create(w.scope, w.x, axes=(1, 0)),
        "did you mean `perm`?",
    ),
    "x of Relu": (lambda w: untyped(nn.Relu).create(w.scope, x=w.x), "did you mean `features`?"),
    "x and y of MatMul": (lambda w: untyped(linalg.MatMul).create(w.scope, x=w.x, y=w.x), "did you mean `a`?"),
    "y of MatMul": (lambda w: untyped(linalg.MatMul).create(w.scope, w.x, y=w.x), "did you mean `b`?"),
    "num_classes of OneHot": (
        lambda w: untyped(core.OneHot).create(w.scope, [1], num_classes=3),
        "did you mean `depth`?",
    ),
    "lr": (lambda w: w.any.optimizers.GradientDescent(w.graph, lr=0.1), "did you mean `learning_rate`?"),
    "params": (
        lambda w: w.any.optimizers.GradientDescent(w.graph, 0.1).minimize(w.x, params=[]),
        "did you mean `var_list`?",
    ),
    "feeds": (
        lambda w: w.session.run(w.x, feeds={}),
        "Session.run() takes no argument `feeds`; did you mean `feed_dict`?",
    ),
    "feed": (lambda w: w.session.run(w.x, feed={}), "did you mean `feed_dict`?"),
    "requires_grad": (
        lambda w: untyped(tg.Variable).create(w.scope, 1.0, requires_grad=False),
        "did you mean `trainable`?",
    ),
    "initializer": (
        lambda w: untyped(tg.Variable).create(w.scope, initializer=1.0),
        "did you mean `initial_value`?",
    ),
    "grad_outputs": (lambda w: w.any.gradients(w.scope, w.x, [w.x], grad_outputs=[w.x]), "did you mean `grad_ys`?"),
    "auto_initialize": (lambda w: w.any.Session(w.graph, auto_initialize=False), "did you mean `auto_init`?"),
    # What the scope says
    "name of an operation": (
        lambda w: untyped(core.Sum).create(w.scope, w.x, name="total"),
        'Sum.create() takes no argument `name`; write scope.with_name("total")',
    ),
    "name of the facade": (
        lambda w: w.tf.sum(w.x, name="total"),
        'Ops.sum() takes no argument `name`; write tf.with_name("total")',
    ),
    "name of a variable": (
        lambda w: untyped(tg.Variable).create(w.scope, 1.0, name="layer/w"),
        'Variable.create() takes no argument `name`; write scope.with_name("layer/w")',
    ),
    "a misspelt name of an operation": (
        lambda w: untyped(core.Sum).create(w.scope, w.x, nam="total"),
        'Sum.create() takes no argument `nam`; write scope.with_name("w")',
    ),
    "a misspelt name of another library": (
        lambda w: w.any.Saver(w.session, max_to_kep=3),
        "Saver() takes no argument `max_to_kep`; did you mean `keep`?",
    ),
    "a misspelt option of another library": (
        lambda w: w.any.optimizers.GradientDescent(w.graph, 0.1).minimize(w.x, paramters=[]),
        "did you mean `var_list`?",
    ),
    "another argument where the scope is missing": (
        lambda w: w.any.metrics.Mean(other=1),
        "Mean() takes no argument `other`; it takes `dtype`",
    ),
    "device": (lambda w: untyped(core.Sum).create(w.scope, w.x, device="/gpu:0"), 'write scope.with_device("/cpu:0")'),
    "control_inputs": (
        lambda w: untyped(core.Sum).create(w.scope, w.x, control_inputs=[w.x]),
        "write scope.with_control_dependencies([op])",
    ),
    "seed of a loss": (lambda w: untyped(core.Sum).create(w.scope, w.x, seed=1), "write scope.with_seed(1)"),
    # Missing, twice, too many
    "an input is missing": (
        lambda w: untyped(math.Add).create(w.scope, w.x),
        "Add.create() needs `y`; it is called as Add.create(scope, x, y)",
    ),
    "nothing is given": (lambda w: untyped(math.Add).create(), "Add.create() needs `scope`, `x`, `y`; "),
    "a keyword by position": (
        lambda w: untyped(core.Sum).create(w.scope, w.x, 0, True),
        (
            "Sum.create() takes 3 arguments by position, not 4; it is called as Sum.create(scope, input, axis=None, "
            "keep_dims=False)"
        ),
    ),
    "a name by position": (
        lambda w: w.tf.math.add(w.x, w.x, "sum"),
        "MathOps.add() takes 2 arguments by position, not 3; it is called as MathOps.add(x, y)",
    ),
    "twice": (
        lambda w: untyped(core.Sum).create(w.scope, w.x, input=w.x),
        "Sum.create() was given `input` twice, by position and by name; it is called as Sum.create(scope, input, ",
    ),
    "a session of nothing": (
        lambda w: w.any.Session(),
        "Session() needs `graph`; it is called as Session(graph, auto_init=True, passes=None, threads=None)",
    ),
    "a run of nothing": (
        lambda w: w.session.run(),
        "Session.run() needs `fetches`; it is called as Session.run(fetches, feed_dict=None)",
    ),
    "a name of a graph": (lambda w: w.any.Graph(name="g"), "Graph() takes no argument `name`; it takes `seed`"),
    "no learning rate": (
        lambda w: w.any.optimizers.GradientDescent(),
        "GradientDescent() needs `graph`; it is called as GradientDescent(graph, learning_rate=",
    ),
    "an argument of no function": (
        lambda w: w.session.runner().feed(w.x),
        "Runner.feed() needs `value`; it is called as Runner.feed(operand, value)",
    ),
    "a misspelt parameter": (lambda w: w.any.losses.huber(w.scope, w.x, w.x, detla=3.0), "did you mean `delta`?"),
    "another library's": (lambda w: w.any.losses.huber(w.scope, target=w.x), "did you mean `y_true`?"),
}


WITHOUT_SCOPE: dict[str, tuple[Callable[[World], object], str]] = {
    "of an operation": (
        lambda w: untyped(math.Add).create(w.x, w.x),
        "TFloat32 [2, 3]>; it is called as Add.create(scope, x, y)",
    ),
    "with as many arguments as are needed": (
        lambda w: untyped(core.Placeholder).create(tg.TFloat32, (3,)),
        "Placeholder.create(): argument `scope` must be a Scope, not type tg.TFloat32; the scope is the first argument",
    ),
    "of a loss": (
        lambda w: w.any.losses.Huber()(w.x, w.x),
        "; it is called as Huber(scope, y_true, y_pred, sample_weight=None)",
    ),
}


@pytest.mark.parametrize("what", WITHOUT_SCOPE)
def test_a_forgotten_scope_is_named_before_what_seems_to_be_missing(what: str) -> None:
    call, says = WITHOUT_SCOPE[what]
    with pytest.raises(tg.GraphError) as caught:
        call(World())
    assert says in str(caught.value) and "argument `scope` must be a Scope" in str(caught.value)


@pytest.mark.parametrize("what", REFUSED)
def test_what_the_message_says(what: str) -> None:
    call, says = REFUSED[what]
    with pytest.raises(tg.OptionError) as caught:
        call(World())
    assert says in str(caught.value)
    assert isinstance(caught.value, TypeError) and isinstance(caught.value, tg.TypegradError)


def creates() -> Iterator[tuple[str, Callable[..., Any], list[str]]]:
    """The `create` of every operation, and the names of its arguments."""
    for path in TABLE.values():
        module, _, name = path.partition(":")
        create = getattr(import_module(module), name).create
        yield path, create, list(inspect.signature(create).parameters)


def misspelt(name: str) -> Iterator[str]:
    """The name without a letter, and with two swapped."""
    middle = len(name) // 2
    yield name[:middle] + name[middle + 1 :]
    yield name[: middle - 1] + name[middle] + name[middle - 1] + name[middle + 1 :]


def is_plain(wrong: str, name: str, names: list[str]) -> bool:
    """Whether a misspelt name is like no other as much as this one."""
    likeness = {other: SequenceMatcher(None, other, wrong).ratio() for other in names}
    return wrong not in names and all(likeness[name] > likeness[other] for other in names if other != name)


def test_every_misspelt_argument_of_every_operation() -> None:
    for path, create, names in creates():
        wrong = {each: name for name in names if len(name) > 3 for each in misspelt(name)}
        for each in [each for each, name in wrong.items() if is_plain(each, name, names)]:
            with pytest.raises(tg.OptionError) as caught:
                create(**{each: None})
            assert f"takes no argument `{each}`; did you mean `{wrong[each]}`?" in str(caught.value), path


def test_every_operation_is_named_by_its_scope() -> None:
    for path, create, names in creates():
        assert "name" not in names, path
        with pytest.raises(tg.OptionError, match=r'takes no argument `name`; write scope\.with_name\("w"\)'):
            create(name=None)


def test_other_errors_of_type_pass() -> None:
    world = World()
    with pytest.raises(TypeError, match="unhashable") as caught:
        world.session.run(world.x, Unhashable())
    assert not isinstance(caught.value, tg.OptionError)


class Unhashable:
    """What fails while it is used, as nothing should."""

    def items(self) -> object:
        """No items."""
        return hash([])


def test_type_checkers_and_inspect_see_the_functions_themselves() -> None:
    create = core.Sum.create
    assert list(inspect.signature(create).parameters) == ["scope", "input", "axis", "keep_dims"]
    assert inspect.getsource(create).startswith("    @staticmethod\n    def create(")
    assert create.__module__ == "typegrad.op.core.sum" and create.__qualname__ == "Sum.create"
    assert copy.deepcopy(create) is create


def test_a_node_is_where_the_user_made_it() -> None:
    world = World()
    results = [core.Sum.create(world.scope, world.x), world.tf.sum(world.x), world.x + world.x]
    assert {each.op.created_at.rpartition(":")[0] for each in results} == {__file__}


def test_a_type_of_functions_has_no_instances() -> None:
    protocol: Any = tg.functions.WindowFn
    with pytest.raises(tg.OptionError, match="WindowFn is a type of functions: pass a function of your own"):
        protocol(8)
