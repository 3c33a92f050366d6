"""Record where Keras' and TensorFlow's optimizers go along the paths of `tests/support/trajectories.py`, in `tests/optimizers`.

Run it by hand after paths were added or changed, in the environment that `tests/record.py` describes:

    /path/to/recorder/bin/python tests/record_optimizers.py

Keras 3 answers, except where it has no such optimizer or another formula: there TensorFlow's own operations do. It imports no part
of typegrad.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

import numpy as np

from support import trajectories
from support.trajectories import DTYPES, MODES, SHOWN, STEPS, Array, Course, courses

keras: Final[Any] = import_module("keras")
ops: Final[Any] = import_module("keras.src").ops
tf: Final[Any] = import_module("tensorflow")

CLASSES: Final = {
    "GradientDescent": "SGD",
    "Momentum": "SGD",
    "AdaDelta": "Adadelta",
    "AMSGrad": "Adam",
    "RMSProp": "RMSprop",
}
CLIPS: Final = {"ClipByValue": "clipvalue", "ClipByNorm": "clipnorm", "ClipByGlobalNorm": "global_clipnorm"}
SCHEDULES: Final = {"PiecewiseConstant": "PiecewiseConstantDecay"}


def exactly(cast: Callable[..., Any]) -> Callable[..., Any]:
    """`cast` without the detour that TensorFlow's takes from a Python number to double precision, through single precision."""

    def wrapped(x: Any, dtype: Any, *given: Any, **named: Any) -> Any:
        return tf.constant(x, dtype) if isinstance(x, float) else cast(x, dtype, *given, **named)

    return wrapped


def main() -> None:
    """Record everything anew. Keras' own numbers, such as 0.9, are those of the variable's type."""
    tf.cast, ops.cast = exactly(tf.cast), exactly(ops.cast)
    found: dict[str, Array] = {}
    for dtype in DTYPES:
        keras.backend.set_floatx(dtype)
        for mode in MODES:
            for course in courses(mode):
                found[f"{dtype} {mode} {course.name}"] = follow(course, mode, dtype)
    for number, (name, told) in enumerate(trajectories.SCHEDULES):
        schedule = getattr(keras.optimizers.schedules, SCHEDULES.get(name, name))(**told)
        found[f"schedule {number}"] = np.array([float(schedule(step)) for step in trajectories.SCHEDULE_STEPS])
    trajectories.save(found)
    print(f"{len(found)} paths, {trajectories.FILE.stat().st_size} bytes")


def follow(course: Course, mode: str, dtype: str) -> Array:
    """The variables at the steps shown."""
    if course.optimizer in ("AdaGrad", "AdaGradDA") or mode == "lazy":
        return with_operations(course, mode, dtype)
    return with_keras(course, mode, dtype)


def with_keras(course: Course, mode: str, dtype: str) -> Array:
    """Keras' optimizer. A sparse gradient must have the effect of the dense one. (Keras 3 squares rows before it sums them where an
    index occurs again, which is neither TensorFlow's rule nor the dense gradient's, so it gets each index once.)
    """
    sparse = _walk_with_keras(course, mode, dtype, sparse=mode == "sparse")
    if mode == "sparse":
        dense = _walk_with_keras(course, mode, dtype, sparse=False)
        if not np.allclose(sparse, dense, rtol=1e-4 if dtype == "float32" else 1e-9):
            print(f"  {dtype} {course.name}: sparse and dense gradients differ by {np.abs(sparse - dense).max()}")
    return sparse


def _walk_with_keras(course: Course, mode: str, dtype: str, *, sparse: bool) -> Array:
    told = dict(course.arguments)
    if course.optimizer == "AMSGrad":
        told["amsgrad"] = True
    if course.clip is not None:
        told[CLIPS[course.clip[0]]] = course.clip[1]
    optimizer = getattr(keras.optimizers, CLASSES.get(course.optimizer, course.optimizer))(**told)
    variables = [keras.Variable(value, dtype=dtype) for value in trajectories.starts(mode, dtype)]
    shown = []
    for step in range(1, STEPS + 1):
        if mode == "dense":
            grads = [
                tf.constant(trajectories.gradient(step, index, tuple(variable.shape), dtype))
                for index, variable in enumerate(variables)
            ]
        elif sparse:
            rows = np.unique(trajectories.indices(step))
            values = trajectories.summed(step, dtype)[rows]
            grads = [tf.IndexedSlices(tf.constant(values), tf.constant(rows), (trajectories.ROWS, 2))]
        else:
            grads = [tf.constant(trajectories.summed(step, dtype))]
        optimizer.apply(grads, variables)
        if step in SHOWN:
            shown.append(_flat([np.asarray(variable) for variable in variables]))
    return np.stack(shown)


def with_operations(course: Course, mode: str, dtype: str) -> Array:
    """TensorFlow's operations, as its own Python optimizers use them: the rows of a sparse gradient are summed first."""
    variables = [tf.Variable(value) for value in trajectories.starts(mode, dtype)]
    slots = [
        [tf.Variable(tf.fill(variable.shape, tf.constant(value, dtype))) for value in _slots(course)]
        for variable in variables
    ]
    sparse = mode == "lazy" or (mode == "sparse" and course.optimizer == "AdaGrad")
    shown = []
    for step in range(1, STEPS + 1):
        for index, (variable, state) in enumerate(zip(variables, slots, strict=True)):
            given: dict[str, Any] = {"var": variable.handle}
            if sparse:
                rows = np.unique(trajectories.indices(step))
                given |= {"grad": tf.constant(trajectories.summed(step, dtype)[rows]), "indices": tf.constant(rows)}
            elif mode == "sparse":
                given["grad"] = tf.constant(trajectories.summed(step, dtype))
            else:
                given["grad"] = tf.constant(trajectories.gradient(step, index, tuple(variable.shape), dtype))
            _apply(course, given, [slot.handle for slot in state], step, dtype)
        if step in SHOWN:
            shown.append(_flat([variable.numpy() for variable in variables]))
    return np.stack(shown)


def _slots(course: Course) -> list[float]:
    start = course.arguments.get("initial_accumulator_value", 0.1)
    return {"Momentum": [0.0], "AdaGrad": [start], "AdaGradDA": [0.0, start], "Ftrl": [start, 0.0]}.get(
        course.optimizer, [0.0, 0.0, 0.0]
    )


def _apply(course: Course, given: dict[str, Any], slots: list[Any], step: int, dtype: str) -> None:
    told = course.arguments

    def number(name: str, default: float = 0.0) -> Any:
        return tf.constant(told.get(name, default), dtype)

    kind = "ResourceSparseApply" if "indices" in given else "ResourceApply"
    given["lr"] = number("learning_rate")
    if course.optimizer == "Momentum":
        operation = "KerasMomentum"
        given |= {"accum": slots[0], "momentum": number("momentum"), "use_nesterov": told.get("nesterov", False)}
    elif course.optimizer == "AdaGrad":
        operation = "AdagradV2"
        given |= {"accum": slots[0], "epsilon": number("epsilon", 1e-7)}
    elif course.optimizer == "AdaGradDA":
        operation = "AdagradDA"
        given |= {"gradient_accumulator": slots[0], "gradient_squared_accumulator": slots[1]}
        given |= {"l1": number("l1_strength"), "l2": number("l2_strength"), "global_step": tf.constant(step, tf.int64)}
    elif course.optimizer == "AdaDelta":
        operation = "Adadelta"
        given |= {"accum": slots[0], "accum_update": slots[1], "rho": number("rho", 0.95)}
        given["epsilon"] = number("epsilon", 1e-7)
    elif course.optimizer == "Ftrl":
        operation = "FtrlV2"
        given |= {"accum": slots[0], "linear": slots[1], "l1": number("l1_regularization_strength")}
        beta = told.get("beta", 0.0) / (2 * told["learning_rate"])
        given["l2"] = tf.constant(told.get("l2_regularization_strength", 0.0) + beta, dtype)
        given["l2_shrinkage"] = number("l2_shrinkage_regularization_strength")
        given["lr_power"] = number("learning_rate_power", -0.5)
    else:
        operation = "CenteredRMSProp" if told.get("centered") else "RMSProp"
        given |= {"ms": slots[0], "mom": slots[1], "rho": number("rho", 0.9), "momentum": number("momentum")}
        given["epsilon"] = number("epsilon", 1e-7)
        if told.get("centered"):
            given["mg"] = slots[2]
    getattr(tf.raw_ops, kind + operation)(**given)


def _flat(arrays: list[Array]) -> Array:
    return np.concatenate([array.ravel() for array in arrays])


if __name__ == "__main__":
    main()
