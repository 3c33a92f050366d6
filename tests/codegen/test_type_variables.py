"""The names of type variables and classes, where they might clash."""

from __future__ import annotations

from pathlib import Path

from support.rendering import rendered, signatures


def test_types_whose_names_differ_in_their_underscores_have_variables_of_their_own(
    library: Path, tmp_path: Path
) -> None:
    body = """\
  types: {a_b: [int32, int64], aB: [int32, int64]}
  inputs: {x: {type: a_b, doc: X.}, y: {type: aB, doc: Y.}}
  outputs: {z: {type: a_b, doc: Z.}, w: {type: aB, doc: W.}}
  shape: unknown
  kernel: several
  gradient: {x: stop, y: stop}
  examples: [{inputs: {x: 1, y: 1}}]
"""
    files = rendered(tmp_path, body)
    assert signatures(files["demo/one.py"], "create") == [
        "(scope: Scope, x: Operand[AB] | IntegerLike, y: Operand[AB_] | IntegerLike) -> One[AB, AB_]"
    ]
    assert signatures(files["demo/_facade.py"], "one") == [
        "(self, x: Operand[AB] | IntegerLike, y: Operand[AB_2] | IntegerLike) -> _demo.One[AB, AB_2]"
    ]


def test_names_that_modules_import_may_be_names_of_classes(library: Path, tmp_path: Path) -> None:
    body = """\
  class: Any
  types: {T: [number], Operand: [floating]}
  inputs: {x: {type: T, doc: X.}, axis: {type: Operand, doc: Axis.}}
  outputs: {y: {type: bool, doc: Y.}}
  shape: unknown
  kernel: several
  gradient: {x: stop, axis: stop}
  examples: [{inputs: {x: 1.0, axis: 0.0}}]
"""
    text = rendered(tmp_path, body)["demo/any.py"]
    assert "from typing import Any as Any_\n" in text
    assert "def x(self) -> Output[Any_]:" in text
    assert signatures(text, "create") == [
        "(scope: Scope, x: Operand[T] | ComplexLike, axis: Operand[Operand_] | FloatLike) -> Any"
    ]
