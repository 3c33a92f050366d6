"""Runs: an array of the fetch's type and shape, None for a node, a list, or a dict."""

from __future__ import annotations

from typing import Any, assert_type, reveal_type

import numpy as np

import typegrad as tg
from typegrad.op import core


def runs(
    session: tg.Session,
    x: tg.Operand[tg.TFloat32],
    matrix: tg.Operand[tg.TInt64, tuple[int, int]],
    total: core.Sum[tg.TFloat32],
    half: tg.Operand[tg.TBfloat16, tuple[int]],
    anything: tg.Operand[Any, Any],
    step: core.NoOp,
    gradient: tg.Operand[tg.TFloat32, tuple[int]] | None,
) -> None:
    assert_type(session.run(x), np.ndarray[tuple[Any, ...], np.dtype[np.float32]])
    assert_type(session.run(total, {x: [1.0, 2.0]}), np.ndarray[tuple[Any, ...], np.dtype[np.float32]])
    assert_type(session.run(matrix), np.ndarray[tuple[int, int], np.dtype[np.int64]])
    assert_type(session.run(half), np.ndarray[tuple[int], np.dtype[Any]])
    reveal_type(session.run(step))  # R: Any
    reveal_type(session.run(step.op))  # R: None
    # mypy takes both forms for a sequence for possible where a shape is open.
    reveal_type(session.run([x, x]))  # R: list[Any] / list[ndarray[tuple[Any, ...], dtype[Any]]]
    reveal_type(session.run([matrix, matrix]))  # R: list[ndarray[tuple[Any, ...], dtype[Any]]]
    reveal_type(session.run([matrix, step]))  # R: list[Any]
    reveal_type(session.run((x, matrix)))  # R: tuple[Any, ...] / tuple[ndarray[tuple[Any, ...], dtype[Any]], ...]
    reveal_type(session.run((total, step)))  # R: tuple[Any, ...]
    reveal_type(session.run({"x": matrix, "step": step}))  # R: dict[str, Any]
    reveal_type(session.runner().feed(x, 1.0).fetch(matrix).add_target(step).run())  # R: list[ndarray[tuple[Any, ...], dtype[Any]]]
    reveal_type(session.run(anything))  # R: ndarray[Any, dtype[Any]]
    assert_type(session.run(gradient), np.ndarray[tuple[int], np.dtype[np.float32]])
    reveal_type(session.run("y"))  # R: Any
    reveal_type(session.run([matrix, [matrix, step], "y:0"]))  # R: list[Any]
    reveal_type(session.run((matrix, {"a": matrix})))  # R: tuple[Any, ...]
    reveal_type(session.run({"a": [matrix]}))  # R: dict[str, Any]
    assert_type(session.callable(matrix, [x])(1.0), np.ndarray[tuple[int, int], np.dtype[np.int64]])
    assert_type(session.callable(total, [x, "y"])(1.0, 2.0), np.ndarray[tuple[Any, ...], np.dtype[np.float32]])
    assert_type(session.callable(step.op)(), None)
    assert_type(session.callable({"x": matrix, "step": step}, ["x"])([1]), dict[str, Any])
