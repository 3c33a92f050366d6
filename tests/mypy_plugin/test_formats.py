"""Operands have no format of numbers, as they have no value before a run."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
import numpy as np
import typegrad as tg
Loss = tg.Operand[tg.TFloat32, tuple[()]]
"""
PROGRAMS: Final = {
    "operands": """
def program(s: tg.Session, loss: Loss, w: tg.Variable[tg.TFloat32], k: int) -> None:
    print(f"{loss:.3f}")  # E: loss has no value before the run; session.run gives an array  [typegrad-call]
    print(f"step {k:3d}: {w:>5}")  # E: w has no value before the run; session.run gives an array  [typegrad-call]
    print(format(loss * 2.0, ".3f"))  # E: the operand has no value before the run; session.run gives an array  [typegrad-call]
""",
    "anything else": """
def program(s: tg.Session, loss: Loss, k: int, form: str) -> None:
    print(f"{loss}", f"{loss:}", f"{loss!r:>50}", f"{loss!s:>50}", f"{str(loss):>20}", f"{loss.name:>20}", f"{loss=}")
    print("{}".format(loss), "{!r:>5}".format(loss), format(loss), format(loss, ""), form.format(loss, "a"), f"{{loss:.3f}}")
    print(f"{k:{form}}", "{:{}}".format(k, "3d"), f"{s.run(loss):.3f}", f"{float(s.run(loss)):8.3f}", f"{loss.shape}", "%s" % loss)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
