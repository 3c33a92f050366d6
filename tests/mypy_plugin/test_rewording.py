"""What mypy says of operators, of fetches and of `tg.Operation`, in the words of the run."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
import numpy as np
import typegrad as tg
from typegrad import metrics
from typegrad.op import core
scope = tg.Scope(tg.Graph())
n = core.Placeholder.create(scope, tg.TInt32, (None, 4))
r = core.Placeholder.create(scope, tg.TFloat32, ())
v = tg.Variable.create(scope, np.zeros(3, np.float32))
def count() -> tg.Operand[tg.TInt32, tuple[()]]:
    return core.Sum.create(scope, n)
"""
DIVISION: Final = "/ divides floating-point and complex numbers, not the operand, which is int32:"
CAST: Final = f"E: {DIVISION} cast it with dtypes.Cast  [typegrad-dtype]"
FLOOR: Final = (
    f"E: {DIVISION} write // for the floor of the quotient, or convert with dtypes.Cast first  [typegrad-dtype]"
)
MAKES: Final = "; what makes an operation returns a tg.Op: annotate that, or pass its .op"

FETCH: Final = (
    "a fetch is an operand, an operation or a name, or a list, tuple, mapping or dataclass of fetches, not Net  "
    "[typegrad-call]"
)
CALLED: Final = FETCH.replace("Net", "Layer; call it when the graph is built, and fetch what it returns")

SAME: Final = (
    "of operands is a bool, whether they are the same operand; math.Equal.create(scope, x, y) compares their values  "
    "[typegrad-call]"
)

LIST: Final = (
    "takes no operand; to type checkers it holds None alone, as it began so: begin with [] and append, or declare"
)
DICT: Final = "takes no operand; to type checkers it holds None alone, as it began so: begin with {}, or declare"

OF_RUN: Final = FETCH.replace(
    "Net", "ndarray; pass the operand that was run, not the value that session.run returned; line {} binds {} to it"
)
PROGRAMS: Final = {
    "names that are bound to what runs return": f"""
with tg.Session(scope.graph) as session:
    loss = session.run(v * 2.0)
    session.run([loss, v])  # E: Session.run(): {OF_RUN.format(13, "loss")}
    first, second = session.run((v, r))
    session.run({{"a": v, "b": second}})  # E: Session.run(): {OF_RUN.format(15, "second")}
    other = np.zeros(3, np.float32)
    session.run({{"a": [v, other]}})  # E: Session.run(): {OF_RUN.partition("; line")[0]}  [typegrad-call]
    session.run([v, 3])  # E: Session.run(): {FETCH.replace("Net", "int")}
""",
    "lists and dicts of None": f"""
from typing import Any
states = [None] * 3
for i in range(3):
    states[i] = r * float(i)  # E: states {LIST} states: list[Any]  [assignment]
total = states[0] + states[1]
cache = {{"a": None, "b": None}}
cache["a"] = r + 1.0  # E: cache {DICT} cache: dict[str, Any]  [assignment]
cache["b"] = r * 2.0
class Net:
    def __init__(self) -> None:
        self.states, self.others = [None] * 2, [None] * 2
    def step(self, v: tg.Operand[tg.TFloat32, tuple[()]]) -> None:
        self.states[0] = v  # E: self.states {LIST} self.states: list[Any]  [assignment]
        self.states[1] = v * 2.0
        self.others[0] = 3  # E: No overload variant of "__setitem__" of "list" matches argument types "int", "int"  [call-overload]
declared: list[Any] = [None] * 3
declared[0] = r * 2.0
perhaps: list[tg.Operand[tg.TFloat32] | None] = [None] * 3
perhaps[0] = r * 2.0
appended = []
appended.append(r * 2.0)
empty = {{}}
empty["a"] = r * 2.0
tg.Session(scope.graph).run([declared[0], appended[0], empty["a"]])
""",
    "quotients of integers": f"""
-n / (2.0 * r * r)  # {CAST}
core.Sum.create(scope, n) / 2  # {FLOOR}
count() / r  # {CAST}
2.0 / -n  # {CAST}
n[0] / n[1]  # {FLOOR}
count() / count()  # {FLOOR}
r / 2.0 + r
share = core.Sum.create(scope, n, 0) / 2  # {FLOOR}
core.Sum.create(scope, share, 1)
""",
    "formats, calls and lists": """
"%f" % (r * 2.0)  # E: the operand has no value before the run; session.run gives an array  [typegrad-call]
metrics.Accuracy(scope)(r, r)  # E: Accuracy is not called again; update_state(scope, ...) makes the operation that adds a batch, result(scope) the operand to fetch  [typegrad-call]
tg.Variable.create(scope, [1, 2.0, "a"])  # E: Variable.create: initial_value: the elements of a value are numbers, or strings, not both; got int 1 first  [typegrad-dtype]
v.assign([1.0])  # E: Variable.assign(): argument `scope` must be a Scope, not list; it is called as Variable.assign(scope, value), which makes an operation; session.assign(variable, value) sets the value now  [typegrad-call]
tg.Session(scope.graph).run(v.assign([1, 2, 3]))  # E: Variable.assign(): argument `scope` must be a Scope, not list; it is called as Variable.assign(scope, value), which makes an operation; session.assign(variable, value) sets the value now  [typegrad-call]
""",
    "what is no value": """
class Layer: ...
r + scope  # E: + takes an operand, a number or an array beside an operand, not Scope  [typegrad-call]
Layer() * r  # E: * takes an operand, a number or an array beside an operand, not Layer  [typegrad-call]
r > scope.graph  # E: > takes an operand, a number or an array beside an operand, not Graph  [typegrad-call]
class Net:
    def logits(self) -> tg.Operand[tg.TFloat32]:
        return r * 2.0
    def count(self) -> int:
        return 2
net = Net()
net.logits - 1.0  # E: - takes an operand, a number or an array beside an operand, not a function; call it: net.logits(...)  [typegrad-call]
Net().logits * 2.0  # E: * takes an operand, a number or an array beside an operand, not a function; call it  [typegrad-call]
net.count - 1  # E: Unsupported operand types for - ("Callable[[], int]" and "int")  [operator]
net.logits() - net.count()
def no_variable(scope: tg.Scope) -> tg.Variable[tg.TFloat32]:
    return tg.Variable.create(scope, None, shape=(3,), dtype=tg.TFloat32)
""",
    "what is no operand, for generic functions": """
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeVar
F = TypeVar("F", bound=tg.TFloating)
S = TypeVar("S", bound=tuple[Any, ...])
class Pair(NamedTuple):
    left: tg.Operand[tg.TFloat32]
    right: tg.Operand[tg.TFloat32]
class Weighted(Protocol):
    @property
    def weights(self) -> Sequence[tg.Variable[tg.TFloat32]]: ...
def twice(x: tg.Operand[F, S]) -> tg.Operand[F, S]:
    return x * 2.0
class Layer:
    def scaled(self, scope: tg.Scope, x: tg.Operand[F, S], *, by: tg.Operand[F, S]) -> tg.Operand[F, S]:
        return x * by
    def __call__(self, x: tg.Operand[F, S]) -> tg.Operand[F, S]:
        return x * 2.0
def norm(layer: Weighted) -> None:
    core.Identity.create(scope, [layer][0])  # E: Identity.create(): `input` must be an operand or a value, not Weighted  [typegrad-call]
pair = Pair(r, r)
a = twice(pair)  # E: twice(): `x` must be an operand, not Pair; take one of its operands: .left, .right  [typegrad-call]
b = twice(2.0)  # E: twice(): `x` must be an operand, not a value; core.Constant.create(scope, ...) makes one  [typegrad-call]
c = twice([r, r])  # E: twice(): `x` must be an operand, not a list of operands; math.AddN.create(scope, [...]) adds the operands, core.Stack.create(scope, [...]) stacks them  [typegrad-call]
two = (r, r)
h = twice(two)  # E: twice(): `x` must be an operand, not a tuple of operands; take one of its operands: [0], [1]; core.Stack makes one operand of several  [typegrad-call]
d = twice(twice)  # E: twice(): `x` must be an operand, not a function; call it: twice(...)  [typegrad-call]
e = Layer()(scope)  # E: Layer(): `x` must be an operand, not Scope  [typegrad-call]
f = Layer().scaled(scope, r, by=Pair(r, r))  # E: Layer.scaled(): `by` must be an operand, not Pair; take one of its operands: .left, .right  [typegrad-call]
g = Layer().scaled(scope, r, by=twice(v[0]))
""",
    "nodes": f"""
def updates() -> list[tg.Operation]:
    return [v.assign(scope, v * 2.0)]  # E: List item 0 has incompatible type "Op"; expected "Operation"{MAKES}  [list-item]
def update() -> tg.Operation:
    return v.assign(scope, v * 2.0)  # E: Incompatible return value type (got "Op", expected "Operation"){MAKES}  [return-value]
def run(op: tg.Operation) -> None: ...
run(v.assign(scope, v * 2.0))  # E: Argument 1 to "run" has incompatible type "Op"; expected "Operation"{MAKES}  [arg-type]
run(v.assign(scope, v * 2.0).op)
step: tg.Operation = v.assign(scope, v * 2.0)  # E: Incompatible types in assignment (expression has type "Op", variable has type "Operation"){MAKES}  [assignment]
""",
    "fetches": f"""
import collections, dataclasses
from typing import Any, NamedTuple
class Net: ...
class Layer(Net):
    def __call__(self) -> tg.Operand[tg.TFloat32, tuple[int]]:
        return v
class Base: ...
@dataclasses.dataclass
class A(Base):
    v: tg.Operand[tg.TFloat32]
@dataclasses.dataclass
class B(Base):
    v: tg.Operand[tg.TFloat32]
class Pair(NamedTuple):
    first: tg.Operand[tg.TFloat32]
    second: tg.Op
def anything() -> Any: ...
net, layer, step, is_first = Net(), Layer(), v.assign(scope, v), bool(input())
nets = [net, Net()]
session = tg.Session(scope.graph)
session.run(net)  # E: Session.run(): {FETCH}
session.run(nets[0])  # E: Session.run(): {FETCH}
session.run(nets)  # E: Session.run(): {FETCH}
session.run([step, net])  # E: Session.run(): {FETCH}
session.run([v, net])  # E: Session.run(): {FETCH}
session.run([step, *nets])  # E: Session.run(): {FETCH}
session.run((step, net))  # E: Session.run(): {FETCH}
session.run({{"a": v, "b": net}})  # E: Session.run(): {FETCH}
session.run({{"a": {{"b": [v, (net, step)]}}}})  # E: Session.run(): {FETCH}
session.run([each for each in nets])  # E: Session.run(): {FETCH}
session.run({{"a": each for each in nets}})  # E: Session.run(): {FETCH}
session.run(net if is_first else v)  # E: Session.run(): {FETCH}
session.run([step, layer])  # E: Session.run(): {CALLED}
session.callable([v, net], [])  # E: Session.callable(): {FETCH}
first, second = session.run([v, net])  # E: Session.run(): {FETCH}
first.shape
session.run([A(v), B(v)])
session.run({{"a": A(v), "b": B(v)}})
session.run(A(v) if is_first else B(v))
session.run((A(v), Pair(v, step)))
session.run([layer(), step, step.op, "v"])
session.run([each() for each in (layer, layer)])
session.run(collections.deque([v]))
session.run([anything(), step])
session.run({{"a": v, **{{"b": v}}}})
session.callable([v, step], [])
""",
    "what == of operands returns": f"""
hits = n == n
hits[n > 0]  # E: == {SAME}
hits.mean()  # E: == {SAME}
(n == 3).astype(np.float32)  # E: == {SAME}
((n == n) & (n == 4))[0]  # E: == {SAME}
first, second = hits  # E: == {SAME}
sum(n == n)  # E: == {SAME}
hits()  # E: == {SAME}
[each for each in hits]  # E: == {SAME}
class Accuracy:
    def __init__(self, x: tg.Operand[tg.TInt32], y: tg.Operand[tg.TInt32]) -> None:
        self.hits = x == y
    def count(self) -> int:
        return len(self.hits)  # E: == {SAME}
def is_any(value: bool) -> bool:
    return value
def both(first: bool, second: int) -> None: ...
len(is_any(n == n))  # E: Argument 1 to "len" has incompatible type "bool"; expected "Sized"  [arg-type]
both(n == n, "2")  # E: Argument 2 to "both" has incompatible type "str"; expected "int"  [arg-type]
(n is n).mean()  # E: "bool" has no attribute "mean"  [attr-defined]
is_any(n == n)[0]  # E: Value of type "bool" is not indexable  [index]
print(hits.real, int(hits), hits and True)
""",
    "a class of the program": """
class Operation: ...
def run(op: Operation) -> None: ...
run(v.assign(scope, v * 2.0))  # E: Argument 1 to "run" has incompatible type "Op"; expected "Operation"  [arg-type]
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
