"""What is the same for all overloads of a function is computed once for a call."""

from __future__ import annotations

from typing import Any

import pytest
from mypy.nodes import Block, CallExpr, ClassDef, FuncDef, NameExpr, SymbolTable, TypeInfo
from mypy.plugin import FunctionSigContext
from mypy.types import CallableType, Instance, NoneType

from typegrad.mypy_plugin.base.memory import OncePerCall, forget


@pytest.fixture
def call() -> CallExpr:
    return CallExpr(NameExpr("create"), [], [], [])


@pytest.fixture
def overloads() -> list[FuncDef]:
    return [FuncDef("create", [], Block([])) for _ in range(3)]


def asked(overload: FuncDef | None, call: CallExpr) -> FunctionSigContext:
    """What mypy passes to a hook for one overload of a call."""
    unused: Any = None
    function = Instance(TypeInfo(SymbolTable(), ClassDef("function", Block([])), "builtins"), [])
    signature = CallableType([], [], [], NoneType(), function, definition=overload)
    return FunctionSigContext([], signature, call, unused)


class Counting:
    """A computation that returns how often it ran."""

    def __init__(self) -> None:
        self.runs = 0

    def __call__(self) -> int:
        self.runs += 1
        return self.runs


def test_the_overloads_of_a_call_share_one_computation(call: CallExpr, overloads: list[FuncDef]) -> None:
    facts, compute = OncePerCall[int](), Counting()
    assert [facts.get(asked(overload, call), compute) for overload in overloads] == [1, 1, 1]


def test_a_call_that_is_checked_again_is_computed_again(call: CallExpr, overloads: list[FuncDef]) -> None:
    facts, compute = OncePerCall[int](), Counting()
    assert [facts.get(asked(overload, call), compute) for overload in overloads * 2] == [1, 1, 1, 2, 2, 2]


def test_calls_share_nothing(call: CallExpr, overloads: list[FuncDef]) -> None:
    facts, compute = OncePerCall[int](), Counting()
    other = CallExpr(NameExpr("create"), [], [], [])
    answers = [facts.get(asked(overload, each), compute) for overload in overloads for each in (call, other)]
    assert answers == [1, 2, 1, 2, 1, 2]


def test_a_function_without_a_definition_is_computed_each_time(call: CallExpr) -> None:
    facts, compute = OncePerCall[int](), Counting()
    assert [facts.get(asked(None, call), compute) for _ in range(2)] == [1, 2]


def test_forgotten_calls_are_computed_again(call: CallExpr, overloads: list[FuncDef]) -> None:
    facts, compute = OncePerCall[int](), Counting()
    facts.get(asked(overloads[0], call), compute)
    forget()
    assert facts.get(asked(overloads[1], call), compute) == 2
