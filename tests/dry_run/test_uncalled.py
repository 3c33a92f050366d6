"""Functions and methods that nothing calls: errors that each call raises with arguments as their annotations say."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences
from dry_run.preludes import UNCALLED

WRONG: Final = {
    "functions in displays": """
SIZES = {"wide": 5}
def dense(x: Image) -> object:
    return x @ np.zeros((SIZES["wide"], 3), np.float32)  # E: inner dimensions differ
def other(x: Image) -> object:
    return x + np.zeros(SIZES["wide"], np.float32)  # E: do not broadcast
LAYERS = [other]
TABLE: dict[str, Callable[..., Any]] = {"dense": dense}
def build(kind: str) -> Callable[..., Any]:
    return TABLE[kind]
""",
    "an index of a loop": """
def loop(x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]) -> None:
    for i in range(4):
        print(x[..., i])  # E: index 3 is out of range
""",
    "an annotation in quotes, and of another name": """
def quoted(x: "Image") -> Any:
    return x + np.zeros(5, np.float32)  # E: do not broadcast
""",
    "feeds that grow": """
def feeding(scope: tg.Scope, session: tg.Session) -> None:
    x = core.Placeholder.create(scope, tg.TFloat32, (None, 5))
    feeds = {}
    feeds[x] = np.zeros((3, 4), np.float32)
    session.run(math.Exp.create(scope, x), feeds)  # E: has shape [3, 4], which does not fit [?, 5]
def fed(session: tg.Session, x: Image) -> None:
    session.run(x * 2.0, {x: np.zeros((7, 3), np.float32)})  # E: the feed of 'x:0' (Operand, float32 [?, 784], created
""",
    "a missing feed": """
def missing(graph: tg.Graph) -> None:
    x = core.Placeholder.create(tg.Scope(graph), tg.TFloat32, (None, 5))
    with tg.Session(graph) as session:
        session.run(math.Exp.create(tg.Scope(graph), x))  # E: must be fed
""",
    "items of lists": """
def layers(scope: tg.Scope, x: Image) -> object:
    sizes = [784, 64, 10]
    for i in range(3):
        x = x @ tg.Variable.create(scope, np.zeros((sizes[i], sizes[i + 1]), np.float32))  # E: list index out of range
    return x
def unequal(x: tg.Operand[tg.TFloat32, tuple[Literal[2]]]) -> None:
    for a, b in zip([1, 2], [1], strict=True):  # E: zip() argument 2 is shorter
        print(a, b)
""",
    "arguments passed on": """
def together(*values: Any) -> Any:
    return values[0] + values[1]  # E: do not broadcast
def passing(a: tg.Operand[tg.TFloat32, tuple[Literal[2]]], b: tg.Operand[tg.TFloat32, tuple[Literal[3]]]) -> Any:
    return together(*[a, b])
""",
    "elements of a data set": """
def elements(session: tg.Session, x: Image) -> None:
    for batch in Dataset.from_arrays(np.zeros((6, 5), np.float32)).batch(2):
        session.run(x, {x: batch})  # E: does not fit
""",
    "arrays": """
def arrays(n: int) -> Any:
    return np.zeros((3, n)) @ np.zeros((4, n)).T @ np.zeros((5, 1))  # E: do not fit
""",
    "a branch": """
def branch(x: Image, training: bool = False) -> Any:
    if training:
        return x + np.zeros(5, np.float32)  # E: do not broadcast
    return x
""",
    "attributes": """
class Dense:
    def __init__(self, scope: tg.Scope, units: int) -> None:
        self.w = tg.Variable.create(scope, np.zeros((784, 10), np.float32))
        self.b = tg.Variable.create(scope, np.zeros((11,), np.float32))
    def __call__(self, x: Image) -> object:
        return x @ self.w + self.b  # E: do not broadcast
@dataclass
class Settings:
    units: int
    def weights(self, x: Image) -> Any:
        return x @ np.zeros((10, self.units), np.float32)
class Derived(Settings):
    def weights(self, x: Image) -> Any:
        return x @ np.zeros((11, self.units), np.float32)  # E: inner dimensions
""",
    "any number of arguments": """
def several(a: Image, *others: Image, scale: float = 1.0, **options: int) -> Any:
    print([each * scale for each in others], np.zeros((3, options["rows"])) @ np.zeros((4, 1)))
    return a @ np.zeros((10, 2), np.float32)  # E: inner dimensions
def passing_on(*values: Any, **options: Any) -> Any:
    return np.zeros(3) + np.zeros(4), several(*values, **options)  # E: could not be broadcast
""",
    "generators": """
def yielding(scope: tg.Scope, a: Image) -> Iterator[Any]:
    yield a * 2.0
    yield a @ np.zeros((10, 2), np.float32)  # E: inner dimensions
@contextmanager
def managing(scope: tg.Scope) -> Iterator[Any]:
    with scope.with_sub_scope("a") as inner:
        yield np.zeros(3) + np.zeros(4)  # E: could not be broadcast
""",
    "members that are no plain methods": """
class Dense:
    def __init__(self, scope: tg.Scope, units: int) -> None:
        self.weights = tg.Variable.create(scope, np.zeros((10, 4), np.float32))
    @property
    def doubled(self) -> Any:
        return self.weights @ np.zeros((3, 2), np.float32)  # E: inner dimensions
    @cached_property
    def squared(self) -> Any:
        return self.weights @ self.weights  # E: inner dimensions
    @staticmethod
    def of_rows(a: Image) -> Any:
        return a @ np.zeros((10, 2), np.float32)  # E: inner dimensions
    @classmethod
    def of_units(cls, a: Image) -> Any:
        return a + np.zeros(10, np.float32)  # E: do not broadcast
""",
    "decorated functions": """
@lru_cache(maxsize=None)
def cached(rows: int) -> Any:
    return np.zeros((rows, 3)) @ np.zeros((4, 2))  # E: do not fit
def logged(f: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(f)
    def inner(*args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs)
    return inner
@logged
def wrapped(a: Image) -> Any:
    return a @ np.zeros((10, 2), np.float32)  # E: inner dimensions
registry: dict[str, Any] = {}
def registered(f: Callable[..., Any]) -> Callable[..., Any]:
    registry[f.__name__] = f
    return f
@registered
def plain(a: Image) -> Any:
    return a @ np.zeros((10, 2), np.float32)  # E: inner dimensions
""",
    "any element type": """
def of_floats(a: tg.Operand[F, tuple[Batch, Literal[8]]], b: tg.Operand[F, tuple[Literal[3]]]) -> Any:
    for each in [a, a]:
        each = each + b  # E: do not broadcast
""",
    "an error once": """
def inner(scope: tg.Scope) -> Any:
    return np.zeros((3, 4)) + np.zeros((5, 4))  # E: could not be broadcast
def outer(scope: tg.Scope) -> Any:
    return inner(scope)
""",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_every_call_raises_is_an_error(name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, UNCALLED + WRONG[name]) == []
