"""Operations whose aim is missed, in the fewest and fastest calls of NumPy and SciPy that are known to compute them.

Each is written for its one input: no edge cases, results in arrays that are kept. So the distance between typegrad and
this is what can still be gained, until somebody finds faster calls. A function gets the inputs and attributes of an
operation, and returns what to measure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

from contenders.fewest_calls import arrays, elementwise, images, linear, other
from contenders.kernel import Look
from contenders.tasks import Run, as_arrays

__all__ = ["SETUPS"]


def _kernel(prepare: Callable[..., Any], inputs: Sequence[Any], attrs: Mapping[str, Any], look: Look) -> Run:
    return Run(prepare(*inputs, **attrs), lambda value: [look(each) for each in as_arrays(value)])


SETUPS: Final[dict[str, Callable[..., Run]]] = {
    f"kernel {name}": partial(_kernel, prepare)
    for group in (arrays.FUNCTIONS, elementwise.FUNCTIONS, images.FUNCTIONS, linear.FUNCTIONS, other.FUNCTIONS)
    for name, prepare in group.items()
}
"""The contenders' functions by the setups of tasks."""
