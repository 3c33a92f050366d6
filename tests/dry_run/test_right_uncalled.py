"""Functions and methods that nothing calls: what some call does right is no error."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences
from dry_run.preludes import UNCALLED

RIGHT: Final = {
    "functions in displays that the program calls": """
SIZES = {"wide": 5}
def row(x: tg.Operand[tg.TFloat32]) -> object:
    return x + np.zeros(SIZES["wide"], np.float32)
def rows(x: Image, width: int) -> object:
    return x @ np.zeros((width, 3), np.float32)
def chosen(x: Image) -> object:
    return x + np.zeros(SIZES["wide"], np.float32)
LAYERS = [row, rows, (chosen, 5)]
def apply(layer: Callable[..., Any], *args: Any) -> Any:
    return layer(*args)
def pick(layer: Callable[..., Any], size: int) -> Any:
    SIZES["wide"] = size
    return layer
SIZES["wide"] = 784
""",
    "functions in displays that are passed on": """
def wrong(x: Image) -> object:
    return x + np.zeros(5, np.float32)
unknown.registry.add(wrong)
""",
    "functions in displays where errors are expected": """
def wrong(x: Image) -> object:
    return x + np.zeros(5, np.float32)
CASES = [(wrong, "broadcast")]
def check(case: Any, x: Any) -> None:
    try:
        case[0](x)
    except tg.ShapeError as error:
        assert case[1] in str(error)
""",
    "layers": """
def dense(scope: tg.Scope, x: tg.Operand[tg.TFloat32], units: int) -> tg.Operand[tg.TFloat32]:
    w = tg.Variable.create(scope, np.zeros((x.shape.as_ints()[-1], units), np.float32))
    b = tg.Variable.create(scope, np.zeros((units,), np.float32))
    return x @ w + b
def residual(x: tg.Operand[F, S], f: Callable[[tg.Operand[F, S]], tg.Operand[F, S]]) -> tg.Operand[F, S]:
    return x + f(x)
def optional(
    scope: tg.Scope, x: Image, bias: tg.Operand[tg.TFloat32] | None = None, axis: int | None = None
) -> tg.Operand[Any]:
    if bias is not None:
        x = x + bias
    if axis is None:
        axis = -1
    return core.Sum.create(scope, x, axis)
def lead(scope: tg.Scope, x: tg.Operand[tg.TFloat32, tuple[Unpack[Lead], Literal[3]]]) -> Any:
    return x + np.zeros((3,), np.float32)
def union(scope: tg.Scope, x: tg.Operand[tg.TFloat32] | np.ndarray[Any, Any]) -> Any:
    if isinstance(x, np.ndarray):
        x = core.Constant.create(scope, x.astype(np.float32))
    return x * 2
""",
    "what refuses on purpose": """
def not_done(scope: tg.Scope) -> None:
    raise NotImplementedError
def refuses(x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]) -> None:
    raise ValueError("not today")
def wraps_error(scope: tg.Scope, x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]) -> bool:
    try:
        x + np.zeros((4,), np.float32)
    except tg.errors.ShapeError:
        return False
    return True
""",
    "operands of any class": """
def variable_or_operand(scope: tg.Scope, x: tg.Operand[tg.TFloat32, tuple[Literal[3]]]) -> Any:
    if isinstance(x, tg.Variable):
        return x.assign(scope, np.zeros(3, np.float32))
    raise TypeError("not a variable")
def variable_only(scope: tg.Scope, x: tg.Operand[tg.TFloat32, tuple[Literal[3]]]) -> Any:
    assert isinstance(x, tg.Variable)
    return {x: 1}[x]
""",
    "gradients of what a call passes": """
def saliency(scope: tg.Scope, y: tg.Operand[tg.TFloat32, tuple[()]], x: Image) -> Any:
    return tg.grad(scope, y, x)
def all_grads(scope: tg.Scope, y: tg.Operand[tg.TFloat32, tuple[()]], xs: Sequence[tg.Variable[tg.TFloat32]]) -> Any:
    return [g * 2.0 for g in tg.gradients(scope, [y], xs) if g is not None]
def grads2(scope: tg.Scope, y: tg.Operand[tg.TFloat32, tuple[()]], x: Image) -> Any:
    g = tg.gradients(scope, [y], [x])[0]
    assert g is not None
    return g * 2.0 + x
def minimize(graph: tg.Graph, loss: tg.Operand[tg.TFloat32, tuple[()]]) -> Any:
    return tg.optimizers.GradientDescent(graph, 0.1).minimize(loss)
""",
    "what a graph has": """
def by_name(graph: tg.Graph) -> Any:
    return graph.operation("weights").output(0)
def first_variable(graph: tg.Graph) -> Any:
    return graph.variables[0]
def listed(graph: tg.Graph) -> Any:
    ops = [op for op in graph.operations if op.type == "Placeholder"]
    return ops[0].outputs[0]
""",
    "runs": """
def fetch(session: tg.Session, x: Image) -> Any:
    return session.run(x, {x: np.zeros((7, 784), np.float32)})
def fetch2(session: tg.Session, y: tg.Operand[tg.TFloat32], x: Image, batch: np.ndarray[Any, Any]) -> Any:
    return session.run([y], {x: batch})[0]
def fetch_mean(session: tg.Session, y: tg.Operand[tg.TFloat32, tuple[Batch, Literal[10]]]) -> Any:
    return session.run(y).mean(axis=1)
def values(session: tg.Session, v: tg.Variable[tg.TFloat32]) -> Any:
    return session.value(v).T
""",
    "sizes that are open": """
dense = unknown.dense
def same_batch(a: tg.Operand[tg.TFloat32, tuple[Batch]], b: tg.Operand[tg.TFloat32, tuple[Literal[3]]]) -> Any:
    return a + b
def transposed(x: tg.Operand[tg.TFloat32, tuple[int, int]]) -> Any:
    return x @ x
def heads(scope: tg.Scope, x: tg.Operand[tg.TFloat32, tuple[int, int, Literal[64]]], count: int) -> Any:
    batch, time, depth = x.shape.as_ints()
    return core.Reshape.create(scope, x, (batch, time, count, depth // count))
def stack(scope: tg.Scope, x: Image, sizes: Sequence[int]) -> Any:
    h: tg.Operand[tg.TFloat32] = x
    for size in sizes:
        h = dense(scope, h, size)
    return h[0] if sizes[0] > 3 else h
""",
    "numbers that are open": """
def at(x: tg.Operand[tg.TFloat32, tuple[int, Literal[3]]], i: int) -> Any:
    return x[i, i]
def enough(x: tg.Operand[tg.TFloat32, tuple[Literal[3]]], n: int) -> Any:
    if n >= 3:
        raise IndexError(n)
    return x[n]
def table(n: int) -> Any:
    items = [1, 2, 3]
    return items[n]
def by_key(config: Mapping[str, int], key: str) -> Any:
    return {"a": 1}[key] + config[key]
""",
    "the program's state": """
_CACHE: dict[str, int] = {}
_layers: list[Any] = []
current: tg.Scope | None = None
def put(key: str, value: int) -> None:
    _CACHE[key] = value
def get(key: str) -> int:
    return _CACHE["made"]
def last() -> Any:
    return _layers[-1]
def push(layer: object) -> None:
    _layers.append(layer)
def set_scope(scope: tg.Scope) -> None:
    global current
    current = scope
def use_scope(x: tg.Operand[tg.TFloat32, tuple[Literal[3]]]) -> Any:
    return math.Exp.create(current, x)
def use_first() -> Any:
    return _layers[0]
""",
    "context managers and generators": """
@contextmanager
def manager(scope: tg.Scope) -> Iterator[tg.Scope]:
    with scope.with_sub_scope("a") as inner:
        yield inner
def managed(scope: tg.Scope, x: tg.Operand[tg.TFloat32, tuple[Literal[3]]]) -> Any:
    with manager(scope) as s:
        return math.Exp.create(s, x)
def generator(scope: tg.Scope, n: int) -> Iterator[tg.Operand[tg.TFloat32]]:
    for i in range(n):
        yield core.Constant.create(scope, float(i), tg.TFloat32)
def take_first(scope: tg.Scope, n: int) -> Any:
    return next(generator(scope, n)) + list(generator(scope, n))[0]
""",
    "decorators": """
def logged(f: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(f)
    def inner(*args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs)
    return inner
@logged
def decorated(scope: tg.Scope, x: tg.Operand[tg.TFloat32, tuple[Literal[3]]]) -> Any:
    return x * 2.0
def swapped(f: Callable[..., Any]) -> Callable[..., Any]:
    def inner(x: Any) -> Any:
        return f(np.zeros((4, 3), np.float32) @ x)
    return inner
@swapped
def decorated2(x: tg.Operand[tg.TFloat32, tuple[Literal[3]]]) -> Any:
    return x + np.zeros(4, np.float32)
""",
    "any number of arguments": """
def several(*ys: Image, **options: Any) -> Any:
    if not ys:
        raise ValueError
    first, *rest = ys
    total = ys[0] + ys[3] + sum(rest, first)
    axis = options.pop("axis", 0)
    if options:
        raise TypeError(next(iter(options)))
    return core.Concat.create(tg.Scope(total.graph), list(ys), axis)
def sized(rows: int, columns: int = 2, *, depth: int = 3) -> int:
    return (1, 2, 3, 4)[rows - rows]
def passing_on(*args: Any, **kwargs: Any) -> Any:
    return sized(*args, **kwargs) + sized(1, **kwargs) + sized(*args[:1])
class Sized:
    def __init__(self, size: int, name: str = "a") -> None:
        self.size = size
class Derived(Sized):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.twice = self.size * 2
    def apply(self, *more: Image) -> Any:
        return more[1] @ np.ones((784, self.twice), np.float32)
""",
    "generators that get values": """
def asking(scope: tg.Scope) -> Iterator[Any]:
    got = yield 1
    more = yield got + 1
    print((1, 2)[got], x @ np.ones((got, 2), np.float32))
    while True:
        got = yield more
def endless(n: int) -> Iterator[int]:
    while True:
        yield n
        n += 1
def ending(n: int) -> Iterator[int]:
    try:
        yield next(iter([]))
    except StopIteration:
        yield 2
    yield from ending(n - 1) if n else ()
""",
    "members of objects that are built later": """
class Later:
    kind = "a"
    sizes: ClassVar[tuple[int, ...]] = ()
    def __init__(self, scope: tg.Scope, units: int) -> None:
        self.units = units
        self.w: Any = None
        self.items: list[int] = []
    @property
    def weights(self) -> Any:
        if self.w is None:
            self.w = np.zeros((3, self.units))
        return self.w
    @weights.setter
    def weights(self, value: Any) -> None:
        self.w = value
        print(self.w[0] + self.items[0])
    @cached_property
    def first(self) -> Any:
        return self.items[0] + self.w.shape[0]
    @classmethod
    def of(cls, n: int) -> Any:
        return {"a": (1, 2), "b": (1, 2, 3)}[cls.kind][2], cls.sizes[0]
    @staticmethod
    def first_of(sizes: tuple[int, ...] = ()) -> int:
        return sizes[0]
""",
    "decorators with values": """
def given_scope(f: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(f)
    def inner(*args: Any) -> Any:
        return f(tg.Scope(tg.Graph()), *args)
    return inner
@given_scope
def scoped(scope: tg.Scope, n: int) -> Any:
    return core.Constant.create(scope, np.zeros(n)) + np.zeros(3)
@lru_cache(maxsize=None)
def cached(sizes: tuple[int, ...]) -> Any:
    return np.zeros(sizes) + np.zeros((3, 3)), (1, 2)[sizes[0]]
@tg.custom_gradient
def doubled(y: tg.Operand[tg.TFloat32]) -> Any:
    return y * 2.0, lambda g: g * 2.0
@unknown.jit
def compiled(y: Image) -> Any:
    return y @ np.zeros((10, 2), np.float32)
""",
    "what some element types allow": """
Two = TypeVar("Two", tg.TFloat32, tg.TInt32)
def halved(y: tg.Operand[N]) -> Any:
    return y * 0.5
def summed(y: tg.Operand[N], z: tg.Operand[N], two: tg.Operand[Two]) -> Any:
    if two.dtype is tg.TFloat32:
        print(two * 0.5)
    return {tg.TFloat32: 1, tg.TFloat64: 2}[y.dtype], {"float32": 1}[y.dtype.name], y * z
def half_precision(y: tg.Operand[F]) -> Any:
    return y + core.Constant.create(tg.Scope(y.graph), np.zeros(3, np.float16))
""",
    "protocols and abstract classes": """
class Activation(Protocol):
    def __call__(self, x: tg.Operand[F, S]) -> tg.Operand[F, S]: ...
def activated(x: Image, activation: Activation) -> Image:
    return activation(x)
class Layer(abc.ABC):
    size: int = 0
    @abc.abstractmethod
    def __call__(self, x: tg.Operand[tg.TFloat32]) -> tg.Operand[tg.TFloat32]: ...
    def weights(self, scope: tg.Scope) -> Any:
        return np.zeros((3, self.size)) [:, 0]
class Base:
    units = 0
    name: str | None = None
    def build(self, scope: tg.Scope, x: Image) -> Any:
        return x @ np.zeros((784, 10), np.float32) + np.zeros((self.units,), np.float32)
    def hook(self, x: Image) -> Any:
        raise NotImplementedError
    def run(self, x: Image) -> Any:
        return self.hook(x)[0]
""",
    "objects that are built later": """
class Lazy:
    def __init__(self, units: int) -> None:
        self.units = units
        self.w: tg.Variable[tg.TFloat32] | None = None
        self.layers: list[Callable[[Any], Any]] = []
        self.sizes = {}
        self.n = 0
    def add(self, layer: Callable[[Any], Any]) -> None:
        self.layers.append(layer)
        self.sizes["a"] = 3
    def build(self, scope: tg.Scope, features: int) -> None:
        self.w = tg.Variable.create(scope, np.zeros((features, self.units), np.float32))
        self.n += 1
    def __call__(self, x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[3]]]) -> Any:
        return x @ self.w
    def first(self, x: Image) -> Any:
        return self.layers[0](x) + self.sizes["a"]
    def nth(self) -> Any:
        return [1][self.n - 1]
class Counter:
    total = 0
    def __init__(self) -> None:
        self.shape = (3, 4)
    def reshape(self, shape: tuple[int, int]) -> None:
        self.shape = shape
    def zeros(self) -> Any:
        return np.zeros(self.shape) @ np.zeros((5, 1))
""",
    "fields": """
@dataclass
class Settings:
    units: int = 3
    sizes: tuple[int, ...] = ()
    names: list[str] = field(default_factory=list)
    def weights(self) -> Any:
        return np.zeros((4, self.units)) + np.zeros((4, 10)), self.sizes[0], self.names[0]
    @property
    def first(self) -> int:
        return self.sizes[0]
    @cached_property
    def matrix(self) -> Any:
        return np.zeros((self.units, 3)) @ np.zeros((3, 1))
class Pair(NamedTuple):
    a: int
    b: tuple[int, ...] = ()
    def third(self) -> int:
        return self.b[2]
""",
    "classes of kinds of their own": """
class Stack(Generic[F]):
    kind: ClassVar[str] = "x"
    def __init__(self, scope: tg.Scope, dtype: type[F], sizes: Sequence[int]) -> None:
        self.ws = [tg.Variable.create(scope, np.zeros((a, b), np.float32)) for a, b in zip(sizes, sizes[1:])]
        self.scope = scope
    def __call__(self, x: tg.Operand[F, tuple[Batch, Literal[784]]]) -> Any:
        for w in self.ws:
            x = math.Tanh.create(self.scope, x @ w)
        return self.ws[0], self.ws[-1]
class Registry(dict[str, int]):
    def found(self, key: str) -> int:
        return self["made"]
class Meta(type):
    def made(cls, x: Image) -> Any:
        return x + np.zeros(5, np.float32)
class Numbers(list[int]):
    def head(self) -> int:
        return self[0]
class Slots:
    __slots__ = ("a", "b")
    def __init__(self, a: int) -> None:
        self.a = a
    def set(self, b: int) -> None:
        self.b = b
    def both(self) -> int:
        return [0, 1][self.b]
class Node:
    def __init__(self, children: list["Node"] | None = None) -> None:
        self.children = children or []
        self.parent: Node | None = None
    def first(self) -> "Node":
        return self.children[0]
""",
    "class attributes": """
class Singleton:
    instance: "Singleton | None" = None
    registry: dict[str, Any] = {}
    def get(self, name: str) -> Any:
        return self.registry[name] , Singleton.registry["a"]
    def other(self) -> Any:
        return Singleton.instance.get("a")
""",
    "arrays": """
def ragged(rows: Sequence[Sequence[int]]) -> Any:
    return np.array(rows)[:, 1]
def shaped(a: np.ndarray[tuple[int, int], np.dtype[np.float32]]) -> Any:
    return a @ np.zeros((4, 2)), a[3], a.reshape(5)
def literal(mode: Literal["a", "b"], flag: bool) -> int:
    return {"a": 1, "b": 2}[mode] + [1, 2][flag]
def floats(rate: float, x: Image) -> Any:
    if rate > 1:
        raise ValueError(rate)
    return nn.Relu.create(tg.Scope(x.graph), x) * rate
def shapes(scope: tg.Scope, n: int, m: int) -> Any:
    p = core.Placeholder.create(scope, tg.TFloat32, (n, m))
    return p @ np.zeros((3, 4), np.float32) + np.zeros(4, np.float32)
def eye(scope: tg.Scope, n: int) -> Any:
    a = np.eye(n)[:, 2]
    return a[1:n - 1].reshape(n - 2)
""",
    "loops and conditions": """
def loops(n: int) -> Any:
    items: list[int] = []
    for i in range(n):
        items.append(i)
    return items[0], max(items)
def while_(n: int) -> Any:
    found = None
    while n > 0:
        found = [n]
        n -= 1
    return found[0]
def match_(x: Image | tg.Operand[tg.TInt32]) -> Any:
    match x:
        case tg.Variable():
            return x
        case _:
            raise TypeError
def shape_guard(x: tg.Operand[tg.TFloat32]) -> Any:
    if x.shape.rank != 2:
        raise ValueError("a matrix")
    return x @ np.zeros((3, 1), np.float32)
def identical(a: Image, b: Image) -> Any:
    return [1, 2][0 if a is b else 1]
def default(scope: tg.Scope, x: Image = None, shape: tuple[int, ...] = (), items: list[int] = []) -> Any:
    return shape[0], items[0]
""",
    "functions of which errors are expected": """
def raising(scope: tg.Scope) -> Any:
    return np.zeros((3, 4)) + np.zeros((5, 4))
def caught(scope: tg.Scope) -> Any:
    return np.zeros((3, 4)) + np.zeros((5, 4))
def given_away(scope: tg.Scope) -> Any:
    return np.zeros((3, 4)) + np.zeros((5, 4))
def expecting(scope: tg.Scope) -> None:
    with unknown.raises(ValueError):
        raising(scope)
    try:
        caught(scope)
    except ValueError:
        pass
    unknown.refuses(given_away)
""",
    "what ends at once, or calls itself without an end": """
def interrupted(scope: tg.Scope) -> None:
    raise KeyboardInterrupt
def ended(scope: tg.Scope) -> None:
    raise SystemExit
def again(x: tg.Operand[tg.TFloat32], n: int) -> Any:
    return again(x, n - 1) if n > 0 else again(x, n)
""",
    "functions without annotations": """
def plain(scope):
    return np.zeros((3, 4)) + np.zeros((5, 4))
def partly(scope: tg.Scope, n):
    return np.zeros((3, 4)) + np.zeros((5, 4))
""",
    "a graph of the program": """
def of_module(a: Image) -> Any:
    return a + x[:, :1]
""",
}


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_an_error(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, UNCALLED + RIGHT[name])
