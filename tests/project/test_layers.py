"""Which module may import which: the layers of the package, read off its source."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import pytest

import typegrad

PACKAGE: Final = Path(typegrad.__file__).parent

LAYERS: Final = (
    (
        "types", "shape", "errors", "location", "equation", "lazy", "literals", "indexing", "options", "arguments", "brief", "kinds",
        "lock", "pickling", "calls", "misspelt", "elsewhere",
    ),
    (
        "opdef", "operand", "indexed_slices", "operation", "operators", "graph", "scope", "building", "conversion", "tensors",
        "explain", "wrapper", "shapes", "defaults", "quiet",
    ),
    ("op",),
    ("gradients", "kernels"),
    ("checkpoint",),
    ("session", "variable"),
    (
        "optimizers", "facade",
        "activations", "constraints", "functions", "initializers", "losses", "metrics", "regularizers",
        "data", "pictures", "tensorboard", "training",
    ),
)  # fmt: skip
"""A module imports from its own layer and those before it. A package's layer is that of its modules; the generated facade belongs to
`facade`. What stands nowhere (`typegrad` itself, the command line, the demo) may import everything, and is imported by none of these."""


@cache
def modules() -> dict[str, Path]:
    """Every module of the package, by its name without "typegrad."."""
    found = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = file.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


@cache
def imports(module: str) -> frozenset[str]:
    """The absolute names of the modules that `module` imports when it is imported itself."""
    tree = ast.parse(modules()[module].read_text(encoding="utf-8"))
    return frozenset(name for statement in _executed(tree.body) for name in _imported(statement))


def _executed(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run at import: not those in functions, nor those for type checkers alone."""
    for statement in body:
        if isinstance(statement, ast.If) and ast.unparse(statement.test) in ("TYPE_CHECKING", "MYPY"):
            yield from _executed(statement.orelse)
        elif isinstance(statement, (ast.If, ast.Try, ast.With, ast.ClassDef)):
            yield from _executed(statement.body)
            yield from _executed(getattr(statement, "orelse", []))
        else:
            yield statement


def _imported(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names)
    elif isinstance(statement, ast.ImportFrom):
        assert statement.module and not statement.level, f"relative import in line {statement.lineno}"
        for alias in statement.names:
            name = f"{statement.module}.{alias.name}"
            yield name if name.removeprefix("typegrad.") in modules() else statement.module


def own(names: frozenset[str]) -> set[str]:
    """Those of `names` that are modules of this package, without "typegrad."."""
    return {name.removeprefix("typegrad").removeprefix(".") for name in names if name.split(".")[0] == "typegrad"}


def layer(module: str) -> int:
    """The number of the module's layer."""
    top = "facade" if module.endswith(("._facade", "._ops")) else module.split(".")[0]
    return next((number for number, names in enumerate(LAYERS) if top in names), len(LAYERS))


def inside(package: str) -> list[str]:
    """The modules of a package."""
    return [module for module in modules() if module.startswith(f"{package}.")]


@pytest.mark.parametrize("module", [module for module in modules() if not module.startswith("op.")])
def test_a_module_imports_from_no_later_layer(module: str) -> None:
    later = {other for other in own(imports(module)) if layer(other) > layer(module)}
    assert not later, f"typegrad.{module} imports {sorted(later)}"


def test_generated_modules_import_from_no_later_layer() -> None:
    found = {
        (module, other) for module in inside("op") for other in own(imports(module)) if layer(other) > layer(module)
    }
    assert not found


@pytest.mark.parametrize("module", inside("shapes"))
def test_shape_functions_import_neither_arrays_nor_kernels(module: str) -> None:
    forbidden = {name for name in imports(module) if name.split(".")[0] in ("numpy", "scipy", "ml_dtypes")}
    assert not forbidden and not {other for other in own(imports(module)) if other.startswith("kernels")}


@pytest.mark.parametrize("module", inside("kernels"))
def test_kernels_know_arrays_only(module: str) -> None:
    allowed = ("kernels", "errors", "types", "shape", "shapes", "equation", "literals")
    assert not {other for other in own(imports(module)) if other.split(".")[0] not in allowed}


@pytest.mark.parametrize("module", inside("gradients"))
def test_gradients_know_operations_only(module: str) -> None:
    assert not {other for other in own(imports(module)) if other.startswith(("kernels", "session"))}
    if any(other.startswith("op.") for other in own(imports(module))):
        assert not {name for name in imports(module) if name.split(".")[0] in ("numpy", "scipy", "ml_dtypes")}


@pytest.mark.parametrize("statement", ["import typegrad", "import typegrad.cli"])
def test_importing_typegrad_loads_no_kernels_and_no_large_library(statement: str) -> None:
    program = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout))
    large = {
        "scipy",
        "matplotlib",
        "sklearn",
        "yaml",
        "typegrad_codegen",
        "mypy",
        "jax",
        "tensorboard",
        "tensorflow",
        "torch",
        "tqdm",
    }
    assert not large & loaded
    assert not {name for name in loaded if name.startswith(("typegrad.kernels.", "typegrad.demo."))}


def test_what_models_are_made_of_is_loaded_when_it_is_first_used() -> None:
    names = (
        "activations", "constraints", "data", "functions", "initializers", "losses", "metrics", "optimizers", "pictures", "regularizers",
        "tensorboard", "training",
    )  # fmt: skip
    program = (
        "import sys, typegrad as tg\n"
        f"names = {names}\n"
        "before = [name for name in names if f'typegrad.{name}' in sys.modules]\n"
        "assert not before, before\n"
        "assert [getattr(tg, name).__name__ for name in names] == [f'typegrad.{name}' for name in names]\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert not done.stderr
