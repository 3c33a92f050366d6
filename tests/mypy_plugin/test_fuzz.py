"""Random programs, most of them wrong: the plugin never stops mypy, even without the guard around its hooks."""

from __future__ import annotations

import inspect
from pathlib import Path
from random import Random
from typing import Final

import pytest

from mypy_plugin.checking import check
from support.registry import definition, names

HEADER: Final = """
from typing import Any, Final, Literal, NewType, TypedDict, TypeVar
import numpy as np
import typegrad as tg
from typegrad import initializers, losses
from typegrad.training.optimizers import GradientDescent
from typegrad.op import bitwise, core, dtypes, linalg, math, nn, random, train
Batch = NewType("Batch", int)
N = TypeVar("N", bound=int)
F = TypeVar("F", bound=tg.TFloating)
def square(a: tg.Operand[F, tuple[N, N]], b: tg.Operand[tg.TFloat32, tuple[N]] | int) -> tg.Operand[F, tuple[N]]: ...
class Fetches(TypedDict):
    a: tg.Operand[tg.TFloat32]
def f(
    scope: tg.Scope, tf: tg.Ops, session: tg.Session, i: int, batch: Batch, flag: bool, anything: Any, args: tuple[Any, ...],
    x: tg.Operand[tg.TFloat32, tuple[Batch, Literal[784]]], n: tg.Operand[tg.TInt32, tuple[()]], s: tg.Operand[tg.TString],
    either: tg.Operand[tg.TFloat32, tuple[int]] | tg.Operand[tg.TInt32, tuple[int]], perhaps: tg.Operand[tg.TFloat32] | None,
    sized: tg.Operand[F, tuple[N, N]], v: tg.Variable[tg.TFloat32, tuple[Literal[3]]], ints: list[int], many: list[tg.Operand[tg.TFloat32]],
    unpacked: tg.Operand[tg.TFloat32, tuple[int, *tuple[int, ...]]], array: np.ndarray[Any, Any], fetches: Fetches,
    optimizer: GradientDescent, loss: losses.Loss, initializer: initializers.Initializer,
    wide: tg.Operand[tg.TFloating, tuple[Literal[-1], Literal["a"], None]],  # type: ignore[type-var]
) -> None:
""".lstrip()
ATOMS: Final = (
    "x", "n", "s", "either", "perhaps", "sized", "v", "unpacked", "wide", "many", "ints", "array", "anything", "fetches", "scope",
    "0", "1", "-1", "7", "1.5", "1j", "True", "None", "...", '"a"', 'b"b"', "[]", "()", "{}", "(1, -1)", "[0, [1]]", "(i, 3)", "[x, n]", "[x, x]",
    "(batch, 2)", "Batch", "(Batch, 3)", "i", "flag", "batch", "tg.TFloat32", "tg.TInt32", "tg.TFloating", "tg.Shape.of(1)", "undefined",
    "(lambda: x)()", "[*many]", "np.zeros((2, i))", "np.array([[1], [2]])", "np.ones(3, np.float32)", "2 ** 70", "1 // 0", "-(-3)", "i + 1", "x.shape", "10 ** 9",
)  # fmt: skip
OPERATORS: Final = ("+", "-", "*", "/", "//", "%", "**", "@", "<", "<=", ">", ">=", "&", "|", "==", "and")
PER_SEED: Final = 120


class Writer:
    """Writes random expressions."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.operations = [definition(name) for name in names()]

    def expression(self, depth: int = 3) -> str:
        if depth == 0 or self.random.random() < 0.25:
            return self.random.choice(ATOMS)
        kind = self.random.choice((self._create, self._create, self._facade, self._binary, self._index, self._other))
        return kind(depth - 1)

    def _create(self, depth: int) -> str:
        definition = self.random.choice(self.operations)
        group = definition.module.split(".")[-2]
        return f"{group}.{definition.class_name}.create({', '.join(['scope', *self._arguments(definition.wrapper.create, depth)])})"

    def _arguments(self, function: object, depth: int) -> list[str]:
        arguments: list[str] = []
        for parameter in list(inspect.signature(function).parameters.values())[1:]:  # type: ignore[arg-type]
            if self.random.random() < (0.15 if parameter.default is parameter.empty else 0.6):
                continue
            value = self.expression(depth)
            by_name = (
                parameter.kind is parameter.KEYWORD_ONLY
                or self.random.random() < 0.3
                or any("=" in each for each in arguments)
            )
            arguments.append(f"{parameter.name}={value}" if by_name else value)
        return [*arguments, "*args"] if self.random.random() < 0.03 else arguments

    def _facade(self, depth: int) -> str:
        call = self.random.choice(
            (
                "linalg.mat_mul",
                "math.add",
                "concat",
                "reshape",
                "nn.relu",
                "split",
                "constant",
                "placeholder",
                "with_name",
            )
        )
        return f"tf.{call}({self.expression(depth)}, {self.expression(depth)})"

    def _binary(self, depth: int) -> str:
        return f"({self.expression(depth)} {self.random.choice(OPERATORS)} {self.expression(depth)})"

    def _index(self, depth: int) -> str:
        bounds = ":".join(
            self.random.choice(("", f"({self.expression(0)})")) for _ in range(self.random.choice((2, 3)))
        )
        index = self.random.choice(
            (bounds, self.expression(depth), f"{self.expression(0)}, {bounds}", f"..., {bounds}, None")
        )
        return f"({self.expression(depth)})[{index}]"

    def _other(self, depth: int) -> str:
        a, b, c = (self.expression(depth) for _ in range(3))
        return self.random.choice(
            (
                f"({a}).expect({b}, {c})", f"session.run({a}, {{{b}: {c}}})", f"session.run(({a}, {b}))", f"session.run([{a}, {b}], {c})",
                f'session.run({{"a": {a}}})', f"session.runner().feed({a}, {b})", f"v.assign(scope, {a})", f"tg.Variable.create(scope, {a})",
                f"tg.gradients(scope, {a}, [{b}, {c}])", f"tg.grad(scope, {a}, {b})", f"-({a})", f"({a} if flag else {b})",
                f"core.Split.create(scope, {a}, {b}, num_split={c}).output[0]", f"({a}).as_output()", f"[{a} for _ in {b}]",
                f"losses.categorical_crossentropy(scope, {a}, {b}, label_smoothing={c})", f"losses.Huber({a})(scope, {b}, {c})",
                f"losses.SparseCategoricalCrossentropy(reduction={a})(scope, {b}, {c}, x)", f"loss(scope, {a}, {b})", f"square({a}, {b})",
                f"initializers.Zeros()(scope, {a}, {b})", f"initializer(scope, {a}, {b})", f"optimizer.apply_gradients([({a}, {b}), {c}])",
            )
        )  # fmt: skip


@pytest.mark.parametrize("seed", range(2))
def test_random_programs_never_stop_mypy(seed: int, tmp_path: Path) -> None:
    writer = Writer(seed)
    lines = []
    for number in range(PER_SEED):
        name = f"y{number % 40}" if number % 3 else f"z{number}"
        lines.append(f"    {name} = {writer.expression()}")
    report = check(tmp_path, {"fuzz.py": HEADER + "\n".join(lines) + "\n"})
    assert "INTERNAL ERROR" not in report.output and "Traceback" not in report.output, report.output[-4000:]
    assert len(report.errors()) > PER_SEED // 5
