"""Kernels of `ops/debugging.yaml`."""

from __future__ import annotations

from typegrad.base.errors import InvalidArgumentError
from typegrad.kernels.namespace import Array, Namespace
from typegrad.kernels.precision import wide


def check_numerics_v2(xp: Namespace, tensor: Array, *, message: str) -> Array:
    """The input, unchanged, if it is finite."""
    x = wide(tensor)
    is_finite = xp.isfinite(x)
    if not is_finite.all():
        kinds = {"nan": xp.isnan(x), "inf": x == xp.inf, "-inf": x == -xp.inf}
        counts = {name: int(xp.sum(which)) for name, which in kinds.items()}
        listed = " and ".join(f"{count} {name}" for name, count in counts.items() if count)
        first = [int(places[0]) for places in xp.nonzero(~is_finite)] if x.ndim else []
        raise InvalidArgumentError(
            f"{message}: `tensor` has {listed}, the first at {first}; its shape is {list(x.shape)}"
        )
    return tensor


def assert_that(xp: Namespace, condition: Array, data: tuple[Array, ...], *, summarize: int) -> tuple[()]:
    """Nothing, if the condition is true."""
    if not condition:
        shown = ", ".join(_summary(value, summarize) for value in data)
        raise InvalidArgumentError(f"assertion failed: `condition` is false; `data`: {shown}")
    return ()


def _summary(value: Array, count: int) -> str:
    """Some elements of a value, in one line."""
    elements = value.reshape(-1).tolist()
    if not value.ndim:
        return str(elements[0])
    if count < 0 or len(elements) <= count:
        return str(elements)
    return f"[{', '.join(map(str, elements[:count]))}{', ' if count else ''}...] of shape {list(value.shape)}"
