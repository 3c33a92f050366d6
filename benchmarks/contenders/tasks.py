"""The tasks: what is measured, on which inputs, how large. Every contender gets the same inputs.

A task names the function of the contenders that sets it up; a contender without that function does not take part. The
function gets the inputs and returns what to measure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from contenders import inputs
from contenders.inputs import Array, Inputs
from contenders.kernel import Aim
from contenders.kernels import KERNELS

__all__ = ["RATE", "TASKS", "Contenders", "Run", "Setup", "Task", "as_arrays"]

RATE: Final = 0.05
"""The learning rate of all training steps, which are plain gradient descent."""


def as_arrays(value: Any) -> list[Array]:
    """What a call returned, an array or a list or tuple of arrays, as NumPy arrays."""
    return [np.array(item) for item in value] if isinstance(value, (list, tuple)) else [np.array(value)]


class Run(NamedTuple):
    """What to measure, and how to read the numbers to compare from what it returns; the latter takes no time."""

    work: Callable[[], Any]
    read: Callable[[Any], list[Array]] = as_arrays


Setup: TypeAlias = Callable[..., Run]
Contenders: TypeAlias = Mapping[str, Mapping[str, Setup]]
"""For each contender, its functions by name."""


@dataclass(frozen=True)
class Task:
    """What is measured."""

    name: str
    what: str
    setup: str
    """The name of the contenders' function."""
    inputs: Callable[..., Inputs]
    sizes: Mapping[str, Any]
    quick: Mapping[str, Any]
    """The sizes for `--quick`."""
    measure: Literal["time", "memory", "import"] = "time"
    """`memory`: the peak of a new process over what it holds once the library is imported."""
    calls: int = 1
    """How many calls are compared. A training step is compared by the losses, which tell of the updates between."""
    tolerance: float = 1e-4
    """The largest relative difference; numbers near 0 may differ by a thousandth of it times the largest number."""
    aim: Aim | None = None

    def arguments(self, *, quick: bool) -> Inputs:
        """The inputs, the same in every process."""
        return self.inputs(**(self.quick if quick else self.sizes))


def _builds() -> list[Task]:
    """All contenders build one size. How the time grows with the size is typegrad's own matter."""
    setups = {20_000: "build", **dict.fromkeys([10**n for n in range(2, 6)], "growth")}
    return [
        Task(
            name=f"build{gradient.replace('_', '-')}-{size}",
            what=f"build a graph of {size:,} operations{note}",
            setup=f"{setup}{gradient}",
            inputs=inputs.chain,
            sizes={"length": size},
            quick={"length": 20},
            tolerance=1e-2,  # rounding errors accumulate; and XLA rounds a product and a sum once
        )
        for gradient, note in (("", ""), ("_gradient", " and its gradient"))
        for size, setup in setups.items()
    ]


_MLP: Final = {"layers": (784, 256, 128, 10), "batch": 128}
_CBOW: Final = {"words": 10_000, "width": 128, "context": 8, "batch": 64}
_SMALL_CBOW: Final = {"words": 20, "width": 4, "context": 3, "batch": 5}
_DEEP: Final = {"width": 1024, "depth": 50, "batch": 128}
_SMALL_DEEP: Final = {"width": 6, "depth": 3, "batch": 4}
_SMALL_SAMPLED: Final = {"words": 20, "width": 4, "context": 3, "noise": 6, "batch": 5}


def _task(name: str, what: str, quick: Mapping[str, Any], sizes: Mapping[str, Any], **rest: Any) -> Task:
    """A task whose function, and the function that makes its inputs, have its name."""
    setup = name.replace("-", "_")
    return Task(name, what, setup, rest.pop("inputs", None) or getattr(inputs, setup), sizes, quick, **rest)


TASKS: Final = (
    _task("one-op", "one call that adds two float32[8]", {}, {}),
    _task("chain", "1,000 operations on float32[8], one after the other", {"length": 20}, {"length": 1000}),
    *_builds(),
    _task("mlp", "MLP 784-256-128-10, batch 128: a training step", {"layers": (8, 6, 5), "batch": 4}, _MLP, calls=3),
    _task("cbow", "CBOW, 10,000 words of 128, batch 64, full softmax: a step", _SMALL_CBOW, _CBOW, calls=3),
    _task("cbow-table", "CBOW: its table's gradient, dense", _SMALL_CBOW, _CBOW, inputs=inputs.cbow),
    _task("cbow-vectors", "CBOW: the gradient at the looked-up vectors", _SMALL_CBOW, _CBOW, inputs=inputs.cbow),
    *(
        Task(
            name=f"word2vec-{words}",
            what=f"word2vec, {words:,} words of 64, 64 noise words: a step that updates only rows",
            setup="word2vec",
            inputs=inputs.word2vec,
            sizes={"words": words, "width": 64, "context": 4, "noise": 64, "batch": 128},
            quick=_SMALL_SAMPLED,
            calls=3,
        )
        for words in (1_000, 10_000, 100_000)
    ),
    _task(
        "softmax",
        "stable softmax of 1024 x 1024, and its gradient",
        {"size": 6},
        {"size": 1024},
        tolerance=1e-2,  # the gradient is a difference of numbers that are nearly equal
    ),
    *(
        Task(
            name=f"resize-{before}-{after}",
            what=f"bilinear resizing of {before} x {before} x 3 to {after} x {after}, and its gradient",
            setup="resize",
            inputs=inputs.resize,
            sizes={"before": before, "after": after},
            quick={"before": before // 128, "after": after // 64},
        )
        for before, after in ((512, 1024), (1024, 224))
    ),
    _task("elementwise", "20 elementwise operations on 4 million floats", {"size": 100}, {"size": 4_000_000}),
    _task("elementwise-tanh", "the same with 5 tanh among them", {"size": 100}, {"size": 4_000_000}),
    _task("lenet", "LeNet, batch 64: a training step", {"batch": 2}, {"batch": 64}, calls=3),
    _task(
        "vgg",
        "VGG11 block (3x3 to 256 channels twice, pooling) on 4 x 16 x 16 x 128: a training step",
        {"batch": 2, "size": 4, "channels": (3, 4)},
        {"batch": 4, "size": 16, "channels": (128, 256)},
        calls=3,
    ),
    _task(
        "lstm",
        "LSTM, 32 steps, batch 32, 64 inputs, 128 units: a training step",
        {"steps": 3, "batch": 2, "width": 3, "units": 4},
        {"steps": 32, "batch": 32, "width": 64, "units": 128},
        calls=3,
    ),
    _task(
        "transformer",
        "transformer block, 8 x 64 positions of 128, 4 heads, causal: a training step",
        {"batch": 2, "positions": 3, "width": 8, "heads": 2},
        {"batch": 8, "positions": 64, "width": 128, "heads": 4},
        calls=3,
        tolerance=1e-3,
    ),
    _task("deep", "the gradient of a 50 x 1024 MLP, batch 128", _SMALL_DEEP, _DEEP),
    Task("deep-memory", "the same: peak memory over import", "deep", inputs.deep, _DEEP, _SMALL_DEEP, "memory"),
    Task("import", "import the library in a new process", "", dict, {}, {}, "import"),
    *(
        Task(
            name=each.name,
            what=f"{each.operation}, {each.label}",
            setup=each.setup,
            inputs=each.arguments,
            sizes={"size": each.size},
            quick={"size": each.quick},
            tolerance=1e-3,
            aim=each.aim,
        )
        for each in KERNELS
    ),
)
"""All tasks, in the order of the report."""
