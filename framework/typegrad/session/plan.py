"""`Plan`: the part of a graph that one set of fetches and feeds needs, compiled to a straight-line Python function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, TypeAlias, final

import numpy as np

from typegrad.errors import FeedError
from typegrad.explain import located, origin
from typegrad.opdef import resolve
from typegrad.operand import Output
from typegrad.operation import Operation
from typegrad.types import TType

if TYPE_CHECKING:
    from types import CodeType

    from typegrad.session.state import Resources

__all__ = ["Plan", "compute"]

_Output: TypeAlias = Output[Any, Any]


@cache
def _keywords(kernel: Callable[..., Any]) -> tuple[str, ...]:
    return tuple(name for name, p in signature(kernel).parameters.items() if p.kind is Parameter.KEYWORD_ONLY)


def _bind(op: Operation, **context: Any) -> Callable[..., Any]:
    """The kernel of `op` with its attributes filled in; it takes the input arrays."""
    kernel = resolve(op.definition.kernel)
    given = {name: context[name] if name in context else _kernel_attr(op.attrs[name]) for name in _keywords(kernel)}
    return partial(kernel, np, **given)


def compute(op: Operation, known: Mapping[_Output, Any]) -> Sequence[Any]:
    """The values of the outputs of an operation that draws no numbers, from those of its inputs. An error names the node."""
    inputs = (
        tuple(known[output] for output in group) if isinstance(group, tuple) else known[group]
        for group in op.input_groups()
    )
    try:
        with np.errstate(all="ignore"):
            result = _bind(op)(*inputs)
    except Exception as error:
        raise located(op, error) from error
    is_single = len(op.outputs) == 1 and not op.definition.outputs[0].count
    values: Sequence[Any] = (result,) if is_single else result or ()
    return values


def _kernel_attr(value: Any) -> Any:
    return value.numpy if isinstance(value, type) and issubclass(value, TType) else value


@final
class Plan:
    """What to run, and in which order: creation order, so that state is read and written as the program was written.

    The function's source holds nothing but positions ("v3 = k7(v1, c2)"): names and attributes of the graph never enter it.
    """

    def __init__(
        self,
        fetches: Sequence[_Output],
        targets: Sequence[Operation],
        feeds: Sequence[_Output],
        resources: Resources,
    ) -> None:
        """Prune and compile; an unfed placeholder is an error here, before anything runs."""
        fed = frozenset(feeds)
        wanted = [*targets, *(output.op for output in fetches if output not in fed)]
        self.feeds = tuple(feeds)
        self.operations = wanted[0].graph.ancestors(wanted, stop=feeds) if wanted else []
        _refuse_unfed(self.operations, fed, fetches)
        self.random = [op for op in self.operations if op.definition.effect == "random"]
        self.writes = any(op.definition.effect == "write" for op in self.operations)
        self.reads = any(op.definition.effect in ("read", "handle") for op in self.operations)
        self.variables: list[Any] = []
        self.checked: set[tuple[tuple[int, ...], ...]] = set()
        compiler = _Compiler(self, fed, resources)
        self._program, self._code, self._steps = compiler.compile(fetches)

    def run(self, feeds: Sequence[Any], generators: Sequence[np.random.Generator]) -> tuple[Any, ...]:
        """The values of the fetches. An error in a kernel is raised again with the node it happened in."""
        try:
            with np.errstate(all="ignore"):
                result: tuple[Any, ...] = self._program(feeds, generators)
                return result
        except Exception as error:
            op = self._failing_step(error)
            if op is None:
                raise
            raise located(op, error) from error

    def _failing_step(self, error: Exception) -> Operation | None:
        trace = error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code is self._code:
                return self._steps.get(trace.tb_lineno)
            trace = trace.tb_next
        return None


def _refuse_unfed(operations: Iterable[Operation], fed: frozenset[_Output], fetches: Sequence[_Output]) -> None:
    for op in operations:
        if op.definition.effect == "feed" and op.outputs[0] not in fed:
            wanted = ", ".join(f"'{output.name}'" for output in fetches[:3]) or "the targets"
            raise FeedError(
                f"{origin(op.outputs[0])} must be fed, because {wanted} depends on it; pass its value in `feeds`"
            )


@final
class _Compiler:
    """Writes a plan's function. Every value lives in a local variable, which is used again once the value is dead."""

    def __init__(self, plan: Plan, fed: frozenset[_Output], resources: Resources) -> None:
        self._plan = plan
        self._fed = fed
        self._resources = resources
        self._constants: dict[_Output, Any] = {}
        self._namespace: dict[str, Any] = {"__builtins__": {}}
        self._constant_names: dict[_Output, str] = {}
        self._locals: dict[_Output, str] = {}
        self._last_use: dict[_Output, Operation] = {}
        self._free: list[str] = []

    def compile(self, fetches: Sequence[_Output]) -> tuple[Callable[..., Any], CodeType, dict[int, Operation]]:
        """The function, its code, and the operation on each of its lines."""
        lines = ["def program(feeds, generators):"]
        steps: dict[int, Operation] = {}
        for position, output in enumerate(self._plan.feeds):
            lines.append(f"    {self._new_local(output)} = feeds[{position}]")
        live = self._fold_constants()
        keep = set(fetches)
        for op in live:
            for output in op.inputs:
                self._last_use[output] = op
        for op in live:
            lines.append("    " + self._step(op, keep))
            steps[len(lines)] = op
        values = "".join(f"{self._read(output)}, " for output in fetches)
        lines.append(f"    return ({values})")
        code = compile("\n".join(lines), "<typegrad plan>", "exec")
        exec(code, self._namespace)
        program = self._namespace["program"]
        return program, program.__code__, steps

    def _fold_constants(self) -> list[Operation]:
        """Compute what depends on constants alone; return the operations that are left for the run."""
        live: list[Operation] = []
        for op in self._plan.operations:
            if op.definition.effect == "handle":
                self._constants[op.outputs[0]] = state = self._handle(op)
                self._plan.variables.append(state)
            elif not op.definition.effect and all(self._is_constant(output) for output in op.inputs):
                self._fold(op)
            else:
                live.append(op)
        return live

    def _is_constant(self, output: _Output) -> bool:
        return output in self._constants and output not in self._fed

    def _handle(self, op: Operation) -> Any:
        return self._resources.variable(op)

    def _fold(self, op: Operation) -> None:
        for output, value in zip(op.outputs, compute(op, self._constants), strict=True):
            self._constants[output] = _frozen(value)

    def _step(self, op: Operation, keep: set[_Output]) -> str:
        """One line that runs `op`."""
        position = len(self._namespace)
        arguments = [self._argument(group) for group in op.input_groups()]
        if op.definition.effect == "random":
            kernel = resolve(op.definition.kernel)
            self._namespace[f"k{position}"] = _draw(op, kernel)
            arguments.insert(0, f"generators[{self._plan.random.index(op)}]")
        else:
            self._namespace[f"k{position}"] = _bind(op)
        for output in set(op.inputs):
            if output in self._locals and self._last_use[output] is op and output not in keep:
                self._free.append(self._locals[output])
        call = f"k{position}({', '.join(arguments)})"
        if not op.outputs:
            return call
        targets = [
            "_"
            if output in self._fed or (output not in self._last_use and output not in keep)
            else self._new_local(output)
            for output in op.outputs
        ]
        is_single = len(op.outputs) == 1 and not op.definition.outputs[0].count
        return f"{targets[0]} = {call}" if is_single else f"{', '.join(targets)}, = {call}"

    def _argument(self, group: _Output | tuple[_Output, ...]) -> str:
        if isinstance(group, tuple):
            return "(" + "".join(f"{self._read(output)}, " for output in group) + ")"
        return self._read(group)

    def _read(self, output: _Output) -> str:
        """The name that holds the value of `output`: a local, or a constant of the namespace."""
        if output in self._locals:
            return self._locals[output]
        name = self._constant_names.get(output)
        if name is None:
            name = self._constant_names[output] = f"c{len(self._namespace)}"
            self._namespace[name] = self._constants[output]
        return name

    def _new_local(self, output: _Output) -> str:
        name = self._free.pop() if self._free else f"v{len(self._locals)}"
        self._locals[output] = name
        return name


def _draw(op: Operation, kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A random kernel as a function of its generator and inputs."""
    given = {name: _kernel_attr(op.attrs[name]) for name in _keywords(kernel) if name != "rng"}

    def draw(generator: np.random.Generator, *inputs: Any) -> Any:
        return kernel(np, *inputs, rng=generator, **given)

    return draw


def _frozen(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value.view()
        value.flags.writeable = False
    return value
