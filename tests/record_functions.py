"""Record what TensorFlow answers to the cases in `tests/functions/cases.py`, in `tests/functions/recorded.npz`.

Run it by hand after cases were added or changed, in the recorder's environment (see `record.py`):

    /path/to/recorder/bin/python tests/record_functions.py

It imports no part of typegrad.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from record_keras import Answer, Case, save

VERSION: Final = "2.21"
NAMES: Final = {
    "logsumexp": "reduce_logsumexp",
    "moments": "nn.moments",
    "softmax": "nn.softmax",
    "l2_normalize": "math.l2_normalize",
    "log_softmax": "nn.log_softmax",
    "sigmoid_cross_entropy": "nn.sigmoid_cross_entropy_with_logits",
    "global_norm": "linalg.global_norm",
    "trace": "linalg.trace",
    "pinv": "linalg.pinv",
    "reduce_std": "math.reduce_std",
    "reduce_variance": "math.reduce_variance",
    "count_nonzero": "math.count_nonzero",
    "zero_fraction": "math.zero_fraction",
    "log_sigmoid": "math.log_sigmoid",
    "gelu": "nn.gelu",
    "silu": "nn.silu",
    "batch_normalization": "nn.batch_normalization",
    "weighted_cross_entropy_with_logits": "nn.weighted_cross_entropy_with_logits",
    "sampled_softmax_loss": "nn.sampled_softmax_loss",
    "nce_loss": "nn.nce_loss",
    **{
        name: f"signal.{name}"
        for name in (
            "dct",
            "frame",
            "hamming_window",
            "hann_window",
            "idct",
            "inverse_mdct",
            "inverse_stft",
            "kaiser_bessel_derived_window",
            "kaiser_window",
            "linear_to_mel_weight_matrix",
            "mdct",
            "mfccs_from_log_mel_spectrograms",
            "overlap_and_add",
            "stft",
            "vorbis_window",
        )
    },
}
"""TensorFlow's names, where they are others."""


def main() -> None:
    """Record all cases."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    tf = import_module("tensorflow")
    if not tf.__version__.startswith(VERSION):
        raise SystemExit(f"the recorded answers are from TensorFlow {VERSION}; this is {tf.__version__}")
    asked = import_module("functions.cases")
    cases: list[Case] = [*asked.CASES, *asked.PRINTS]
    assert len({case.id for case in cases}) == len(cases), "two cases of one id"
    answers = {case.id: _answer(tf, case) for case in asked.CASES}
    answers |= {case.id: _printed(tf, case, asked.placed) for case in asked.PRINTS}
    save("functions", answers)
    print(f"{len(cases)} cases")


def _answer(tf: Any, case: Case) -> Answer:
    """The values, and the gradients of their sum for the arrays of floats among the arguments."""
    answer: Answer = {}
    for index, call in enumerate(case.calls):
        arguments = [tf.constant(item) if isinstance(item, (np.ndarray, np.floating)) else item for item in call]
        floats = [item for item in arguments if isinstance(item, tf.Tensor) and not item.dtype.is_integer]
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(floats)
            result = _call(tf, case.name, arguments, case.options)
        values = result if isinstance(result, (list, tuple)) else [result]
        answer |= {f"value{index}.{i}": value.numpy() for i, value in enumerate(values)}
        for i, x in enumerate(floats):
            gradient = tape.gradient(values, x)
            answer[f"gradient{index}.{i}"] = (
                np.zeros(x.shape) if gradient is None else tf.convert_to_tensor(gradient).numpy()
            )
    return answer


def _printed(tf: Any, case: Case, placed: Any) -> Answer:
    """The text of each call, as bytes."""
    answer: Answer = {}
    for index, call in enumerate(case.calls):
        with TemporaryDirectory() as folder:
            file = Path(folder, "printed")
            tf.print(*placed(call, tf.constant), output_stream=f"file://{file}", **case.options)
            answer[f"text{index}"] = np.frombuffer(file.read_bytes(), np.uint8)
    return answer


def _call(tf: Any, name: str, arguments: list[Any], options: Mapping[str, Any]) -> Any:
    if name in ("jacobian", "hessian"):
        return _derivative(tf, name, *arguments)
    if name.endswith("_loss"):
        *arguments, drawn = arguments
        labels = tf.cast(arguments[2], tf.int64)
        sampled = (tf.constant(drawn[0], tf.int64), tf.constant(drawn[1]), tf.constant(drawn[2]))
        options = {
            **options,
            "sampled_values": tuple(
                tf.cast(each, tf.float64) if each.dtype == tf.float32 else each for each in sampled
            ),
        }
        arguments[2] = labels
    if NAMES.get(name, name).startswith("signal."):
        options = {key: _option(tf, key, value) for key, value in options.items()}
    function = tf
    for part in NAMES.get(name, name).split("."):
        function = getattr(function, part)
    if name == "sigmoid_cross_entropy":
        return function(labels=arguments[0], logits=arguments[1])
    if name == "weighted_cross_entropy_with_logits":
        return function(labels=arguments[0], logits=arguments[1], pos_weight=arguments[2])
    if name == "clip_by_global_norm":
        arrays, norm = function(*arguments, **options)
        return [*(array for array in arrays if array is not None), norm]
    return function(*arguments, **options)


def _option(tf: Any, key: str, value: Any) -> Any:
    """An option as the functions of `tf.signal` take it."""
    if key == "dtype":
        return tf.as_dtype(value)
    if key == "window_fn" and value is not None:
        kind, _, step = value.partition(":")
        return tf.signal.inverse_stft_window_fn(int(step)) if kind == "inverse" else getattr(tf.signal, kind)
    return value


def _derivative(tf: Any, name: str, x: Any, a: Any) -> Any:
    """Of tanh(x a^T), or of the sum of its elements twice."""
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as inner:
            inner.watch(x)
            y = tf.tanh(tf.matmul(x, a, transpose_b=True))
        first = inner.gradient(y, x)
    return inner.jacobian(y, x) if name == "jacobian" else outer.jacobian(first, x)


if __name__ == "__main__":
    main()
