"""What `reveal_type` shows where the program makes more of an operand than its type says; a second note has the type."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from mypy_plugin.checking import check, in_new_words

_COMMENT: Final = re.compile("  # .*")
_QUALIFIER: Final = re.compile(r"[\w.]+\.(?=\w)")

LAYERS: Final = """
from typing import Any, Literal, NewType, TypeVar
import numpy as np
import typegrad as tg
from typegrad.op import core
Time = NewType("Time", int)
N = TypeVar("N", bound=int)
F32 = tg.Operand[tg.TFloat32]
def loaded(*shape: int) -> Any:
    return np.zeros(shape, np.float32)
def once(x: F32) -> F32:
    reveal_type(x)  # Operand[TFloat32, tuple[Batch, Literal[4]]] BUT Operand[TFloat32, tuple[Any, ...]]
    return x
def twice(x: F32) -> F32:
    y = x * 2.0
    reveal_type(y)  # Operand[TFloat32, tuple[Batch, Any]] BUT Operand[TFloat32, tuple[Any, ...]]
    return y
def of_two_ranks(x: F32) -> F32:
    reveal_type(x)  # Operand[TFloat32, tuple[Any, ...]]
    return x
def of_nobody(x: F32) -> F32:
    reveal_type(x)  # Operand[TFloat32, tuple[Any, ...]]
    return x
def perhaps(x: F32, is_kept: bool) -> F32 | None:
    return x if is_kept else None
def sized(x: tg.Operand[tg.TFloat32, tuple[int, N]]) -> tg.Operand[tg.TFloat32, tuple[int, N]]:
    reveal_type(x)  # Operand[TFloat32, tuple[Batch, Literal[4]]] BUT Operand[TFloat32, tuple[int, N]]
    return x
"""
PROGRAM: Final = """
import random
import sys
from typing import Any, Literal, NewType
import numpy as np
import typegrad as tg
from typegrad.op import core, math, nn
import layers
from layers import F32, loaded
Batch = NewType("Batch", int)
scope = tg.Scope(tg.Graph())
with scope:
    x = core.Placeholder.create(scope, tg.TFloat32, (Batch, 4))
    layers.once(x)
    layers.twice(x)
    layers.twice(x[:, :2])
    layers.of_two_ranks(x)
    layers.of_two_ranks(x[0])
    layers.sized(x)
    reveal_type(x)  # Placeholder[TFloat32, tuple[Batch, Literal[4]]]
    w = tg.Variable.create(scope, loaded(4, 8))
    reveal_type(w)  # Variable[TFloat32, tuple[Literal[4], Literal[8]]] BUT Variable[Any, Any]
    anything: Any = x @ w
    reveal_type(anything)  # Operand[TFloat32, tuple[Batch, Literal[8]]] BUT Any
    reveal_type(layers.perhaps(x, True))  # Operand[TFloat32, tuple[Batch, Literal[4]]] | None BUT Operand[TFloat32, tuple[Any, ...]] | None
    reveal_type(layers.perhaps(x, len(sys.argv) > 1))  # Operand[TFloat32, tuple[Any, ...]] | None
    named = core.Placeholder.create(scope, tg.TFloat32, (layers.Time, Batch))
    y: dict[str, F32] = {"a": named, "b": named[1:]}
    reveal_type(y)  # dict[str, Operand[TFloat32, tuple[Any, Batch]]] BUT dict[str, Operand[TFloat32, tuple[Any, ...]]]
    reveal_type([y["b"], y["b"]])  # list[Operand[TFloat32, tuple[Minus[Time, Literal[1]], Batch]]]
    reveal_type((loaded(2) + x[0, :2], 1))  # tuple[Operand[TFloat32, tuple[Literal[2]]], Literal[1]?] BUT tuple[Operand[TFloat32, tuple[Any, ...]], Literal[1]?]
    reveal_type((w + w)[0])  # Operand[TFloat32, tuple[Literal[8]]] BUT Operand[Any, tuple[Any, ...]]
    reveal_type(-(w + w))  # Operand[TFloat32, tuple[Literal[4], Literal[8]]] BUT Operand[Any, tuple[Any, ...]]
    reveal_type((w + 1.0) * (x @ w)[0])  # Operand[TFloat32, tuple[Literal[4], Literal[8]]] BUT Operand[TFloat32, tuple[Any, ...]]
    reveal_type({k: v * 2.0 for k, v in y.items()}["b"])  # Operand[TFloat32, tuple[Minus[Time, Literal[1]], Batch]]
    reveal_type(math.Equal.create(scope, w, w))  # Equal[tuple[Literal[4], Literal[8]]] BUT Equal[tuple[Any, ...]]
    if random.random() < 0.5:
        reveal_type(w)  # Variable[Any, Any]
"""


def test_what_the_program_makes(tmp_path: Path) -> None:
    sources = {"layers.py": LAYERS, "program.py": PROGRAM}
    report = check(tmp_path, {name: _COMMENT.sub("", text) for name, text in sources.items()})
    shown = {name: text.splitlines() for name, text in sources.items()}
    for each in report.messages:
        line = _COMMENT.sub("", shown[each.file][each.line - 1])
        types = [
            in_new_words(note.text.partition('"')[2].removesuffix('"'))
            for note in report.messages
            if (note.file, note.line) == (each.file, each.line)
        ]
        shown[each.file][each.line - 1] = f"{line}  # {_QUALIFIER.sub('', ' BUT '.join(types))}"
    assert ["\n".join(each) for each in shown.values()] == [text.rstrip("\n") for text in sources.values()]
