"""A session that runs nothing: it checks what is fetched and fed, and returns arrays of unknown values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from inspect import unwrap
from typing import TYPE_CHECKING, Any, Final, final

import numpy as np
from attrs import frozen

from typegrad.arguments.guarding import guard as _guard
from typegrad.arguments.unknown import unknown_attribute
from typegrad.base.brief import quoted, shortened
from typegrad.base.errors import CheckpointError, FailedPreconditionError, FeedError, SessionClosedError
from typegrad.base.types import TIntegral, TString
from typegrad.base.variable_state import NO_VALUE
from typegrad.dry_run.known.arrays import StandIn, bare, is_hidden, is_integer
from typegrad.dry_run.known.open_shapes import OPEN_GRAPHS, has_operation
from typegrad.dry_run.known.unknown import UNKNOWN, UncertainError, UnknownFloat, has_unknown, is_unknown
from typegrad.dry_run.known.unsized import Unsized, array_of
from typegrad.graph.explain import located
from typegrad.graph.operand import Operand, Output
from typegrad.graph.wrapper import Op
from typegrad.op.core.constant import DEF as CONSTANT
from typegrad.session import session as real
from typegrad.session.call import Call
from typegrad.session.executor import CLOSED
from typegrad.session.feeds import assigned_values, check_fed_shape, fed_array, fed_items, swapped_feeds
from typegrad.session.names import bound_names
from typegrad.session.plan import Plan, initial_plan
from typegrad.session.runner import Runner as Steps
from typegrad.session.specialize import check_shapes
from typegrad.session.state import Resources

if TYPE_CHECKING:
    from typegrad.base.shape import Shape
    from typegrad.graph.graph import Graph
    from typegrad.graph.operand import AnyOperand, AnyOutput
    from typegrad.graph.operation import Operation
    from typegrad.graph.variable import AnyVariable
    from typegrad.session.run_types import Feeds
    from typegrad.session.specialize import Inference
    from typegrad.shapes.view import Value

__all__ = ["PreparedRun", "Runner", "Session"]


_READ: Final = "ReadVariableOp"
_SHOWN: Final = 100
"""How many characters of the names of variables an error has."""
_MOST_VALUES: Final = 4096
"""How many integers of a feed, or of a constant, are looked at."""
_RUNS: Final = 100
"""After how many different runs only the shapes of feeds are looked at."""


class _Others(type):
    """The class of `Session`, whose other methods may be called by it, too: `Session.initialize(session)`."""

    def __getattr__(cls, name: str) -> Callable[..., Any]:
        if name.startswith("_") or not hasattr(real.Session, name):
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")
        return lambda session, *_, **__: getattr(session, name)


def _nodes_in(fetches: Any) -> Iterator[AnyOperand | Op]:
    """The operands and operations that are known among some fetches."""
    if isinstance(fetches, Mapping) or type(fetches) in (list, tuple):
        for each in fetches.values() if isinstance(fetches, Mapping) else fetches:
            yield from _nodes_in(each)
    elif isinstance(fetches, (Operand, Op)):
        yield fetches


@final
class Session(metaclass=_Others):
    """What a dry run has in the place of `Session`. Its other methods return unknown values."""

    def __init__(self, graph: Graph, *, auto_init: bool = True, passes: Any = None, threads: Any = None) -> None:
        """Open nothing."""
        del passes, threads
        self.graph = graph
        self._is_initialized = auto_init is not False
        self._resources = Resources()
        self._plans: dict[object, Plan] = {}
        self._constants: dict[Plan, Mapping[AnyOutput, Value]] = {}
        self._inferred: dict[object, Inference] = {}
        self._is_closed = False
        self._assigned: set[AnyOutput] = set()
        """The handles of variables that were given a value besides their initial one."""
        self._may_be_assigned = False
        """Whether any variable may have been given one."""
        self._checked_initializers: list[Operation] = []

    def __getattr__(self, name: str) -> Any:
        self._may_be_assigned = True  # by `restore`, for example
        return UNKNOWN if hasattr(real.Session, name) else unknown_attribute(self, name)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        """Close the session."""
        self.close()

    def close(self) -> None:
        """Remember that the session is closed."""
        self._is_closed = True

    def on_trial(self) -> Callable[[], object]:
        """Begin what is undone later by what this returns."""
        changing = {name: value for name, value in vars(self).items() if isinstance(value, (bool, dict, set))}
        before = {name: copy(value) for name, value in changing.items()} | {"_resources": self._resources}
        self._resources = Resources()
        return lambda: vars(self).update(before)

    def run(self, fetches: Any, feed_dict: Feeds | None = None) -> Any:
        """Check a run, and return what it returns, with unknown values."""
        if feed_dict is UNKNOWN:
            return self._run_of_any_feeds(fetches)
        operands, values = ([], []) if feed_dict is None else fed_items(feed_dict)
        if self.is_open(operands):
            return self._run_of_any_feeds(fetches)
        if self.is_open(fetches):
            self.refuse_closed()
            self._partly_checked(Call(self.graph, [], operands), values)
            known = [*_nodes_in(fetches)]
            if known:  # for which all must be fed that they need, whatever is fetched besides
                self._plan(Call(self.graph, known, operands))
            return self._unknown_run()
        return self.checked(Call(self.graph, _without_values(fetches), operands), values)

    def callable(self, fetches: Any, feeds: Iterable[Any] = ()) -> Callable[..., Any]:
        """Check what is fetched and fed; what is returned checks the values."""
        if self.is_open((fetches, feeds)):
            unknown: Callable[..., Any] = self._run_of_any_feeds(fetches)
            return unknown
        call = Call(self.graph, _without_values(fetches), feeds)
        self._plan(call)
        return PreparedRun(self, call)

    def runner(self) -> Runner:
        """A run that is described step by step."""
        return Runner(self)

    def explain(self, fetches: Any, feed_dict: Any = ()) -> Any:
        """Check what would be fetched and fed."""
        self.refuse_closed()
        if not self.is_open(feed_dict):
            fed = feed_dict if isinstance(feed_dict, (list, tuple)) else fed_items(feed_dict)[0]
            self.callable(fetches, fed)
        return UNKNOWN

    def profile(self, fetches: Any, feed_dict: Any = None, *, runs: Any = 10) -> Any:
        """Check the runs that are measured."""
        del runs
        self.run(fetches, feed_dict)
        return UNKNOWN

    def value(self, variable: AnyVariable) -> Any:
        """An array of the variable's shape."""
        self.refuse_closed()
        if variable.handle in self._empty():
            raise self._no_value(variable.handle)
        return _result(variable.handle, variable.shape)

    def assign(self, variable: Any, value: Any = None) -> None:
        """Check the values for variables."""
        self.refuse_closed()
        values = variable if isinstance(variable, Mapping) else {variable: value}
        known = {key: bare(each) for key, each in values.items() if not has_unknown((key, each))}
        self._may_be_assigned |= len(known) < len(values)
        self._assigned.update(each.handle for each in assigned_values(self.graph, known))

    def restore(self, path: Any, *, names: Any = None, strict: Any = True, random: Any = None) -> None:
        """Check the names, and forget which variables have a value."""
        del path, strict, random
        self.refuse_closed()
        self._may_be_assigned = True
        known = self._resources.of_graph(self.graph)
        requested = (
            []
            if names is None or has_unknown(names) or self.graph in OPEN_GRAPHS
            else [names]
            if isinstance(names, str)
            else names
        )
        missing = [quoted(name) for name in requested if name not in known]
        if missing:
            own = shortened(", ".join(map(quoted, known)), _SHOWN) or "none"
            raise CheckpointError(f"no variable of the graph: {', '.join(missing)}; its variables are {own}")

    def is_open(self, what: Any) -> bool:
        """Whether it is not known what is fetched or fed: also by a name that another operation may have in a run."""
        return has_unknown(what) or self._has_open_name(what)

    def _has_open_name(self, what: Any) -> bool:
        if isinstance(what, Mapping) or type(what) in (list, tuple):
            return any(map(self._has_open_name, what.values() if isinstance(what, Mapping) else what))
        return has_unknown(what, lambda each: isinstance(each, str) and not has_operation(self.graph, each))

    def may_have_run(self) -> None:
        """Note that code that was not followed may have given variables values."""
        self._may_be_assigned = True

    def _unknown_run(self) -> Any:
        """The result of a run of which it is not known what it runs."""
        self._may_be_assigned = True
        return UNKNOWN

    def _run_of_any_feeds(self, fetches: Any) -> Any:
        """The result of a run that no feeds let fetch what the graph does not have."""
        if not self.is_open(fetches):
            self.refuse_closed()
            Call(self.graph, _without_values(fetches), ())
        return self._unknown_run()

    def refuse_closed(self) -> None:
        """A `SessionClosedError` if the session is closed."""
        if self._is_closed:
            raise SessionClosedError(CLOSED)

    def _plan(self, call: Call) -> Plan:
        """The plan of a run."""
        key = tuple(call.requested), call.outputs
        if key not in self._plans:
            self._plans[key] = self._new_plan(call)
        return self._plans[key]

    def _new_plan(self, call: Call) -> Plan:
        outputs = [fetch for fetch in call.requested if isinstance(fetch, Output)]
        targets = [fetch for fetch in call.requested if not isinstance(fetch, Output)]
        return Plan(outputs, targets, call.outputs, self._resources, ())

    def checked(self, call: Call, values: Sequence[Any]) -> Any:
        """Check the values that are fed, and return what is fetched."""
        self.refuse_closed()
        self._initialize()
        plan = self._plan(call)
        self._check_constants(plan)
        try:
            return self._fed(plan, call, values)
        except FeedError as error:
            raise swapped_feeds(call.outputs, list(map(_sized, values)), error) from error.__cause__

    def _fed(self, plan: Plan, call: Call, values: Sequence[Any]) -> Any:
        if len(values) == len(call.outputs) and has_unknown(values):
            self._refuse_unassigned(plan, call.requested)
            return self._partly_checked(call, values)
        _, sizes = call.arrays(bare(list(values)))
        known = self._integers(call, values)
        key = plan, sizes, tuple(known.items())
        if key not in self._inferred:
            self._inferred[key] = plan.inferred(sizes, {**self._constants[plan], **known})
        inferred = self._inferred[key]
        self._refuse_unassigned(plan, call.requested)
        return call.rebuild(
            [_result(each, inferred.shape(each)) for each in call.requested if isinstance(each, Output)]
        )

    def _check_constants(self, plan: Plan) -> None:
        """Check what operations do with integers that are too many for the graph to look at, whatever is fed."""
        if plan not in self._constants:
            found = _large_constants(plan.operations)
            check_shapes((), (), plan.operations if found else (), {}, found)
            self._constants[plan] = found

    def _initialize(self) -> None:
        """Check what is initialized before a run; which operations that is may be known here."""
        if not self._is_initialized or self._may_be_assigned or self.graph in OPEN_GRAPHS:
            return
        pending = [each for each in self.graph.initializers if self._assigned.isdisjoint(each.inputs)]
        if pending != self._checked_initializers:
            self._checked_initializers = pending
            initial_plan(lambda: Plan([], pending, (), self._resources, ()))

    def _refuse_unassigned(self, plan: Plan, fetches: Sequence[object]) -> None:
        """Refuse to read a variable that has no value, in the order of the run."""
        empty = self._empty()
        for op in plan.operations if empty else ():
            handles = empty.intersection(op.inputs)
            if handles and op.type == _READ:
                raise located(op, self._no_value(op.inputs[0]))
            empty -= handles
            self._assigned |= handles
        for fetch in fetches:
            if isinstance(fetch, Output) and fetch in empty:
                raise self._no_value(fetch)

    def _empty(self) -> set[AnyOutput]:
        """The handles of the variables that are known to have no value."""
        lacking = (each for each in self.graph.variables if each.initializer is None or not self._is_initialized)
        return set() if self._may_be_assigned else {each.handle for each in lacking} - self._assigned

    def _no_value(self, handle: AnyOutput) -> FailedPreconditionError:
        remedy = "call session.assign" if self._is_initialized else NO_VALUE
        return FailedPreconditionError(f"variable '{handle.op.attrs['shared_name']}' has no value yet; {remedy}")

    def _integers(self, call: Call, values: Sequence[Any]) -> Mapping[AnyOutput, Value]:
        """The feeds of known integers, if they are not very many, unless the program makes many different runs."""
        if len(self._inferred) > _RUNS:
            return {}
        found = {output: _integers(output, value) for output, value in zip(call.outputs, values, strict=False)}
        return {output: value for output, value in found.items() if value is not None}

    def _partly_checked(self, call: Call, values: Sequence[Any]) -> Any:
        """Check the feeds that are known one by one, and whether the sizes agree that are known of them."""
        bound_names(call.outputs, [_checked_sizes(*each) for each in zip(call.outputs, values, strict=True)])
        return call.rebuild([_result(each, each.shape) for each in call.requested if isinstance(each, Output)])


@final
class Runner:
    """What a dry run has in the place of `Runner`, which it asks about what is known."""

    def __init__(self, session: Any) -> None:
        """Describe a run of a session."""
        self._session = session
        self._steps = Steps.__new__(Steps)
        unwrap(Steps.__init__)(self._steps, session)  # without the check of the session's class
        self._is_known = True

    def feed(self, operand: Any, value: Any) -> Runner:
        """Check what is fed."""
        return self._noted(self._steps.feed, operand, value)

    def fetch(self, operand: Any) -> Runner:
        """Check what is fetched."""
        return self._noted(self._steps.fetch, operand)

    def add_target(self, operation: Any) -> Runner:
        """Check what is run."""
        return self._noted(self._steps.add_target, operation)

    def run(self) -> Any:
        """Check the run, if all of it is known."""
        with suppress(UncertainError):
            return self._steps.run() if self._is_known else UNKNOWN
        return UNKNOWN

    def _noted(self, step: Callable[..., object], what: Any, *value: Any) -> Runner:
        if self._session.is_open(what):
            self._is_known = False
        else:
            step(what, *value)
        return self


@final
@frozen
class PreparedRun:
    """What a dry run has in the place of what `Session.callable` returns."""

    session: Session
    call: Call

    def __call__(self, *values: Any) -> Any:
        """Check the values."""
        return self.session.checked(self.call, values)


@frozen
class _Sized:
    """An array, of which not all sizes are known."""

    dtype: np.dtype[Any]
    shape: tuple[int | None, ...]


def _sized(value: Any) -> Any:
    """What is known of a feed; None, if it may be an array of several kinds."""
    if not isinstance(value, Unsized):
        return None if is_unknown(value) else value
    sample, *others = [_Sized(each.dtype, sizes) for each, sizes in value.kinds()]
    return None if others else sample


class _Number:
    """A number of an unknown value, which no run fetches."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def __repr__(self) -> str:
        return self._kind


_Number.__name__ = "a number of type"  # which errors name before what `repr` says


def _without_values(fetches: Any) -> Any:
    """Fetches with what errors say of each number in its place, as its value is unknown."""
    if type(fetches) in (list, tuple):
        return type(fetches)(map(_without_values, fetches))
    if type(fetches) is dict:
        return {key: _without_values(each) for key, each in fetches.items()}
    if isinstance(fetches, StandIn) and not fetches.ndim:
        return _Number("int" if is_integer(fetches) else fetches.dtype.name)
    return _Number("float") if isinstance(fetches, UnknownFloat) else bare(fetches)


def _checked_sizes(output: AnyOutput, value: Any) -> tuple[int | None, ...]:
    """The sizes that are known of a feed, which must fit the output; no dimensions, if these are not known."""
    if isinstance(value, Unsized):
        return _checked_sizes_of_kinds(output, value)
    if has_unknown(value):
        return ()
    sizes = fed_array(output, bare(value)).shape
    check_fed_shape(output, sizes)
    return sizes


def _checked_sizes_of_kinds(output: AnyOutput, value: Unsized) -> tuple[int | None, ...]:
    """The same of an array of unknown size: it is refused if it does not fit, whichever of several arrays it is."""
    fitting: list[tuple[int | None, ...]] = []
    errors: list[FeedError] = []
    for sample, sizes in value.kinds():
        try:
            fed_array(output, bare(sample))
            check_fed_shape(output, sizes)
        except FeedError as error:
            errors.append(error)
        else:
            fitting.append(sizes)
    if not fitting:
        raise errors[-1]
    return fitting[0] if len(fitting) == 1 else ()


def _large_constants(operations: Iterable[Operation]) -> Mapping[AnyOutput, Value]:
    """The constants of integers whose values the graph does not know, if they are not of very many."""
    outputs = [op.outputs[0] for op in operations if op.definition is CONSTANT]
    found = {each: _integers(each, each.op.attrs["value"]) for each in outputs if each.static_value is None}
    return {output: value for output, value in found.items() if value is not None}


def _integers(output: AnyOutput, value: Any) -> Value | None:
    """A fed value, or a constant's, if it is of known integers, and not of very many."""
    if not issubclass(output.dtype, TIntegral) or has_unknown(value, is_hidden):
        return None
    array = np.asarray(value)
    return _tuples(array.tolist()) if array.dtype.kind in "iu" and array.size <= _MOST_VALUES else None


def _tuples(value: Any) -> Value:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _result(output: AnyOutput, shape: Shape) -> Any:
    """The array that a run returns for an output; of a variable, which a run fetches by its handle, its value."""
    is_handle = output.op.definition.effect == "handle"
    dims = output.op.attrs["shape"].dims if is_handle else shape.dims
    dtype = output.op.attrs["dtype"] if is_handle else output.dtype
    sizes = [dim if isinstance(dim, int) else None for dim in dims or ()]
    return UNKNOWN if dims is None or dtype is TString else array_of(sizes, dtype.numpy)


_guard(__name__)
