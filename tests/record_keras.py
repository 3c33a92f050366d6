"""Record what Keras answers to the cases in `tests/training/GROUP/cases.py`, in `tests/training/GROUP/recorded.npz`.

Run it by hand after cases were added or changed, in the recorder's environment (see `record.py`), where Keras comes
with TensorFlow:

    /path/to/recorder/bin/python tests/record_keras.py [GROUP ...]

It imports no part of typegrad. Tests import this module for `Case` and `load`, which need no Keras.
"""

from __future__ import annotations

import argparse
import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray

VERSION: Final = "3.15.1"
GROUPS: Final = ("initializers", "losses", "activations", "regularizers", "constraints", "metrics")

Array: TypeAlias = NDArray[Any]
Answer: TypeAlias = dict[str, Array]


@frozen(eq=False)
class Case:
    """A class or function of one of Keras' packages, made with options, and called on arrays once or several times."""

    name: str
    options: Mapping[str, Any] = field(factory=dict)
    calls: Sequence[tuple[Any, ...]] = ()
    """For each call its arguments. The last of labels, predictions and weights may be None."""
    note: str = ""
    """Tells apart cases that are otherwise called the same."""

    @property
    def id(self) -> str:
        """A name for the case, unique in its group."""
        options = ",".join(f"{key}={value}" for key, value in self.options.items())
        return f"{self.name}({options})" + (f" {self.note}" if self.note else "")


def load(folder: str) -> dict[str, Answer]:
    """What was recorded: case id -> name of the value -> value."""
    with np.load(_file(folder)) as file:
        index, data = json.loads(file["index"].tobytes()), file["data"].tobytes()
    return {
        case: {
            name: np.frombuffer(data, dtype, math.prod(shape), start).reshape(shape)
            for name, (dtype, shape, start) in values.items()
        }
        for case, values in index.items()
    }


def save(folder: str, answers: Mapping[str, Answer]) -> None:
    """Write all arrays one after the other, and an index of where each begins.

    (A file per array would be mostly headers.)
    """
    index: dict[str, dict[str, tuple[str, tuple[int, ...], int]]] = {}
    data = bytearray()
    for case, values in answers.items():
        for name, value in values.items():
            index.setdefault(case, {})[name] = (value.dtype.name, value.shape, len(data))
            data += value.tobytes()
    packed = (np.frombuffer(part, np.uint8) for part in (json.dumps(index).encode(), bytes(data)))
    np.savez_compressed(_file(folder), allow_pickle=False, **dict(zip(("index", "data"), packed, strict=True)))


def _file(folder: str) -> Path:
    return Path(__file__).parent / folder / "recorded.npz"


def main() -> None:
    """Record the groups named on the command line, or all."""
    parser = argparse.ArgumentParser(
        description="Record what Keras answers to the cases in tests/training/GROUP/cases.py."
    )
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(GROUPS))
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    for group in parser.parse_args().groups or GROUPS:
        cases: list[Case] = import_module(f"training.{group}.cases").CASES
        assert len({case.id for case in cases}) == len(cases), f"{group}: two cases of one id"
        answer = _ANSWERS[group]
        save(f"training/{group}", {case.id: answer(case) for case in cases})
        print(f"{group}: {len(cases)} cases")


def _package(name: str) -> Any:
    keras = import_module("keras")
    if keras.__version__ != VERSION:
        raise SystemExit(f"the recorded answers are from Keras {VERSION}; this is {keras.__version__}")
    return getattr(keras, name)


def _initializer(case: Case) -> Answer:
    """The value of one without randomness; of another the distribution it asks for: its name, and two parameters."""
    random_initializers: Any = import_module("keras.src.initializers.random_initializers")
    asked: list[Any] = []
    original = random_initializers.random
    random_initializers.random = _Listener(asked)
    try:
        result = getattr(_package("initializers"), case.name)(**case.options)
        values = [result(shape, dtype) for shape, dtype in case.calls]
    finally:
        random_initializers.random = original
    if asked:
        return {f"distribution{index}": np.array(item) for index, item in enumerate(asked)}
    return {f"value{index}": np.asarray(value) for index, value in enumerate(values)}


class _Listener:
    """A substitute for Keras' random functions that remembers what they are asked for."""

    def __init__(self, asked: list[Any]) -> None:
        self._asked = asked
        self.SeedGenerator = int

    def make_default_seed(self) -> int:
        return 1

    def __getattr__(self, name: str) -> Callable[..., None]:
        def listen(shape: object, **parameters: Any) -> None:
            names = ("minval", "maxval") if name == "uniform" else ("mean", "stddev")
            self._asked.append([parameters[item] for item in names])

        return listen


def _loss(case: Case) -> Answer:
    """The value and the gradient for the predictions."""
    tf = import_module("tensorflow")
    answer: Answer = {}
    for index, (y_true, y_pred, weight) in enumerate(case.calls):
        loss = getattr(_package("losses"), case.name)(**case.options, dtype=y_pred.dtype.name)
        with tf.GradientTape() as tape:
            predictions = tf.constant(y_pred)
            tape.watch(predictions)
            value = loss(tf.constant(y_true), predictions, weight)
        answer[f"value{index}"] = np.asarray(value)
        answer[f"gradient{index}"] = np.asarray(tf.convert_to_tensor(tape.gradient(value, predictions)))
    return answer


def _activation(case: Case) -> Answer:
    """The value and the gradient."""
    tf = import_module("tensorflow")
    answer: Answer = {}
    for index, (array,) in enumerate(case.calls):
        with tf.GradientTape() as tape:
            x = tf.constant(array)
            tape.watch(x)
            value = getattr(_package("activations"), case.name)(x, **case.options)
        answer[f"value{index}"] = np.asarray(value)
        answer[f"gradient{index}"] = np.asarray(tf.convert_to_tensor(tape.gradient(value, x)))
    return answer


def _function(group: str) -> Callable[[Case], Answer]:
    def answer(case: Case) -> Answer:
        tf = import_module("tensorflow")
        result = getattr(_package(group), case.name)(**case.options)
        return {f"value{index}": np.asarray(result(tf.constant(x))) for index, (x,) in enumerate(case.calls)}

    return answer


def _metric(case: Case) -> Answer:
    """The result after each update, then after a reset and the first update once more."""
    metric = getattr(_package("metrics"), case.name)(**case.options)
    answer = {f"value{index}": value for index, value in enumerate(_results(metric, case.calls))}
    metric.reset_state()
    answer["reset"] = np.asarray(metric.result())
    answer["again"] = next(_results(metric, case.calls))
    return answer


def _results(metric: Any, calls: Sequence[tuple[Any, ...]]) -> Iterator[Array]:
    for *arguments, weight in calls:
        metric.update_state(*arguments, sample_weight=weight)
        yield np.asarray(metric.result())


_ANSWERS: Final[Mapping[str, Callable[[Case], Answer]]] = {
    "initializers": _initializer,
    "losses": _loss,
    "activations": _activation,
    "regularizers": _function("regularizers"),
    "constraints": _function("constraints"),
    "metrics": _metric,
}


if __name__ == "__main__":
    import record_keras  # the classes of the cases belong to the imported module

    record_keras.main()
