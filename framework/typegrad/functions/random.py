"""`Generator`: random numbers by a state that a session keeps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, final, overload

import numpy as np
from typing_extensions import TypeVar

from typegrad.arguments.guarding import guard as _guard
from typegrad.base.errors import AttributeValueError
from typegrad.base.shape import Shape
from typegrad.base.types import (
    TFloat16,
    TFloat32,
    TFloat64,
    TFloating,
    TInt32,
    TInt64,
    TIntegral,
    TUint32,
    TUint64,
    as_element_type,
)
from typegrad.functions.drawing import bounds, moved
from typegrad.graph.operand import AnyOperand, Integer, Operand
from typegrad.graph.scope import Scope
from typegrad.graph.variable import Variable
from typegrad.op.core import Constant, Stack, Unstack, ZerosLike
from typegrad.op.random import (
    NonDeterministicInts,
    RngReadAndSkip,
    RngSkip,
    StatefulRandomBinomial,
    StatefulStandardNormal,
    StatefulTruncatedNormal,
    StatefulUniform,
    StatefulUniformFullInt,
    StatefulUniformInt,
)

__all__ = ["Generator"]

F = TypeVar("F", bound=TFloating, default=TFloat32)
I = TypeVar("I", bound=TInt32 | TInt64 | TUint32 | TUint64, default=TUint64)  # noqa: E741  # of integers
U = TypeVar("U", bound=TFloating | TInt32 | TInt64 | TUint32 | TUint64, default=TFloat32)
P = TypeVar("P", bound=TFloat16 | TFloat32 | TFloat64)
B = TypeVar("B", bound=TFloat16 | TFloat32 | TFloat64 | TInt32 | TInt64, default=TInt32)
_Sizes = Sequence[Integer] | Shape | Operand[TInt32] | Operand[TInt64]

_PHILOX: Final = 1
_STATE_SIZE: Final = 3
_BITS: Final = 64


@final
class Generator:
    """A generator of random numbers, with a state of its own: the numbers of `tf.random.Generator` for the same seed.

    The state is a variable. Each run of an operation that a method adds draws new numbers and moves the state on, in
    the order in which the graph was built; a session starts with the seed, and a checkpoint keeps where it is. So
    unlike the numbers of other random operations, these depend on what was drawn before, and not on names.

    The algorithm is Philox (Salmon et al., 2011), the only one of TensorFlow on a CPU.
    """

    __slots__ = ("_state",)

    def __init__(self, state: Variable[TInt64, tuple[Any]]) -> None:
        """Use a variable of three elements or more as the state: the counter, in two halves, and the key."""
        self._state = state

    @staticmethod
    def from_seed(scope: Scope, seed: int | np.integer[Any] | Sequence[int]) -> Generator:
        """Make a generator of a seed.

        Args:
            scope: Where in the graph the variable goes: into its sub-scope "random_generator".
            seed: An integer, whose lower 192 bits count, or up to three integers, whose lower 64 bits count.

        Source: TensorFlow's `tf.random.Generator.from_seed`. Different seeds need not be unrelated: a small integer is
        where the counter starts. For many generators, split one.
        """
        if isinstance(seed, (int, np.integer)):
            words = [int(seed) >> _BITS * place for place in range(_STATE_SIZE)]
        else:
            words = [*(0 for _ in range(_STATE_SIZE - len(seed))), *seed[:_STATE_SIZE]]
        return Generator.from_state(scope, words)

    @staticmethod
    def from_state(scope: Scope, state: Sequence[int] | Operand[TInt64]) -> Generator:
        """Make a generator that starts with a state.

        Args:
            scope: Where in the graph the variable goes: into its sub-scope "random_generator".
            state: Three integers, the counter, in two halves, and the key; or an operand, which is computed when a
                session starts.

        Raises:
            AttributeValueError: There are not three integers.

        Source: TensorFlow's `tf.random.Generator.from_state`.
        """
        inner = scope.with_sub_scope("random_generator")
        if isinstance(state, Operand):
            return Generator(Variable.create(inner, state, trainable=False))
        if len(state) != _STATE_SIZE:
            raise AttributeValueError(f"a generator's state is {_STATE_SIZE} integers, but there are {len(state)}")
        words = np.array([word % 2**_BITS for word in state], np.uint64).view(np.int64)
        return Generator(Variable.create(inner, words, trainable=False))

    @staticmethod
    def from_key_counter(scope: Scope, key: int, counter: Sequence[int]) -> Generator:
        """Make a generator of a key and of a counter in two halves, the lower one first.

        Raises:
            AttributeValueError: The counter does not have two halves.

        Source: TensorFlow's `tf.random.Generator.from_key_counter`.
        """
        return Generator.from_state(scope, [*counter, key])

    @staticmethod
    def from_non_deterministic_state(scope: Scope) -> Generator:
        """Make a generator whose numbers nobody can repeat: each session starts with bits of the operating system.

        Source: TensorFlow's `tf.random.Generator.from_non_deterministic_state`.
        """
        inner = scope.with_sub_scope("random_generator")
        return Generator.from_state(scope, NonDeterministicInts.create(inner, [_STATE_SIZE], TInt64))

    @property
    def state(self) -> Variable[TInt64, tuple[Any]]:
        """The variable: the counter, in two halves, and the key."""
        return self._state

    def key(self, scope: Scope) -> Operand[TInt64, tuple[()]]:
        """The key, a scalar: generators with different keys draw unrelated numbers."""
        return Unstack.create(scope, self._state.read(scope), num=_STATE_SIZE).output[-1]

    def skip(self, scope: Scope, delta: int | Operand[TInt64]) -> RngSkip:
        """Move the state on, as if `delta` numbers had been drawn.

        Source: TensorFlow's `tf.random.Generator.skip`.
        """
        return RngSkip.create(scope, self._state.handle, _PHILOX, delta)

    def make_key(self, scope: Scope, delta: int | Operand[TUint64] = 1) -> Operand[TInt64, tuple[Literal[3]]]:
        """Return the state, and move it on: a key and a counter for stateless operations, which draw the same numbers.

        Args:
            scope: Where in the graph the operation goes.
            delta: How many numbers will be drawn.

        Returns:
            The counter, in two halves, and the key, of shape [3].
        """
        return RngReadAndSkip.create(scope, self._state.handle, _PHILOX, delta)

    def make_seeds(self, scope: Scope, count: int = 1) -> Operand[TInt64, tuple[Literal[2], Any]]:
        """Draw seeds for stateless operations: the columns of a matrix of shape [2, count].

        Source: TensorFlow's `tf.random.Generator.make_seeds`.
        """
        keys = self.uniform_full_int(scope, (count,), TInt64)
        return Stack.create(scope, [keys, ZerosLike.create(scope, keys)])

    def split(self, scope: Scope, count: int = 1) -> list[Generator]:
        """Make generators that draw unrelated numbers.

        Their keys are drawn from this one when a session starts, in the order in which the graph was built.

        Source: TensorFlow's `tf.random.Generator.split`.
        """
        keys = self.uniform_full_int(scope, (count,), TInt64)
        zero = ZerosLike.create(scope, keys)
        states = Unstack.create(scope, Stack.create(scope, [zero, zero, keys], axis=1), num=count)
        return [Generator.from_state(scope, state) for state in states.output]

    def fork(self, scope: Scope) -> Generator:
        """Make one generator that draws unrelated numbers: the only one of `split`."""
        return self.split(scope)[0]

    @overload
    def uniform(
        self,
        scope: Scope,
        shape: tuple[int, int],
        minval: float = ...,
        maxval: float | None = ...,
        dtype: type[U] = ...,
    ) -> Operand[U, tuple[Any, Any]]: ...
    @overload
    def uniform(
        self,
        scope: Scope,
        shape: _Sizes,
        minval: float | Operand[U] = ...,
        maxval: float | Operand[U] | None = ...,
        dtype: type[U] = ...,
    ) -> Operand[U]: ...
    def uniform(
        self,
        scope: Scope,
        shape: Sequence[Integer] | Shape | AnyOperand,
        minval: float | AnyOperand = 0,
        maxval: float | AnyOperand | None = None,
        dtype: type[Any] = TFloat32,
    ) -> AnyOperand:
        """Numbers from `minval` up to, but not including, `maxval`, all equally likely.

        Args:
            scope: Where in the graph the operations go.
            shape: The sizes, or an operand that holds them when the graph runs.
            minval: The least number: a number, or an operand that broadcasts with the shape.
            maxval: The end of the range: 1 if left out, which integers may not do.
            dtype: The element type.

        Returns:
            An operand of this shape, broadcast with the other operands; each run draws new numbers.

        Raises:
            AttributeValueError: The numbers are integers, and `maxval` is left out.
            DTypeError: The type is not one that can be drawn, or not the type of `minval` or `maxval`.

        Source: TensorFlow's `tf.random.Generator.uniform`.
        """
        element: type[Any] = as_element_type(dtype)
        low, high = bounds(element, minval, maxval)
        if issubclass(element, TIntegral):
            ends = [Constant.create(scope, end) for end in (low, high)]
            return StatefulUniformInt.create(scope, self._state.handle, _PHILOX, shape, *ends)
        drawn = StatefulUniform.create(scope, self._state.handle, _PHILOX, shape, element)
        with scope:
            return moved(drawn, high - low, low)

    @overload
    def normal(
        self,
        scope: Scope,
        shape: tuple[int, int],
        mean: float = ...,
        stddev: float = ...,
        dtype: type[F] = ...,
    ) -> Operand[F, tuple[Any, Any]]: ...
    @overload
    def normal(
        self,
        scope: Scope,
        shape: _Sizes,
        mean: float | Operand[F] = ...,
        stddev: float | Operand[F] = ...,
        dtype: type[F] = ...,
    ) -> Operand[F]: ...
    def normal(
        self,
        scope: Scope,
        shape: Sequence[Integer] | Shape | AnyOperand,
        mean: float | AnyOperand = 0.0,
        stddev: float | AnyOperand = 1.0,
        dtype: type[Any] = TFloat32,
    ) -> AnyOperand:
        """Numbers of the normal distribution.

        Args:
            scope: Where in the graph the operations go.
            shape: The sizes, or an operand that holds them when the graph runs.
            mean: The mean: a number, or an operand that broadcasts with the shape.
            stddev: The standard deviation, like the mean.
            dtype: The element type.

        Returns:
            An operand of this shape, broadcast with the other operands; each run draws new numbers.

        Source: TensorFlow's `tf.random.Generator.normal`.
        """
        element: type[Any] = as_element_type(dtype)
        drawn = StatefulStandardNormal.create(scope, self._state.handle, _PHILOX, shape, element)
        with scope:
            return moved(drawn, stddev, mean)

    @overload
    def truncated_normal(
        self,
        scope: Scope,
        shape: tuple[int, int],
        mean: float = ...,
        stddev: float = ...,
        dtype: type[F] = ...,
    ) -> Operand[F, tuple[Any, Any]]: ...
    @overload
    def truncated_normal(
        self,
        scope: Scope,
        shape: _Sizes,
        mean: float | Operand[F] = ...,
        stddev: float | Operand[F] = ...,
        dtype: type[F] = ...,
    ) -> Operand[F]: ...
    def truncated_normal(
        self,
        scope: Scope,
        shape: Sequence[Integer] | Shape | AnyOperand,
        mean: float | AnyOperand = 0.0,
        stddev: float | AnyOperand = 1.0,
        dtype: type[Any] = TFloat32,
    ) -> AnyOperand:
        """Numbers of the normal distribution, none further than two standard deviations from the mean.

        It has the arguments of `normal`. Source: TensorFlow's `tf.random.Generator.truncated_normal`.
        """
        element: type[Any] = as_element_type(dtype)
        drawn = StatefulTruncatedNormal.create(scope, self._state.handle, _PHILOX, shape, element)
        with scope:
            return moved(drawn, stddev, mean)

    @overload
    def uniform_full_int(
        self, scope: Scope, shape: tuple[int, int], dtype: type[I] = ...
    ) -> Operand[I, tuple[Any, Any]]: ...
    @overload
    def uniform_full_int(self, scope: Scope, shape: _Sizes, dtype: type[I] = ...) -> Operand[I]: ...
    def uniform_full_int(
        self, scope: Scope, shape: Sequence[Integer] | Shape | AnyOperand, dtype: type[Any] = TUint64
    ) -> AnyOperand:
        """Integers of their type, all equally likely.

        Source: TensorFlow's `tf.random.Generator.uniform_full_int`.
        """
        return StatefulUniformFullInt.create(scope, self._state.handle, _PHILOX, shape, as_element_type(dtype))

    @overload
    def binomial(
        self, scope: Scope, shape: tuple[int, int], counts: Operand[P], probs: float | Operand[P], dtype: type[B] = ...
    ) -> Operand[B, tuple[Any, Any]]: ...
    @overload
    def binomial(
        self, scope: Scope, shape: _Sizes, counts: Operand[P], probs: float | Operand[P], dtype: type[B] = ...
    ) -> Operand[B]: ...
    def binomial(
        self,
        scope: Scope,
        shape: Sequence[Integer] | Shape | AnyOperand,
        counts: AnyOperand,
        probs: float | AnyOperand,
        dtype: type[Any] = TInt32,
    ) -> AnyOperand:
        """Numbers of successes in `counts` trials that succeed with probability `probs`.

        Args:
            scope: Where in the graph the operation goes.
            shape: The sizes, which end with the sizes of `counts` and `probs`, broadcast against each other.
            counts: The numbers of trials.
            probs: The probabilities.
            dtype: The element type of the result.

        Source: TensorFlow's `tf.random.Generator.binomial`.
        """
        return StatefulRandomBinomial.create(
            scope, self._state.handle, _PHILOX, shape, counts, probs, as_element_type(dtype)
        )


_guard(__name__)
