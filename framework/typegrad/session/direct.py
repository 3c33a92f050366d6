"""`direct`: a small call as one function, with nothing between the values and the program that need not be there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from typegrad.base.quiet import quiet
from typegrad.base.types import TString
from typegrad.session.call import only
from typegrad.session.owned import owned
from typegrad.session.plan import raise_with_node
from typegrad.session.recording import RECORDER

if TYPE_CHECKING:
    from typegrad.session.call import Call
    from typegrad.session.plan import Plan

__all__ = ["direct", "is_direct"]

_SOURCE: Final = """
def run(executor, call, *values, **named):
    if len(values) == {count} and not named and executor.is_ready():
        {values} = values
        if {fit}:
            program = programs({sizes})
            if program is not None and recorder() is None:
                if executor.last_plan is not plan:
                    executor.use(plan)
                try:
                    results = quiet().run(program.run, {feeds})
                except error as raised:
                    raise_with_node(program, raised)
                {shortcut}
                return rebuild(owned(results, plan.fetches, values))
    return executor.perform(call, *values, **named)
"""

_SHORTCUT: Final = """
                result, = results
                if type(result) is array and result.base is None and result.flags.writeable{is_no_feed}:
                    return result
"""
"""For what `owned` and `rebuild` do not change: one fetch, with memory that nobody else knows."""


def is_direct(plan: Plan) -> bool:
    """Whether a plan needs no lock and no generators, and no look at the elements of what it is fed."""
    return not (plan.writes or plan.reads or plan.random or any(output.dtype is TString for output in plan.feeds))


def direct(call: Call, plan: Plan) -> Callable[..., Any]:
    """`Executor.perform` for this call, faster for arrays of the fed types in shapes that the plan knows.

    Its source holds positions only. It takes the executor and the call, and holds neither, so that no cycle of
    references keeps the executor alive.

    Args:
        call: What the function takes and returns.
        plan: The plan of the call, for which `is_direct` is true.
    """
    names = [f"v{position}" for position, _ in enumerate(call.outputs)]
    in_order = [names[call.outputs.index(output)] for output in plan.feeds]

    def listed(items: list[str]) -> str:
        return f"({''.join([f'{item}, ' for item in items])})"

    shortcut = _SHORTCUT.format(is_no_feed="".join([f" and result is not {v}" for v in names]))
    source = _SOURCE.format(
        count=len(names),
        values=listed(names) if names else "_",
        fit=" and ".join([f"type({v}) is array and {v}.dtype is t{v}" for v in names]) or "True",
        sizes=listed([f"{v}.shape" for v in in_order]),
        feeds=listed(in_order),
        shortcut=shortcut if call.rebuild is only else "",
    )
    namespace: dict[str, Any] = {
        "__builtins__": {"len": len, "type": type},
        "array": np.ndarray,
        "error": Exception,  # whatever a kernel raises
        "owned": owned,
        "plan": plan,
        "programs": plan.programs.get,
        "quiet": quiet,
        "raise_with_node": raise_with_node,
        "rebuild": call.rebuild,
        "recorder": RECORDER.get,
    }
    namespace.update({f"t{v}": output.dtype.numpy for v, output in zip(names, call.outputs, strict=True)})
    exec(compile(source, "<typegrad call>", "exec"), namespace)
    run: Callable[..., Any] = namespace["run"]
    return run
