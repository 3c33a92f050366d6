"""What a registry says of its groups, in `groups.yaml`: mistakes, and what is generated."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from support.valid_entry import VALID, errors
from typegrad_codegen.load import load
from typegrad_codegen.render import render

EXPORTS: Final = "expected import paths of existing classes or functions, such as 'my_package.module:MyClass'"
FUNCTIONS: Final = (
    "expected import paths of existing functions whose first parameter is `scope`, such as 'my_package.module:blend'"
)

# (groups.yaml, the error)
MISTAKES: Final = {
    "no mapping": ("- demo\n", "1: expected a mapping of groups"),
    "a group that is not a mapping": ("demo: text\n", "1: demo: found 'text'; expected a mapping"),
    "an unknown key": (
        "demo: {export: lib.defaults:zero}\n",
        "1: demo: unknown key 'export'; expected one of summary, exports, functions",
    ),
    "a group without operations": (
        "demo: {summary: Some.}\nlost: {summary: None.}\n",
        "2: lost: no operation has this group; expected demo",
    ),
    "an unknown export": (
        "demo:\n  exports: lib.kernels.demo:lost\n",
        f"2: demo.exports: found 'lib.kernels.demo:lost'; {EXPORTS}",
    ),
    "an export of a module that is not Python": (
        "demo:\n  exports: lib.kernels.broken:blend\n",
        f"2: demo.exports: found 'lib.kernels.broken:blend'; {EXPORTS}",
    ),
    "an unknown function": (
        "demo:\n  functions: lib.defaults:lost\n",
        f"2: demo.functions: found 'lib.defaults:lost'; {FUNCTIONS}",
    ),
    "a function without a scope": (
        "demo:\n  functions: lib.kernels.demo:one\n",
        f"2: demo.functions: found 'lib.kernels.demo:one'; {FUNCTIONS}",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake(name: str, library: Path, tmp_path: Path) -> None:
    text, expected = MISTAKES[name]
    assert errors(tmp_path, demo=VALID, groups=text) == [f"ops/groups.yaml:{expected}"]


def test_what_a_group_has_besides_its_operations(library: Path, tmp_path: Path) -> None:
    (tmp_path / "demo.yaml").write_text(VALID)
    (tmp_path / "groups.yaml").write_text(
        "demo:\n  summary: Mixing arrays.\n  exports: lib.kernels.demo:blend\n  functions: lib.defaults:zero\n"
    )
    files = render(load(tmp_path, package="lib.op"), "lib.op")
    assert '"""Mixing arrays."""\n' in files["demo/__init__.py"]
    assert "from lib.kernels.demo import blend as blend\n" in files["demo/__init__.py"]
    assert "def zero(self, inputs: Any) -> Any:" in files["demo/_facade.py"]


def test_a_registry_need_not_describe_its_groups(library: Path, tmp_path: Path) -> None:
    (tmp_path / "demo.yaml").write_text(VALID)
    files = render(load(tmp_path, package="lib.op"), "lib.op")
    assert '"""The operations of group `demo`."""\n' in files["demo/__init__.py"]
