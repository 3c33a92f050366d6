"""The plugin with mypy's cache and daemon: a second run has the same messages, and changes are detected.

The daemon looks at size and time of a file, so the changes here change the size.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from mypy_plugin.checking import in_new_words
from support import mypy_cache

LIBRARY: Final = """
from typing import Final, Literal
import typegrad as tg
from typegrad.op import core
WIDTH: Final = 10
scope = tg.Scope(tg.Graph())
w = core.Placeholder.create(scope, tg.TFloat32, shape=(784, WIDTH))
"""
MODEL: Final = """
from typing import NewType
import typegrad as tg
from typegrad.op import core, linalg, nn
from library import WIDTH, scope, w
Batch = NewType("Batch", int)
HEIGHT = 10
x = core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, 784))
h = nn.Relu.create(scope, linalg.MatMul.create(scope, x, w))
h = nn.Relu.create(scope, linalg.MatMul.create(scope, h, core.Placeholder.create(scope, tg.TFloat32, shape=(HEIGHT, WIDTH))))
reveal_type(h)
linalg.MatMul.create(scope, h, w)
"""
_REMEDY: Final = "; linalg.MatMul with transpose_b=True would fit"


def _told(width: int) -> list[str]:
    revealed = f"Relu[typegrad.base.types.TFloat32, tuple[model.Batch, Literal[{width}]]]"
    return [
        f'model.py:11: note: Revealed type is "typegrad.op.nn.{revealed}"',
        f"model.py:12: error: MatMul: inner dimensions differ: a is [Batch, {width}], b is [784, {width}]{_REMEDY}  [typegrad-shape]",
    ]


TOLD: Final = _told(10)
CHANGED: Final = [
    f"model.py:10: error: MatMul: inner dimensions differ: a is [Batch, 128], b is [10, 128]{_REMEDY}  [typegrad-shape]",
    'model.py:11: note: Revealed type is "typegrad.op.nn.Relu[typegrad.base.types.TFloat32, tuple[Any, ...]]"',
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "library.py").write_text(LIBRARY)
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "mypy.ini").write_text(mypy_cache.settings(plugin=True))
    mypy_cache.copy(tmp_path / ".mypy_cache", plugin=True)
    return tmp_path


def _run(project: Path, *command: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=project, capture_output=True, text=True, check=False, timeout=300
    )
    assert "INTERNAL ERROR" not in done.stdout + done.stderr, done.stdout + done.stderr
    lines = [in_new_words(line) for line in done.stdout.splitlines() if line.startswith(("model.py", "library.py"))]
    assert lines, done.stdout + done.stderr
    return lines


def test_a_cached_run_says_the_same(project: Path) -> None:
    assert _run(project, "mypy", "model.py") == TOLD
    assert _run(project, "mypy", "model.py") == TOLD
    (project / "library.py").write_text(LIBRARY.replace("WIDTH: Final = 10", "WIDTH: Final = 128"))
    assert _run(project, "mypy", "model.py") == CHANGED


RECORD: Final = """
from typing import NamedTuple
import typegrad as tg
from typegrad.op import core
class Pair(NamedTuple):
    a: tg.Operand[tg.TFloat32, tuple[int]]
scope = tg.Scope(tg.Graph())
out = tg.Session(scope.graph).run(Pair(core.Constant.create(scope, [1.0])))
"""
READER: Final = "from library import out\nreveal_type(out.a)\nout.b\n"


def test_a_record_of_a_run_is_cached(project: Path) -> None:
    (project / "library.py").write_text(RECORD)
    told = [
        'model.py:2: note: Revealed type is "numpy.ndarray[tuple[int], numpy.dtype[numpy.floating[numpy._typing._nbit_base._32Bit]]]"',
        'model.py:3: error: "Pair" has no attribute "b"  [attr-defined]',
    ]
    for comment in ("", "# more\n"):
        (project / "model.py").write_text(READER + comment)
        assert _run(project, "mypy", "model.py") == told


CONFIGURATION: Final = """
from __future__ import annotations
from dataclasses import dataclass
@dataclass
class Configuration:
    size: int = 3
    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError("size")
    @classmethod
    def small(cls) -> Configuration:
        return cls(2)
"""
CONFIGURED: Final = """
import numpy as np
import typegrad as tg
from library import Configuration
class Wide(Configuration):
    pass
scope = tg.Scope(tg.Graph())
small, wide = Configuration.small(), Wide(4)
w = tg.Variable.create(scope, np.zeros((Configuration().size, small.size, wide.size), np.float32))
reveal_type(w)
"""


def test_the_classes_of_a_cached_module_are_known(project: Path) -> None:
    (project / "library.py").write_text(CONFIGURATION)
    told = []
    for comment in ("", "# more\n"):
        (project / "model.py").write_text(CONFIGURED + comment)
        told.append(_run(project, "mypy", "model.py"))
    shape = "tuple[Literal[3], Literal[2], Literal[4]]"
    assert shape in told[0][0]
    assert told[0] == told[1]


@pytest.fixture
def daemon(project: Path) -> Iterator[Path]:
    yield project
    subprocess.run(
        [sys.executable, "-m", "mypy.dmypy", "stop"], cwd=project, capture_output=True, check=False, timeout=60
    )


def test_the_daemon_sees_changes(daemon: Path) -> None:
    run = ("mypy.dmypy", "run", "--", "model.py", "library.py")
    assert _run(daemon, *run) == TOLD
    assert _run(daemon, *run) == TOLD
    (daemon / "library.py").write_text(LIBRARY.replace("WIDTH: Final = 10", "WIDTH: Final = 128"))
    assert _run(daemon, *run) == CHANGED
    (daemon / "library.py").write_text(LIBRARY)
    (daemon / "model.py").write_text(
        MODEL.replace("h = nn.Relu", "first = nn.Relu", 1).replace("create(scope, h, core", "create(scope, first, core")
    )
    assert _run(daemon, *run) == TOLD
    (daemon / "model.py").write_text(MODEL)
    assert _run(daemon, *run) == TOLD


CONFIG: Final = """
WIDTH = 10
HEIGHT, DEPTH = 2, 3
SHAPE = (784, 2 * WIDTH)
TWICE = 1
TWICE = 2


def described(
    width: int = 1,
) -> str:
    DEPTH = width
    return f'''
WIDTH = {DEPTH}
'''
"""
USER: Final = """
from typing import NewType
import typegrad as tg
import config
from config import DEPTH, SHAPE, TWICE
from typegrad.op import core
Batch = NewType("Batch", int)
scope = tg.Scope(tg.Graph())
reveal_type(core.Placeholder.create(scope, tg.TFloat32, shape=(Batch, config.WIDTH)))
reveal_type(core.Placeholder.create(scope, tg.TFloat32, shape=SHAPE))
reveal_type(core.Placeholder.create(scope, tg.TFloat32, shape=(DEPTH, TWICE)))
"""


def _shapes(project: Path) -> list[str]:
    return [line.rpartition("TFloat32, ")[2].removesuffix(']"') for line in _run(project, "mypy", "model.py")]


def test_constants_of_another_module_are_read_and_their_changes_seen(project: Path) -> None:
    (project / "config.py").write_text(CONFIG)
    (project / "model.py").write_text(USER)
    for width in (10, 10, 12345):
        (project / "config.py").write_text(CONFIG.replace("WIDTH = 10", f"WIDTH = {width}"))
        first, second, revealed, third = _shapes(project)
        assert first == f"tuple[model.Batch, Literal[{width}]]"
        assert second == f"tuple[Literal[784], Literal[{2 * width}]]"
        assert revealed == "tuple[Literal[3], Literal[2]]"
        assert third == "tuple[Literal[3], Any]"


def test_the_daemon_reads_no_constants_of_another_module(project: Path) -> None:
    """It would not see them change."""
    (project / "config.py").write_text(CONFIG)
    (project / "model.py").write_text(USER)
    try:
        lines = _run(project, "mypy.dmypy", "run", "--", "model.py")
    finally:
        subprocess.run([sys.executable, "-m", "mypy.dmypy", "stop"], cwd=project, capture_output=True, check=False)
    assert "tuple[model.Batch, Any]" in lines[0]


HELPERS: Final = """
import typegrad as tg
def halved(x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]:
    reveal_type(x)
    return x / 2
"""
CALLER: Final = """
import typegrad as tg
from config import WIDTH
from library import halved
from typegrad.op import core
scope = tg.Scope(tg.Graph())
halved(core.Placeholder.create(scope, tg.TFloat32, shape=(3, WIDTH)))
"""


def test_what_a_module_reveals_follows_the_programs_that_call_it(project: Path) -> None:
    """Whichever file changes, also one that the module does not import; and where none has changed."""
    (project / "library.py").write_text(HELPERS)
    changes = {"config.py": "WIDTH = 10", "model.py": CALLER}
    for name, text, sizes in (
        ("config.py", "WIDTH = 10", "Literal[3], Literal[10]"),
        ("config.py", "WIDTH = 10", "Literal[3], Literal[10]"),
        ("config.py", "WIDTH = 2048", "Literal[3], Literal[2048]"),
        ("model.py", CALLER.replace("(3,", "(4096,"), "Literal[4096], Literal[2048]"),
        ("library.py", f"# more\n{HELPERS}", "Literal[4096], Literal[2048]"),
    ):
        changes[name] = text
        for each, written in changes.items():
            (project / each).write_text(written)
        revealed, types = _run(project, "mypy", "model.py")
        assert revealed.endswith(f'Operand[typegrad.base.types.TFloat32, tuple[{sizes}]]"')
        assert "types alone say" in types and types.endswith('Operand[typegrad.base.types.TFloat32, tuple[Any, ...]]"')


TRAINING: Final = """
import numpy as np
import typegrad as tg
from typegrad.op import core
class Trainer:
    def __init__(self, rows: int) -> None:
        self.x = core.Placeholder.create(tg.Scope(tg.Graph()), tg.TFloat32, shape=(rows, 3))
    def run(self, rows: int) -> None:
        data = np.ones((rows, 3), np.float32)
        tg.Session(self.x.graph).run(self.x, {self.x: data})
"""


def test_a_program_that_does_not_name_the_library_follows_the_modules_that_it_imports(project: Path) -> None:
    (project / "model.py").write_text("from library import Trainer\nTrainer(2).run(3)\n")
    for rows, fed in ((TRAINING, "[3, 3]"), (TRAINING.replace("(rows, 3), ", "(rows + 1000, 3), "), "[1003, 3]")):
        (project / "library.py").write_text(rows)
        told = _run(project, "mypy", "model.py")
        assert len(told) == 1 and told[0].startswith("model.py:2: error: the feed of 'self.x'"), told
        assert f"has shape {fed}, which does not fit [2, 3]" in told[0]
