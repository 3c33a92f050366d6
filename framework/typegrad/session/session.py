"""`Session`: runs a graph and keeps the state of its variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast, final, overload

from typegrad.arguments.fixed import fixed_attribute
from typegrad.arguments.paths import as_path
from typegrad.base.array import Array
from typegrad.base.errors import CheckpointError, FeedError, OptionError
from typegrad.base.pickling import Unpicklable
from typegrad.base.threads import set_threads
from typegrad.base.variable_state import VariableState
from typegrad.files.checkpoint.contents import read_checkpoint, write_checkpoint
from typegrad.graph.explain import foreign, origin
from typegrad.graph.graph import Graph
from typegrad.graph.operand import AnyOperand
from typegrad.graph.values import ValueLike
from typegrad.graph.variable import ASSIGNED
from typegrad.session.call import Call
from typegrad.session.executor import Executor
from typegrad.session.explanation import Explanation, explained_plan
from typegrad.session.feeds import assigned_values, fed_items
from typegrad.session.passes import chosen_passes
from typegrad.session.run_types import TypedRun
from typegrad.session.runner import Runner
from typegrad.session.state import Resources

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from os import PathLike

    from typegrad.files.checkpoint.random_state import RandomState
    from typegrad.graph.variable import AnyVariable
    from typegrad.session.profile import Profile
    from typegrad.session.run_types import Feeds

__all__ = ["Session"]

_R = TypeVar("_R")


@final
class Session(TypedRun, Unpicklable):
    """Runs the operations of one graph, and holds the values of its variables.

    Variables get their initial values by themselves before the first run that follows their creation, unless
    `auto_init=False`: then `initialize` does it. A run either does everything or, if it fails or is interrupted, leaves
    every variable as it was. Sessions may be shared between threads: runs that write variables are alone, all others
    run side by side.

    A signal handler or a finalizer that interrupts a run may use the same session: `save` and `value` show what was
    before the step, and what cannot be done before it ends is a `FailedPreconditionError`.
    """

    def __init__(
        self,
        graph: Graph,
        *,
        auto_init: bool = True,
        passes: Iterable[str] | None = None,
        threads: int | None = None,
    ) -> None:
        """Open a session on `graph`, which may still grow.

        Args:
            graph: What to run.
            auto_init: Whether new variables get their initial values before the next run.
            passes: The names of the passes that make plans smaller; all by default, none if empty. Results and errors
                are the same, bit for bit. `explain` tells what each of them has done.
            threads: How many threads BLAS uses from now on, in the whole process. By default, the first session chooses
                as many as there are cores that this process may use and others leave idle, and later ones do not change
                it; an environment variable such as OPENBLAS_NUM_THREADS overrides that. Sums of matrix products are
                rounded differently with another number.

        Raises:
            OptionError: There is no pass of this name; `threads` is less than 1, or threadpoolctl is not installed.
        """
        set_threads(threads)
        self._graph = graph
        self._executor: Final = Executor(graph, chosen_passes(passes), auto_init=auto_init)
        self._run = self._executor.run
        self._callable = self._executor.callable

    if not TYPE_CHECKING:
        __setattr__ = fixed_attribute

    @property
    def graph(self) -> Graph:
        """The graph that is run."""
        return self._graph

    def __repr__(self) -> str:
        return f"<Session of {self.graph!r}>"

    def explain(self, fetches: Any, feed_dict: Feeds | Sequence[AnyOperand | str] = ()) -> Explanation:
        """What `run` does for these fetches and feeds: the passes applied, the steps left, their sizes. Runs nothing.

        Args:
            fetches: What would be fetched, as for `run`.
            feed_dict: What would be fed: the feeds of a run, or the operands alone.

        Returns:
            An object to print, or to take numbers from.

        Raises:
            FeedError: A fetch or an operand to feed does not fit, or a placeholder is missing.
            GraphError: There is no operand or operation of that name, or it belongs to another graph.
        """
        self._executor.check_open()
        operands = feed_dict if isinstance(feed_dict, (list, tuple)) else fed_items(cast("Feeds", feed_dict))[0]
        call = Call(self.graph, fetches, operands)
        plan = self._executor.plan(call.requested, call.outputs)
        return explained_plan(plan, plan.lowered(frozenset()))

    def profile(self, fetches: Any, feed_dict: Feeds | None = None, *, runs: int = 10) -> Profile:
        """Measure what each operation of a run costs: `print(session.profile(loss, feeds))`.

        The table has the most expensive operations with the lines that created them. `graph.show(costs=profile)`
        colours the operations by cost. The runs are real: a training step trains.

        Args:
            fetches: What to run, as for `run`.
            feed_dict: What to feed, as for `run`.
            runs: How many runs to measure, after one that is not.

        Raises:
            OptionError: `runs` is less than 1.
            TypegradError: What `run` raises.
        """
        from typegrad.session.profile import measure

        return measure(self._executor, lambda: self._run(fetches, feed_dict), runs)

    def trace(self, path: str | PathLike[str]) -> AbstractContextManager[None]:
        """Write a trace of the runs within `with session.trace("steps.json"):`.

        Open it at chrome://tracing or ui.perfetto.dev. It has an event for each run and for each step: the operation,
        its name, shapes, bytes, and where they are known the billions of floating-point operations a second. Runs of
        other threads are not in it.

        Args:
            path: The file, which is replaced. Its folder is made if there is none.

        Raises:
            OptionError: `path` is not a path of a file.
            OSError: The file cannot be written.
        """
        from typegrad.session.profile import tracing

        return tracing(self._executor, as_path(path, "path", OptionError))

    def runner(self) -> Runner:
        """A run described step by step, as in TensorFlow Java."""
        return Runner(self)

    def initialize(self) -> None:
        """Run the initializers that have not run in this session. A failure leaves all of them undone.

        A variable that has a value keeps it: `session.run(graph.initializers)` assigns the initial values again.
        """
        self._executor.initialize()

    def value(self, variable: AnyVariable) -> Array:
        """A copy of the value that `variable` has now, read without touching the graph.

        Raises:
            GraphError: `variable` is not a variable, or one of another graph.
            FailedPreconditionError: It has no value yet.
        """
        if variable.graph is not self.graph:
            raise foreign(origin(variable), "this session")
        self._executor.initialize_new()
        return self._executor.lock.shared(self._copy, self._executor.resources.state(variable.handle.op))

    def _copy(self, state: VariableState) -> Array:
        self._executor.check_open()
        journal = self._executor.lock.journal
        return (state.read() if journal is None else state.expect(journal.value(state))).copy()

    @overload
    def assign(self, variable: AnyVariable, value: ValueLike) -> None: ...
    @overload
    def assign(self, variable: Mapping[AnyVariable, ValueLike]) -> None: ...
    def assign(self, variable: AnyVariable | Mapping[AnyVariable, ValueLike], value: ValueLike | None = None) -> None:
        """Give a variable a value, or several variables at once: `session.assign({v: a, w: b})`.

        The graph stays as it is.

        Either all are assigned or, after an error, none. The values must fit as feeds do: an array has the variable's
        element type, Python numbers and lists become such. A variable that was assigned is not initialized any more.

        Args:
            variable: The variable, or a mapping from variables to values.
            value: The value, if there is one variable.

        Raises:
            FeedError: A value does not fit its variable in type or shape.
            GraphError: A variable belongs to another graph.
            FailedPreconditionError: A signal handler calls this in the middle of a run of its own thread.
        """
        self._executor.check_open()
        if isinstance(variable, Mapping):
            if value is not None:
                raise FeedError(ASSIGNED)
            values = assigned_values(self.graph, variable)
        else:
            values = assigned_values(self.graph, {variable: cast("ValueLike", value)})
        states = {self._executor.resources.state(variable.handle.op): array for variable, array in values.items()}
        self._executor.lock.exclusive(self._executor.take_over, states)

    def inspect(self, action: Callable[[Resources], _R]) -> _R:
        """What `action` returns for the state of the variables, called while no run writes to them.

        Raises:
            SessionClosedError: The session is closed.
            FailedPreconditionError: A signal handler calls this in the middle of a step of its own thread.
        """
        self._executor.check_open()
        return self._executor.lock.shared(self._inspect, action)

    def _inspect(self, action: Callable[[Resources], _R]) -> _R:
        self._executor.check_open()
        self._executor.lock.refuse_within_write()
        return action(self._executor.resources)

    # Checkpoints

    @property
    def random_state(self) -> RandomState:
        """Everything that the next random numbers depend on: what a checkpoint keeps besides the variables."""
        return self._executor.draws.state()

    def save(self, path: str | PathLike[str], *, metadata: Mapping[str, str] | None = None) -> None:
        """Write all variables and the random state to a file in safetensors format, in the place of what is there.

        A kill at any moment leaves the old file or the new one, which has the old one's mode; a symbolic link stays,
        and the file it leads to is replaced. The file shows one moment between two runs; other threads may go on
        running while it is written. In a signal handler that interrupts a step, it is the moment before the step. Each
        array has its variable's name; complex128, which the format lacks, as float64 with a last dimension of 2. The
        random state (JSON) is in the metadata under "typegrad".

        Args:
            path: The file. Its folder is made if there is none.
            metadata: Text to save along; `typegrad.files.checkpoint.read_metadata` reads it.

        Raises:
            CheckpointError: A variable has no value yet, or holds strings, for which the format has no type; or `path`
                is not a path of a file.
            OSError: The file cannot be written; what was there is still there.
        """
        self._executor.initialize_new()
        variables = self._executor.resources.of_graph(self.graph)
        values, random = self._executor.lock.shared(self._consistent, variables)
        write_checkpoint(path, values, random, metadata or {})

    def _consistent(self, variables: Mapping[str, VariableState]) -> tuple[dict[str, Array], RandomState]:
        """All values and the random streams; if this interrupts a step of the same thread, from before that step."""
        self._executor.check_open()
        journal = self._executor.lock.journal
        arrays = {name: state.current if journal is None else journal.value(state) for name, state in variables.items()}
        empty = [f"'{name}'" for name, value in arrays.items() if value is None]
        if empty:
            raise CheckpointError(f"variables without a value cannot be saved: {', '.join(empty)}")
        if journal is not None:
            return {name: value for name, value in arrays.items() if value is not None}, journal.random()
        return {name: state.read() for name, state in variables.items()}, self._executor.draws.state()

    def restore(
        self,
        path: str | PathLike[str],
        *,
        names: Iterable[str] | Mapping[str, str] | None = None,
        strict: bool = True,
        random: bool | None = None,
    ) -> None:
        """Restore variables and random state from a safetensors file, written by `save` or by another program.

        Either everything is restored or, after an error, nothing has changed. A restored variable is not initialized
        any more; one that is not restored keeps its value, or still gets its initial one. No file, however made, can
        run code or take more memory than its own size and some 25 times its header's, which is at most 8 MiB.

        Args:
            path: The file.
            names: The variables to restore; all of the graph by default, and then the file must hold no others. A
                mapping has each variable's name in the file: `{"w": "old/w"}`.
            strict: Whether it is an error if the file and the variables to restore differ in names. Types and shapes
                must always fit.
            random: Whether random numbers continue where the file left them, if it says where; by default if `names` is
                not given.

        Raises:
            CheckpointError: The file is not sound, or does not fit: the message lists each name that is missing,
                unexpected, or of another shape or type. Or its random state belongs to another seed than the graph's.
            FailedPreconditionError: A signal handler calls this in the middle of a run of its own thread.
        """
        self._executor.check_open()
        variables = self._executor.resources.of_graph(self.graph)
        with_random = names is None if random is None else random
        contents = read_checkpoint(path, variables, self.graph.seed, names=names, strict=strict, random=with_random)
        states = {variables[name]: value for name, value in contents.values.items()}
        self._executor.lock.exclusive(self._executor.take_over, states, contents.random)

    def close(self) -> None:
        """Release all state; later runs raise `SessionClosedError`, and so may unfinished runs of other threads."""
        self._executor.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
