"""What signatures say of shapes without the plugin holds for every case that was recorded from TensorFlow."""

from __future__ import annotations

from typing import Any

import pytest

import typegrad as tg
from support.building import build, place_all
from support.case import Case
from support.entries import entries
from support.registry import cases_in, files
from typegrad_codegen.schema import Entry
from typegrad_codegen.static_shapes import passed_input, rank


def _built(case: Case) -> Any:
    scope = tg.Scope(tg.Graph())
    return build(scope, case, place_all(scope, case))


@pytest.mark.parametrize("stem", files())
def test_what_is_said_holds(stem: str) -> None:
    said = {op.name: (passed_input(op), rank(op)) for op in entries().values()}
    for case in cases_in(stem):
        name, known = said.get(case.op, ("", None))
        if case.fails or not (name or known is not None):
            continue
        op = _built(case)
        shape = op.outputs[0].shape
        if name:
            position = [each.name for each in entries()[case.op].inputs].index(name)
            assert shape == op.inputs[position].shape, case
        else:
            assert shape.rank == known, case


@pytest.mark.parametrize(
    ("name", "passed", "known"),
    [
        ("StopGradient", "input", None),
        ("Cast", "x", None),
        ("Softmax", "logits", None),
        ("BiasAdd", "value", None),
        ("MatMul", "", 2),
        ("Shape", "", 1),
        ("Size", "", 0),
        ("Add", "", None),
        ("Fill", "", None),
        ("Bitcast", "", None),
        ("Squeeze", "", None),
        ("TopKV2", "", None),
        ("ResourceGather", "", None),
    ],
)
def test_what_is_said(name: str, passed: str, known: int | None) -> None:
    op: Entry = entries()[name]
    assert (passed_input(op), rank(op)) == (passed, known)
