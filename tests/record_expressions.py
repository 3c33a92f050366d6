"""Record what TensorFlow answers to the expressions in `tests/expressions/cases.py`, in `recorded.jsonl` beside them: a
line for each.

Run it by hand after expressions were added or changed, in the recorder's environment (see `record.py`):

    /path/to/recorder/bin/python tests/record_expressions.py

Each is evaluated while a `tf.function` is traced, as operands are used while a graph is built. A tensor is recorded
with its type, its static shape and its value; another object as Python writes it; a refusal with the name of the error.
It imports no part of typegrad.
"""

from __future__ import annotations

import json
import os
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np

VERSION: Final = "2.21"
FILE: Final = Path(__file__).parent / "expressions" / "recorded.jsonl"

Answer = dict[str, Any]


def main() -> None:
    """Record all expressions."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
    tf = import_module("tensorflow")
    if not tf.__version__.startswith(VERSION):
        raise SystemExit(f"the recorded answers are from TensorFlow {VERSION}; this is {tf.__version__}")
    expressions: list[str] = import_module("expressions.cases").EXPRESSIONS
    assert len(set(expressions)) == len(expressions), "an expression is listed twice"
    lines = [json.dumps({"expression": text} | answer(tf, text)) for text in expressions]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{FILE.name}: {len(lines)} expressions, {sum('error' in line for line in lines)} refused")


def answer(tf: Any, text: str) -> Answer:
    """What one expression gives."""
    cases = import_module("expressions.cases")
    static: list[Answer] = []

    def traced(*tensors: Any) -> Any:
        result = eval(text, dict(cases.VALUES), dict(zip(cases.OPERANDS, tensors, strict=True)))
        results = [each for each in _items(result) if isinstance(each, tf.Tensor)]
        if len(results) == len(_items(result)):
            static.extend({"dtype": each.dtype.name, "shape": _shape(each.shape)} for each in results)
            return results
        static.append({"python": repr(_plain(tf, result))})
        return []

    dtypes = {np.dtype(object): tf.string}
    specs = [tf.TensorSpec(fed.shape, dtypes.get(fed.value.dtype, fed.value.dtype)) for fed in cases.OPERANDS.values()]
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            function = tf.function(traced, input_signature=specs, autograph=False)
            values = function(*(tf.constant(fed.value) for fed in cases.OPERANDS.values()))
    except Exception as error:  # noqa: BLE001  # whatever TensorFlow raises is its answer
        return {"error": type(error).__name__}
    for item, value in zip(static, values, strict=False):
        item["value"] = written(value.numpy())
    return static[0] if len(static) == 1 else {"items": static}


def _items(result: Any) -> list[Any]:
    return list(result) if isinstance(result, (list, tuple)) and len(result) else [result]


def _shape(shape: Any) -> list[int | None] | None:
    return None if shape.rank is None else shape.as_list()


def _plain(tf: Any, result: Any) -> Any:
    """Shapes are written as tuples."""
    if isinstance(result, tf.TensorShape):
        sizes = _shape(result)
        return None if sizes is None else tuple(sizes)
    return result


def written(value: Any) -> Any:
    """An array as JSON holds it."""
    array = np.asarray(value)
    if array.dtype.kind == "c":
        return written(np.stack([np.real(array), np.imag(array)], -1))
    if array.dtype.kind in "OS":
        return np.vectorize(bytes.decode, otypes=[object])(array).tolist()
    return array.tolist()


if __name__ == "__main__":
    main()
