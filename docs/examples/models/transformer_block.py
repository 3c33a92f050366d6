"""A transformer block with all shapes stated: mypy with `typegrad.mypy_plugin` proves them.

`Batch` and `Time` are named dimensions for mypy and in the graph; the feeds determine their sizes.

Source: Vaswani et al., "Attention is all you need" (2017), with the normalization before each part, as in Xiong et al.
(2020).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NewType, TypeAlias

import numpy as np

import typegrad as tg
from typegrad.op import core, linalg, math, nn, random

Batch = NewType("Batch", int)
Time = NewType("Time", int)
Width: TypeAlias = Literal[64]
Heads: TypeAlias = Literal[4]
Head: TypeAlias = Literal[16]
Inner: TypeAlias = Literal[256]

Stream: TypeAlias = tg.Operand[tg.TFloat32, tuple[Batch, Time, Width]]
Projection: TypeAlias = tg.Variable[tg.TFloat32, tuple[Width, Heads, Head]]
Scale: TypeAlias = tg.Variable[tg.TFloat32, tuple[Width]]


@dataclass(frozen=True)
class Norm:
    """A gain and a shift for each channel."""

    gain: Scale
    shift: Scale

    @staticmethod
    def create(scope: tg.Scope) -> Norm:
        """Start with the identity."""
        gain = tg.Variable.create(scope.with_name("gain"), core.Fill.create(scope, (64,), 1.0))
        return Norm(gain, tg.Variable.create(scope.with_name("shift"), core.Fill.create(scope, (64,), 0.0)))

    def apply(self, scope: tg.Scope, x: Stream) -> Stream:
        """Each position of mean 0 and variance 1, scaled and shifted."""
        centered = x - math.Mean.create(scope, x, -1, keep_dims=True)
        variance = math.Mean.create(scope, math.Square.create(scope, centered), -1, keep_dims=True)
        return centered * math.Rsqrt.create(scope, variance + 1e-5) * self.gain + self.shift


@dataclass(frozen=True)
class Attention:
    """Causal attention: each position attends to the positions up to itself."""

    query: Projection
    key: Projection
    value: Projection
    out: tg.Variable[tg.TFloat32, tuple[Heads, Head, Width]]

    @staticmethod
    def create(scope: tg.Scope) -> Attention:
        """Start at random."""

        def projection(name: str) -> Projection:
            return tg.Variable.create(
                scope.with_name(name), random.TruncatedNormal.create(scope, (64, 4, 16), tg.TFloat32)
            )

        out = tg.Variable.create(scope.with_name("out"), random.TruncatedNormal.create(scope, (4, 16, 64), tg.TFloat32))
        return Attention(projection("query"), projection("key"), projection("value"), out)

    def apply(self, scope: tg.Scope, x: Stream, mask: tg.Operand[tg.TFloat32, tuple[Time, Time]]) -> Stream:
        """The weighted sum of the values for each position; `mask` is added to the scores."""
        query = linalg.Einsum.create(scope, [x, self.query], equation="btw,whd->bthd")
        key = linalg.Einsum.create(scope, [x, self.key], equation="bsw,whd->bshd")
        value = linalg.Einsum.create(scope, [x, self.value], equation="bsw,whd->bshd")
        scores = linalg.Einsum.create(scope, [query, key], equation="bthd,bshd->bhts") * 0.25 + mask
        gathered = linalg.Einsum.create(scope, [nn.Softmax.create(scope, scores), value], equation="bhts,bshd->bthd")
        return linalg.Einsum.create(scope, [gathered, self.out], equation="bthd,hdw->btw")


@dataclass(frozen=True)
class Block:
    """Attention, then two layers for each position, both with residual connections."""

    before: Norm
    attention: Attention
    between: Norm
    widen: tg.Variable[tg.TFloat32, tuple[Width, Inner]]
    narrow: tg.Variable[tg.TFloat32, tuple[Inner, Width]]

    @staticmethod
    def create(scope: tg.Scope) -> Block:
        """Start at random."""
        widen = tg.Variable.create(
            scope.with_name("widen"), random.TruncatedNormal.create(scope, (64, 256), tg.TFloat32)
        )
        narrow = tg.Variable.create(
            scope.with_name("narrow"), random.TruncatedNormal.create(scope, (256, 64), tg.TFloat32)
        )
        return Block(Norm.create(scope), Attention.create(scope), Norm.create(scope), widen, narrow)

    def apply(self, scope: tg.Scope, x: Stream, mask: tg.Operand[tg.TFloat32, tuple[Time, Time]]) -> Stream:
        """The block's value for each position."""
        y = x + self.attention.apply(scope, self.before.apply(scope, x), mask)
        hidden = linalg.Einsum.create(scope, [self.between.apply(scope, y), self.widen], equation="btw,wi->bti")
        narrowed = linalg.Einsum.create(scope, [nn.Relu.create(scope, hidden), self.narrow], equation="bti,iw->btw")
        return y + narrowed


def main() -> None:
    """Run one block on random numbers."""
    scope = tg.Scope(tg.Graph(seed=1))
    x = core.Placeholder.create(scope, tg.TFloat32, (Batch, Time, 64))
    mask = core.Placeholder.create(scope, tg.TFloat32, (Time, Time))
    y = Block.create(scope).apply(scope, x, mask)
    late = np.triu(np.full((7, 7), -1e9, np.float32), 1)
    noise = np.random.default_rng(0).normal(size=(3, 7, 64)).astype(np.float32)
    with tg.Session(scope.graph) as session:
        value = session.run(y, {x: noise, mask: late})
    print(value.shape)


if __name__ == "__main__":
    main()
