"""The import of a module that does not exist: what the error says to write instead, and that asking stays harmless."""

from __future__ import annotations

import pickle
import pkgutil
import runpy
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Final

import pytest

import typegrad as tg

OPTIMIZERS: Final = "; write `from typegrad.training.optimizers import ...`, or `from typegrad import optimizers`"

MISTAKES: Final = {
    "from typegrad.optimizers import Adam": OPTIMIZERS,
    "import typegrad.optimizers": OPTIMIZERS,
    "import typegrad.optimizers.adam": OPTIMIZERS,
    "from typegrad.losses import MeanSquaredError": "; write `from typegrad.training.losses import ...`, or ",
    "import typegrad.metrics": "; write `from typegrad.training.metrics import ...`, or ",
    "from typegrad.random import Generator": "; write `from typegrad.functions.random import ...`, or ",
    "from typegrad.keras import layers": ". There are no layer classes. ",
    "from typegrad.layers import Dense": ". There are no layer classes. ",
    "from typegrad.op.keras import layers": ". There are no layer classes. ",
    "import typegrad.numpy as tnp": ". Operations have TensorFlow's names. `typegrad ops search` finds them",
    "import typegrad.nn.functional": "; did you mean `nn` (from typegrad.op import nn)?",
    "from typegrad.ops import core": "; did you mean `typegrad.op`?",
    "import typegrad.op.maths": "; did you mean `math`?",
    "from typegrad.op.layouts import Dense": "; its groups are bitwise, cluster, core, debugging, dtypes, image, ",
    "from typegrad.training.adam import Adam": "; did you mean `tg.optimizers.Adam`?",
    "from typegrad.Session import Session": "; it is no module: write `from typegrad import Session`",
}


@pytest.mark.parametrize("statement", MISTAKES)
def test_what_the_message_says(statement: str) -> None:
    with pytest.raises(ModuleNotFoundError) as caught:
        exec(statement)
    assert str(caught.value).startswith(f"No module named {caught.value.name!r}{MISTAKES[statement]}")


@pytest.mark.parametrize("name", ["typegrad.qqqqq", "typegrad.common.parts", "typegrad._private", "typegrades"])
def test_where_nothing_is_like_the_name_it_is_pythons_own_error(name: str) -> None:
    with pytest.raises(ModuleNotFoundError, match=rf"^No module named '{name}'(; '.*' is not a package)?$") as caught:
        import_module(name)
    assert caught.value.name == name


def test_the_name_of_a_module_in_its_package_is_imported_from_there() -> None:
    from typegrad import optimizers

    assert optimizers is sys.modules["typegrad.training.optimizers"] and "typegrad.optimizers" not in sys.modules


def test_who_asks_for_a_module_is_told_that_there_is_none() -> None:
    assert find_spec("typegrad.optimizers") is None and find_spec("typegrad.op.maths") is None
    assert not hasattr(tg, "nothing")
    assert "optimizers" not in {module.name for module in pkgutil.iter_modules(tg.__path__)}
    with pytest.raises(ImportError, match="^No module named typegrad.optimizers$"):
        runpy.run_module("typegrad.optimizers")
    with pytest.raises(ModuleNotFoundError):
        pickle.loads(b"ctypegrad.optimizers\nAdam\n.")
