"""The plugin's types of lists and dicts of operands, for which mypy's own are too wide or wrong."""

from __future__ import annotations

import re
from pathlib import Path

from mypy_plugin.checking import check

SOURCE = """from typing import Any
import typegrad as tg

def build(tf: tg.Ops, session: tg.Session, anything: Any, variables: list[tg.Variable[Any, Any]]) -> None:
    x = tf.placeholder(tg.TFloat32, shape=(2, 3))
    n = tf.placeholder(tg.TInt32, shape=(2, 3))
    rows = [tf.math.exp(row) for row in tf.unstack(x, 2)]
    reveal_type(tf.math.add_n(rows))
    reveal_type(tf.stack(anything))
    0.5 * tf.math.add_n([tf.nn.l2_loss(v) for v in variables])
    reveal_type(tf.unstack(x, 2)[-1])
    left, middle, right = tf.split(1, x, 3)
    reveal_type(middle)
    feed = {x: [[1, 2, 3], [4, 5, 6]], n: [[1, 2, 3], [4, 5, 6]]}
    session.run(x, feed)
    session.run([x, n], feed)
    wrong = {x: [[1, 2, 3], [4, 5, 6]], n: [[1, 2, 3]]}
    session.run(x, wrong)
    neither = {x: [[1, 2, 3], [4, 5, 6]], 3: 4}
    session.run(x, neither)
    tf.concat([n, n], 0) + tf.math.add_n(rows)
    c, h = tf.zeros((3,)), tf.ones((3,))
    for row in rows:
        c = c * h + row
        h = tf.math.tanh(c)
    reveal_type(h.dtype)
"""


def test_lists_have_the_type_of_their_operands_and_dicts_are_feeds(tmp_path: Path) -> None:
    report = check(tmp_path, {"lists.py": SOURCE})
    lines = {number: line.strip() for number, line in enumerate(SOURCE.splitlines(), 1)}
    revealed = {lines[line]: re.sub(r"(\w+\.)+", "", text) for line, text in report.revealed("lists.py").items()}
    assert revealed == {
        "reveal_type(tf.math.add_n(rows))": "AddN[TFloat32, tuple[Literal[3]]]",
        "reveal_type(tf.stack(anything))": "Stack[Any, tuple[Any, ...]]",
        "reveal_type(tf.unstack(x, 2)[-1])": "Operand[TFloat32, tuple[Literal[3]]]",
        "reveal_type(middle)": "Operand[TFloat32, tuple[Literal[2], Literal[1]]]",
        "reveal_type(h.dtype)": "type[TFloat32]",
    }
    errors = [(lines[error.line], error.text) for error in report.errors("lists.py") if error.line != 20]
    assert errors == [
        (
            "wrong = {x: [[1, 2, 3], [4, 5, 6]], n: [[1, 2, 3]]}",
            "run: the feed of n has shape [1, 3], which does not fit [2, 3]",
        ),
        (
            "tf.concat([n, n], 0) + tf.math.add_n(rows)",
            "AddV2: x is int32 but y is float32; cast one with dtypes.Cast",
        ),
    ]
    assert any(error.line == 20 for error in report.errors("lists.py"))
