"""The signatures of an operation whose type follows from a value."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from support.rendering import rendered, signatures

CONSTANT: Final = """\
  types: {dtype: [float32, bool]}
  attrs: {value: {type: tensor, doc: The value.}}
  outputs: {y: {type: dtype, doc: Y.}}
  shape: unknown
  kernel: nothing
  examples: [{attrs: {value: 1.0}}]
"""


def test_the_type_of_a_constant_follows_from_its_value(library: Path, tmp_path: Path) -> None:
    text = rendered(tmp_path, CONSTANT)["demo/one.py"]
    stated = "dtype: None=None) -> One"
    assert signatures(text, "create") == [
        f"(scope: Scope, value: UntypedArray, {stated}[Any]",
        f"(scope: Scope, value: Float32Array, {stated}[TFloat32]",
        f"(scope: Scope, value: BoolArray, {stated}[TBool]",
        f"(scope: Scope, value: np.float32, {stated}[TFloat32, tuple[()]]",
        f"(scope: Scope, value: np.bool_, {stated}[TBool, tuple[()]]",
        f"(scope: Scope, value: bool, {stated}[TBool, tuple[()]]",
        f"(scope: Scope, value: float, {stated}[TFloat32, tuple[()]]",
        f"(scope: Scope, value: Sequence[Never], {stated}[Any]",
        f"(scope: Scope, value: Nested[bool], {stated}[TBool]",
        f"(scope: Scope, value: Nested[float], {stated}[TFloat32]",
        "(scope: Scope, value: complex | str | bytes | np.generic, dtype: type[Dtype]) -> One[Dtype, tuple[()]]",
        "(scope: Scope, value: np.ndarray[Any, np.dtype[Any]] | Sequence[Any], dtype: type[Dtype]) -> One[Dtype]",
        f"(scope: Scope, value: np.generic | Sequence[Any], {stated}[Any]",
    ]
