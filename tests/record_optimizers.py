"""Record where Keras' and TensorFlow's optimizers go along the paths of `tests/support/trajectories.py`, in
`tests/training/optimizers`.

Run it by hand after paths were added or changed, in the environment that `tests/record.py` describes:

    /path/to/recorder/bin/python tests/record_optimizers.py

Keras 3 answers, except where it has no such optimizer or another formula: there TensorFlow's own operations do. With
TensorFlow Java's defaults, TensorFlow 1's optimizers answer. It imports no part of typegrad.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from inspect import signature
from typing import Any, Final

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

import numpy as np

from support import trajectories
from support.trajectories import JAVA, MODES, SHOWN, STEPS, Array, Course, courses, dtypes

keras: Final[Any] = import_module("keras")
ops: Final[Any] = import_module("keras.src").ops
tf: Final[Any] = import_module("tensorflow")

CLASSES: Final = {
    "GradientDescent": "SGD",
    "Momentum": "SGD",
    "AdaDelta": "Adadelta",
    "AdaGrad": "Adagrad",
    "AMSGrad": "Adam",
    "RMSProp": "RMSprop",
}
TENSORFLOW_1: Final[dict[str, tuple[str, dict[str, str]]]] = {
    "AdaDelta": ("AdadeltaOptimizer", {}),
    "AdaGrad": ("AdagradOptimizer", {}),
    "AdaGradDA": (
        "AdagradDAOptimizer",
        {
            "initial_accumulator_value": "initial_gradient_squared_accumulator_value",
            "l1_strength": "l1_regularization_strength",
            "l2_strength": "l2_regularization_strength",
        },
    ),
    "Adam": ("AdamOptimizer", {"beta_1": "beta1", "beta_2": "beta2"}),
    "Ftrl": ("FtrlOptimizer", {}),
    "GradientDescent": ("GradientDescentOptimizer", {}),
    "Momentum": ("MomentumOptimizer", {"nesterov": "use_nesterov"}),
    "RMSProp": ("RMSPropOptimizer", {"rho": "decay"}),
}
"""TensorFlow 1's name for an optimizer, and for its parameters where it has another."""
CLIPS: Final = {"ClipByValue": "clipvalue", "ClipByNorm": "clipnorm", "ClipByGlobalNorm": "global_clipnorm"}
SCHEDULES: Final = {"PiecewiseConstant": "PiecewiseConstantDecay"}


def exactly(cast: Callable[..., Any]) -> Callable[..., Any]:
    """`cast` without the detour that TensorFlow's takes from a Python number to double precision, through single
    precision.
    """

    def wrapped(x: Any, dtype: Any, *inputs: Any, **named: Any) -> Any:
        return tf.constant(x, dtype) if isinstance(x, float) else cast(x, dtype, *inputs, **named)

    return wrapped


def main() -> None:
    """Record everything again. Keras' own numbers, such as 0.9, have the variable's type."""
    tf.cast, ops.cast = exactly(tf.cast), exactly(ops.cast)
    result: dict[str, Array] = {}
    for mode in MODES:
        for dtype in dtypes(mode):
            keras.backend.set_floatx(dtype)
            for course in courses(mode):
                result[f"{dtype} {mode} {course.name}"] = follow(course, mode, dtype)
    for number, (name, told) in enumerate(trajectories.SCHEDULES):
        schedule = getattr(keras.optimizers.schedules, SCHEDULES.get(name, name))(**told)
        result[f"schedule {number}"] = np.array([float(schedule(step)) for step in trajectories.SCHEDULE_STEPS])
    for name in trajectories.IN_KERAS:
        for parameter in signature(getattr(keras.optimizers, CLASSES.get(name, name))).parameters.values():
            if isinstance(parameter.default, float):
                result[f"Keras {name} {parameter.name}"] = np.array([parameter.default])
    trajectories.save(result)
    print(f"{len(result)} paths, {trajectories.FILE.stat().st_size} bytes")


def follow(course: Course, mode: str, dtype: str) -> Array:
    """The variables at the steps shown."""
    if mode == "defaults":
        return with_tensorflow_1(course, mode, dtype)
    if course.optimizer in ("AdaGrad", "AdaGradDA") or mode == "lazy":
        return with_operations(course, mode, dtype)
    return with_keras(course, mode, dtype)


def with_keras(course: Course, mode: str, dtype: str) -> Array:
    """Keras' optimizer.

    A sparse gradient must have the effect of the dense one. (Keras 3 squares rows before it sums them where an
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
    assert told.pop("initial_mean_square", 0.0) == 0.0, "Keras starts at 0"
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


def with_tensorflow_1(course: Course, mode: str, dtype: str) -> Array:
    """TensorFlow 1's optimizer, in a graph. (It keeps its numbers in single precision.)"""
    kind, names = TENSORFLOW_1[course.optimizer]
    told = {names.get(name, name): value for name, value in {**JAVA[course.optimizer], **course.arguments}.items()}
    starts = trajectories.starts(mode, dtype)
    shown = []
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        count = tf.compat.v1.train.create_global_step()
        if course.optimizer == "AdaGradDA":
            told["global_step"] = count
        variables = [tf.compat.v1.Variable(value, use_resource=True) for value in starts]
        grads = [tf.compat.v1.placeholder(dtype, value.shape) for value in starts]
        optimizer = getattr(tf.compat.v1.train, kind)(**told)
        train = optimizer.apply_gradients(list(zip(grads, variables, strict=True)), global_step=count)
        session.run(tf.compat.v1.global_variables_initializer())
        for step in range(1, STEPS + 1):
            values = [trajectories.gradient(step, index, start.shape, dtype) for index, start in enumerate(starts)]
            session.run(train, dict(zip(grads, values, strict=True)))
            if step in SHOWN:
                shown.append(_flat(session.run(variables)))
    return np.stack(shown)


def with_operations(course: Course, mode: str, dtype: str) -> Array:
    """TensorFlow's operations, as its own Python optimizers use them: the rows of a sparse gradient are summed
    first.
    """
    variables = [tf.Variable(value) for value in trajectories.starts(mode, dtype)]
    slots = [
        [tf.Variable(tf.fill(variable.shape, tf.constant(value, dtype))) for value in _slots(course)]
        for variable in variables
    ]
    sparse = mode == "lazy" or (mode == "sparse" and course.optimizer == "AdaGrad")
    shown = []
    for step in range(1, STEPS + 1):
        for index, (variable, state) in enumerate(zip(variables, slots, strict=True)):
            inputs: dict[str, Any] = {"var": variable.handle}
            if sparse:
                rows = np.unique(trajectories.indices(step))
                inputs |= {"grad": tf.constant(trajectories.summed(step, dtype)[rows]), "indices": tf.constant(rows)}
            elif mode == "sparse":
                inputs["grad"] = tf.constant(trajectories.summed(step, dtype))
            else:
                inputs["grad"] = tf.constant(trajectories.gradient(step, index, tuple(variable.shape), dtype))
            _apply(course, inputs, [slot.handle for slot in state], step, dtype)
        if step in SHOWN:
            shown.append(_flat([variable.numpy() for variable in variables]))
    return np.stack(shown)


def _slots(course: Course) -> list[float]:
    start = course.arguments.get(
        "initial_accumulator_value", JAVA[course.optimizer].get("initial_accumulator_value", 0.0)
    )
    return {"Momentum": [0.0], "AdaGrad": [start], "AdaGradDA": [0.0, start], "Ftrl": [start, 0.0]}.get(
        course.optimizer, [0.0, 0.0, 0.0]
    )


def _apply(course: Course, inputs: dict[str, Any], slots: list[Any], step: int, dtype: str) -> None:
    told = {**JAVA[course.optimizer], **course.arguments}

    def number(name: str) -> Any:
        return tf.constant(told.get(name, 0.0), dtype)

    kind = "ResourceSparseApply" if "indices" in inputs else "ResourceApply"
    inputs["lr"] = number("learning_rate")
    if course.optimizer == "Momentum":
        operation = "KerasMomentum"
        inputs |= {"accum": slots[0], "momentum": number("momentum"), "use_nesterov": told.get("nesterov", False)}
    elif course.optimizer == "AdaGrad":
        operation = "AdagradV2"
        inputs |= {"accum": slots[0], "epsilon": number("epsilon")}
    elif course.optimizer == "AdaGradDA":
        operation = "AdagradDA"
        inputs |= {"gradient_accumulator": slots[0], "gradient_squared_accumulator": slots[1]}
        inputs |= {"l1": number("l1_strength"), "l2": number("l2_strength"), "global_step": tf.constant(step, tf.int64)}
    elif course.optimizer == "AdaDelta":
        operation = "Adadelta"
        inputs |= {"accum": slots[0], "accum_update": slots[1], "rho": number("rho")}
        inputs["epsilon"] = number("epsilon")
    elif course.optimizer == "Ftrl":
        operation = "FtrlV2"
        inputs |= {"accum": slots[0], "linear": slots[1], "l1": number("l1_regularization_strength")}
        beta = told.get("beta", 0.0) / (2 * told["learning_rate"])
        inputs["l2"] = tf.constant(told.get("l2_regularization_strength", 0.0) + beta, dtype)
        inputs["l2_shrinkage"] = number("l2_shrinkage_regularization_strength")
        inputs["lr_power"] = number("learning_rate_power")
    else:
        operation = "CenteredRMSProp" if told.get("centered") else "RMSProp"
        inputs |= {"ms": slots[0], "mom": slots[1], "rho": number("rho"), "momentum": number("momentum")}
        inputs["epsilon"] = number("epsilon")
        if told.get("centered"):
            inputs["mg"] = slots[2]
    getattr(tf.raw_ops, kind + operation)(**inputs)


def _flat(arrays: list[Array]) -> Array:
    return np.concatenate([array.ravel() for array in arrays])


if __name__ == "__main__":
    main()
