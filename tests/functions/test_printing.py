"""Prints of arrays and other values, as TensorFlow's `tf.print`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import typegrad as tg
from functions.cases import PRINTS, placed
from record_keras import Case, load
from typegrad import functions
from typegrad.op import core


class Pair(NamedTuple):
    first: object
    second: object


@pytest.mark.parametrize("case", PRINTS, ids=lambda case: case.id)
def test_texts_are_those_of_tensorflow(scope: tg.Scope, tmp_path: Path, case: Case) -> None:
    recorded = load("functions")[case.id]
    for index, call in enumerate(case.calls):
        file = tmp_path / str(index)
        inputs = placed(call, partial(core.Constant.create, scope))
        printed = functions.print(scope, *inputs, output_stream=f"file://{file}", **case.options)
        with tg.Session(scope.graph) as session:
            session.run(printed)
        assert file.read_bytes() == recorded[f"text{index}"].tobytes()


def test_arrays_whose_sizes_only_the_run_knows(scope: tg.Scope, capsys: pytest.CaptureFixture[str]) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32)
    with scope.with_control_dependencies([functions.print(scope, "x is", x, output_stream="stdout")]) as after:
        doubled = core.Identity.create(after, x * 2.0)
    with tg.Session(scope.graph) as session:
        for value in (np.zeros((1, 2), np.float32), np.ones(3, np.float32)):
            session.run(doubled, {x: value})
    assert capsys.readouterr().out == "x is [[0 0]]\nx is [1 1 1]\n"


def test_prints_of_a_variable_are_in_the_order_of_writes(scope: tg.Scope, capsys: pytest.CaptureFixture[str]) -> None:
    v = tg.Variable.create(scope, [1, 2])
    before = functions.print(scope, "before", [v])
    update = v.assign_add(scope, [1, 1])
    after = functions.print(scope, "after", (v,))
    with tg.Session(scope.graph) as session:
        session.run([after, update, before])
    assert capsys.readouterr().err == "before [[1 2]]\nafter ([2 3],)\n"


def test_lists_of_outputs_named_tuples_and_dicts_in_their_order(
    scope: tg.Scope, capsys: pytest.CaptureFixture[str]
) -> None:
    x = core.Constant.create(scope, [1.0, 2.0])
    halves = core.Split.create(scope, 0, x, num_split=2)
    printed = functions.print(scope, halves, Pair(x, "x"), {"b": x, "a": halves[0]}, x.shape)
    with tg.Session(scope.graph) as session:
        session.run(printed)
    pair = "Pair(first=[1 2], second='x')"
    assert capsys.readouterr().err == f"[[1], [2]] {pair} {{'b': [1 2], 'a': [1]}} Shape([2])\n"


def test_a_separator_that_looks_like_the_place_of_an_operand(
    scope: tg.Scope, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = functions.print(scope, "a", core.Constant.create(scope, 1), "b", sep="{}")
    with tg.Session(scope.graph) as session:
        session.run(printed)
    assert capsys.readouterr().err == "a{}1{}b\n"


def test_its_scope_and_what_it_refuses(scope: tg.Scope) -> None:
    x = core.Placeholder.create(scope, tg.TString, (None,))
    assert tg.Ops.create(scope.with_sub_scope("layer")).print(x).op.name == "layer/print/Print"
    with pytest.raises(tg.AttributeValueError, match="`output_stream` is 'log', but must be stdout, "):
        functions.print(scope, x, output_stream="log")
