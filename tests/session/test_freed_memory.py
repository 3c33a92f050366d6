"""Temporary arrays of kernels are in memory that the process keeps, as fresh memory costs page faults."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import resource
import numpy as np
import typegrad as tg
from typegrad.op import core

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

def work():
    [np.ones(1 << 16) for _ in range(8)]

scope = tg.Scope(tg.Graph())
y = core.Constant.create(scope, 1.0) + 1.0
with tg.Session(scope.graph) as session:
    for _ in range(2):
        session.run(y)
work()
before = faults()
for _ in range(10):
    work()
print(faults() - before)
"""


def test_a_session_keeps_the_memory_of_temporary_arrays() -> None:
    """They have 1,024 pages, which are not given back and asked for again."""
    result = subprocess.run([sys.executable, "-c", PROGRAM], check=True, capture_output=True, text=True)
    assert int(result.stdout) < 100
