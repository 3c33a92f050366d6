"""What a run returns for a record of fetches: an object of the same class, whose fields are arrays."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from __future__ import annotations
import dataclasses
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypedDict, TypeVar
import attrs
import numpy as np
import typegrad as tg
from typegrad.op import core, nn
F = tg.Operand[tg.TFloat32]
T = TypeVar("T")
class Pair(NamedTuple):
    a: tg.Operand[tg.TFloat32, tuple[int, Literal[3]]]
    b: tg.Operand[tg.TInt32, tuple[()]]
    def total(self) -> Any:
        return self.a
"""
PROGRAMS: Final = {
    "a named tuple": """
def program(session: tg.Session, pair: Pair) -> None:
    out = session.run(pair)
    reveal_type(out.a)  # R: ndarray[tuple[int, Literal[3]], dtype[floating[_32Bit]]]
    reveal_type(out[1])  # R: ndarray[tuple[()], dtype[signedinteger[_32Bit]]]
    out.zzz  # E: "Pair" has no attribute "zzz"  [attr-defined]
    first, second, third = out  # E: Need more than 2 values to unpack (3 expected)  [misc]
    print(len(out), *out, out._asdict(), out._replace(a=out.a * 2).a.T, Pair._make(out), out.total())
    a, b = out
    reveal_type(a)  # R: ndarray[tuple[int, Literal[3]], dtype[floating[_32Bit]]]
    both, x = session.run((pair, pair.a))
    reveal_type(both.b)  # R: ndarray[tuple[()], dtype[signedinteger[_32Bit]]]
    many = session.run([pair, pair])
    reveal_type(many[0].b)  # R: ndarray[tuple[()], dtype[signedinteger[_32Bit]]]
    reveal_type(session.callable(pair, [pair.a])(a).b)  # R: ndarray[tuple[()], dtype[signedinteger[_32Bit]]]
""",
    "a typed dict": """
class Fetches(TypedDict):
    a: tg.Operand[tg.TFloat32, tuple[int, Literal[3]]]
    b: tg.Operand[tg.TInt32, tuple[()]]
def program(session: tg.Session, fetches: Fetches) -> None:
    reveal_type(session.run(fetches)["b"])  # R: ndarray[tuple[()], dtype[signedinteger[_32Bit]]]
""",
    "a dataclass": """
@dataclass
class Metrics:
    loss: F
    parts: list[F]
    pair: Pair
    mask: F | None = None
    names: ClassVar[list[str]] = ["loss"]
    @property
    def first(self) -> Any:
        return self.parts[0]
def report(metrics: Metrics) -> None:
    print(metrics.names)
def program(session: tg.Session, metrics: Metrics) -> None:
    out = session.run(metrics)
    reveal_type(out.loss)  # R: ndarray[tuple[Any, ...], dtype[floating[_32Bit]]]
    reveal_type(out.parts)  # R: list[ndarray[tuple[Any, ...], dtype[floating[_32Bit]]]]
    reveal_type(out.pair.b)  # R: ndarray[tuple[()], dtype[signedinteger[_32Bit]]]
    reveal_type(out.mask)  # R: ndarray[tuple[Any, ...], dtype[floating[_32Bit]]] | None
    out.means  # E: "Metrics" has no attribute "means"  [attr-defined]
    out.loss = out.loss / 2
    out.loss = float(np.mean(out.parts))
    print(replace(out, loss=np.zeros(3)).first, dataclasses.asdict(out), out.names)
    report(out)
""",
    "an attrs class": """
@attrs.define
class State:
    h: F
    _hidden: F | None = None
@attrs.frozen(kw_only=True)
class Tree:
    value: F
    left: Tree | None = None
def program(session: tg.Session, state: State, tree: Tree) -> None:
    out = session.run(state)
    reveal_type(out.h)  # R: ndarray[tuple[Any, ...], dtype[floating[_32Bit]]]
    out.c  # E: "State" has no attribute "c"  [attr-defined]
    print(attrs.evolve(out, h=out.h / 2).h, attrs.asdict(out))
    values = session.run(tree)
    reveal_type(values.value)  # R: ndarray[tuple[Any, ...], dtype[floating[_32Bit]]]
    print(values.left is None or values.left.value.T)
""",
    "generic records": """
class Both(NamedTuple, Generic[T]):
    first: T
    second: T
@dataclass
class Report(Generic[T]):
    value: T
    rest: tuple[T, ...] = ()
@dataclass
class Loose:
    value: Any
    either: F | np.ndarray[Any, Any]
def measured(session: tg.Session, report: Report[F]) -> Report[np.ndarray[Any, Any]]:
    return session.run(report)
def program(session: tg.Session, both: Both[F], report: Report[F], loose: Loose) -> None:
    reveal_type(session.run(both).first)  # R: ndarray[tuple[Any, ...], dtype[floating[_32Bit]]]
    reveal_type(session.run(report).rest)  # R: tuple[ndarray[tuple[Any, ...], dtype[floating[_32Bit]]], ...]
    reveal_type(session.run(loose).value)  # R: Any
    reveal_type(session.run(loose).either)  # R: ndarray[tuple[Any, ...], dtype[floating[_32Bit]]]
""",
    "generic records that are made in the call": """
@attrs.frozen
class Twice(Generic[T]):
    a: T
    b: T
@dataclass
class Report(Generic[T]):
    value: T
def program(session: tg.Session, x: F, n: tg.Operand[tg.TInt32]) -> Twice[np.ndarray[Any, Any]]:
    reveal_type(session.run(Twice(x, x)))  # R: Twice[ndarray[tuple[Any, ...], dtype[floating[_32Bit]]]]
    reveal_type(session.run(Report(x)))  # R: Report[ndarray[tuple[Any, ...], dtype[floating[_32Bit]]]]
    reveal_type(session.run([Twice(x, x), Twice(x, x)])[0].b)  # R: ndarray[tuple[Any, ...], dtype[floating[_32Bit]]]
    reveal_type(session.run((Twice(Report(x), Report(x)), n))[0].a.value)  # R: ndarray[tuple[Any, ...], dtype[floating[_32Bit]]]
    both: list[Twice[np.ndarray[Any, Any]]] = session.run([Twice(x, x)])
    print(both, session.run({"a": Twice(x, n)})["a"].b)
    return session.run(Twice(x, x))
""",
    "a named tuple that is iterated": """
def iterated(session: tg.Session, pair: Pair) -> None:
    out = session.run(pair)
    for name, value in zip(Pair._fields, out):
        print(name, value.mean())
    print(dict(zip(out._fields, out)), [v.shape for v in list(out)], list(map(np.mean, out)), sorted(out, key=np.size)[0].T)
    for i, v in enumerate(out):
        print(i, v.tolist())
    for v in out:
        print(v.dtype)
    for k, u in out._asdict().items():
        print(k, u)
    print([*out][0].T, {*map(id, out)}, any(v.any() for v in out), sum(float(v.sum()) for v in session.run(pair)))
    a, *rest = out
    print(a.T, [r.T for r in rest])
""",
    "where containers of records are expected": """
class Best:
    def __init__(self, session: tg.Session) -> None:
        self.session = session
        self.last: Pair | None = None
        self.history: list[Pair] = []
    def step(self, pair: Pair) -> Pair | None:
        self.last = self.session.run(pair)
        self.history += [self.session.run(pair)]
        self.history = self.session.run([pair, pair])
        return self.session.run(pair)
def several(session: tg.Session, pair: Pair) -> tuple[Pair, Pair]:
    return session.run((pair, pair))
def as_tuple(session: tg.Session, pair: Pair) -> tuple[np.ndarray[Any, Any], ...]:
    return session.run(pair)
""",
    "fields of what is fetched there": """
class Out(NamedTuple):
    a: F
    b: F
@dataclass
class Data:
    a: F
    b: F
@dataclass
class Changing:
    a: F
    b: F
    def __post_init__(self) -> None:
        self.b = self.a
Rows = tg.Operand[tg.TFloat32, tuple[int, Literal[3]]]
Row = tg.Operand[tg.TFloat32, tuple[int]]
def program(session: tg.Session, x: Rows, y: Row) -> None:
    of_tuple = session.run(Out(x, y))
    reveal_type(of_tuple.b)  # R: ndarray[tuple[int], dtype[floating[_32Bit]]]
    of_tuple.b[:, 0]  # E: the array of shape [?] has 1 dimension, but 2 are indexed  [typegrad-shape]
    of_tuple.a[:, 0]
    fetches = Out(b=x, a=y)
    of_name = session.run(fetches)
    of_name.a[:, 0]  # E: the array of shape [?] has 1 dimension, but 2 are indexed  [typegrad-shape]
    of_data = session.run(Data(x, y))
    of_data.b[:, 0]  # E: the array of shape [?] has 1 dimension, but 2 are indexed  [typegrad-shape]
    session.run(Data(x, y)).a[0, 0, 0]  # E: the array of shape [?, 3] has 2 dimensions, but 3 are indexed  [typegrad-shape]
def of_others(session: tg.Session, x: Rows, y: Row, out: Out, wide: bool) -> None:
    session.run(Changing(y, x)).b[0]
    session.run(out).b[:, 0]
    session.run(Out(y, y)._replace(b=x)).b[:, 0]
    session.callable(Out(y, x), [x])(np.zeros((2, 3), np.float32)).b[:, 0]
    for each in (Out(y, y), Out(y, x)):
        last = session.run(each)
    last.b[:, 0]
    one = session.run(Out(y, y))
    if wide:
        one = session.run(Out(y, x))
    one.b[:, 0]
""",
    "fields that are assigned": """
Rows = tg.Operand[tg.TFloat32, tuple[int, Literal[3]]]
Row = tg.Operand[tg.TFloat32, tuple[int]]
@dataclass
class Data:
    a: F
    b: F
def program(session: tg.Session, x: Rows, y: Row) -> None:
    changed = session.run(Data(x, y))
    changed.b = session.run(x)
    changed.b[:, 0]
    passed = session.run(Data(x, y))
    setattr(passed, "b", session.run(x))
    passed.b[:, 0]
    fetches = Data(x, y)
    fetches.b = x
    session.run(fetches).b[:, 0]
""",
    "where a record is expected": """
class Values(NamedTuple):
    a: np.ndarray[Any, np.dtype[np.float32]]
    b: np.ndarray[Any, np.dtype[np.int32]]
def values(session: tg.Session, pair: Pair) -> Values:
    return session.run(pair)
def again(session: tg.Session, pair: Pair) -> Pair:
    return session.run(pair)
def program(session: tg.Session, pair: Pair) -> None:
    kept: list[Pair] = []
    kept.append(session.run(pair))
    best = None
    for _ in range(3):
        now = session.run(pair)
        if best is None or now.b < best.b:
            best = now
    match session.run(pair):
        case Pair(a, b):
            print(a, b)
    number: int = session.run(pair)  # E: Incompatible types in assignment (expression has type "Pair", variable has type "int")  [assignment]
""",
    "classes that are declared for what a run returned": """
Scalar = tg.Operand[tg.TFloat32, tuple[()]]
@dataclass
class Losses:
    total: Scalar
    parts: list[Scalar]
    pair: Pair | None = None
    def text(self) -> str:
        return f"{self.total:.3f} {self.parts[0].round(2)}"
def show(losses: Losses) -> None:
    print(f"{losses.total:.4f}", float(losses.total) + 1, losses.total.mean(), losses.text())
def show_pair(pair: Pair) -> None:
    a, b = pair
    print(pair.a.mean(), int(pair.b), pair[1])
class Terms(NamedTuple):
    fit: Scalar
    size: Scalar
    def total(self, weight: float) -> Scalar:
        return self.fit + weight * self.size
    def text(self) -> str:
        return f"{self.fit:.3f}" + "%.2f" % self.size
def said(session: tg.Session, terms: Terms) -> str:
    now: Terms = session.run(terms)
    return now.text()
def measured(session: tg.Session, losses: Losses) -> Losses:
    return session.run(losses)
def measured_twice(session: tg.Session, losses: Losses) -> Losses:
    session.run(losses)
    now = session.run(losses)
    return now
class Trainer:
    def __init__(self, session: tg.Session) -> None:
        self.session = session
        self.last: Losses | None = None
        self.history: list[Pair] = []
    def step(self, losses: Losses, pair: Pair) -> None:
        self.last = self.session.run(losses)
        now = self.session.run(pair)
        self.history.append(now)
        print(float(self.last.total), min(float(each.b) for each in self.history))
def program(session: tg.Session, losses: Losses, pair: Pair) -> None:
    now: Losses = session.run(losses)
    reveal_type(now.total)  # R: ndarray[tuple[()], dtype[floating[_32Bit]]]
    last: Pair = session.run(pair)
    a, b = last
    print(a.mean(), int(b), float(last[1]))
    reveal_type(last.a)  # R: ndarray[tuple[int, Literal[3]], dtype[floating[_32Bit]]]
    show(now)
    show(session.run(losses))
    show_pair(session.run(pair))
    reveal_type(measured(session, losses).total)  # R: ndarray[tuple[()], dtype[floating[_32Bit]]]
    print(float(measured_twice(session, losses).total))
    history: list[Losses] = [session.run(losses) for _ in range(3)]
    history.append(measured(session, losses))
    print("%.3f" % history[0].total, history[-1].parts[0].round(2), sum(float(each.total) for each in history))
    by_name: dict[str, Pair] = {}
    by_name["first"] = session.run(pair)
    print(by_name["first"].a.mean())
    best: Losses | None = None
    for _ in range(2):
        if best is None or float(now.total) < float(best.total):
            best = now
    print(float(best.total) if best else "", best is not None and f"{best.total:.2f}")
    step = session.callable(losses)
    after: Losses = step()
    print(float(after.total))
def mistakes(session: tg.Session, x: Scalar, pair: Pair) -> None:
    losses = Losses(x, [x])
    print(float(losses.total))  # E: losses.total has no value before the run; session.run gives an array  [typegrad-call]
    now: Losses = session.run(losses)
    last: Pair = session.run(pair)
    last.a[0, 0, 0]  # E: the array of shape [?, 3] has 2 dimensions, but 3 are indexed  [typegrad-shape]
    now.totals  # E: "Losses" has no attribute "totals"; maybe "total"?  [attr-defined]
""",
    "classes that nothing declares for what a run returned": """
class Fetched(NamedTuple):
    total: tg.Operand[tg.TFloat32, tuple[()]]
def built(x: tg.Operand[tg.TFloat32, tuple[()]]) -> Fetched:
    return Fetched(x)
def weighted(fetched: Fetched) -> F:
    print(float(fetched.total))  # E: fetched.total has no value before the run; session.run gives an array  [typegrad-call]
    return fetched.total * 2.0
def program(session: tg.Session, x: tg.Operand[tg.TFloat32, tuple[()]]) -> float:
    fetched = built(x)
    total = session.run(weighted(fetched))
    now = session.run(fetched)
    return float(now.total) + float(total)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
