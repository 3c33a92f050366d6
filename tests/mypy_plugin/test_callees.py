"""What the plugin reads of functions in mypy's symbols is what Python says of them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from contextlib import suppress
from inspect import Parameter
from types import SimpleNamespace
from typing import Any

import pytest
from mypy.build import build
from mypy.main import process_options
from mypy.nodes import Decorator, FuncDef, MypyFile, OverloadedFuncDef, TypeInfo

from support import mypy_cache
from typegrad.arguments.calls import mistake
from typegrad.mypy_plugin.values.callees import Callee, callee_of
from typegrad.mypy_plugin.values.static_values import NotStatic

PROGRAM = """
import typegrad as tg
from typegrad import activations, initializers, losses, optimizers
from typegrad.op import *
"""
NAMED = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
BY_POSITION = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


@pytest.fixture(scope="module")
def callees(tmp_path_factory: pytest.TempPathFactory) -> list[Callee]:
    """The public functions, methods and classes of typegrad."""
    folder = tmp_path_factory.mktemp("callees")
    (folder / "program.py").write_text(PROGRAM)
    (folder / "mypy.ini").write_text(mypy_cache.settings(plugin=False))
    cache = mypy_cache.of_process(plugin=False)
    arguments = ["--config-file", str(folder / "mypy.ini"), "--cache-dir", str(cache), str(folder / "program.py")]
    return list(_callees(build(*process_options(arguments)).files))


def _functions(tree: MypyFile) -> Iterator[str]:
    """The functions, methods and classes of a module, by full name."""
    for name, symbol in tree.names.items():
        node = symbol.node
        if name.startswith("_") or node is None or node.fullname != f"{tree.fullname}.{name}":
            continue
        if isinstance(node, TypeInfo):
            yield from (f"{node.fullname}.{each}" for each in node.names if not each.startswith("_"))
            if node.get_containing_type_info("__init__") is node and not node.has_base(
                "typegrad.graph.wrapper.Wrapper"
            ):
                yield node.fullname
        elif isinstance(node, (Decorator, FuncDef, OverloadedFuncDef)):
            yield node.fullname


def _callees(modules: dict[str, MypyFile]) -> Iterator[Callee]:
    api: Any = SimpleNamespace(modules=modules)
    for tree in [tree for name, tree in modules.items() if name.startswith("typegrad.")]:
        for fullname in _functions(tree):
            with suppress(NotStatic):
                callee = callee_of(api, fullname)
                if hasattr(callee.function, "__qualname__"):
                    yield callee


def _parameters(callee: Callee) -> list[Parameter]:
    parameters = list(inspect.signature(callee.function).parameters.values())
    return parameters[bool(parameters) and parameters[0].name in ("self", "cls") :]


def _plain(annotation: str) -> str:
    """An annotation without the modules of its names, the parameters of functions, as mypy keeps it, and the numbers
    that type variables have in stubs.
    """
    annotation = re.sub(r"(?<=\w)_\d+\b|(?<=\bAny)_\b", "", annotation)
    text = re.sub(r"Callable\[.*\]", "Callable", re.sub(r"(?:\w+\.)+(?=\w)", "", annotation))
    return re.sub(r"type\[([^]]*)\]", lambda types: f"type[{types[1].replace(' | ', '] | type[')}]", text)


def test_names_and_kinds_of_parameters(callees: list[Callee]) -> None:
    assert len(callees) > 2000
    for each in callees:
        by_position = [item.name for item in _parameters(each) if item.kind in BY_POSITION]
        by_name = {item.name for item in _parameters(each) if item.kind in NAMED}
        assert (list(each.by_position), each.by_name) == (by_position, by_name), each.name


def test_annotations(callees: list[Callee]) -> None:
    pairs = [
        (_plain(each.annotations[item.name]), _plain(str(item.annotation)))
        for each in callees
        for item in _parameters(each)
        if item.kind in (*BY_POSITION, *NAMED)
    ]
    wrong = {pair for pair in pairs if len(set(pair)) > 1}
    assert not wrong


def test_a_name_is_the_one_of_an_error_at_run_time(callees: list[Callee]) -> None:
    for each in callees:
        name = each.function.__qualname__.replace("CoreOps.", "Ops.").replace("TypedRun.run", "Session.run")
        assert each.name == name


@pytest.mark.parametrize(
    ("by_position", "by_name"), [(0, ()), (1, ()), (4, ()), (3, ("name",)), (2, ("features",)), (1, ("nothing",))]
)
def test_what_does_not_fit_is_told_as_at_run_time(
    callees: list[Callee], by_position: int, by_name: tuple[str, ...]
) -> None:
    for each in callees:
        given = dict.fromkeys(by_name)
        told = each.mistake(each.name, by_position, given)
        assert told == mistake(each.function, each.name, by_position, given), each.name
