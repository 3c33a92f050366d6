"""`Session`: runs a graph and keeps the state of its variables."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from typegrad.brief import described
from typegrad.checkpoint.contents import read_checkpoint, write_checkpoint
from typegrad.errors import CheckpointError, FeedError, GraphError, SessionClosedError, TypegradError
from typegrad.explain import origin
from typegrad.graph import Graph
from typegrad.operand import Operand, Output
from typegrad.operation import Operation
from typegrad.session.lock import SharedLock
from typegrad.session.plan import Plan
from typegrad.session.run_types import TypedRun
from typegrad.session.runner import Runner
from typegrad.session.specialize import check_shapes
from typegrad.session.state import Draws, Resources
from typegrad.tensors import convert
from typegrad.types import TResource

if TYPE_CHECKING:
    from os import PathLike

    from typegrad.checkpoint.contents import Contents
    from typegrad.session.run_types import Feeds
    from typegrad.session.state import VariableState
    from typegrad.variable import Variable

__all__ = ["Session"]

_Output: TypeAlias = Output[Any, Any]
_Fetch: TypeAlias = "_Output | Operation"

_CHECKED_SHAPES: Final = 1024
"""How many combinations of feed shapes a plan remembers as checked."""


@final
class Session(TypedRun):
    """Runs the operations of one graph, and holds the values of its variables.

    Variables get their initial values by themselves before the first run that follows their creation, unless
    `auto_init=False`: then `initialize` does it. A run either does everything or, if it fails, leaves every variable as it was.
    Sessions may be shared between threads: runs that write variables are alone, all others run side by side.
    """

    def __init__(self, graph: Graph, *, auto_init: bool = True) -> None:
        """Open a session on `graph`, which may still grow."""
        self.graph = graph
        self._auto_init = auto_init
        self._closed = False
        self._plans: dict[Any, Plan] = {}
        self._resources = Resources()
        self._draws = Draws(graph.seed)
        self._initialized = 0
        self._restored: set[Operation] = set()
        self._state_lock = SharedLock()
        self._plan_lock = threading.RLock()
        self._draw_lock = threading.Lock()

    def _run(self, fetches: Any, feeds: Feeds | None) -> Any:
        if isinstance(fetches, Mapping):
            values = self.run_flat(list(fetches.values()), feeds)
            return dict(zip(fetches, values, strict=True))
        if isinstance(fetches, Sequence) and not isinstance(fetches, (str, bytes)):
            values = self.run_flat(fetches, feeds)
            return tuple(values) if isinstance(fetches, tuple) else values
        return self.run_flat((fetches,), feeds)[0]

    def run_flat(self, fetches: Sequence[Any], feeds: Feeds | None = None) -> list[Any]:
        """The values of `fetches`, in order; None for an operation."""
        self._initialize_new()
        wanted = [self._fetch(fetch) for fetch in fetches]
        outputs, arrays = self._fed({} if feeds is None else feeds)
        values = iter(self._execute(self._plan(wanted, outputs), arrays))
        return [None if isinstance(fetch, Operation) else next(values) for fetch in wanted]

    def runner(self) -> Runner:
        """A run described step by step, as in TensorFlow Java."""
        return Runner(self)

    def initialize(self) -> None:
        """Run the initializers that have not run in this session. A failure leaves all of them undone."""
        with self._plan_lock:
            initializers = self.graph.initializers
            pending = [op for op in initializers[self._initialized :] if op not in self._restored]
            if pending:
                self._execute(self._plan(pending, ()), ())
            self._initialized = len(initializers)
            self._restored.clear()

    def _check_open(self) -> None:
        if self._closed:
            raise SessionClosedError("this session is closed; open another one with tg.Session(graph)")

    def _initialize_new(self) -> None:
        self._check_open()
        if self._auto_init and self._initialized < len(self.graph._initializers):
            self.initialize()

    def value(self, variable: Variable[Any, Any]) -> NDArray[Any]:
        """A copy of the value that `variable` has now, read without touching the graph."""
        if variable.graph is not self.graph:
            raise GraphError(f"variable '{variable.name}' belongs to another graph than this session")
        self._initialize_new()
        with self._state_lock.shared():
            return self._resources.variable(variable.handle.op).read().copy()

    # Checkpoints

    def save(self, path: str | PathLike[str], *, metadata: Mapping[str, str] | None = None) -> None:
        """Write all variables and the random state to a file in safetensors format, in the place of what is there.

        A kill at any moment leaves the old file or the new one, which has the old one's mode; a symbolic link stays, and the file it
        leads to is replaced. The file shows one moment between two runs; other threads may go on
        running while it is written. An array stands under its variable's name; complex128, which the format lacks, as float64 with
        a last dimension of 2. The random state (JSON) stands in the metadata under "typegrad".

        Args:
            path: The file; its folder must exist.
            metadata: Text to save along; `tg.checkpoint.read_metadata` reads it.

        Raises:
            CheckpointError: A variable has no value yet, or holds strings, for which the format has no type; or `path` is no path of
                a file.
            OSError: The file cannot be written; what was there is still there.
        """
        self._initialize_new()
        variables = self._resources.of_graph(self.graph)
        with self._state_lock.shared():
            empty = [f"'{name}'" for name, state in variables.items() if not state.is_initialized]
            if empty:
                raise CheckpointError(f"variables without a value cannot be saved: {', '.join(empty)}")
            values = {name: state.read() for name, state in variables.items()}
            with self._draw_lock:
                random = self._draws.state()
        write_checkpoint(path, values, random, metadata or {})

    def restore(
        self,
        path: str | PathLike[str],
        *,
        names: Iterable[str] | None = None,
        strict: bool = True,
        random: bool | None = None,
    ) -> None:
        """Take the variables and the random state from a file that `save` wrote, or any program that writes safetensors.

        Either everything is restored or, after an error, nothing has changed. A restored variable is not initialized any more; one
        that is not restored keeps its value, or still gets its initial one. No file, however made, can run code or take more memory
        than its own size and some 25 times its header's, which is at most 8 MiB.

        Args:
            path: The file.
            names: The variables to restore; all of the graph by default, and then the file must hold no others.
            strict: Whether it is an error if the file and the variables to restore differ in names. Types and shapes must always fit.
            random: Whether random numbers go on where the file left them, if it says where; by default if `names` is not given.

        Raises:
            CheckpointError: The file is not sound, or does not fit: the message lists each name that is missing, unexpected, or of
                another shape or type. Or its random state belongs to another seed than the graph's.
        """
        self._check_open()
        variables = self._resources.of_graph(self.graph)
        with_random = names is None if random is None else random
        contents = read_checkpoint(path, variables, self.graph.seed, names=names, strict=strict, random=with_random)
        with self._plan_lock, self._state_lock.exclusive(), self._draw_lock:
            self._take_over(contents, variables)

    def _take_over(self, contents: Contents, variables: Mapping[str, VariableState]) -> None:
        """Set what was read, all of it or nothing, and count its initializers as done."""
        states = {variables[name]: value for name, value in contents.values.items()}
        before = [(state, state.snapshot()) for state in states]
        draws = self._draws.state()
        try:
            for state, value in states.items():
                state.assign(value)
            if contents.random is not None:
                self._draws.resume(contents.random)
            for op in self.graph.initializers[self._initialized :]:
                written = self._resources.written_by(op)
                if written and written <= states.keys():
                    self._restored.add(op)
        except BaseException:
            for state, old in before:
                state.roll_back(old)
            self._draws.resume(draws)
            raise

    def close(self) -> None:
        """Give up all state; later runs raise `SessionClosedError`. Closing twice is fine."""
        self._closed = True
        self._plans.clear()
        self._resources = Resources()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Fetches and feeds

    def _fetch(self, fetch: Any) -> _Fetch:
        if type(fetch) is not Output:
            if isinstance(fetch, Operand):
                fetch = fetch.as_output()
            elif not isinstance(fetch, Operation):
                fetch = getattr(fetch, "op", fetch)
        if isinstance(fetch, Output):
            op = fetch._op
            if fetch._dtype is TResource:
                raise FeedError(f"{origin(fetch)} is a handle and has no value; fetch a read of the variable")
        elif isinstance(fetch, Operation):
            op = fetch
        else:
            raise FeedError(f"a fetch is an operand or an operation, not {described(fetch)}")
        if op.graph is not self.graph:
            raise GraphError(f"'{op.name}' (created at {op.created_at}) belongs to another graph than this session")
        found: _Fetch = fetch
        return found

    def _fed(self, feeds: Feeds) -> tuple[tuple[_Output, ...], tuple[NDArray[Any], ...]]:
        if not hasattr(feeds, "items"):
            raise FeedError(f"feeds maps operands to values, but is {described(feeds)}")
        outputs = []
        arrays = []
        for operand, value in feeds.items():
            output = self._fed_output(operand)
            outputs.append(output)
            arrays.append(_fed_value(output, value))
        if len(set(outputs)) != len(outputs):
            twice = next(output for output in outputs if outputs.count(output) > 1)
            raise FeedError(f"{origin(twice)} is fed twice")
        return tuple(outputs), tuple(arrays)

    def _fed_output(self, operand: Any) -> _Output:
        if not hasattr(type(operand), "as_output"):
            raise FeedError(f"feeds maps operands to values, but a key is {described(operand)}")
        output: _Output = operand.as_output()
        if output._op.graph is not self.graph:
            raise GraphError(f"{origin(output)} is fed, but belongs to another graph than this session")
        return output

    # Running

    def _plan(self, fetches: Sequence[_Fetch], feeds: tuple[_Output, ...]) -> Plan:
        key = (tuple(fetches), feeds)
        plan = self._plans.get(key)
        if plan is None:
            with self._plan_lock:
                outputs = [fetch for fetch in fetches if isinstance(fetch, Output)]
                targets = [fetch for fetch in fetches if isinstance(fetch, Operation)]
                plan = self._plans[key] = Plan(outputs, targets, feeds, self._resources)
        return plan

    def _execute(self, plan: Plan, arrays: tuple[NDArray[Any], ...]) -> list[NDArray[Any]]:
        sizes = tuple(array.shape for array in arrays)
        if sizes not in plan.checked:
            check_shapes(plan.feeds, sizes, plan.operations)
            if len(plan.checked) < _CHECKED_SHAPES:
                plan.checked.add(sizes)
        if plan.writes:
            with self._state_lock.exclusive():
                return self._write(plan, arrays)
        with self._state_lock.shared() if plan.reads else nullcontext():
            return _owned(plan.run(arrays, self._generators(plan)))

    def _write(self, plan: Plan, arrays: tuple[NDArray[Any], ...]) -> list[NDArray[Any]]:
        """Run, and put every variable back if the run fails."""
        before = [(state, state.snapshot()) for state in plan.variables]
        draws = self._draws.mark(plan.random)
        try:
            return _owned(plan.run(arrays, self._generators(plan)))
        except BaseException:
            for state, value in before:
                state.roll_back(value)
            self._draws.restore(draws)
            raise

    def _generators(self, plan: Plan) -> list[np.random.Generator]:
        if not plan.random:
            return []
        with self._draw_lock:
            counts = self._draws.begin(plan.random, is_step=plan.writes)
        return [self._draws.generator(op, count) for op, count in zip(plan.random, counts, strict=True)]


def _fed_value(output: _Output, value: Any) -> NDArray[Any]:
    """`value` as an array that fits `output`; read-only, so that no fetch hands out the caller's own array."""
    if hasattr(type(value), "as_output"):
        raise FeedError(f"the feed of {origin(output)} is an operand; feed the array that session.run gave for it")
    try:
        array = convert(value, output._dtype, exact=True)
    except TypegradError as error:
        raise FeedError(f"the feed of {origin(output)} does not fit: {error}") from None
    if not output._shape.accepts(array.shape):
        raise FeedError(
            f"the feed of {origin(output)} has shape {list(array.shape)}, which does not fit {output._shape}"
        )
    array = array.view()
    array.flags.writeable = False
    return array


def _owned(values: tuple[Any, ...]) -> list[NDArray[Any]]:
    """The fetched arrays, each one the caller's to write to: copies where a feed, constant, variable or other fetch shares memory."""
    found: list[NDArray[Any]] = []
    seen: set[int] = set()
    for value in values:
        array = np.asarray(value)
        if id(value) in seen or _is_shared(array, alone=len(values) == 1):
            array = array.copy()
        seen.add(id(value))
        found.append(array)
    return found


def _is_shared(array: NDArray[Any], *, alone: bool) -> bool:
    """Whether a feed, constant or variable, or another fetch if this is not the only one, may share this array's memory."""
    base = array.base
    if not array.flags.writeable or base is None:
        return not array.flags.writeable
    return not alone or (isinstance(base, np.ndarray) and not base.flags.writeable)
