"""The state of a session: variables, accumulators, and how often each random operation has drawn."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from typing import TypeAlias, final

import numpy as np

from typegrad.base.accumulator_state import AccumulatorState
from typegrad.base.errors import CheckpointError, InvalidArgumentError
from typegrad.base.handle import AccumulatorHandle
from typegrad.base.variable_state import VariableState
from typegrad.files.checkpoint.random_state import COUNT_LIMIT, RandomState
from typegrad.graph.graph import Graph
from typegrad.graph.operation import Operation

__all__ = ["Draws", "DrawsMark", "InitializerStatus", "Resources"]


class Resources:
    """The variables and accumulators of one session, by kind, container and name."""

    def __init__(self) -> None:
        """None yet."""
        self._states: dict[tuple[str, str, str], VariableState] = {}

    def state(self, handle: Operation) -> VariableState:
        """The variable or accumulator of a handle; the same object for all handles of one kind and name."""
        attrs = handle.attrs
        name, dtype = attrs["shared_name"] or handle.name, attrs["dtype"]
        key = (handle.type, attrs["container"], name)
        state = self._states.get(key)
        if state is None:
            # Threads may arrive together; all of them take the object of the first.
            state = self._states.setdefault(key, _new_state(handle, name))
        if state.dtype is not dtype:
            raise InvalidArgumentError(
                f"{state.KIND} '{name}' is {state.dtype.name}, but another handle of the same name says {dtype.name}"
            )
        return state

    def written_by(self, operation: Operation) -> set[VariableState]:
        """The variables and accumulators that an operation writes."""
        return {self.state(o.op) for o in operation.inputs if o.op.definition.effect == "handle"}

    def of_graph(self, graph: Graph) -> dict[str, VariableState]:
        """Every variable with a handle in the graph, by the name in checkpoints: "name" or "container:name"."""
        variables: dict[str, VariableState] = {}
        for op in graph.operations:
            state = self.state(op) if op.definition.effect == "handle" else None
            if type(state) is VariableState:
                container = op.attrs["container"]
                name = f"{container}:{state.name}" if container else state.name
                if variables.setdefault(name, state) is not state:
                    raise CheckpointError(f"two variables would be saved under one name, '{name}'")
        return variables

    def __iter__(self) -> Iterator[VariableState]:
        return iter(self._states.values())


def _new_state(handle: Operation, name: str) -> VariableState:
    attrs = handle.attrs
    if type(handle.outputs[0].static_value) is AccumulatorHandle:
        return AccumulatorState(name, attrs["dtype"], attrs["shape"], is_mean=attrs["reduction_type"] == "MEAN")
    return VariableState(name, attrs["dtype"], attrs["shape"])


@final
class InitializerStatus:
    """Which initializers of a graph are done: the first ones, and later ones of restored variables."""

    def __init__(self) -> None:
        """None."""
        self.done: tuple[int, frozenset[Operation]] = (0, frozenset())
        """How many of the first ones, and which of the others."""

    def pending(self, graph: Graph) -> list[Operation]:
        """Those that are not done, in creation order."""
        count, restored = self.done
        return [op for op in graph.initializers[count:] if op not in restored]


_Stream: TypeAlias = tuple[int | None, int, dict[str, tuple[int, int]]]
"""The seed, what takes its place if there is none, and the counts: steps and looks of each operation, by name."""


@final
class Draws:
    """Which numbers each random operation draws next.

    A run that writes state is a step, any other run a look. Numbers depend on the seed, the operation's name, the steps
    it has taken part in and the looks since: looking at a value, however often, never changes what the next step draws.
    """

    def __init__(self, seed: int | None) -> None:
        """`seed` is the graph's; None draws differently in every session."""
        self._stream: _Stream = (seed, secrets.randbits(128) if seed is None else 0, {})

    def begin(self, operations: Sequence[Operation], is_step: bool) -> list[np.random.Generator]:
        """What one run's operations draw from; the next run gets others."""
        stream = self._stream
        counts: dict[str, tuple[int, int]] = {}
        drawn: list[tuple[int, int]] = []
        for op in operations:
            steps, looks = stream[2].get(op.name, (0, 0))
            look = (steps, (looks + 1) % COUNT_LIMIT)
            drawn.append((steps, 0) if is_step else look)
            counts[op.name] = ((steps + 1) % COUNT_LIMIT, 0) if is_step else look
        stream[2].update(counts)
        return [_generator(stream, op, count) for op, count in zip(operations, drawn, strict=True)]

    def mark(self, operations: Sequence[Operation]) -> DrawsMark:
        """What `rewind` needs to put the counts of these operations, and what `resume` changes, back."""
        stream = self._stream
        return stream, {op.name: stream[2].get(op.name, (0, 0)) for op in operations}

    def rewind(self, mark: DrawsMark) -> None:
        """Go back to where `mark` was."""
        stream, counts = mark
        self._stream = stream
        stream[2].update(counts)

    def state(self, mark: DrawsMark | None = None) -> RandomState:
        """Everything that later numbers depend on, now or at `mark`."""
        (seed, entropy, counts), changed = mark or (self._stream, {})
        return RandomState(seed, entropy, counts | changed)

    def resume(self, state: RandomState) -> None:
        """Continue the random numbers of the session that `state` is from."""
        self._stream = (state.seed, state.entropy, dict(state.counts))


DrawsMark: TypeAlias = tuple[_Stream, dict[str, tuple[int, int]]]
"""Where the streams were, and the counts there of those that a step moves on."""


def _generator(stream: _Stream, operation: Operation, count: tuple[int, int]) -> np.random.Generator:
    """The source of numbers of one operation in one run: Philox4x64 (Salmon et al., 2011), keyed by seed and name."""
    steps, looks = count
    return np.random.Generator(np.random.Philox(key=_key(stream, operation), counter=(0, 0, looks, steps)))


def _key(stream: _Stream, operation: Operation) -> int:
    seed, entropy, _ = stream
    seeds = (operation.attrs.get("seed", 0), operation.attrs.get("seed2", 0))
    root = entropy if seed is None else seed
    identity = f"{root} name {operation.name}" if seeds == (0, 0) else f"seeds {seeds}"
    return int.from_bytes(hashlib.blake2b(identity.encode(), digest_size=16).digest(), "little")
