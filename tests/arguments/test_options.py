"""Options that several functions share: a misspelt one is refused, and the message says what may have been meant."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import Parameter, isabstract, signature
from pathlib import Path
from typing import Any, Final

import pytest
from typing_extensions import Unpack

import typegrad as tg
from typegrad import optimizers, pictures

PACKAGE: Final = Path(tg.__file__).parent


def takers() -> Iterator[Callable[..., Any]]:
    """Every class, function and method of the package whose source says `**options: Unpack[...]`, save abstract
    classes.
    """
    for file in sorted(PACKAGE.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        if "Unpack[" not in text:
            continue
        module = import_module(".".join(("typegrad", *file.relative_to(PACKAGE).with_suffix("").parts)))
        for owner, function in _functions(ast.parse(text)):
            if function.args.kwarg is None:
                continue
            target = getattr(module, owner or function.name)
            taker = getattr(target, function.name) if owner and function.name != "__init__" else target
            if not isabstract(taker):
                yield taker


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions of a module, each with the name of its class or ""."""
    for statement in tree.body:
        owner = statement.name if isinstance(statement, ast.ClassDef) else ""
        for item in statement.body if isinstance(statement, ast.ClassDef) else [statement]:
            if isinstance(item, ast.FunctionDef):
                yield owner, item


TAKERS: Final = tuple(takers())


def keywords(taker: Callable[..., Any]) -> frozenset[str]:
    """All that can be given by keyword: what the signature names but the graph, and the shared options."""
    own = {name for name, each in signature(taker).parameters.items() if each.kind is not Parameter.VAR_KEYWORD}
    shared = optimizers.Options if isinstance(taker, type) else pictures.Options
    return frozenset(own - {"graph", "self"}) | shared.__optional_keys__


def test_those_that_take_options() -> None:
    names = {taker.__qualname__ for taker in TAKERS}
    assert {"Adam", "AdamW", "Lion", "RMSProp", "Graph.show", "Graph.to_text", "figure", "page"} <= names


@pytest.mark.parametrize("taker", TAKERS, ids=lambda taker: taker.__qualname__)
def test_a_misspelt_option_is_refused(taker: Callable[..., Any]) -> None:
    for name in sorted(keywords(taker)):
        misspelt = name[0] + name
        with pytest.raises(tg.OptionError, match=rf" takes no option `{misspelt}`; did you mean `{name}`\?$"):
            taker(tg.Graph(), **{misspelt: None})


def test_an_option_like_no_other() -> None:
    make: Any = optimizers.GradientDescent
    with pytest.raises(TypeError) as refused:
        make(tg.Graph(), amsgrad=True)
    assert str(refused.value) == (
        "GradientDescent takes no option `amsgrad`; it takes `clip`, `exclude_from_weight_decay`, `graph`, `lazy`, "
        "`learning_rate`, `name`, `weight_decay`"
    )


def test_an_optimizer_of_the_users_own() -> None:
    class Patient(optimizers.Adam):
        def __init__(self, graph: tg.Graph, patience: int = 1, **options: Unpack[optimizers.Options]) -> None:
            super().__init__(graph, 0.1, **options)
            self.patience = patience

    make: Any = Patient
    assert make(tg.Graph(), name="mine").name == "mine"
    with pytest.raises(tg.OptionError, match=r"^Patient takes no option `patients`; did you mean `patience`\?$"):
        make(tg.Graph(), patients=3)
