"""All checks of a registry: its generated classes, its examples, its gradients."""

from __future__ import annotations

from collections.abc import Container, Iterator
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
from attrs import evolve, field, frozen

from typegrad.base.brief import counted
from typegrad.base.errors import GradientError, TypegradError
from typegrad.base.types import TComplex64, TComplex128, TFloat32, TFloat64, TType
from typegrad.graph.definition import Flow, OpDef
from typegrad_checking.applied import AppliedOperation, Array, Input, VariableInput
from typegrad_checking.examples import applied, differences
from typegrad_checking.probing import probe, random_like, varied
from typegrad_checking.slopes import changes, gradient_values, is_finite, wrong_slopes
from typegrad_codegen.render import render
from typegrad_codegen.schema import Entry, Registry
from typegrad_codegen.write import compare

__all__ = ["Report", "check"]

_FAILURES: Final = (
    TypegradError, ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, NameError, RuntimeError,
    TypeError,
    ValueError,
)  # fmt: skip
"""What functions of a registry raise when they are wrong."""
_WIDER: Final[dict[type[TType], type[TType]]] = {TFloat32: TFloat64, TComplex64: TComplex128}
_WIDEST: Final[dict[str, type[TType]]] = {"i": TFloat64, "f": TFloat64, "c": TComplex128}
"""By NumPy's kind of type. Differences mean something in double precision only."""
_Operand: TypeAlias = Array | VariableInput
_FLOWS: Final = (Flow.RULE, Flow.PASS)
_DISTANCES: Final = (0.1, 0.01)
_ATTEMPTS: Final = 16
"""Gradients are compared near an example, not at it: examples are often at kinks or at the edge of a domain. At each
distance so many directions are tried until the outputs are finite."""


@frozen
class Report:
    """The result of a check."""

    operations: int
    examples: int
    gradients: int = field(default=0)
    """The examples whose gradients were compared with finite differences."""
    problems: tuple[str, ...] = ()
    """One line each."""
    unchecked: tuple[str, ...] = ()
    """The operations whose gradient could not be compared at any example, each with the reason."""

    def __str__(self) -> str:
        ran = f"{counted(self.operations, 'operation')}: {counted(self.examples, 'example')} run"
        return f"{ran}, the gradients of {self.gradients} compared with differences"


def check(registry: Registry) -> Report:
    """Check a registry whose package can be imported."""
    package = registry.package
    if stale := compare(render(registry, package), _folder(package)):
        problems = (*stale, f"the classes of {package} are not what the registry says: run typegrad codegen")
        return Report(len(registry.operations), 0, 0, problems)
    checks = [_Operation(op, _definition(op)) for op in registry.operations]
    for each in checks:
        each.run()
    return Report(
        len(checks),
        sum(len(op.examples) for op in registry.operations),
        sum(each.compared for each in checks),
        tuple(problem for each in checks for problem in each.problems),
        tuple(each.unchecked for each in checks if each.unchecked),
    )


def _folder(package: str) -> Path:
    return Path(import_module(package).__path__[0])


def _definition(op: Entry) -> OpDef:
    definition: OpDef = import_module(f"{op.package}.{op.group}.{op.module}").DEF
    return definition


class _Operation:
    """The checks of one operation."""

    def __init__(self, op: Entry, definition: OpDef) -> None:
        self._op = op
        self._definition = definition
        self.problems: list[str] = []
        self.compared = 0
        self.unchecked = ""

    def run(self) -> None:
        """Run its examples and compare its gradients."""
        sound = [number for number in range(len(self._op.examples)) if self._example(number)]
        rules = [name for name, rule in self._op.gradient.items() if rule in _FLOWS]
        if not rules or self._op.effect:
            return
        reasons = [reason for number in sound if (reason := self._gradients(number))]
        if not self.compared and len(sound) == len(self._op.examples):
            reason = reasons[0] if reasons else "it has no example"
            self.unchecked = (
                f"{self._op.file}:{self._op.line}: {self._op.name}: its gradient was not compared: {reason}"
            )

    def _gradients(self, number: int) -> str:
        """Compare the gradients beside an example; why they were not, or ""."""
        if self._op.examples[number].rough:
            return self._op.examples[number].rough
        case = _wide(applied(self._op, self._op.examples[number], self._definition), self._op)
        if not varied(case):
            return "no example has inputs for it that may be float32, float64 or complex128"
        point = next(filter(_works, _beside(case)), None)
        if point is None:
            return "near the examples, the outputs are not finite, or too large for differences"
        try:
            problems = wrong_slopes(probe(point, "static", second=False))
            if problems and _works(case) and not wrong_slopes(probe(case, "static", second=False)):
                return f"it is right at an example, but not beside it: {problems[0]}"
            problems = problems or _beyond(point)
        except GradientError as error:
            return _in_words(error)
        except _FAILURES as error:
            problems = [_in_words(error)]
        self.compared += 1
        self._note(number, problems)
        return ""

    def _example(self, number: int) -> bool:
        """Whether an example gives what it says."""
        try:
            problems = list(differences(self._op, self._op.examples[number], self._definition))
        except _FAILURES as error:
            problems = [_in_words(error)]
        self._note(number, problems)
        return not problems

    def _note(self, number: int, problems: list[str]) -> None:
        place = f"{self._op.file}:{self._op.examples[number].line}: {self._op.name}, example {number + 1}: "
        self.problems += [place + problem for problem in problems]


def _in_words(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0]


def _beyond(point: AppliedOperation) -> list[str]:
    """What is wrong with second gradients, if there are any, and with gradients where only ranks are known."""
    second = True
    try:
        graph = probe(point, "static", second)
    except GradientError:
        second = False  # a gradient need not be differentiable
        graph = probe(point, "static", second)
    if problems := wrong_slopes(graph):
        return problems
    problem = changes(probe(point, "ranks", second), gradient_values(graph))
    return [f"{problem}, where only ranks are"] if problem else []


def _works(case: AppliedOperation) -> bool:
    try:
        return is_finite(case)
    except _FAILURES:
        return False  # out of the domain; that the example itself works was seen before


def _wide(case: AppliedOperation, op: Entry) -> AppliedOperation:
    """The same in double precision, as far as the entry allows it."""
    fixed = {each.type for each in op.inputs if each.integers}
    allowed = {each.name: each.allowed for each in op.types if each.name not in fixed}
    inputs = [
        tuple(_widened(each, allowed.get(input_.type, ())) for each in value)
        if isinstance(value, tuple)
        else _widened(value, allowed.get(input_.type, ()))
        for input_, value in zip(op.inputs, case.inputs, strict=False)
    ]
    attrs = dict(case.attrs)
    for type_ in op.explicit_types:
        stated = attrs.get(type_.name, type_.default)
        wide = next((wider for narrow, wider in _WIDER.items() if stated is narrow), None)
        if wide is not None and wide in type_.allowed:
            attrs[type_.name] = wide
    return evolve(case, inputs=tuple(inputs), attrs=attrs)


def _widened(value: _Operand, allowed: Container[type[TType]]) -> _Operand:
    wide = None if isinstance(value, VariableInput) else _WIDEST.get(value.dtype.kind)
    if wide is None or isinstance(value, VariableInput) or wide not in allowed:
        return value
    return value.astype(wide.numpy)


def _beside(case: AppliedOperation) -> Iterator[AppliedOperation]:
    """The same at points close by, each element of the inputs that are varied moved on its own."""
    names = set(varied(case))
    for distance in _DISTANCES:
        for attempt in range(_ATTEMPTS):
            seeds = count(attempt * len(case.operands()))
            inputs = [
                _moved(value, distance, seeds) if each.name in names else value
                for each, value in zip(case.definition.inputs, case.inputs, strict=False)
            ]
            yield evolve(case, inputs=tuple(inputs))


def _moved(value: Input, distance: float, seeds: Iterator[int]) -> Input:
    if isinstance(value, tuple):
        return tuple(_moved_array(each, distance, seeds) for each in value)
    return _moved_array(value, distance, seeds)


def _moved_array(value: _Operand, distance: float, seeds: Iterator[int]) -> _Operand:
    if isinstance(value, VariableInput):
        return value
    return np.asarray(value + distance * random_like(value, next(seeds)))
