"""The rules behind generated names and type variables."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import typegrad as tg
from typegrad.base.types import ALL_TYPES, TType
from typegrad.functions.facade import Facade
from typegrad.graph.wrapper import OperandOp
from typegrad_codegen.check import FACADE, RESERVED
from typegrad_codegen.dtypes import cover, leaves, marker_sets
from typegrad_codegen.names import identifier, is_name, pascal, snake

SNAKE: Final = {
    "Abs": "abs",
    "AddV2": "add_v2",
    "BesselI0e": "bessel_i0e",
    "BatchToSpaceND": "batch_to_space_nd",
    "Conv2D": "conv2d",
    "Conv2DBackpropInput": "conv2d_backprop_input",
    "FFT2D": "fft2d",
    "L2Loss": "l2_loss",
    "LRN": "lrn",
    "MatMul": "mat_mul",
    "RGBToHSV": "rgb_to_hsv",
    "Relu6Grad": "relu6_grad",
    "TopKV2": "top_kv2",
}


@pytest.mark.parametrize("name", SNAKE)
def test_snake_case_is_tensorflows(name: str) -> None:
    assert snake(name) == SNAKE[name]


def test_keywords_get_an_underscore() -> None:
    assert [identifier(name) for name in ("Assert", "Any", "If", "Range")] == ["assert_", "any", "if_", "range"]


def test_names_of_type_variables() -> None:
    assert [pascal(name) for name in ("T", "Tidx", "out_type", "dtype", "SrcT")] == [
        "T",
        "Tidx",
        "OutType",
        "Dtype",
        "SrcT",
    ]


def test_the_longest_name_has_100_letters() -> None:
    assert (is_name("a" * 100), is_name("a" * 101)) == (True, False)


COVERS: Final[list[tuple[str, list[type[TType]]]]] = [
    ("floating", [tg.TFloating]),
    ("floating int32 int64 unsigned complex", [tg.TFloating, tg.TInt32, tg.TInt64, tg.TUnsigned, tg.TComplex]),
    ("number", [tg.TNumber]),
    ("bfloat16 float16 float32 float64 signed unsigned", [tg.TReal]),
    ("number bool string", [tg.TNumber, tg.TBool, tg.TString]),
    ("number bool string resource", [TType]),
    ("complex64 float32", [tg.TFloat32, tg.TComplex64]),
]


@pytest.mark.parametrize(("names", "expected"), COVERS)
def test_the_cover_of_a_set(names: str, expected: list[type[TType]]) -> None:
    sets = marker_sets()
    assert cover(frozenset().union(*(sets[name] for name in names.split()))) == expected


def test_no_set_holds_all_types() -> None:
    """A set of every type would let in handles of variables, too."""
    assert frozenset(ALL_TYPES) not in marker_sets().values()


@given(st.sets(st.sampled_from(ALL_TYPES)))
def test_a_cover_is_exact_and_cannot_be_smaller(types: AbstractSet[type[TType]]) -> None:
    markers = cover(types)
    assert frozenset().union(*map(leaves, markers)) == types
    assert sum(len(leaves(marker)) for marker in markers) == len(types)
    for marker in markers:
        # In a tree, a smaller cover would need a class above one of these, and that holds a type too many.
        assert marker is TType or not leaves(marker.__bases__[0]) <= types


def test_reserved_names_are_those_the_base_classes_have() -> None:
    inherited = {name for name in dir(OperandOp) if not name.startswith("_")}
    assert inherited | {"OP_NAME", "create", "inputs", "of"} == RESERVED
    assert {name for name in dir(Facade) if not name.startswith("_")} == FACADE
