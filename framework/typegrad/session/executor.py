"""`Executor`: runs the plans of a session, on the state of its variables.

The class is not for users, so nothing is between its callers and its attributes, which is what the time of a small run
goes to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast, final

import numpy as np

from typegrad.base.errors import FeedError, SessionClosedError
from typegrad.base.lock import SharedLock
from typegrad.base.variable_state import VariableState
from typegrad.graph.operand import Output
from typegrad.graph.operation import Operation
from typegrad.session.arrays import Arrays
from typegrad.session.call import Call, key_of
from typegrad.session.direct import direct, is_direct
from typegrad.session.feeds import fed_items, swapped_feeds
from typegrad.session.journal import StepJournal
from typegrad.session.owned import owned
from typegrad.session.plan import Plan, initial_plan
from typegrad.session.recording import RECORDER
from typegrad.session.state import Draws, InitializerStatus, Resources
from typegrad.session.uncollected import uncollected

if TYPE_CHECKING:
    from typegrad.base.array import Array
    from typegrad.files.checkpoint.random_state import RandomState
    from typegrad.graph.graph import Graph
    from typegrad.graph.operand import AnyOperand, AnyOutput
    from typegrad.session.fetches import Fetch
    from typegrad.session.program import Program
    from typegrad.session.run_types import Feeds

__all__ = ["CLOSED", "Executor"]

CLOSED: Final = "this session is closed; open another one with tg.Session(graph)"
_PlanKey: TypeAlias = "tuple[tuple[Fetch, ...], frozenset[AnyOutput]]"

_PLANS: Final = 256
"""How many plans a session keeps; the least recently used one makes room."""

_CALLS: Final = 1024
"""How many calls a session keeps prepared."""


@final
class Executor:
    """The plans of one session, the state of its variables and random streams, and the lock of this state."""

    __slots__ = (
        "_arrays",
        "_auto_init",
        "_calls",
        "_closed",
        "_draw_lock",
        "_graph",
        "_initialized",
        "_last",
        "_passes",
        "_plan_lock",
        "_plans",
        "_runs",
        "draws",
        "last_plan",
        "lock",
        "resources",
    )

    def __init__(self, graph: Graph, passes: Collection[str], *, auto_init: bool) -> None:
        """No variable has a value yet."""
        self._graph: Final = graph
        self._passes: Final = passes
        self._auto_init: Final = auto_init
        self._closed = False
        self._plans: dict[_PlanKey, Plan] = {}
        self._calls: dict[Hashable, Call] = {}
        self._last: tuple[Hashable, Call | None] = None, None
        """The key and the call of the last run."""
        self.last_plan: Plan | None = None
        """The plan of the last run."""
        self._runs: Final = count(1)
        self._arrays = Arrays()
        self._initialized: Final = InitializerStatus()
        self._plan_lock: Final = SharedLock[StepJournal]()
        self._draw_lock: Final = SharedLock[StepJournal]()
        self.resources = Resources()
        """The variables."""
        self.draws: Final = Draws(graph.seed)
        """The random streams."""
        self.lock: Final = SharedLock[StepJournal]()
        """Whoever reads variables has it shared; whoever writes them, alone."""

    # Calls

    def run(self, fetches: Any, feeds: Feeds | None) -> Any:
        """What `Session.run` returns."""
        key = key_of(fetches, feeds)
        last, call = self._last
        if key is None or key != last:  # which need no hashes to be compared
            call = None if key is None else self._calls.get(key)
        if call is None:
            return self._run_new(fetches, feeds, key)
        self._last = key, call
        perform = call.shortest or Executor.perform
        return perform(self, call, *() if feeds is None else cast("dict[object, object]", feeds).values())

    def _run_new(self, fetches: Any, feeds: Feeds | None, key: Hashable | None) -> Any:
        """Run a call that is not known; the next time it is, if it has a key."""
        self.initialize_new()
        operands, values = ([], []) if feeds is None else fed_items(feeds)
        call = Call(self._graph, fetches, operands)
        result = self.perform(call, *values)
        if key is not None and len(self._calls) < _CALLS:
            self._calls[key] = call
        return result

    def callable(self, fetches: Any, feeds: Iterable[AnyOperand | str]) -> Callable[..., Any]:
        """What `Session.callable` returns."""
        self.check_open()
        call = Call(self._graph, fetches, feeds)
        call.shortest = self._shortest(call, call.run_by(self.plan(call.requested, call.outputs)))
        return partial(call.shortest, self, call)

    def is_ready(self) -> bool:
        """Whether the session is open, and has run all initializers."""
        return not self._closed and self._initialized.done[0] == self._graph.initializer_count

    def _shortest(self, call: Call, plan: Plan) -> Callable[..., Any]:
        """`perform`, or what does the same for this call in less time."""
        return direct(call, plan) if is_direct(plan) else Executor.perform

    def perform(self, call: Call, *values: Any, **named: Any) -> Any:
        """Run with these values; the fetches with theirs."""
        if not self.is_ready():
            self.initialize_new()
        plan = call.plan
        if plan is None:
            plan = call.run_by(self.plan(call.requested, call.outputs))
        else:
            self.use(plan)
            if call.shortest is None:
                call.shortest = self._shortest(call, plan)
        try:
            arrays, sizes = call.arrays(values, named)
            program = plan.programs.get(sizes) or plan.program(sizes)
        except FeedError as error:
            raise swapped_feeds(call.outputs, values, error) from error.__cause__
        recorder = RECORDER.get()
        if recorder is not None and recorder.owner is self:
            program = recorder.watch(program)
        if plan.writes:
            results = self.lock.exclusive(self._step, plan, program, arrays)
        elif plan.reads:
            results = self.lock.shared(self._look, plan, program, arrays)
        else:
            results = owned(plan.run(program, arrays, self._generators(plan) if plan.random else ()), plan.fetches)
        return call.rebuild(results)

    # Initial values

    def check_open(self) -> None:
        """A `SessionClosedError` if the session is closed."""
        if self._closed:
            raise SessionClosedError(CLOSED)

    def initialize_new(self) -> None:
        """Run the initializers that have not run, if the session does so by itself."""
        self.check_open()
        if self._auto_init and self._initialized.done[0] < self._graph.initializer_count:
            self.initialize()

    def initialize(self) -> None:
        """Run the initializers that have not run. A failure leaves all of them undone."""
        self.check_open()
        self.lock.exclusive(self._initialize)

    def _initialize(self) -> None:
        """Run the pending initializers. The caller holds the lock, so no other thread runs them."""
        journal = self._begin()
        pending = self._initialized.pending(self._graph)
        done = len(self._graph.initializers)
        if pending:
            plan = initial_plan(lambda: self.plan(pending, ()))
            self._run_step(plan, plan.program(()), (), journal)
        self._initialized.done = (done, frozenset())
        self.lock.commit()

    def take_over(self, states: Mapping[VariableState, Array], random: RandomState | None = None) -> None:
        """Set these values, all of them or none, and count the initializers of the variables as done.

        The caller has the lock alone.
        """
        self.check_open()
        self._begin().take_in(states)
        for state, value in states.items():
            state.assign(value)
        if random is not None:
            self.draws.resume(random)
        done, restored = self._initialized.done
        written = {op: self.resources.written_by(op) for op in self._initialized.pending(self._graph)}
        complete = (op for op, variables in written.items() if variables and variables <= states.keys())
        self._initialized.done = (done, restored.union(complete))
        self.lock.commit()

    def close(self) -> None:
        """Release everything; later runs raise `SessionClosedError`, and so may unfinished runs of other threads."""
        self._closed = True  # first, so that a run that finds what follows finds this as well
        self._calls = {}
        self._last = None, None
        self.last_plan = None
        self._plans = {}
        self.resources = Resources()
        self._arrays = Arrays()

    # Plans

    def plan(self, fetches: Sequence[Fetch], feeds: Iterable[AnyOutput]) -> Plan:
        """How to compute these fetches from these feeds; made once."""
        key = (tuple(fetches), frozenset(feeds))
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plan_lock.exclusive(self._compile, key)
        self.use(plan)
        return plan

    def use(self, plan: Plan) -> None:
        """Note that a plan is used, so that others make room; once for runs of the same plan in a row."""
        self.last_plan = plan
        plan.last_use = next(self._runs)

    def _compile(self, key: _PlanKey) -> Plan:
        plans = self._plans
        plan = plans.get(key)
        if plan is None:  # else another thread has just made it
            fetches, feeds = key
            outputs = [fetch for fetch in fetches if isinstance(fetch, Output)]
            targets = [fetch for fetch in fetches if isinstance(fetch, Operation)]
            in_order = sorted(feeds, key=lambda output: (output.op.id, output.index))
            plan = uncollected(Plan, outputs, targets, in_order, self.resources, self._passes, self._arrays)
            plans[key] = plan
            if len(plans) > _PLANS:
                uses = {key: plan.last_use for key, plan in plans.copy().items() if plan.last_use}
                plans.pop(min(uses, key=uses.__getitem__), None)
                self._calls = {}
                self._last = None, None
        return plan

    # Steps and looks: the caller has the lock

    def _look(self, plan: Plan, program: Program, arrays: Sequence[Array]) -> list[Array]:
        self.check_open()
        self.lock.refuse_within_write()
        return owned(plan.run(program, arrays, self._generators(plan)), plan.fetches)

    def _step(self, plan: Plan, program: Program, arrays: Sequence[Array]) -> list[Array]:
        """Run, and put every variable back if the run fails."""
        values = self._run_step(plan, program, arrays, self._begin())
        self.lock.commit()
        return values

    def _begin(self) -> StepJournal:
        """Begin a step that is undone as a whole unless it reaches `commit`."""
        journal = StepJournal(self.draws, self._initialized)
        self.lock.begin(journal)
        return journal

    def _run_step(self, plan: Plan, program: Program, arrays: Sequence[Array], journal: StepJournal) -> list[Array]:
        self.check_open()
        journal.take_in(plan.states.values(), plan.random)
        return owned(plan.run(program, arrays, self._generators(plan)), plan.fetches)

    def _generators(self, plan: Plan) -> list[np.random.Generator]:
        if not plan.random:
            return []
        return self._draw_lock.exclusive(self.draws.begin, plan.random, plan.writes)
