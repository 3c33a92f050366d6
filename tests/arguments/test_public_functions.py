"""Every public function and method refuses, by name, an argument that is of no kind it takes."""

from __future__ import annotations

import inspect
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from support.junk import HOSTILE, Unrelated, refusal
from typegrad import activations, losses, metrics, optimizers, regularizers
from typegrad.arguments.guarding import public_members
from typegrad.files.tensorboard import EventWriter
from typegrad.op import core

MODULES: Final = (
    "files.checkpoint", "files.tensorboard", "functions", "functions.facade", "functions.random", "session",
    "tools.pictures", "training.loop",
    "training.activations", "training.constraints", "training.data", "training.initializers", "training.losses",
    "training.metrics",
    "training.optimizers", "training.regularizers",
)  # fmt: skip

OPEN: Final = {
    "Constant(value)",
    "EventWriter.histogram(values)",
    "EventWriter.scalar(value)",
    "Generator.binomial(dtype)",
    "Generator.normal(dtype)",
    "Generator.truncated_normal(dtype)",
    "Generator.uniform(dtype)",
    "Generator.uniform_full_int(dtype)",
    "MeanRelativeError(normalizer)",
    "Graph.__getitem__(_)",
    "Metric(_)",
    "Operators.__getitem__(index)",
    "Runner.feed(value)",
    "Session.assign(value)",
    "Session.explain(feed_dict)",
    "Session.explain(fetches)",
    "Session.profile(feed_dict)",
    "Session.profile(fetches)",
    "Shape.__contains__(value)",
    "Shape.count(value)",
    "Shape.index(value)",
    "TypedRun.callable(fetches)",
    "TypedRun.run(feed_dict)",
    "TypedRun.run(fetches)",
    "Variable.assign(value)",
    "Variable.assign_add(value)",
    "Variable.assign_sub(value)",
    "Variable.create(dtype)",
    "Variable.create(initial_value)",
    "check_gradients(feed_dict)",
    "eye(dtype)",
    "grad(x)",
    "gradients(xs)",
    "group(operations)",
    "hamming_window(dtype)",
    "hann_window(dtype)",
    "hvp(vs)",
    "hvp(xs)",
    "inverse_mdct(window_fn)",
    "inverse_stft(window_fn)",
    "inverse_stft_window_fn(forward_window_fn)",
    "kaiser_bessel_derived_window(dtype)",
    "kaiser_window(dtype)",
    "linear_to_mel_weight_matrix(dtype)",
    "mdct(window_fn)",
    "meshgrid(vectors)",
    "nce_loss(labels)",
    "nce_loss(sampled_values)",
    "normal(dtype)",
    "one_hot(depth)",
    "one_hot(dtype)",
    "one_hot(indices)",
    "one_hot(off_value)",
    "one_hot(on_value)",
    "ones(dtype)",
    "sampled_softmax_loss(labels)",
    "sampled_softmax_loss(sampled_values)",
    "sequence_mask(dtype)",
    "sigmoid_cross_entropy(labels)",
    "stft(window_fn)",
    "truncated_normal(dtype)",
    "uniform(dtype)",
    "vorbis_window(dtype)",
    "zeros(dtype)",
}
"""What the functions themselves check, because an annotation cannot say it: values that become arrays, what is fed or
fetched."""

TRUSTED: Final = {
    "Candidates",
    "Graph.add_variable", "Graph.append", "Graph.free_name", "Graph.unique_name",
    "Graph.withdraw", "Op.__getitem__", "Operation", "Output", "Scope.add", "Scope.current",
    "Scope.for_input", "Scope.for_rule", "Shape", "UnknownNameError", "WindowFn", "Wrapper",
}  # fmt: skip
"""What the package itself calls while a graph is built, and what refuses every argument."""


def functions() -> Iterator[tuple[str, Callable[..., Any], bool]]:
    """Every public function and method: what it is called, itself, and whether it takes a `self` first."""
    for module in ("typegrad", *(f"typegrad.{name}" for name in MODULES)):
        namespace = import_module(module)
        for name in getattr(namespace, "__all__", dir(namespace)):
            item = getattr(namespace, name)
            if name.startswith("_") or not str(getattr(item, "__module__", "")).startswith("typegrad"):
                continue
            if inspect.isfunction(item):
                yield name, item, False
            elif isinstance(item, type):
                for owner, member, function in public_members(item):
                    called = owner.__name__ if member in ("__init__", "__call__") else f"{owner.__name__}.{member}"
                    yield called, getattr(function, "__func__", function), not isinstance(function, staticmethod)


def parameters() -> dict[str, tuple[Callable[..., Any], tuple[Any, ...], str]]:
    """Every parameter of a public function: the function, what comes first, and the name."""
    result: dict[str, tuple[Callable[..., Any], tuple[Any, ...], str]] = {}
    for called, function, has_self in functions():
        own = list(inspect.signature(function).parameters.values())[has_self:]
        if called in TRUSTED or called.startswith(("Ops.", "CoreOps.")):
            continue
        for parameter in own:
            if parameter.kind is parameter.VAR_KEYWORD:
                continue
            result[f"{called}({parameter.name})"] = function, (None,) * has_self, parameter.name
    return result


PARAMETERS: Final = parameters()


def call(name: str, value: Any) -> None:
    """Call a function with `value` for one parameter, and nothing else."""
    function, first, parameter = PARAMETERS[name]
    item = inspect.signature(function).parameters[parameter]
    if item.kind in (item.VAR_POSITIONAL, item.POSITIONAL_ONLY):
        function(*first, value)
    else:
        function(*first, **{parameter: value})


def test_there_are_many_and_few_are_open() -> None:
    assert len(PARAMETERS) > 500 and PARAMETERS.keys() > OPEN


@pytest.mark.parametrize("name", sorted(PARAMETERS.keys() - OPEN))
def test_a_wrong_argument_is_refused_by_name(name: str) -> None:
    parameter = PARAMETERS[name][2]
    with pytest.raises(
        tg.TypegradError, match=rf"\(\): argument `{parameter}.*` must be .*, not Unrelated(;|$)"
    ) as caught:
        call(name, Unrelated())
    assert len(str(caught.value)) < 1000


def _graph() -> tuple[tg.Scope, Any, tg.Variable[Any, Any], tg.Session]:
    graph = tg.Graph(seed=1)
    scope = tg.Scope(graph)
    x = core.Placeholder.create(scope, tg.TFloat32, shape=(2, 3))
    return scope, x, tg.Variable.create(scope, np.ones((2, 3), np.float32)), tg.Session(graph)


Use = Callable[[Any, Any], object]

OPEN_USES: Final[dict[str, Use]] = {
    "an initial value": lambda world, value: tg.Variable.create(world[0], value),
    "a type of a variable": lambda world, value: tg.Variable.create(world[0], 1.0, value),
    "what is assigned": lambda world, value: world[2].assign(world[0], value),
    "what is added": lambda world, value: world[2].assign_add(world[0], value),
    "what is subtracted": lambda world, value: world[2].assign_sub(world[0], value),
    "a fetch": lambda world, value: world[3].run(value),
    "one of the fetches": lambda world, value: world[3].run([value]),
    "feeds": lambda world, value: world[3].run(world[1], value),
    "a fetch of a callable": lambda world, value: world[3].callable(value),
    "the operands that a callable is fed": lambda world, value: world[3].callable(world[1], value),
    "one of the operands that a callable is fed": lambda world, value: world[3].callable(world[1], [value]),
    "what is explained": lambda world, value: world[3].explain(value),
    "operands that would be fed": lambda world, value: world[3].explain(world[1], value),
    "what a callable is fed": lambda world, value: world[3].callable(world[1], [world[1]])(value),
    "what is fed": lambda world, value: world[3].run(world[1], {world[1]: value}),
    "what a runner feeds": lambda world, value: world[3].runner().feed(world[1], value).fetch(world[1]).run(),
    "an x": lambda world, value: tg.gradients(world[0], world[1], [value]),
    "xs": lambda world, value: tg.gradients(world[0], world[1], value),
    "the x": lambda world, value: tg.grad(world[0], world[1], value),
    "an index": lambda world, value: world[1][value],
    "a bound": lambda world, value: world[1][value:],
    "a summand": lambda world, value: world[1] + value,
    "an expected shape": lambda world, value: world[1].expect(tg.TFloat32, value),
    "a dimension": lambda world, value: tg.Shape.of(value),
    "a control dependency": lambda world, value: world[0].with_control_dependencies([value]),
    "control dependencies": lambda world, value: world[0].with_control_dependencies(value),
    "a seed": lambda world, value: world[0].with_seed(value),
    "a threshold": lambda world, value: metrics.Recall(world[0], thresholds=value),
    "a learning rate": lambda world, value: optimizers.Adam(world[0].graph, value),
    "a delta": lambda world, value: losses.Huber(value)(world[0], world[1], world[1]),
    "a slope": lambda world, value: activations.relu(world[0], world[1], negative_slope=value),
    "a factor": lambda world, value: regularizers.L1(value)(world[0], world[1]),
    "the shape of a mean": lambda world, value: metrics.MeanTensor(world[0], value),
    "gradients of a norm": lambda world, value: tg.functions.global_norm(world[0], value),
    "a type of zeros": lambda world, value: tg.functions.zeros(world[0], (2,), value),
    "a type of an identity": lambda world, value: tg.functions.eye(world[0], 2, dtype=value),
    "a member of a group": lambda world, value: tg.functions.group(world[0], value),
    "a position": lambda world, value: tg.functions.one_hot(world[0], value, 3),
    "a depth": lambda world, value: tg.functions.one_hot(world[0], [1], value),
    "a value that is on": lambda world, value: tg.functions.one_hot(world[0], [1], 3, value),
    "a value that is off": lambda world, value: tg.functions.one_hot(world[0], [1], 3, off_value=value, dtype=tg.TInt8),
    "labels": lambda world, value: tg.functions.sigmoid_cross_entropy(world[0], labels=value, logits=world[1]),
    "right classes": lambda world, value: tg.functions.nce_loss(world[0], world[1], world[1][0], value, world[1], 1, 2),
    "classes drawn": lambda world, value: tg.functions.nce_loss(
        world[0], world[1], world[1][0], [[1]], world[1], 1, 2, sampled_values=value
    ),
    "a vector": lambda world, value: tg.hvp(world[0], world[1], world[1], value),
    "a reduction": lambda world, value: losses.Reduction(value),
}
"""Uses whose argument is looked at by the function itself, or in part."""


@pytest.mark.parametrize("use", OPEN_USES)
def test_hostile_values_of_what_is_open(use: str) -> None:
    world = _graph()
    for what, value in HOSTILE.items():
        assert len(refusal(OPEN_USES[use], world, value)) < 1000, what


@pytest.mark.parametrize("what", HOSTILE)
def test_hostile_values_in_event_files(what: str, tmp_path: Path) -> None:
    value = HOSTILE[what]
    with EventWriter(tmp_path) as events:
        for write, arguments in (
            (events.scalar, (value, 1.0, 1)),
            (events.scalar, ("loss", value, 1)),
            (events.scalar, ("loss", 1.0, value)),
            (events.histogram, (value, [1.0], 1)),
            (events.histogram, ("w", value, 1)),
            (events.graph, (value,)),
        ):
            assert len(refusal(write, *arguments)) < 1000
        assert len(refusal(events.histogram, "w", [1.0], 1, buckets=value)) < 1000


def test_type_checkers_and_inspect_see_the_functions_themselves() -> None:
    assert list(inspect.signature(losses.huber).parameters) == ["scope", "y_true", "y_pred", "delta"]
    assert losses.huber.__module__ == "typegrad.training.losses.regression" and "mean of" in str(losses.huber.__doc__)
    assert inspect.getsource(activations.relu).startswith("def relu(")
    assert inspect.signature(tg.Graph).parameters["seed"].default is None


@pytest.mark.parametrize("imported", ["from typegrad.graph.scope import Scope", "from typegrad import Scope"])
def test_arguments_are_checked_whatever_is_imported_first(imported: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{imported}\nScope('a')"], capture_output=True, text=True, check=False
    )
    assert "Scope(): argument `graph` must be a Graph, not str 'a'" in done.stderr
