"""What the plugin adds to a file is never reported as unreachable, and hides nothing of what is reached."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from mypy_plugin.checking import check, disagreements

FLAG: Final = "# mypy: warn-unreachable\n"
PLAIN: Final = """
def read(path: str) -> str:
    with open(path) as file:
        return file.read()
def kind(n: int) -> str:
    match n:
        case 1:
            return "one"
        case _:
            return "many"
def loop() -> int:
    while True:
        return 1
def stop() -> int:
    return 1
    loop()  # the only one
"""
HEADER: Final = f"""\
{FLAG}import numpy as np
import typegrad as tg
from typegrad.op import core
"""
PROGRAMS: Final = {
    "blocks that return": """
def double(scope: tg.Scope, x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    with scope:
        return x * 2.0
def run(x: tg.Operand[tg.TFloat32]) -> float:
    with tg.Session(x.graph) as session:
        return float(session.run(x))
def first(xs: list[tg.Operand[tg.TFloat32]]) -> tg.Operand[tg.TFloat32]:
    for x in xs:
        y = x * 2.0
        return y
    raise ValueError
""",
    "gradients of rows": """
scope = tg.Scope(tg.Graph())
table = tg.Variable.create(scope, np.zeros((100, 2), np.float32))
rows = table.gather(scope, [7, 7, 99])
(sparse,) = tg.gradients(scope, rows * rows + rows, (table,))
assert isinstance(sparse, tg.IndexedSlices)
core.Placeholder.create(scope, tg.TFloat32, (None, 3)) @ np.zeros((4, 2), np.float32)  # E: MatMul: inner dimensions differ: a is [?, 3], b is [4, 2]  [typegrad-shape]
""",
}


def test_of_a_plain_file_the_same_is_unreachable_as_for_mypy_alone(tmp_path: Path) -> None:
    errors = check(tmp_path, {"plain.py": FLAG + PLAIN}).errors("plain.py")
    assert [(each.line, each.text) for each in errors] == [(17, "Statement is unreachable")]


def test_programs(tmp_path: Path) -> None:
    different = disagreements(tmp_path, PROGRAMS, HEADER)
    assert not [each for lines in different.values() for each in lines]
