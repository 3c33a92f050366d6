"""`direct`: a small call as one function, with nothing between the values and the program that need not be there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from typegrad.base.types import TString
from typegrad.session.binding import expression_of
from typegrad.session.recording import RECORDER

if TYPE_CHECKING:
    from typegrad.session.call import Call
    from typegrad.session.plan import Plan

__all__ = ["direct", "is_direct"]

_SOURCE: Final = """
def run(executor, call, *values):
    if len(values) == {count} and executor.is_ready():
        {values} = values
        if {fit}:
            program = programs({sizes})
            if program is not None and recorder() is None:
                plan.last_use = next_run()
                return rebuild(plan.run(program, {feeds}))
    return executor.perform(call, *values)
"""


def is_direct(plan: Plan) -> bool:
    """Whether a plan needs no lock, keeps what it is fed to itself, and makes a new array for each fetch.

    So it is if only ufuncs take the feeds, and ufuncs make the fetches. (Of scalars, they do not make arrays.)
    """
    steps, feeds = plan.steps, frozenset(plan.feeds)
    results = {output for output in steps.fetches if output.shape.dims}
    if plan.writes or plan.reads or plan.random or len(results) < len(steps.fetches):
        return False
    if any(output.dtype is TString for output in feeds):  # whose elements are checked one by one
        return False
    for step in steps.steps:
        if not (feeds.isdisjoint(step.inputs) and results.isdisjoint(step.outputs)):
            if not step.is_itself or expression_of(step.op) is None:
                return False
            results.difference_update(step.outputs)
    return not results


def direct(call: Call, plan: Plan, next_run: Callable[[], int]) -> Callable[..., Any]:
    """`Executor.perform` for this call, faster for arrays of the fed types in shapes that the plan knows.

    Its source holds positions only. It takes the executor and the call, and holds neither, so that no cycle of
    references keeps the executor alive.

    Args:
        call: What the function takes and returns.
        plan: The plan of the call, for which `is_direct` is true.
        next_run: The number of a run.
    """
    names = [f"v{position}" for position, _ in enumerate(call.outputs)]
    in_order = [names[call.outputs.index(output)] for output in plan.feeds]

    def listed(items: list[str]) -> str:
        return f"({''.join([f'{item}, ' for item in items])})"

    source = _SOURCE.format(
        count=len(names),
        values=listed(names) if names else "_",
        fit=" and ".join([f"type({v}) is array and {v}.dtype is t{v}" for v in names]) or "True",
        sizes=listed([f"{v}.shape" for v in in_order]),
        feeds=listed(in_order),
    )
    namespace: dict[str, Any] = {
        "__builtins__": {"len": len, "type": type},
        "array": np.ndarray,
        "next_run": next_run,
        "plan": plan,
        "programs": plan.programs.get,
        "rebuild": call.rebuild,
        "recorder": RECORDER.get,
    }
    namespace.update({f"t{v}": output.dtype.numpy for v, output in zip(names, call.outputs, strict=True)})
    exec(compile(source, "<typegrad call>", "exec"), namespace)
    run: Callable[..., Any] = namespace["run"]
    return run
