"""Names of modules that a program assigns otherwise than by statements, or that other programs assign."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import HEADER, differences, errors
from typegrad.dry_run.program import ANY, Module, dry_run

PRELUDE: Final = """
import importlib, sys
from unittest import mock
WIDTH = 7
class Model:
    width = 7
def size():
    return WIDTH
def run(rows):
    return x @ np.zeros((rows, 2), np.float32)
"""
RIGHT: Final = {
    "the module itself": "sys.modules[__name__].WIDTH = 8",
    "an imported name": "importlib.import_module(__name__).WIDTH = 8",
    "its own import": "import __main__\n__main__.WIDTH = 8",
    "a name that is not known": "setattr(sys.modules[__name__], unknown.name, 8)",
    "a name of a loop": "for name, value in {'WIDTH': 8}.items():\n    setattr(sys.modules[__name__], name, value)",
    "the namespace": "vars(sys.modules[__name__])['WIDTH'] = 8",
    "the namespace of a function": "size.__globals__['WIDTH'] = 8",
    "code that is read": "exec(unknown.code, globals())",
    "code that is read, in other names": "names = {}\nexec(unknown.code, names)\nWIDTH = names['WIDTH']",
    "a text": "mock.patch('__main__.WIDTH', 8).start()",
    "a module that is passed": "mock.patch.object(sys.modules[__name__], 'WIDTH', 8).start()",
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_name_that_may_be_assigned(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, f"{PRELUDE}{RIGHT[name]}\nrun(size())") == []


@pytest.mark.parametrize("target", ["__main__.size", "__main__.Model.width"])
def test_a_text_names_a_function_or_an_attribute(target: str, tmp_path: Path) -> None:
    assert (
        differences(
            tmp_path, f"{PRELUDE}mock.patch('{target}', 8).start()\nrun(Model.width if 'M' in '{target}' else size())"
        )
        == []
    )


REPLACED: Final = {
    "by its name": "mock.patch('numpy.random.rand').start()",
    "of a module": "mock.patch.object(np.random, 'rand', unknown.rand).start()",
    "several": "mock.patch.multiple(np.random, rand=unknown.rand).start()",
    "by a statement": "np.random.rand = unknown.rand",
    "by setattr": "setattr(np.random, 'rand', unknown.rand)",
    "of pytest": "unknown.monkeypatch.setattr('numpy.random.rand', unknown.rand)",
}
DRAWN: Final = "x @ np.random.rand(7, 2).astype(np.float32)"
WRONG: Final = "  # E: b is [7, 2]"
FED: Final = "  # E: has shape [3, 7], which does not fit [Batch, 8]"


@pytest.mark.parametrize("name", REPLACED)
def test_a_function_of_a_library_that_is_replaced(name: str, tmp_path: Path) -> None:
    begun = f"{PRELUDE}def draw():\n    return {DRAWN}\nfrom numpy.random import rand\n"
    assert differences(tmp_path, f"{begun}{REPLACED[name]}\ndraw()\nfrom numpy.random import rand as other") == []
    assert differences(tmp_path, f"{begun}{REPLACED[name]}\nx @ np.ones((7, 2), np.float32){WRONG}") == []
    assert differences(tmp_path, f"{begun}{REPLACED[name]}\nx @ rand(7, 2).astype(np.float32){WRONG}") == []


@pytest.mark.parametrize("patch", ["mock.patch.object(tg.Session, 'run')", "mock.patch('typegrad.Session.run')"])
def test_a_method_of_a_library_that_is_replaced(patch: str, tmp_path: Path) -> None:
    run = "tg.Session(scope.graph).run(x, {x: np.zeros((3, 7), np.float32)})"
    assert differences(tmp_path, f"{PRELUDE}{patch}.start()\n{run}") == []
    assert differences(tmp_path, f"{PRELUDE}{patch.replace('run', 'value')}.start()\n{run}{FED}") == []


def test_a_name_that_a_program_assigns_is_known(tmp_path: Path) -> None:
    text = f"{PRELUDE}sys.modules[__name__].WIDTH = 6\nrun(size())"
    assert [each for each in differences(tmp_path, text) if "b is [6, 2]" in each]


def test_a_module_by_its_name(tmp_path: Path) -> None:
    read = "importlib.import_module('config').WIDTH"
    program = f"{HEADER}import importlib\nx @ np.zeros(({read}, 2), np.float32)"
    (error,) = errors(tmp_path, {"program": program, "config": "WIDTH = 7"})
    assert "b is [7, 2]" in error[2]


def test_a_program_assigns_a_name_that_a_function_of_another_module_reads(tmp_path: Path) -> None:
    program = f"{HEADER}import config\nconfig.WIDTH = 8\nx @ np.zeros((config.width(), 2), np.float32)"
    config = "WIDTH = 7\ndef width():\n    return WIDTH"
    assert errors(tmp_path, {"program": program, "config": config}) == []


STATE: Final = """
SIZES, COUNT = [], 7
class Box:
    size = 7
def fill():
    global COUNT
    SIZES.append(8)
    COUNT = Box.size = 8
"""
CALLED: Final = {
    "a name that is not known": "getattr(state, unknown.name)()",
    "one of two names": "getattr(state, 'fill' if unknown.flag else 'fill')()",
    "a method by its name": "operator.methodcaller('fill')(state)",
    "an attribute by its name": "operator.attrgetter('fill')(state)()",
    "a module that is passed": "unknown.call(state)",
    "a name that is known": "getattr(state, 'fill')()",
}


@pytest.mark.parametrize("name", CALLED)
@pytest.mark.parametrize("size", ["SIZES[0]", "state.COUNT", "Box.size"])
def test_what_a_module_has_when_any_of_its_functions_may_have_been_called(name: str, size: str, tmp_path: Path) -> None:
    begun = f"{HEADER}import operator, state\nfrom state import SIZES, Box\nflag = 1 if unknown.flag else 2\n"
    program = f"{begun}{CALLED[name]}\nx @ np.zeros(({size}, 2), np.float32)"
    assert errors(tmp_path, {"program": program, "state": STATE}) == []


def test_objects_of_a_module_of_which_any_name_is_assigned_are_known(tmp_path: Path) -> None:
    change = "setattr(state, unknown.name, 8)\nx @ np.zeros((Box.size, 2), np.float32)"
    program = f"{HEADER}import state\nfrom state import Box\n{change}"
    (error,) = errors(tmp_path, {"program": program, "state": STATE})
    assert "b is [7, 2]" in error[2]


def test_a_name_of_another_module_that_is_assigned_on_trial(tmp_path: Path) -> None:
    change = "def first(n: int) -> None:\n    config.WIDTH = 7\ndef second(n: int) -> None:\n"
    program = f"{HEADER}import config\n{change}    x @ np.zeros((config.WIDTH, 2), np.float32)"
    assert errors(tmp_path, {"program": program, "config": "WIDTH = 8"}) == []


@pytest.mark.parametrize(("assigned", "count"), [((), 2), (("WIDTH",), 1), (("width",), 1), ((ANY,), 0)])
def test_functions_that_another_program_calls(assigned: tuple[str, ...], count: int, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(f"{HEADER}{PRELUDE}def first():\n    run(WIDTH)\ndef second():\n    run(Model.width)\n")
    found = dry_run(Module("program", str(file)), lambda _: None, assigned=lambda _: assigned)
    assert len(found.failures) == count


SETTINGS: Final = """
from types import SimpleNamespace
class Config:
    width = 7
    def __init__(self):
        self.depth = 7
class Whole:
    def __init__(self):
        self.parts = {"config": Config()}
config, whole, options = Config(), Whole(), SimpleNamespace(width=7)
listed = [Config()]
"""
_MODULES: Final = ("program", "settings")
ATTRIBUTES: Final = {
    "of the class": ("width", "config.width"),
    "of the object": ("depth", "config.depth"),
    "of an object in another one": ("depth", "whole.parts['config'].depth"),
    "of an object in a list": ("width", "listed[0].width"),
    "of a namespace": ("width", "options.width"),
    "of the class itself": ("width", "Config.width"),
    "of any name": ("config", "config.depth"),
}


@pytest.mark.parametrize("name", ATTRIBUTES)
@pytest.mark.parametrize("function", ["def first() -> None:", "def first(n: int) -> None:", "def test_first():"])
def test_attributes_of_objects_that_another_program_assigns(name: str, function: str, tmp_path: Path) -> None:
    assigned, read = ATTRIBUTES[name]
    (tmp_path / "settings.py").write_text(SETTINGS)
    file = tmp_path / "program.py"
    file.write_text(f"{HEADER}from settings import *\n{function}\n    x @ np.zeros(({read}, 2), np.float32)\n")
    modules = {"settings": Module("settings", str(tmp_path / "settings.py"))}
    for names, count in ((), 1), (("height",), 1), ((assigned,), 0):
        found = dry_run(Module("program", str(file)), modules.get, assigned=dict.fromkeys(_MODULES, names).__getitem__)
        assert len(found.failures) == count, names


def test_a_decorator_that_may_catch_errors(tmp_path: Path) -> None:
    text = """
from contextlib import contextmanager
@contextmanager
def catching():
    try:
        yield
    except ValueError:
        pass
width = 8
@catching()
def change():
    global width
    if unknown.flag:
        raise ValueError
    width = 7
change()
x @ np.zeros((width, 2), np.float32)
"""
    assert differences(tmp_path, text) == []


def test_a_function_that_a_stack_calls_may_catch_errors(tmp_path: Path) -> None:
    text = """
from contextlib import ExitStack
def change():
    width = 8
    with ExitStack() as stack:
        stack.push(lambda *error: True)
        if unknown.flag:
            raise ValueError
        width = 7
    x @ np.zeros((width, 2), np.float32)
change()
"""
    assert differences(tmp_path, text) == []


AGENT: Final = """
class Settings:
    def __init__(self, options):
        for name, value in options.items():
            setattr(self, name, value)
        self.copy(options)
    def copy(self, options):
        for name in options:
            setattr(self, name, options[name])
class Agent(Settings):
    def __init__(self, options):
        super().__init__(options)
        self.x, self.n = core.Placeholder.create(scope, tg.TFloat32, (None, 7)), 7
        self.session = tg.Session(scope.graph)
    def observe(self, step):
        return step
    def train(self):
        for step in range(unknown.start, 10):
            self.observe(step)
def change(agent, name):
    CHANGE
agent = Agent({"steps": 10})
change(agent, unknown.name)
agent.train()
if unknown.flag:
    agent.session.run(agent.x, {agent.x: np.zeros((2, agent.n + 1), np.float32)})
"""
_FED: Final = "has shape [2, 8], which does not fit [?, 7]"
CHANGES: Final = {
    "print(agent.n)": True,
    "print(setattr)": False,
    "setattr(agent, name, 6)": False,
    "vars(agent)[name] = 6": False,
    "agent.copy({name: 6})": False,
    "agent.__init__({})": False,
    "agent.n = 6": False,
}


@pytest.mark.parametrize("change", CHANGES)
def test_attributes_that_a_constructor_assigns_by_name(change: str, tmp_path: Path) -> None:
    text = f"{HEADER}{AGENT.replace('CHANGE', change)}"
    assert any(_FED in each[2] for each in errors(tmp_path, {"program": text})) is CHANGES[change]
