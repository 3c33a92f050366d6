"""Names that are bound once mean what they are bound to; names that may mean something else do not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from mypy_plugin.checking import check

HEADER: Final = """\
from __future__ import annotations
import dataclasses
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, NewType
import attrs
import numpy as np
import typegrad as tg
from typegrad.op import core, math, nn
import other
from other import IMPORTED
Batch = NewType("Batch", int)
scope = tg.Scope(tg.Graph())
"""
OTHER: Final = """\
IMPORTED = 3
PERHAPS = 4
def change(sizes: list[int]) -> None:
    sizes.append(3)
"""
FOLLOWED: Final = """\
WIDTH = 3
SIZES = (4, 5)
ROWS, COLUMNS = SIZES
A, (B, C) = 1, (2, 3)
TOTAL = WIDTH * 2 + ROWS
SHAPE = (Batch, WIDTH)
LIST = [2, 3]
WIDTHS = {"in": 5, "out": 6}
SHAPES = {"w": (6, 7), "v": (8, 9)}
BOTH = SIZES + tuple(LIST)
DECLARED: tuple[int, int] | None = (6, 7)
data = np.zeros((10, 4), np.float32)
@dataclasses.dataclass
class Config:
    width: int = 64
    depth: int = WIDTH
    heads: int = dataclasses.field(default=8)
@attrs.frozen
class Frozen:
    width: int
    depth: int = 2
class Named(NamedTuple):
    width: int
    depth: int = 9
config, frozen, named = Config(32, heads=4), Frozen(depth=5, width=1), Named(1)
def late() -> None:
    n = 8
    make((WIDTHS["in"], *SHAPES["w"]))  # Literal[5], Literal[6], Literal[7]
    make((n, BELOW))  # Literal[8], Literal[9]
    def inner() -> None:
        make((n,))  # Literal[8]
BELOW = 9
class Model:
    units = 16
    sizes: ClassVar[tuple[int, int]] = (2, 3)
    def __init__(self) -> None:
        self.width = 8
        self.feeds = [2, 3]
    def build(self) -> None:
        make((self.width, self.units, Model.units))  # Literal[8], Literal[16], Literal[16]
        make(self.sizes)  # Literal[2], Literal[3]
        make(self.feeds)  # Literal[2], Literal[3]
make((WIDTH,))  # Literal[3]
make(SIZES)  # Literal[4], Literal[5]
make((ROWS, COLUMNS))  # Literal[4], Literal[5]
make((A, B, C))  # Literal[1], Literal[2], Literal[3]
make((TOTAL,))  # Literal[10]
make(LIST)  # Literal[2], Literal[3]
make(BOTH)  # Literal[4], Literal[5], Literal[2], Literal[3]
make((*SIZES, 2))  # Literal[4], Literal[5], Literal[2]
make(SIZES[::-1])  # Literal[5], Literal[4]
make((SIZES[0], len(LIST), int(2.5), -SIZES[-1] + 6))  # Literal[4], Literal[2], Literal[2], Literal[1]
make(DECLARED)  # Literal[6], Literal[7]
make((config.width, config.depth, config.heads))  # Literal[32], Literal[3], Literal[4]
make((frozen.width, frozen.depth))  # Literal[1], Literal[5]
make((named.width, named.depth))  # Literal[1], Literal[9]
make((data.shape[1], len(data), data.ndim, data.size))  # Literal[4], Literal[10], Literal[2], Literal[40]
make(SHAPE)  # Batch, Literal[3]
"""
NOT_FOLLOWED: Final = """\
WIDTHS = {"in": 5, "out": 6}
WIDTHS["in"] += 1
def of_dict() -> None:
    make((WIDTHS["in"],))  # Any
TWICE = 3
TWICE = 4
AUGMENTED = 3
AUGMENTED += 1
for LOOP in (1, 2):
    pass
GLOBAL = 3
def change() -> None:
    global GLOBAL
    GLOBAL = 5
if (WALRUS := 3) > 2:
    pass
DELETED = 3
del DELETED
try:
    from other import PERHAPS
except ImportError:
    PERHAPS = 3
if TYPE_CHECKING:
    CHECKED = 3
else:
    CHECKED = 4
if scope:
    BRANCH = 3
else:
    BRANCH = 4
with nullcontext(3) as WITH:
    pass
APPENDED = [2, 3]
APPENDED.append(4)
ASSIGNED = [2, 3]
ASSIGNED[0] = 5
PASSED = [2, 3]
other.change(PASSED)
ALIASED = [2, 3]
alias = ALIASED
FIRST = SECOND = [2, 3]
SECOND.append(4)
NESTED = [[2, 3]]
for row in NESTED:
    row.append(4)
head, *REST = 2, 3
@dataclasses.dataclass
class Config:
    width: int = 64
    def inside(self) -> None:
        make((self.width,))  # Any
config, changed, passed = Config(), Config(), Config()
changed.width = 3
def use(given: Config) -> None:
    make((given.width,))  # Any
use(passed)
@dataclasses.dataclass
class Loose:
    size: int = 4
loose = Loose()
def resize(anything: Any) -> None:
    anything.size = 5
resize(loose)
make((loose.size,))  # Any
untouched = Loose()
make((untouched.size,))  # Any
class Model:
    units = 16
    if scope:
        conditional = 3
    def __init__(self, n: int) -> None:
        self.n = n
        self.twice = 3
        self.abroad = 3
    def build(self, n: int = 3) -> None:
        self.twice = 4
        make((self.n, self.twice, self.units, self.conditional, self.abroad, n))  # Any, Any, Any, Any, Any, Any
class Wide(Model):
    units = 17
class Base:
    declared: int
class Derived(Base):
    def __init__(self) -> None:
        self.declared = 3
def of_any(base: Base) -> None:
    make((base.declared,))  # Any
def assign(model: Model) -> None:
    model.abroad = 5
def local() -> None:
    n = 3
    def inner() -> None:
        nonlocal n
        n = 4
    make((n,))  # Any
def case(n: object) -> None:
    match n:
        case int() as CAPTURED:
            make((CAPTURED,))  # Any
        case {"n": 3, **NAMED_REST}:
            make((len(NAMED_REST),))  # Any
        case [3, *STARRED]:
            make((len(STARRED),))  # Any
make((TWICE, AUGMENTED, LOOP, GLOBAL, WALRUS))  # Any, Any, Any, Any, Any
make((PERHAPS, CHECKED, BRANCH, WITH, DELETED))  # Any, Any, Any, Any, Any
make([*APPENDED, 1])
make(ASSIGNED)
make(PASSED)
make(ALIASED)
make(FIRST)
make(NESTED[0])
make((REST[0],))  # Any
make((config.width, changed.width, passed.width))  # Any, Any, Any
"""
_CALL: Final = re.compile(r"make\((.*)\)(?:  # (.*))?$", re.MULTILINE)


def _differences(folder: Path, body: str) -> list[str]:
    """The shapes that differ from the comments; a shape of unknown rank where there is none."""
    source = HEADER + _CALL.sub(r"reveal_type(core.Placeholder.create(scope, tg.TFloat32, shape=\1))", body)
    report = check(folder, {"names.py": source, "other.py": OTHER})
    revealed = report.revealed("names.py")
    different = [f"{each.line}: {each.text}" for each in report.errors("names.py") if each.code != "used-before-def"]
    for line, text in enumerate((HEADER + body).splitlines(), start=1):
        call = _CALL.search(text)
        if call:
            shape = re.sub(r"names\.|^.*TFloat32, tuple\[|\]\]$", "", revealed.get(line, "nothing"))
            if shape != (call[2] or "Any, ..."):
                different.append(f"{call[0]}, not {shape}")
    return different


def test_names_that_are_bound_once_are_followed(tmp_path: Path) -> None:
    different = _differences(tmp_path, FOLLOWED)
    assert not different, "\n".join(different)


def test_names_that_may_change_are_not_followed(tmp_path: Path) -> None:
    different = _differences(tmp_path, NOT_FOLLOWED)
    assert not different, "\n".join(different)


def test_an_option_may_be_a_name_that_is_bound_to_a_string(tmp_path: Path) -> None:
    body = """\
PADDING = "SAME"
WRONG = "OTHER"
CHANGED = "SAME"
CHANGED += ""
image = core.Placeholder.create(scope, tg.TFloat32, shape=(1, 8, 8, 1))
nn.MaxPool.create(scope, image, (1, 2, 2, 1), (1, 2, 2, 1), PADDING)
nn.MaxPool.create(scope, image, (1, 2, 2, 1), (1, 2, 2, 1), WRONG)
nn.MaxPool.create(scope, image, (1, 2, 2, 1), (1, 2, 2, 1), CHANGED)
"""
    errors = check(tmp_path, {"names.py": HEADER + body, "other.py": OTHER}).errors("names.py")
    assert [error.line - HEADER.count("\n") for error in errors] == [7, 8]
    wrong, changed = (error.text for error in errors)
    assert "has incompatible type \"Literal['OTHER']\"; expected" in wrong
    assert 'has incompatible type "str"; expected' in changed
