"""Attributes that no code gives to an object, in branches and loops that a run decides on, and behind these."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences, errors

MODEL: Final = """
import functools
class Base:
    pass
class Model(Base):
    size = 4
    def __init__(self):
        self.step, self.n = tg.Variable.create(scope, 0, trainable=False), 0
    def build(self):
        self.loss = self.step + 1
        self.more()
    def more(self):
        self.optimizer = None
    def count(self):
        self.n += 1
    def train(self):
        session = tg.Session(scope.graph)
        if session.value(self.step) < 3:
            session.run(self.loss)HERE
"""
WRONG: Final = {
    "a branch": "model = Model()\nmodel.train()",
    "a loop": (
        "model = Model()\nsession = tg.Session(scope.graph)\nstep = int(session.value(model.step))\n"
        "while step < 3:\n    session.run(model.step)\n    print(model.lost)  # E: no attribute 'lost'\n    step += 1"
    ),
    "behind a loop": (
        "model = Model()\nwhile unknown.flag:\n    model.count()\nprint(model.optimizer)  # E: no attribute 'optimizer'"
    ),
    "a loop that calls its methods": (
        "model = Model()\nfor _ in range(unknown.steps):\n    model.count()\n"
        "    if unknown.flag:\n        print(model.loss)  # E: no attribute 'loss'"
    ),
    "a method of a library of this name": (
        "model = Model()\nif unknown.flag:\n    print(model.optimizer)  # E: no attribute 'optimizer'\nnp.random.more"
    ),
}
RIGHT: Final = {
    "a method that is called elsewhere": "def later():\n    model.build()\nmodel = Model()\nmodel.train()\nlater()",
    "a method by its name": "Model.train(model := Model())\ngetattr(model, 'build')()",
    "a method by any name": "model = Model()\nmodel.train()\ngetattr(model, unknown.name)()",
    "a method in a list": "model = Model()\nhooks = [model.build]\nmodel.train()",
    "a method by a text": "model = Model()\nmodel.train()\nunknown.call(model, 'build')",
    "a method of a base": (
        "class Other(Model):\n    def make(self):\n        super().build()\n"
        "model = Other()\nmodel.train()\nmodel.make()"
    ),
    "an attribute that others assign": "model = Model()\ndef set_loss(value):\n    model.loss = value\nmodel.train()",
    "attributes of any name": "model = Model()\nmodel.train()\nsetattr(model, unknown.name, 1)",
    "attributes of a dict": "model = Model()\nmodel.train()\nmodel.__dict__.update(unknown.attributes)",
    "an attribute that is asked for": (
        "model = Model()\nwhile unknown.flag:\n    model.count()\n"
        "if hasattr(model, 'loss') and unknown.flag:\n    model.loss"
    ),
    "an attribute that is looked for": (
        "model = Model()\nwhile unknown.flag:\n    model.count()\nif 'loss' in vars(model):\n    model.loss"
    ),
    "an error that is caught": (
        "model = Model()\nif unknown.flag:\n    try:\n        model.loss\n    except AttributeError:\n        pass"
    ),
    "a class that finds attributes": (
        "class Any(Model):\n    def __getattr__(self, name):\n        return unknown.find(name)\n"
        "model = Any()\nmodel.train()"
    ),
    "a class of a library": "class Own(unknown.Model):\n    pass\nmodel = Own()\nif unknown.flag:\n    model.loss",
    "a class that is decorated": (
        "@unknown.register\nclass Own(Model):\n    def build_more(self):\n        self.other = 1\n    def use(self):\n"
        "        if unknown.flag:\n            self.other\nmodel = Own()\nmodel.use()"
    ),
    "an object that a library has": (
        "model = unknown.prepared(Model())\nmodel.train()\nother = Model()\nunknown.use(other)\n"
        "if unknown.flag:\n    other.loss"
    ),
    "an object that gets another class": (
        "class Other(Model):\n    lost = 1\nmodel = Model()\ndef use():\n    if unknown.flag:\n"
        "        model.lost\nuse()\nmodel.__class__ = Other\nuse()"
    ),
    "an attribute of the class": "model = Model()\nif unknown.flag:\n    model.size",
    "a property that fails": (
        "class Own(Model):\n    @property\n    def rows(self):\n"
        "        raise AttributeError('no rows')\nmodel = Own()\n"
        "if unknown.flag:\n    model.rows"
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_no_code_assigns_is_told(name: str, tmp_path: Path) -> None:
    here = "  # E: no attribute 'loss'" if name == "a branch" else ""
    assert not differences(tmp_path, MODEL.replace("HERE", here) + WRONG[name])


@pytest.mark.parametrize("name", RIGHT)
def test_what_code_may_assign_is_not(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, MODEL.replace("HERE", "") + RIGHT[name])


def test_another_program_may_assign_what_is_missing(tmp_path: Path) -> None:
    text = """
import typegrad as tg
class Model:
    def __init__(self) -> None:
        self.scope = tg.Scope(tg.Graph())
    def build(self) -> None:
        self.loss = tg.Variable.create(self.scope, 0.0)
    def train(self, steps: int) -> None:
        if steps > 2:
            print(self.loss.shape)
def test_model() -> None:
    model = Model()
    model.train(3)
"""
    assert not errors(tmp_path, {"program": text})
