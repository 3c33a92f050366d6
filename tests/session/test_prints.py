"""Prints, and the time: what a graph does outside of the session happens in each run, in the order of the program."""

from __future__ import annotations

import logging
import re
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import typegrad as tg
from typegrad.op import core, dtypes, random, strings


def text(scope: tg.Scope, value: str | bytes) -> tg.Operand[tg.TString]:
    return core.Constant.create(scope, np.array(value if isinstance(value, bytes) else value.encode(), object))


def test_prints_are_in_the_order_of_writes(scope: tg.Scope, capsys: pytest.CaptureFixture[str]) -> None:
    v = tg.Variable.create(scope, 1)
    first = core.Print.create(scope, dtypes.AsString.create(scope, v), output_stream="stdout")
    with scope.with_control_dependencies([v.assign_add(scope, 1)]) as after:
        second = core.Print.create(after, dtypes.AsString.create(after, v), output_stream="stdout", end=";")
    with tg.Session(scope.graph) as session:
        for _ in range(3):
            session.run([second, first])
    assert capsys.readouterr().out == "1\n2;2\n3;3\n4;"


def test_equal_prints_all_happen(scope: tg.Scope, capsys: pytest.CaptureFixture[str]) -> None:
    hello = text(scope, "hello")
    prints = [core.Print.create(scope, hello) for _ in range(2)]
    with tg.Session(scope.graph) as session:
        for _ in range(2):
            session.run(prints)
    assert capsys.readouterr().err == "hello\n" * 4


def test_streams(
    scope: tg.Scope, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    file = tmp_path / "printed"
    caplog.set_level(logging.INFO, "typegrad")
    streams = ("stdout", "log(info)", "log(warning)", "log(error)", f"file://{file}", f"file://{file}")
    prints = [core.Print.create(scope, text(scope, b"50% \xff"), output_stream=stream) for stream in streams]
    with tg.Session(scope.graph) as session:
        session.run(prints)
    shown = "50% \\xff"
    assert capsys.readouterr().out == f"{shown}\n" and file.read_text() == f"{shown}\n" * 2
    assert [(each.levelname, each.getMessage()) for each in caplog.records] == [
        (level, shown) for level in ("INFO", "WARNING", "ERROR")
    ]


def test_what_cannot_be_printed(scope: tg.Scope, tmp_path: Path) -> None:
    with pytest.raises(
        tg.AttributeValueError, match=r"`output_stream` is 'log', but must be stdout, .*, or file://PATH"
    ):
        core.Print.create(scope, text(scope, "a"), output_stream="log")
    with pytest.raises(tg.ShapeError, match=r"`input` must be a scalar, but has shape \[1\]; functions.print prints"):
        core.Print.create(scope, core.Constant.create(scope, np.array([b"a"], object)))
    lost = core.Print.create(scope, text(scope, "a"), output_stream=f"file://{tmp_path}/none/file")
    with (
        tg.Session(scope.graph) as session,
        pytest.raises(tg.InvalidArgumentError, match="cannot print to '.*none/file': No such file"),
    ):
        session.run(lost)


def test_a_print_changes_no_random_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    drawn = []
    for does_print in (False, True):
        scope = tg.Scope(tg.Graph(seed=1))
        numbers = random.RandomUniform.create(scope.with_name("numbers"), [2], tg.TFloat32)
        hello = core.Print.create(scope, text(scope, "hello"))
        with tg.Session(scope.graph) as session:
            if does_print:
                session.run(hello)
                drawn.append(session.run((numbers, hello.op))[0].tolist())
            else:
                drawn.append(session.run(numbers).tolist())
    assert drawn[0] == drawn[1] and capsys.readouterr().err == "hello\n" * 2


def test_the_time_is_the_time_of_the_run(scope: tg.Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count(1.5)
    monkeypatch.setattr("typegrad.kernels.debugging.time", lambda: next(ticks))
    first = core.Timestamp.create(scope)
    with scope.with_control_dependencies([first.op]) as after:
        second = core.Timestamp.create(after)
    with tg.Session(scope.graph) as session:
        times = [time.item() for _ in range(3) for time in session.run([first, second])]
    assert times == [1.5, 2.5, 3.5, 4.5, 5.5, 6.5]


@pytest.mark.parametrize(
    ("value", "options", "message"),
    [
        (1.5, {"fill": "x"}, "`fill` is 'x'; allowed are '', '0', "),
        (1.5, {"scientific": True, "shortest": True}, "`scientific` and `shortest` are both true"),
        (1, {"precision": 2}, "`precision` is for floats and complex numbers, but `input` is int32"),
    ],
)
def test_formats_that_do_not_exist(scope: tg.Scope, value: float, options: dict[str, Any], message: str) -> None:
    number = core.Constant.create(scope, value)
    with pytest.raises(tg.AttributeValueError, match=message):
        tg.Ops.create(scope).dtypes.as_string(number, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"template": "%d"}, "`template` must have as many '%s' as `inputs` has arrays, 1, but has 0"),
        (
            {"template": "{}{}", "placeholder": "{}"},
            "`template` must have as many '{}' as `inputs` has arrays, 1, but has 2",
        ),
        ({"placeholder": ""}, "`placeholder` is empty, but must be text, such as '{}'"),
    ],
)
def test_templates_that_do_not_fit(scope: tg.Scope, options: dict[str, Any], message: str) -> None:
    with pytest.raises(tg.AttributeValueError, match=re.escape(message)):
        strings.StringFormat.create(scope, [[1.0, 2.0]], **options)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (np.complex64(0.1 - 2j), "(0.1,-2)"),
        (np.array([[complex(np.nan, -np.inf)], [1 / 3]]), "[[(nan,-inf)]\n [(0.33333333333333331,0)]]"),
        (np.array([5e-324, 1e-310]), "[4.94065645841247e-324 9.99999999999997e-311]"),
        (np.float32(1e-45), "1.4013e-45"),
        (np.zeros(0, bool), "[]"),
        (np.zeros((2, 0), bool), "[\n ...]"),
    ],
)
def test_texts_that_tensorflow_has_not(scope: tg.Scope, value: Any, shown: str) -> None:
    operation = strings.StringFormat.create(scope, [core.Constant.create(scope, value)])
    with tg.Session(scope.graph) as session:
        assert session.run(operation) == shown.encode()
