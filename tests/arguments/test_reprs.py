"""What objects say that they hold."""

from __future__ import annotations

from pathlib import Path

import typegrad as tg
from typegrad.training import metrics


def test_a_metric(scope: tg.Scope) -> None:
    assert repr(metrics.Accuracy(scope)) == "<Accuracy 'Accuracy', float32, of 2 variables>"
    inner = scope.with_sub_scope("valid")
    assert repr(metrics.Sum(inner, tg.TFloat64)) == "<Sum 'valid/Sum', float64, of 1 variable>"


def test_a_facade(scope: tg.Scope) -> None:
    tf = tg.Ops.create(scope)
    assert repr(tf) == "<Ops in <Scope / of <Graph of 0 operations>>>"
    assert repr(tf.with_sub_scope("a").math) == "<MathOps in <Scope a/ of <Graph of 0 operations>>>"


def test_a_saver(scope: tg.Scope, tmp_path: Path) -> None:
    with tg.Session(scope.graph) as session:
        saver = tg.Saver(session, tmp_path, 1)
        assert repr(saver) == f"<Saver of {session!r}: 1 checkpoint and the best in {str(tmp_path)!r}>"
