"""Arguments that are computed: each call of a function, and each pass of a loop, has other values, of the same types."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from mypy_plugin.checking import disagreements

HEADER: Final = """\
import numpy as np
import typegrad as tg
from typegrad import functions
from typegrad.op import core, linalg, math, nn
Any32 = tg.Operand[tg.TFloat32]
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (60, 30))
image = core.Placeholder.create(scope, tg.TFloat32, (2, 12, 12, 3))
ids = core.Placeholder.create(scope, tg.TInt32, (5,))
"""
EXPRESSIONS: Final = (
    "core.Reshape.create(scope, x, (-1, n * 2))",
    "core.Sum.create(scope, x, n - 2)",
    "core.Sum.create(scope, x, [n - 2], keep_dims=True)",
    "core.Split.create(scope, 1, x, num_split=n).output[0]",
    "core.Tile.create(scope, x, (1, n * 2))",
    "core.Pad.create(scope, x, ((0, 0), (n, n * 2)))",
    "core.OneHot.create(scope, ids, n + 1, 1.0, 0.0)",
    "core.ExpandDims.create(scope, x, n - 2)",
    "core.Stack.create(scope, [x, x], axis=n - 2)",
    "core.Concat.create(scope, [x, x], n - 2)",
    "core.Fill.create(scope, (n, 2), 1.0)",
    "core.Gather.create(scope, x, np.arange(n), 0)",
    "core.BroadcastTo.create(scope, x, (n, 60, 30))",
    "core.Slice.create(scope, x, (0, 0), (n, n + 1))",
    "core.Constant.create(scope, np.zeros((n, 4), np.float32))",
    "functions.zeros(scope, (n, n + 1), tg.TFloat32)",
    "functions.norm(scope, x, axis=n - 2)",
    "linalg.Transpose.create(scope, x, (n - 2, 3 - n))",
    "math.UnsortedSegmentSum.create(scope, x, np.zeros(60, np.int32), n)",
    "nn.Conv2d.create(scope, image, np.zeros((n, n, 3, 4), np.float32), (1, n, n, 1), 'SAME')",
    "nn.TopK.create(scope, x, n).values",
    "x @ tg.Variable.create(scope, np.zeros((30, n * 3), np.float32))",
    "x[:, n - 1 : 2 * n]",
)
DEFINITIONS: Final = """
def called_{0}(x: Any32, n: int) -> Any32:
    return {1}
def counted_{0}(x: Any32) -> Any32:
    y = x
    for n in range(2, 4):
        y = {1}
    return y
"""
CALLS: Final = ("called_{}(x, 2)", "called_{}(x, 3)", "counted_{}(x)", "called_{}(x, 2)")


def test_each_has_its_own_value(tmp_path: Path) -> None:
    definitions = "".join(DEFINITIONS.format(*each) for each in enumerate(EXPRESSIONS))
    names: dict[str, Any] = {}
    exec(HEADER + definitions, names)
    lines = []
    for call in (each.format(number) for number in range(len(EXPRESSIONS)) for each in CALLS):
        sizes = ", ".join(f"Literal[{size}]" for size in eval(call, names).shape.as_ints())
        lines.append(f"reveal_type({call})  # R: Operand[TFloat32, tuple[{sizes}]]")
    assert disagreements(tmp_path, {"calls": "\n".join([definitions, *lines, ""])}, HEADER) == {"calls": []}
