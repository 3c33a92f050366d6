"""NumPy's numbers beside operands: accepted as at run time, where an array of the same dtype is an error."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

import typegrad as tg
from mypy_plugin.checking import check

ARRAYS: Final = {"v": "np.array([0.5, 0.25, 1.0])", "m": "np.ones((2, 3))", "i": "np.arange(3)"}
HEADER: Final = """\
from typing import Any
import numpy as np
import typegrad as tg
from typegrad.op import core, math
scope = tg.Scope(tg.Graph())
x = core.Placeholder.create(scope, tg.TFloat32, (2, 3))
n = core.Placeholder.create(scope, tg.TInt32, (2, 3))
y = core.Placeholder.create(scope, tg.TFloat32, ())
""" + "".join(f"{name} = {value}\n" for name, value in ARRAYS.items())
VALUES: Final = (
    "v[0]", "v[-1]", "m[0, 1]", "m[1][0]", "i[2]", "v.mean()", "v.sum()", "m.max()", "np.sum(v)", "np.mean(m, (0, 1))",
    "m.mean(1)[0]", "np.sin(v[0])", "np.sin(v[0]) + 0.5", "v[0] * v[1]", "1 / v.max()", "-v[0]", "np.sum(i)",
    "v[0].astype(np.float64)", "v.astype(np.float32)[0]",
    "v[:1]", "v[None, 0]", "v[...]", "m[0]", "m.mean(0)", "v.mean(0, keepdims=True)", "np.zeros(())", "np.full((), 0.5)",
)  # fmt: skip
"""Numbers, and arrays."""


def _runs(statement: str) -> bool:
    names: dict[str, object] = {}
    exec(HEADER, names)
    try:
        exec(statement, names)
    except (tg.DTypeError, tg.FeedError):
        return False
    return True


@pytest.mark.parametrize("template", ["x * ({})", "math.Mul.create(scope, {}, x)", "n * ({})", "RUN"])
def test_a_value_is_refused_where_it_is_at_run_time(template: str, tmp_path: Path) -> None:
    if template == "RUN":
        template = "tg.Session(scope.graph).run(y, {{y: {}}})"
    # Of a name, it is told once.
    values = [re.sub(r"\b[vmi]\b", lambda name: ARRAYS[name[0]], each) for each in VALUES]
    statements = [template.format(value) for value in values]
    first = HEADER.count("\n") + 1
    errors = {error.line - first for error in check(tmp_path, {"numbers.py": HEADER + "\n".join(statements)}).errors()}
    refused = {number for number, statement in enumerate(statements) if not _runs(statement)}
    assert refused
    assert [statements[number] for number in errors ^ refused] == []
