"""Which module may import which: the layers of the package, read off its source."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, Literal

import pytest

import typegrad

PACKAGE: Final = Path(typegrad.__file__).parent
README: Final = PACKAGE.parent / "README.md"

LAYERS: Final = (
    "base",
    "arguments",
    "shapes",
    "graph",
    "op",
    "rules",
    "kernels",
    "differentiation",
    "files",
    "session",
    "functions",
    "training",
    "dry_run",
    "tools",
)
"""A module imports from its own layer and those before it. The generated facades belong to `functions`, and `defaults`
to `rules`. What is in no layer (`typegrad` itself, the mypy plugin) may import everything, and is imported by none of
these."""

Kind = Literal["import", "function", "types", "name"]
"""When an import takes place: with the module's own, when a function is called, or for type checkers alone; or whenever
a string with the module's name leads to it."""

UPWARDS: Final[dict[tuple[str, str, Kind], str]] = {
    ("graph", "common", "import"): "arguments are checked for whoever imports a module of graphs by itself, too",
    ("graph.later", "op", "function"): "operators, indexing, values and variables make operations",
    ("graph.later", "tools.pictures", "function"): "a graph draws itself",
    ("tools.cli", "", "import"): "the command line tells the version",
    ("tools.cli", "", "function"): "the command line loads programs of users",
    ("tools.cli", "mypy_plugin", "function"): "the command line tells which mypy the plugin needs",
    ("tools.types", "", "import"): "the language server tells the version",
    ("tools.types", "mypy_plugin", "import"): "the types are the plugin's",
    ("tools.demo", "", "import"): "the demo is written as a user writes a program",
    ("files.checkpoint.saver", "session", "types"): "a saver saves and restores sessions",
    ("graph.graph", "differentiation.custom", "types"): "a graph keeps the gradients that users gave to functions",
    (
        "graph.later",
        "op",
        "types",
    ): "operators have the types of the operations that they make: the one circle that typing needs",
    ("graph.later", "tools.pictures", "types"): "a graph draws itself",
    ("op", "op._ops", "types"): "the generated package offers its facade",
    ("op.core", "differentiation.api", "types"): "the generated group offers TensorFlow Java's `Gradients`",
    ("op.core", "differentiation.api", "name"): "the generated group offers TensorFlow Java's `Gradients`",
    ("arguments.calls", "functions", "name"): "an error names the function that has the argument",
    ("arguments.elsewhere", "", "name"): "an error names what was meant, in whatever layer it is",
    ("arguments.places", "op", "name"): "an error names what was meant, in whatever layer it is",
    ("arguments.guarding", "", "name"): "an annotation names a class, which is looked up at the first check",
    (
        "dry_run.functions.library",
        "mypy_plugin",
        "name",
    ): "no dry run calls what reads and writes files",
    (
        "dry_run.functions.library",
        "tools",
        "name",
    ): "no dry run calls what reads and writes files",
    ("tools.cli.mypy_settings", "mypy_plugin", "name"): "the settings of mypy name the plugin",
    ("tools.types.server", "mypy_plugin.hooks", "name"): "the types are the plugin's",
}
"""The imports of a later layer, and why they must be."""


OTHER_PACKAGES: Final = ("typegrad_checking", "typegrad_codegen", "typegrad_reference")
"""What is built on typegrad. Only its tools know them."""


@cache
def modules() -> dict[str, Path]:
    """Every module of the package, by its name without "typegrad."."""
    result = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = file.relative_to(PACKAGE).with_suffix("").parts
        result[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return result


@cache
def imports(module: str) -> frozenset[tuple[str, Kind]]:
    """What `module` imports, by absolute names, and when."""
    tree = ast.parse(modules()[module].read_text(encoding="utf-8"))
    return frozenset(_imports(tree.body, "import"))


def _imports(body: Iterable[ast.AST], kind: Kind) -> Iterator[tuple[str, Kind]]:
    for node in body:
        if isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "MYPY"):
            yield from _imports(node.body, "types")
            yield from _imports(node.orelse, kind)
        elif isinstance(node, ast.Constant):
            yield from ((name, "name") for name in _named(node.value))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _imports(ast.iter_child_nodes(node), "types" if kind == "types" else "function")
        else:
            for name in _imported(node):
                yield name, kind
            yield from _imports(ast.iter_child_nodes(node), kind)


def _named(value: object) -> Iterator[str]:
    """The module that a string names, up to its end or as a beginning: "typegrad.op._ops", "typegrad.op."."""
    if isinstance(value, str) and value.startswith("typegrad"):
        name = value.removesuffix(".")
        if name.removeprefix("typegrad.") in modules() or name.partition(".")[0] in OTHER_PACKAGES:
            yield name


def _imported(statement: ast.AST) -> Iterator[str]:
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names)
    elif isinstance(statement, ast.ImportFrom):
        assert statement.module and not statement.level, f"relative import in line {statement.lineno}"
        for alias in statement.names:
            name = f"{statement.module}.{alias.name}"
            yield name if name.removeprefix("typegrad.") in modules() else statement.module


def imported(module: str, *kinds: Kind) -> set[str]:
    """The absolute names of the modules that `module` imports, at these times."""
    return {name for name, kind in imports(module) if kind in kinds}


def own(names: Iterable[str]) -> set[str]:
    """The `names` that are modules of this package, without "typegrad."."""
    return {name.removeprefix("typegrad").removeprefix(".") for name in names if name.split(".")[0] == "typegrad"}


def layer(module: str) -> int:
    """The number of the module's layer."""
    top = module.split(".")[0]
    if module.endswith(("._facade", "._ops")):
        top = "functions"
    if top == "defaults":
        top = "rules"
    return LAYERS.index(top) if top in LAYERS else len(LAYERS)


def upwards() -> set[tuple[str, str, Kind]]:
    """Every import of a later layer: the module, what it imports, and when."""
    return {
        (module, other, kind)
        for module in modules()
        for name, kind in imports(module)
        for other in own([name])
        if layer(other) > layer(module)
    }


def inside(package: str) -> list[str]:
    """The modules of a package."""
    return [module for module in modules() if module.startswith(f"{package}.")]


def _covers(listed: tuple[str, str, Kind], actual: tuple[str, str, Kind]) -> bool:
    return listed[2] == actual[2] and all(
        f"{one}.".startswith(f"{name}.") or not name for name, one in zip(listed[:2], actual[:2], strict=True)
    )


def test_an_import_of_a_later_layer_is_listed() -> None:
    assert not {each for each in upwards() if not any(_covers(listed, each) for listed in UPWARDS)}


def test_what_is_listed_is_imported() -> None:
    actual = upwards()
    assert not {listed for listed in UPWARDS if not any(_covers(listed, one) for one in actual)}


def test_tools_alone_know_the_packages_that_are_built_on_typegrad() -> None:
    knowing = {module for module in modules() for name, _ in imports(module) if name.split(".")[0] in OTHER_PACKAGES}
    assert {layer(module) for module in knowing} <= {layer("tools"), len(LAYERS)}


def test_importing_a_module_never_leads_back_to_it() -> None:
    """Nor do imports inside functions, except in the one module that is made for them."""
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, f"a circle of imports: {' -> '.join((*path, module))}"
        if module not in done:
            kinds: tuple[Kind, ...] = ("import",) if module == "graph.later" else ("import", "function")
            for other in own(imported(module, *kinds)) & modules().keys() - {""}:
                visit(other, (*path, module))
            done.add(module)

    for module in modules():
        visit(module, ())


def _listed(readme: Path) -> list[str]:
    """The names in the first column of a readme's tables."""
    lines = [line for line in readme.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    return [line.split("`")[1].removesuffix("/") for line in lines]


def test_the_readme_lists_every_folder_and_module_of_the_root() -> None:
    there = {name.split(".")[0] for name in modules()} - {""}
    assert sorted(_listed(README)) == sorted(there)


@pytest.mark.parametrize("folder", ["arguments", "dry_run", "graph", "mypy_plugin"])
def test_the_readme_of_a_folder_names_every_module(folder: str) -> None:
    text = (PACKAGE / folder / "README.md").read_text(encoding="utf-8")
    there = {path.stem for path in (PACKAGE / folder).rglob("*.py")} - {"__init__"}
    assert [name for name in sorted(there) if f"`{name}`" not in text] == []


@pytest.mark.parametrize("folder", ["dry_run", "mypy_plugin"])
def test_no_two_modules_of_a_folder_have_one_name(folder: str) -> None:
    names = Counter(path.stem for path in (PACKAGE / folder).rglob("*.py") if path.stem != "__init__")
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize("package", ["dry_run", "mypy_plugin"])
def test_the_readme_lists_what_is_in_a_package_from_the_bottom_up(package: str) -> None:
    """What the plugin knows of the versions of mypy, every module of it may ask."""
    order = _listed(PACKAGE / package / "README.md")
    within = [module for module in inside(package) if module != "mypy_plugin.versions"]
    assert sorted(order) == sorted({module.split(".")[1] for module in within})
    upwards = {
        (module, other)
        for module in within
        for other in own(imported(module, "import", "function", "types")) & set(within)
        if order.index(other.split(".")[1]) > order.index(module.split(".")[1])
    }
    assert not upwards


def test_few_modules_lie_in_the_root() -> None:
    assert len(list(PACKAGE.glob("*.py"))) < 10


@pytest.mark.parametrize("module", inside("shapes"))
def test_shape_functions_import_neither_arrays_nor_kernels(module: str) -> None:
    names = imported(module, "import", "function")
    assert not {name for name in names if name.split(".")[0] in ("numpy", "scipy", "ml_dtypes")}
    assert {other.split(".")[0] for other in own(names)} <= {"shapes", "base"}


@pytest.mark.parametrize("module", inside("kernels"))
def test_kernels_know_arrays_only(module: str) -> None:
    assert {other.split(".")[0] for other in own(imported(module, "import", "function"))} <= {
        "kernels",
        "shapes",
        "base",
    }


@pytest.mark.parametrize("module", inside("rules"))
def test_rules_know_operations_only(module: str) -> None:
    names = imported(module, "import", "function")
    assert not {name for name in names if name.split(".")[0] in ("scipy", "ml_dtypes")}
    assert {other.split(".")[0] for other in own(names)} <= {"rules", "op", "graph", "shapes", "base"}


@pytest.mark.parametrize("statement", ["import typegrad", "import typegrad.tools.cli"])
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
        "PIL",
        "tensorboard",
        "tensorflow",
        "torch",
        "tqdm",
    }
    assert not large & loaded
    assert not {name for name in loaded if name.startswith(("typegrad.kernels.", "typegrad.tools.demo."))}


@pytest.mark.parametrize(
    "path",
    [
        "files.checkpoint.read_values",
        "files.tensorboard.EventWriter",
        "op.math.Add",
        "tools.pictures.show",
        "training.data.Dataset",
    ],
)
def test_a_path_as_documented_needs_no_import(path: str) -> None:
    program = f"import typegrad as tg\nprint(tg.{path}.__name__)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == f"{path.rpartition('.')[2]}\n", done.stderr


def test_what_models_are_made_of_is_loaded_when_it_is_first_used() -> None:
    parts = ("activations", "constraints", "data", "initializers", "losses", "metrics", "optimizers", "regularizers")
    names = {
        "files": "files",
        "files.tensorboard": "tensorboard",
        "functions": "functions",
        "op": "op",
        "tools": "tools",
        "tools.pictures": "pictures",
        "training": "training",
        **{f"training.{part}": part for part in parts},
    }
    program = (
        "import sys, typegrad as tg\n"
        f"names = {names}\n"
        "before = [name for name in names if f'typegrad.{name}' in sys.modules]\n"
        "assert not before, before\n"
        "assert [getattr(tg, name).__name__ for name in names.values()] == [f'typegrad.{name}' for name in names]\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert not done.stderr
