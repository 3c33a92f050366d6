"""The number of items of comprehensions, ranges and the like: of lists of operands, and of lists of arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mypy_plugin.checking import disagreements

HEADER: Final = """\
import itertools
from typing import Literal, NewType
import numpy as np
import typegrad as tg
from typegrad.op import core, math
Batch = NewType("Batch", int)
Rows = tg.Operand[tg.TFloat32, tuple[Batch, Literal[8]]]
"""
PROGRAM: Final = """
def take(operands: list[tg.Operand[tg.TFloat32, tuple[Batch, Literal[8]]]]) -> None:
    operands.pop()


def operands(scope: tg.Scope, x: Rows, count: int) -> None:
    hs = [math.Tanh.create(scope, x) for _ in range(3)]
    sizes = (8, 16, 4)
    reveal_type(core.Concat.create(scope, hs, 1))  # R: Concat[TFloat32, tuple[Batch, Literal[24]]]
    reveal_type(core.Concat.create(scope, [x, *hs], 1))  # R: Concat[TFloat32, tuple[Batch, Literal[32]]]
    reveal_type(core.Stack.create(scope, [x[:, i] for i in range(1, 8, 2)]))  # R: Stack[TFloat32, tuple[Literal[4], Batch]]
    reveal_type(core.Stack.create(scope, [x for _ in zip(sizes, sizes[1:])]))  # R: Stack[TFloat32, tuple[Literal[2], Batch, Literal[8]]]
    reveal_type(core.Stack.create(scope, [x for _ in itertools.pairwise(sizes)]))  # R: Stack[TFloat32, tuple[Literal[2], Batch, Literal[8]]]
    reveal_type(core.Stack.create(scope, [x for _ in enumerate(sizes)]))  # R: Stack[TFloat32, tuple[Literal[3], Batch, Literal[8]]]
    reveal_type(core.Stack.create(scope, [x for _ in sizes for _ in range(2)]))  # R: Stack[TFloat32, tuple[Literal[6], Batch, Literal[8]]]
    reveal_type(core.Stack.create(scope, [x for size in sizes if size > 4]))  # R: Stack[TFloat32, tuple[Any, Batch, Literal[8]]]
    reveal_type(core.Stack.create(scope, [x for _ in range(count)]))  # R: Stack[TFloat32, tuple[Any, Batch, Literal[8]]]
    reveal_type(core.Placeholder.create(scope, tg.TFloat32, (len(hs),)))  # R: Placeholder[TFloat32, tuple[Literal[3]]]
    reveal_type(core.Fill.create(scope, (len("abc"), len(set("abac"))), 1.0))  # R: Fill[TFloat32, tuple[Literal[3], Literal[3]]]
    words = "the cat the dog".split()
    letters = sorted(set(words))
    reveal_type(core.Fill.create(scope, (len(words), len(letters)), 1.0))  # R: Fill[TFloat32, tuple[Literal[4], Literal[3]]]
    parts, unique = "a b".split(), set("ab")
    parts.append("c")
    unique.add("c")
    reveal_type(core.Fill.create(scope, (len(parts), len(unique)), 1.0))  # R: Fill[TFloat32, tuple[Any, Any]]
    grown = [x]
    grown.append(x)
    reveal_type(core.Stack.create(scope, grown))  # R: Stack[TFloat32, tuple[Literal[2], Batch, Literal[8]]]
    drawn = [x for _ in range(4)]
    drawn.append(x)
    reveal_type(core.Stack.create(scope, drawn))  # R: Stack[TFloat32, tuple[Any, Batch, Literal[8]]]
    given = [x for _ in range(4)]
    take(given)
    reveal_type(core.Stack.create(scope, given))  # R: Stack[TFloat32, tuple[Any, Batch, Literal[8]]]
    copied = list(sizes)
    copied.append(1)
    reveal_type(core.Stack.create(scope, [x for _ in copied]))  # R: Stack[TFloat32, tuple[Any, Batch, Literal[8]]]
    pairs = zip(sizes, sizes)
    next(pairs)
    reveal_type(core.Stack.create(scope, [x for _ in pairs]))  # R: Stack[TFloat32, tuple[Any, Batch, Literal[8]]]
    each = (x for _ in sizes)
    next(each)
    reveal_type(core.Stack.create(scope, [x for _ in each]))  # R: Stack[TFloat32, tuple[Any, Batch, Literal[8]]]


def arrays(scope: tg.Scope, count: int) -> None:
    rows = [np.full(7, i, np.float32) for i in (1, 2)]
    reveal_type(core.Constant.create(scope, np.stack([np.full(7, i, np.float32) for i in range(3)])))  # R: Constant[TFloat32, tuple[Literal[3], Literal[7]]]
    reveal_type(core.Constant.create(scope, np.concatenate(rows)))  # R: Constant[TFloat32, tuple[Literal[14]]]
    reveal_type(core.Constant.create(scope, np.stack([np.full(7, i, np.float32) for i in range(count)])))  # R: Constant[TFloat32, tuple[Any, ...]]
"""


def test_the_number_of_items_is_known_where_the_source_says_it(tmp_path: Path) -> None:
    different = disagreements(tmp_path, {"program": PROGRAM}, HEADER)["program"]
    assert not different, "\n".join(different)
