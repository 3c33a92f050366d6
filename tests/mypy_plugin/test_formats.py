"""Operands have no format of numbers, as they have no value before a run; nor has what a run returns for operations."""

from __future__ import annotations

from typing import Final

import pytest

HEADER: Final = """\
from typing import Literal
import numpy as np
import typegrad as tg
Loss = tg.Operand[tg.TFloat32, tuple[()]]
"""
NONE: Final = (
    "format of None: the operation {}has no value; fetch the operand to show, such as the loss  [typegrad-call]"
)
OF_STEP: Final = NONE.format("step ")
SEVERAL: Final = "session.run returns one for several fetches; take the value to show  [typegrad-call]"
NO_NUMBER: Final = "only a single element is a number; take one of the elements, or their mean  [typegrad-shape]"
PROGRAMS: Final = {
    "operands": """
def program(s: tg.Session, loss: Loss, w: tg.Variable[tg.TFloat32], k: int) -> None:
    print(f"{loss:.3f}")  # E: loss has no value before the run; session.run gives an array  [typegrad-call]
    print(f"step {k:3d}: {w:>5}")  # E: w has no value before the run; session.run gives an array  [typegrad-call]
    print(format(loss * 2.0, ".3f"))  # E: the operand has no value before the run; session.run gives an array  [typegrad-call]
""",
    "values of runs, of a rank that only the run knows": """
import numpy.typing as npt
def program(s: tg.Session, loss: tg.Operand[tg.TFloat32], data: tg.Feeds) -> None:
    for i in range(2):
        value, other = s.run([loss, loss], data)
        print("{}: {:.3f}".format(i, value) + ", %.3f" % other)
    value, other = s.run([loss, loss], data)
    values = s.run([loss, loss], data)
    print("{:.3f} {:.3f}".format(value, other), "{:.3f}".format(s.run(loss)), "{:.3f}".format(values[0]))
    other = np.ones(3, np.float32)
    print("{:.3f}".format(value))
def shown(x: npt.NDArray[np.float32]) -> None:
    print("{:.3f}".format(x))  # E: Incompatible types in string interpolation (expression has type "ndarray[tuple[Any, ...], dtype[floating[_32Bit]]]", placeholder has type "int | float")  [str-format]
""",
    "numbers that NumPy makes of what runs return": """
def program(s: tg.Session, loss: Loss, data: tg.Feeds) -> None:
    losses = [s.run(loss, data) for _ in range(5)]
    print("{:.3f} {:.3f}".format(np.mean(losses), np.std(losses)), "{:.3f} {:d}".format(np.max(losses), np.argmax(losses)))
    print("{:.3f}".format(np.sqrt(losses[0])), "{:.3f} {:.3f}".format(np.float32(2.0), np.int64(3)))
    print("{:d}".format(np.max(losses)))  # E: Incompatible types in string interpolation (expression has type "floating[_32Bit]", placeholder has type "int")  [str-format]
    print("{:.3f}".format(np.sqrt(np.ones(3))))  # E: Incompatible types in string interpolation (expression has type "ndarray[tuple[Any, ...], dtype[Any]]", placeholder has type "int | float")  [str-format]
""",
    "fewer names than fetches": """
def program(s: tg.Session, loss: Loss, slope: Loss, step: tg.Operation, data: tg.Feeds) -> None:
    value, g = s.run([step, loss, slope], data)  # E: run: 3 fetches are unpacked into 2 names  [typegrad-call]
    print(f"{value:.3f} {g:.3f}")
    _, whole, part = s.run([step, loss, slope], data)
    print(f"{whole:.3f} {part:.3f}")
""",
    "what a run returns for operations": f"""
class Training:
    def __init__(self, step: tg.Operation) -> None:
        self.step = step
def program(s: tg.Session, loss: Loss, step: tg.Operation, training: Training, data: tg.Feeds) -> None:
    print(f"loss {{s.run(step, data):.3f}}")  # E: {OF_STEP}
    print(f"loss {{s.run(fetches=training.step):.3f}}")  # E: {NONE.format("training.step ")}
    print(f"loss {{s.run(loss.op.graph.operations[0]):.3f}}")  # E: {NONE.format("")}
    value, nothing = s.run([step, loss], data)
    print(f"{{value:.3f}}, {{nothing:.3f}}")  # E: {OF_STEP}
    print(format(value, ".3f"), "%.3f" % value)
    again = s.run(step, data)
    print(format(again, ".3f"), "%.3f" % again)  # E: {OF_STEP}
    other, _ = s.run((step, loss), data)
    print(f"{{other:.3f}}")  # E: {OF_STEP}
    values = s.run([loss, step])
    print(f"{{values[1]:.3f}}, {{values[0]:.3f}}")  # E: {OF_STEP}
    print("%d: %.3f" % (3, values[1]))  # E: {OF_STEP}
""",
    "numbers of what a run returns for operations": f"""
def program(s: tg.Session, loss: Loss, step: tg.Operation, data: tg.Feeds, perhaps: float | None) -> None:
    value, percent, rounded, size, more = (s.run(step, data), s.run(step), s.run(step), s.run(step), s.run(step))
    print("loss {{:.3f}}".format(value), "{{:.3f}} {{}}".format(s.run(loss, data), value))  # E: {OF_STEP}
    print("%.3f" % percent)  # E: {OF_STEP}
    print(round(rounded, 3))  # E: {OF_STEP.replace("format of", "round of")}
    print(float(s.run(step, data)))  # E: {OF_STEP.replace("format of", "float of")}
    print(abs(size))  # E: {OF_STEP.replace("format of", "abs of")}
    print(more + 1.0)  # E: {OF_STEP.replace("format of", "+ of")}
    values = [s.run(step, data) for _ in range(3)]
    longest = [s.run(step, data) for _ in range(3)]
    means = [s.run(step, data) for _ in range(3)]
    print(sum(values))  # E: {OF_STEP.replace("format of", "sum of a list of")}
    print(max(longest))  # E: {OF_STEP.replace("format of", "max of a list of")}
    print(np.mean(means))  # E: {OF_STEP.replace("format of", "mean of a list of")}
    print("{{}}".format(value), "%s" % value, [value] * 2, len(values), values.count(None))
    print(float(perhaps))  # E: Argument 1 to "float" has incompatible type "float | None"; expected "str | Buffer | SupportsFloat | SupportsIndex"  [arg-type]
""",
    "one value that is None, in several places": f"""
def program(s: tg.Session, loss: Loss, step: tg.Operation, data: tg.Feeds) -> None:
    value = s.run(step, data)
    print(1.0 - value)  # E: {OF_STEP.replace("format of", "- of")}
    print(float(value), round(value, 3), f"{{value:.3f}}")
    values = [s.run(step) for _ in range(3)]
    print(max(values))  # E: {OF_STEP.replace("format of", "max of a list of")}
    print(sum(values), np.mean(values))
    other = s.run(step, data)
    print(float(other))  # E: {OF_STEP.replace("format of", "float of")}
""",
    "scalars in formats": """
def program(s: tg.Session, loss: Loss, count: tg.Operand[tg.TInt32, tuple[()]], wave: tg.Operand[tg.TComplex64, tuple[()]]) -> None:
    value, size = s.run(loss), s.run(count)
    print("{:.3f}".format(s.run(loss)), "{:8.3e} {:d}".format(value, 3), "{0:.1%} {name:g}".format(value, name=value))
    print("{:d} {:.2f} {:5}".format(size, size, size))
    print("{:.3f}".format(s.value(tg.Variable.create(tg.Scope(loss.op.graph), np.float32(1.0)))))
    print("{:d}".format(value))  # E: Incompatible types in string interpolation (expression has type "ndarray[tuple[()], dtype[floating[_32Bit]]]", placeholder has type "int")  [str-format]
""",
    "what a run returns for several fetches": f"""
def program(s: tg.Session, loss: Loss, step: tg.Operation, data: tg.Feeds) -> None:
    print(f"{{s.run([loss, step], data):.3f}}")  # E: format of a list: {SEVERAL}
    print(format(s.run((loss, step), data), "8.3f"))  # E: format of a tuple: {SEVERAL}
    values = s.run({{"loss": loss}}, data)
    print(f"{{values:.3f}}")  # E: format of a dict: {SEVERAL}
""",
    "arrays of several elements for a number": f"""
def program(s: tg.Session, w: tg.Variable[tg.TFloat32, tuple[Literal[2], Literal[1]]], k: tg.Variable[tg.TInt32, tuple[Literal[3]]]) -> None:
    print("%.3f" % s.value(w))  # E: format of an array of shape [2, 1]: {NO_NUMBER}
    print("%s is %8.3e%%" % ("w", s.run(w)))  # E: format of an array of shape [2, 1]: {NO_NUMBER}
    print("%d" % s.value(k))  # E: format of an array of shape [3]: {NO_NUMBER}
""",
    "formats of what a run returns": """
def program(s: tg.Session, loss: Loss, step: tg.Operation, data: tg.Feeds, w: tg.Variable[tg.TFloat32, tuple[Literal[2], Literal[1]]], k: int, count: tg.Operand[tg.TInt32, tuple[()]]) -> None:
    print(f"{s.run(step)}", f"{s.run([loss, step])}", f"{s.run((loss, step))!s:>30}", "%s" % s.run(step), f"{s.run(step)!r:>5}")
    _, value = s.run([step, loss], data)
    nothing, second = s.run((step, loss), data)
    values, by_name = s.run([step, loss], data), s.run({"loss": loss, "step": step})
    print(f"{value:.3f} {second:.3f} {values[1]:.3f} {values[-1]:.3f} {by_name['loss']:.3f}", "%.3f" % value, f"{nothing}")
    print("%.3f and %s" % s.run((loss, step)), "%d%% %s" % (k, s.run(step)), "%s %r" % (s.value(w), values), "%.3f" % s.value(w)[0, 0])
    print("%(a).3f" % {"a": s.run(loss)}, "%*d" % (3, k), "%.3f %d" % (s.run(loss), s.run(count)), "%5d" % s.run(count), "%.3f" % float(s.run(loss)))
    print(f"{s.run([loss, loss], data)[0]:.3f}", f"{float(s.run(loss)):.3f}", "%%" % (), "%c" % "a")
def asked(s: tg.Session, loss: Loss, step: tg.Operation, data: tg.Feeds) -> None:
    first, _ = s.run([step, loss], data)
    if first is not None:
        print(f"{first:.3f}")
    second, _ = s.run([step, loss], data)
    print("none" if second is None else f"{second:.3f}")
    third, _ = s.run([step, loss], data)
    print(third and "%.3f" % third)
    values = s.run([step, loss], data)
    if values[0]:
        print(f"{values[0]:.3f}")
    sixth, _ = s.run([step, loss], data)
    is_known = sixth is not None
    if is_known:
        print(f"{sixth:.3f}")
    fourth, _ = s.run([step, loss], data)
    try:
        print(f"{fourth:.3f}")
    except TypeError:
        print("none")
    for fetch in (loss, step):
        fifth = s.run(fetch, data)
        if fetch is loss:
            print(f"{fifth:.3f}")
def renamed(s: tg.Session, loss: Loss, step: tg.Operation, either: tg.Operation | Loss) -> None:
    fetch: tg.Operation | Loss = loss
    value, other = s.run(fetch), s.run(either)
    fetch = either = step
    print(f"{value:.3f} {other:.3f}", fetch, either)
def changed(s: tg.Session, loss: Loss, step: tg.Operation, data: tg.Feeds) -> None:
    values, others = s.run([step, loss], data), s.run([step, loss], data)
    values[0] = others.pop(0) or 1.0
    print(f"{values[0]:.3f} {others[0]:.3f}")
def either(s: tg.Session, loss: Loss, step: tg.Operation, is_training: bool, data: tg.Feeds) -> None:
    if is_training:
        value, _ = s.run([loss, step], data)
    else:
        value, _ = s.run([step, loss], data)
    print(f"{value:.3f}")
    best = None
    for _ in range(3):
        best = s.run(loss, data)
    print(f"{best:.3f}")
""",
    "anything else": """
def program(s: tg.Session, loss: Loss, k: int, form: str) -> None:
    print(f"{loss}", f"{loss:}", f"{loss!r:>50}", f"{loss!s:>50}", f"{str(loss):>20}", f"{loss.name:>20}", f"{loss=}")
    print("{}".format(loss), "{!r:>5}".format(loss), format(loss), format(loss, ""), form.format(loss, "a"), f"{{loss:.3f}}")
    print(f"{k:{form}}", "{:{}}".format(k, "3d"), f"{s.run(loss):.3f}", f"{float(s.run(loss)):8.3f}", f"{loss.shape}", "%s" % loss)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, different: dict[str, list[str]]) -> None:
    assert not different[name], "\n".join(different[name])
