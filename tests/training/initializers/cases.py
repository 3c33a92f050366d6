"""Cases of the initializers: shape and element type."""

from __future__ import annotations

from typing import Final

from record_keras import Case

_SHAPES: Final = [
    ((6, 4), "float32"),
    ((3, 2, 5, 7), "float64"),
    ((8,), "float32"),
    ((), "float32"),
    ((0, 3), "float32"),
]
_NAMES: Final = ("GlorotNormal", "GlorotUniform", "HeNormal", "HeUniform", "LecunNormal", "LecunUniform")
_MODES: Final = ("fan_in", "fan_out", "fan_avg")
_DISTRIBUTIONS: Final = ("truncated_normal", "untruncated_normal", "uniform")

CASES: Final = [
    Case("Constant", {}, _SHAPES),
    Case("Constant", {"value": 2.5}, _SHAPES),
    Case("Constant", {"value": [1, 2, 3]}, [((2, 3), "int32")]),
    Case("Zeros", {}, [*_SHAPES, ((2,), "bool"), ((2,), "int32")]),
    Case("Ones", {}, [*_SHAPES, ((2,), "bool"), ((2,), "int32")]),
    Case("Identity", {}, [((3, 3), "float32"), ((2, 4), "float64"), ((4, 2), "float32"), ((0, 2), "float32")]),
    Case("Identity", {"gain": 2.5}, [((3, 4), "float32")]),
    Case("RandomNormal", {}, _SHAPES),
    Case("RandomNormal", {"mean": 1.5, "stddev": 0.25}, _SHAPES),
    Case("TruncatedNormal", {}, _SHAPES),
    Case("TruncatedNormal", {"mean": 1.5, "stddev": 0.25}, _SHAPES),
    Case("RandomUniform", {}, _SHAPES),
    Case("RandomUniform", {"minval": 1.0, "maxval": 3.0}, _SHAPES),
    Case("VarianceScaling", {}, _SHAPES),
    *(
        Case("VarianceScaling", {"scale": 3.0, "mode": mode, "distribution": distribution}, _SHAPES)
        for mode in _MODES
        for distribution in _DISTRIBUTIONS
    ),
    *(Case(name, {}, _SHAPES) for name in _NAMES),
]
