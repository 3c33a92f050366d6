"""Of a program with one change, the checker tells what a run raises, and nothing where it raises nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from drafts.mutants import compared, verdict
from drafts.mutation import KINDS, Mutant, mutants

PROGRAM: Final = """
import numpy as np

import typegrad as tg
from typegrad.op import core, math, nn
from typegrad.training.optimizers import GradientDescent


def loss_of(scope: tg.Scope, logits: tg.Operand[tg.TFloat32], labels: tg.Operand[tg.TInt32]) -> tg.Operand[tg.TFloat32]:
    correct = core.OneHot.create(scope, labels, 4, 1.0, 0.0)
    chances = nn.Softmax.create(scope, logits) - math.Mean.create(scope, logits, 1, keep_dims=True)
    return core.Sum.create(scope, math.Square.create(scope, chances - correct))


graph = tg.Graph()
scope = tg.Scope(graph)
x = core.Placeholder.create(scope, tg.TFloat32, (2, 3))
labels = core.Placeholder.create(scope, tg.TInt32, (2,))
w, b = (tg.Variable.create(scope, np.zeros(shape, np.float32)) for shape in ((3, 4), (4,)))
hidden = core.Concat.create(scope, [x @ w, x @ w], 1)[:, 2:6]
loss = loss_of(scope, hidden + b, labels)
step = GradientDescent(graph, 0.5).minimize(loss)
feeds: tg.Feeds = {x: np.ones((2, 3)).astype(np.float32), labels: np.array([0, 3], np.int32)}
with tg.Session(graph) as session:
    _, cost = session.run((step, loss), feeds)
    print(float(cost))
"""


def test_all_changes_of_a_program(tmp_path: Path) -> None:
    changed = [Mutant("none", 0, PROGRAM), *mutants(PROGRAM)]
    assert {each.kind for each in changed} == {"none", *KINDS}
    programs = {f"mutant_{number}.py": each for number, each in enumerate(changed)}
    verdicts = {name: (verdict(run, findings), run, findings) for name, run, findings in compared(tmp_path, programs)}
    assert verdicts["mutant_0.py"][0] == "runs"
    assert sum(judged.startswith("fails, told") for judged, *_ in verdicts.values()) > len(programs) / 2
    wrong = [
        f"{judged}: {programs[name].text.splitlines()[programs[name].line - 1]}: {run.error} {findings}"
        for name, (judged, run, findings) in verdicts.items()
        if judged in ("fails, not told", "runs, an error of typegrad")
    ]
    assert not wrong, "\n".join(wrong)
