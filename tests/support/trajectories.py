"""The trajectories that compare optimizers: optimizers, initial values, gradients. Does not import typegrad."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

FILE: Final = Path(__file__).parent.parent / "training" / "optimizers" / "recorded.npz"
STEPS: Final = 100
SHOWN: Final = (1, 2, 10, 100)
"""The steps after which the variables are recorded."""
DTYPES: Final = ("float32", "float64")
MODES: Final = ("dense", "sparse", "lazy", "defaults")
"""Dense gradients; sparse ones; sparse ones with `lazy=True`; dense ones, with TensorFlow Java's defaults."""
ROWS: Final = 6
SCHEDULE_STEPS: Final = (0, 1, 4, 5, 9, 10, 11, 20, 25, 40, 99, 100, 150)


@frozen
class Course:
    """An optimizer and its arguments, with typegrad's names; `clip` is a class and its argument."""

    optimizer: str
    arguments: Mapping[str, Any] = field(factory=dict)
    clip: tuple[str, float] | None = None

    @property
    def name(self) -> str:
        """The optimizer and its arguments."""
        told = [f"{name}={value}" for name, value in self.arguments.items()]
        clip = [] if self.clip is None else [f"{self.clip[0]}({self.clip[1]})"]
        return f"{self.optimizer}({', '.join([*told, *clip])})"


RATE: Final = {"learning_rate": 0.05}

KERAS: Final = {**RATE, "epsilon": 1e-7}
"""Keras' defaults where they differ from TensorFlow Java's."""

KERAS_RMSPROP: Final = {**KERAS, "initial_mean_square": 0.0}

COURSES: Final = (
    Course("GradientDescent", RATE),
    Course("GradientDescent", {**RATE, "weight_decay": 0.1}),
    Course("GradientDescent", RATE, ("ClipByValue", 0.4)),
    Course("GradientDescent", RATE, ("ClipByNorm", 0.7)),
    Course("GradientDescent", RATE, ("ClipByGlobalNorm", 0.7)),
    Course("Momentum", {**RATE, "momentum": 0.9}),
    Course("Momentum", {**RATE, "momentum": 0.8, "nesterov": True}),
    Course("AdaGrad", {**KERAS, "initial_accumulator_value": 0.1}),
    Course("AdaGrad", {**RATE, "initial_accumulator_value": 0.01, "epsilon": 0.01}),
    Course("AdaGradDA", RATE),
    Course("AdaGradDA", {**RATE, "l1_strength": 0.02, "l2_strength": 0.1}),
    Course("AdaDelta", {"learning_rate": 5.0}),
    Course("AdaDelta", {"learning_rate": 1.0, "rho": 0.8, "epsilon": 1e-3}),
    Course("Adam", KERAS),
    Course("Adam", {**RATE, "beta_1": 0.7, "beta_2": 0.9, "epsilon": 1e-3}, ("ClipByGlobalNorm", 0.5)),
    Course("AdamW", KERAS),
    Course("AdamW", {**KERAS, "weight_decay": 0.2}),
    Course("AMSGrad", KERAS),
    Course("Adamax", RATE),
    Course("Nadam", KERAS),
    Course("Ftrl", RATE),
    Course(
        "Ftrl",
        {
            **RATE,
            "learning_rate_power": -0.4,
            "l1_regularization_strength": 0.05,
            "l2_regularization_strength": 0.1,
            "l2_shrinkage_regularization_strength": 0.2,
            "beta": 0.3,
        },
    ),
    Course("RMSProp", KERAS_RMSPROP),
    Course("RMSProp", {**KERAS_RMSPROP, "momentum": 0.5, "rho": 0.8}),
    Course("RMSProp", {**KERAS_RMSPROP, "centered": True}),
    Course("RMSProp", {**KERAS_RMSPROP, "momentum": 0.5, "centered": True}),
    Course("Lion", RATE),
    Course("Lion", {**RATE, "beta_1": 0.6, "beta_2": 0.8, "weight_decay": 0.1}),
)

WITH_DEFAULTS: Final = (
    Course("GradientDescent"),
    Course("Momentum", {"momentum": 0.9}),
    Course("Momentum", {"momentum": 0.9, "nesterov": True}),
    Course("AdaGrad", RATE),
    Course("AdaGradDA", RATE),
    Course("AdaDelta", {"learning_rate": 5.0}),
    Course("Adam", RATE),
    Course("Ftrl", RATE),
    Course("RMSProp", RATE),
    Course("RMSProp", {**RATE, "momentum": 0.5}),
    Course("RMSProp", {**RATE, "centered": True}),
    Course("RMSProp", {**RATE, "momentum": 0.5, "centered": True}),
)
"""The optimizers compared with TensorFlow 1's, with missing arguments from `JAVA`."""

JAVA: Final[Mapping[str, Mapping[str, float]]] = {
    "GradientDescent": {"learning_rate": 0.01},
    "Momentum": {"learning_rate": 0.01, "momentum": 0.0},
    "AdaGrad": {"learning_rate": 0.001, "initial_accumulator_value": 0.01},
    "AdaGradDA": {"learning_rate": 0.001, "initial_accumulator_value": 0.1, "l1_strength": 0.0, "l2_strength": 0.0},
    "AdaDelta": {"learning_rate": 0.001, "rho": 0.95, "epsilon": 1e-7},
    "Adam": {"learning_rate": 0.001, "beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-8},
    "Adamax": {"learning_rate": 0.001, "beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-7},
    "Nadam": {"learning_rate": 0.001, "beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-8},
    "Ftrl": {
        "learning_rate": 0.001,
        "learning_rate_power": -0.5,
        "initial_accumulator_value": 0.1,
        "l1_regularization_strength": 0.0,
        "l2_regularization_strength": 0.0,
        "l2_shrinkage_regularization_strength": 0.0,
    },
    "RMSProp": {"learning_rate": 0.001, "rho": 0.9, "momentum": 0.0, "epsilon": 1e-10},
}
"""The defaults of TensorFlow Java's `org.tensorflow.framework.optimizers`, with typegrad's names."""

IN_KERAS: Final = (
    "GradientDescent", "Momentum", "AdaGrad", "AdaDelta", "Adam", "AdamW", "Adamax", "Nadam", "Ftrl", "RMSProp", "Lion",
)  # fmt: skip
"""The optimizers that Keras has, too."""

WITH_SPARSE_OPERATIONS: Final = ("Momentum", "AdaGrad", "AdaGradDA", "AdaDelta", "Ftrl", "RMSProp")
"""The optimizers that TensorFlow has sparse operations for: only these are recorded with `lazy=True`."""

SCHEDULES: Final[tuple[tuple[str, Mapping[str, Any]], ...]] = (
    ("ExponentialDecay", {"initial_learning_rate": 0.1, "decay_steps": 10, "decay_rate": 0.5}),
    ("ExponentialDecay", {"initial_learning_rate": 0.1, "decay_steps": 10, "decay_rate": 0.5, "staircase": True}),
    ("InverseTimeDecay", {"initial_learning_rate": 0.1, "decay_steps": 10, "decay_rate": 0.5}),
    ("InverseTimeDecay", {"initial_learning_rate": 0.1, "decay_steps": 10, "decay_rate": 0.5, "staircase": True}),
    ("PolynomialDecay", {"initial_learning_rate": 0.1, "decay_steps": 25}),
    ("PolynomialDecay", {"initial_learning_rate": 0.1, "decay_steps": 20, "end_learning_rate": 0.01, "power": 2.0}),
    ("PolynomialDecay", {"initial_learning_rate": 0.1, "decay_steps": 10, "power": 0.5, "cycle": True}),
    ("CosineDecay", {"initial_learning_rate": 0.1, "decay_steps": 50}),
    ("CosineDecay", {"initial_learning_rate": 0.1, "decay_steps": 20, "alpha": 0.2}),
    (
        "CosineDecay",
        {"initial_learning_rate": 0.01, "decay_steps": 50, "warmup_target": 0.2, "warmup_steps": 10},
    ),
    ("PiecewiseConstant", {"boundaries": [5, 20, 100], "values": [1.0, 0.5, 0.25, 0.1]}),
)


def courses(mode: str) -> list[Course]:
    """The courses that are recorded in one of `MODES`."""
    if mode == "defaults":
        return list(WITH_DEFAULTS)
    return [course for course in COURSES if mode != "lazy" or course.optimizer in WITH_SPARSE_OPERATIONS]


def dtypes(mode: str) -> tuple[str, ...]:
    """The element types that are recorded in one of `MODES`. TensorFlow 1 keeps an optimizer's numbers in single
    precision.
    """
    return DTYPES[:1] if mode == "defaults" else DTYPES


def is_dense(mode: str) -> bool:
    """Whether the gradients are whole arrays, not rows of them."""
    return mode in ("dense", "defaults")


def starts(mode: str, dtype: str) -> list[Array]:
    """The variables before the first step: a matrix and a vector, or a table."""
    shapes = [(2, 3), (2,)] if is_dense(mode) else [(ROWS, 2)]
    return [_wave(shape, 0.7 * index, dtype) for index, shape in enumerate(shapes, 1)]


def gradient(step: int, index: int, shape: tuple[int, ...], dtype: str) -> Array:
    """The gradient of variable `index` at a step, counted from 1."""
    values: Array = _wave(shape, 0.37 * step + index, dtype) + np.asarray(0.25, dtype)
    return values


def indices(step: int) -> Array:
    """The rows of the table in the gradient of a step: one of them twice, never the last row."""
    return np.array([(number * number + step) % (ROWS - 1) for number in (0, 1, 2, 3)], np.int32)


def summed(step: int, dtype: str) -> Array:
    """The sparse gradient of a step as a dense one."""
    dense = np.zeros((ROWS, 2), dtype)
    np.add.at(dense, indices(step), gradient(step, 0, (4, 2), dtype))
    return dense


def load() -> dict[str, Array]:
    """What was recorded: "float32 sparse Adam(...)" to the variables at the steps `SHOWN`, "schedule 3" to the rates,
    "Keras Adam epsilon" to a default.
    """
    with np.load(FILE, allow_pickle=False) as file:
        names = bytes(file["names"]).decode().split("\n")
        lengths = file["lengths"]
        parts = np.split(file["values"], np.cumsum(lengths)[:-1])
    return dict(zip(names, parts, strict=True))


def save(recorded: Mapping[str, Array]) -> None:
    """Write recorded values in double precision, which represents single precision exactly."""
    flat = [np.asarray(value, np.float64).ravel() for value in recorded.values()]
    np.savez_compressed(
        FILE,
        names=np.frombuffer("\n".join(recorded).encode(), np.uint8),
        lengths=np.array([value.size for value in flat]),
        values=np.concatenate(flat),
    )


def _wave(shape: tuple[int, ...], phase: float, dtype: str) -> Array:
    """Numbers between -1 and 1, different ones for different phases."""
    places = np.arange(int(np.prod(shape)), dtype=np.float64)
    wave: Array = np.sin(1.7 * places + phase).reshape(shape).astype(dtype)
    return wave
