"""Functions that the facade has as methods: their signatures and docs are read off their source."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Final

import pytest

import typegrad as tg
from typegrad_codegen.methods import method
from typegrad_codegen.module import Names

SOURCE: Final = '''
from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from math import pow
from typing import overload

from typegrad.graph.operand import Operand
from typegrad.graph.scope import Scope

class Own: ...

def blend(scope: Scope, x: Operand[Own], *rest: Decimal, by: float = 1.5, names: Sequence[str] = ()) -> Own:
    r"""Blend $\\alpha$ « with » others.

    Args:
        scope: Where it goes:
            into a sub-scope.
        x: The first.
        rest: The others.
    """

@overload
def twice(scope: Scope, x: int) -> int: ...
@overload
def twice(scope: Scope, x: str) -> str: ...
def twice(scope: Scope, x: int | str) -> int | str:
    """Do it twice.

    Args:
        scope: Where it goes.
    """

def alone(scope: Scope, by: object = pow) -> int:
    """Do it alone.

    Args:
        scope: Where it goes.

    Returns:
        How often.
    """

def dense(scope: Scope) -> int:
    """Do it.

    Args:
        scope: Where it goes.
    Returns:
        How often.
    """

def no_scope(x: int) -> int: ...

class Layer:
    @staticmethod
    def create(scope: Scope, size: int) -> Layer:
        """Make one."""
'''

BLEND: Final = '''\
def blend(
    self,
    x: Operand[_layers_.Own],
    *rest: _decimal_.Decimal,
    by: float = 1.5,
    names: Sequence[str] = ()
) -> _layers_.Own:
    r"""Blend $\\alpha$ « with » others.

    Args:
        x: The first.
        rest: The others.
    """
    return _layers_.blend(self._scope, x, *rest, by=by, names=names)
'''

TWICE: Final = '''\
@overload
def twice(self, x: int) -> int: ...

@overload
def twice(self, x: str) -> str: ...

def twice(self, x: int | str) -> Any:
    """Do it twice.
    """
    function: Any = _layers_.twice
    return function(self._scope, x)
'''


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name = f"acme_{tmp_path.name}".replace("-", "_")
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("from .layers import blend as blend\n")
    (tmp_path / name / "layers.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    return name


def test_names_stand_for_what_they_stand_for_in_the_functions_module(package: str) -> None:
    result = method(f"{package}.layers:blend")
    assert " ".join(Names({})(result.text).split()) == " ".join(BLEND.split())
    assert result.for_checkers == {"import decimal as _decimal_", f"from {package} import layers as _layers_"}


def test_behind_overloads_the_parameters_say_what_they_take(package: str) -> None:
    assert " ".join(Names({})(method(f"{package}.layers:twice").text).split()) == " ".join(TWICE.split())


def test_a_section_of_the_scope_alone_is_left_out(package: str) -> None:
    assert '"""Do it alone.\n\n    Returns:\n        How often.\n' in method(f"{package}.layers:alone").text
    assert "    Returns:\n        How often.\n" in method(f"{package}.layers:dense").text


def test_an_imported_name_is_no_built_in(package: str) -> None:
    result = method(f"{package}.layers:alone")
    assert "by: object = _math_.pow" in result.text
    assert result.for_defaults == {"import math as _math_"} and not result.for_checkers


def test_a_function_that_a_package_offers_and_create_of_a_class(package: str) -> None:
    assert f"return _{package}_.blend(" in method(f"{package}:blend").text
    result = method(f"{package}.layers:Layer.create")
    assert result.name == "layer" and "return _layers_.Layer.create(self._scope, size)" in result.text


@pytest.mark.parametrize("name", ["no_scope", "missing", "Layer", "Layer.missing"])
def test_what_is_no_function_of_a_scope(package: str, name: str) -> None:
    with pytest.raises(LookupError, match="is not a function of a scope"):
        method(f"{package}.layers:{name}")


def test_methods_of_the_facade_are_the_functions() -> None:
    for name in ("zeros", "one_hot", "jacobian", "variable"):
        function = tg.Variable.create if name == "variable" else getattr(tg, name, None) or getattr(tg.functions, name)
        assert (
            list(inspect.signature(getattr(tg.Ops, name)).parameters)[1:]
            == list(inspect.signature(function).parameters)[1:]
        )
