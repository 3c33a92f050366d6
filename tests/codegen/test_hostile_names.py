"""Names that generated code cannot have, or that would mean something else there; names of functions that are none."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from support.valid_entry import VALID, errors
from typegrad_codegen.functions import places
from typegrad_codegen.load import load
from typegrad_codegen.render import render

ARGUMENT: Final = "cannot be the name of an argument; expected a Python name of ASCII letters that is not a keyword"
ACCESSOR: Final = "cannot be the name of an accessor; expected a Python name of ASCII letters that is not a keyword"
CLASS: Final = "expected a class name in CamelCase, of ASCII letters"
RESERVED: Final = "is reserved in generated code; expected another name"
FACADE: Final = "clashes with what the facade has under that name; expected another"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "Blend:",
            "blend:\n  class: Blend",
            "1: blend: found operation name 'blend'; expected CamelCase, such as 'MatMul'",
        ),
        ("Blend:", "None:", f"1: None.class: found 'None'; {CLASS}"),
        ("Blend:", "'True':", f"1: True.class: found 'True'; {CLASS}"),
        ("Blend:", "Blend:\n  class: DEF", f"2: Blend.class: found 'DEF'; {CLASS}"),
        ("Blend:", "Blend:\n  class: Fo\u212a", f"2: Blend.class: found 'Fo\u212a'; {CLASS}"),
        ("a: {type", "None: {type", f"7: Blend.inputs.None: 'None' {ARGUMENT}"),
        ("a: {type", "\ufb01: {type", f"7: Blend.inputs.\ufb01: '\ufb01' {ARGUMENT}"),
        ("a: {type", '"a\\0": {type', rf"7: Blend.inputs.a\x00: 'a\x00' {ARGUMENT}"),
        ("a: {type", "DEF: {type", f"7: Blend.inputs.DEF: 'DEF' {RESERVED}"),
        ("a: {type", "Blend: {type", f"7: Blend.inputs.Blend: 'Blend' {RESERVED}"),
        ("mode: {type", "Operand: {type", f"10: Blend.attrs.Operand: 'Operand' {RESERVED}"),
        ("mode: {type", "'True': {type", f"10: Blend.attrs.True: 'True' {ARGUMENT}"),
        ("mode: {type", "\uff4dode: {type", f"10: Blend.attrs.\uff4dode: '\uff4dode' {ARGUMENT}"),
        ("T: [floating", "None: [floating", f"5: Blend.types.None: 'None' {ARGUMENT}"),
        ("mixed: {type", "None: {type", f"13: Blend.outputs.None: 'None' {ACCESSOR}"),
        ("mixed: {type", "\u210c: {type", f"13: Blend.outputs.\u210c: '\u210c' {ACCESSOR}"),
        (
            "group: demo",
            "group: \ufb01",
            "2: Blend.group: found '\ufb01'; expected a Python name in lower case, of ASCII letters",
        ),
        (
            "group: demo",
            f"group: {'x' * 101}",
            f"2: Blend.group: found '{'x' * 56}...; expected a Python name in lower case, of ASCII letters",
        ),
        (
            "group: demo",
            "group: _demo",
            "2: Blend.group: found '_demo'; expected a Python name in lower case, of ASCII letters",
        ),
        ("group: demo", "group: scope", f"2: Blend.group: 'scope' {FACADE}"),
        ("group: demo", "group: overload", f"2: Blend.group: 'overload' {FACADE}"),
        ("Blend:", "Blend:\n  class: Overload", f"1: Blend: the method 'overload' {FACADE} `class`"),
    ],
)
def test_a_name_that_generated_code_cannot_have(
    library: Path, tmp_path: Path, old: str, new: str, expected: str
) -> None:
    assert f"ops/demo.yaml:{expected}" in errors(tmp_path, demo=VALID.replace(old, new, 1))


def renamed(group: str, name: str) -> str:
    functions = "  kernel: demo:blend\n  gradient_function: demo:blend\n"
    return VALID.replace("group: demo", f"group: {group}").replace("Blend:\n", f"{name}:\n{functions}")


@pytest.mark.parametrize(("name", "clashes"), [("Demo", True), ("Other", False)])
def test_an_operation_of_core_that_is_called_like_a_group(
    library: Path, tmp_path: Path, name: str, clashes: bool
) -> None:
    expected = f"ops/core.yaml:1: {name}: the method 'demo' {FACADE} `class`"
    assert errors(tmp_path, core=renamed("core", name), demo=VALID) == ([expected] if clashes else [])


def test_two_groups_with_one_facade_class(library: Path, tmp_path: Path) -> None:
    assert errors(tmp_path, a=renamed("demo_", "Other"), demo=VALID) == [
        "ops/a.yaml:4: Other.group: 'demo_' clashes with group 'demo'; expected another"
    ]


# Functions

MIXED: Final = """
from __future__ import annotations
import functools
from typing import Any, Final, TypeVar
from lib.kernels.demo import blend, blend as mix
from .demo import one as renamed
from . import demo
from .mixed import SIZE as size
from math import hypot
T = TypeVar("T")
SIZE: Final = 3
TABLE = {}
class Kind: ...
alias = mix
circle = circle
lazy = functools.partial(blend, order=1)
short = lambda xp, a, b: a
def several(kernel): ...
@several
def decorated(everything): ...
if SIZE > 3:
    first = blend
else:
    second = blend
"""


@pytest.mark.parametrize(
    ("name", "is_function"),
    [
        ("annotations", False), ("functools", False), ("Any", False), ("Final", False), ("T", False), ("SIZE", False),
        ("TABLE", False), ("Kind", False), ("circle", False), ("demo", False), ("size", False), ("nowhere", False),
        ("blend", True), ("mix", True), ("alias", True), ("renamed", True), ("lazy", True), ("short", True),
        ("hypot", True), ("second", True), ("decorated", True),
    ],
)  # fmt: skip
def test_only_functions_are_functions(library: Path, tmp_path: Path, name: str, is_function: bool) -> None:
    (library / "lib" / "kernels" / "mixed.py").write_text(MIXED)
    messages = errors(tmp_path, demo=VALID.replace("  shape:", f"  kernel: mixed:{name}\n  shape:"))
    expected = (
        f"ops/demo.yaml:14: Blend.kernel: no function 'mixed:{name}' was found; expected one of lib.kernels.mixed:"
    )
    assert not messages if is_function else messages[0].startswith(expected), messages


UNFIT: Final = "does not work for this entry: "


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ("annotations", "no function 'annotations' was found; expected one of lib.shapes.demo:annotations, "),
        ("from_attr(a)", f"typegrad.shapes.common:from_attr {UNFIT}KeyError: 'a'"),
        ("none", f"typegrad.shapes.common:none {UNFIT}it gives () for 1 outputs"),
    ],
)
def test_a_shape_function_that_does_not_fit(library: Path, tmp_path: Path, shape: str, expected: str) -> None:
    (message,) = errors(tmp_path, demo=VALID.replace("broadcast(a, b)", shape))
    assert message.startswith(f"ops/demo.yaml:14: Blend.shape: {expected}")


def test_many_switches_are_not_all_tried(library: Path, tmp_path: Path) -> None:
    switches = "".join(f"    s{i}: {{type: bool, default: false, doc: A switch.}}\n" for i in range(64))
    assert errors(tmp_path, demo=VALID.replace("  outputs:\n", f"{switches}  outputs:\n")) == []


def test_outputs_whose_names_differ_in_case_alone(library: Path, tmp_path: Path) -> None:
    """The class has a type variable for the shape of each output, whose names must differ as well."""
    text = VALID.replace("  types:\n    T:", "  types:\n    aB_shape: [float32]\n    T:")
    text = text.replace("    mixed: {type: T, doc: The mixture.}", "".join(OUTPUTS)).replace("{mixed: 1.5}", "{}")
    text = text.replace("inputs: {a: 1.0, b: 2.0}", "inputs: {a: 1.0, b: 2.0}\n      attrs: {aB_shape: float32}")
    (tmp_path / "ops").mkdir()
    (tmp_path / "ops" / "demo.yaml").write_text(text)
    blend = render(load(tmp_path / "ops", package="lib.op"), "lib.op")["demo/blend.py"]
    (bases,) = (line for line in blend.splitlines() if line.startswith("class Blend(Op"))
    variables = bases.partition("Generic[")[2].partition("]")[0].split(", ")
    assert len(set(variables)) == len(variables) == 5


@pytest.mark.parametrize("name", ["Scope", "Operand", "Any"])
def test_a_class_that_is_called_like_an_import(library: Path, tmp_path: Path, name: str) -> None:
    """Its module imports the other one as "Scope_", and means that one everywhere."""
    (tmp_path / "ops").mkdir()
    (tmp_path / "ops" / "demo.yaml").write_text(VALID.replace("Blend:\n", f"Blend:\n  class: {name}\n"))
    text = render(load(tmp_path / "ops", package="lib.op"), "lib.op")[f"demo/{name.lower()}.py"]
    assert re.search(rf" {name} as {name}_\b", text)
    assert not re.search(rf"\b{name}\b[(.]", re.sub(rf"(class|return) {name}\(", "", text))


OUTPUTS: Final = [
    f"    {name}: {{type: {type_}, doc: One.}}\n" for name, type_ in (("a_b", "T"), ("aB", "T"), ("c", "aB_shape"))
]


@pytest.mark.parametrize(("kind", "module"), [("shapes", "shapes.common"), ("defaults", "defaults")])
def test_typegrads_own_place_is_named_once(kind: str, module: str) -> None:
    assert places("one", kind, "common", "typegrad") == [f"typegrad.{module}:one"]
