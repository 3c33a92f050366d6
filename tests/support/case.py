"""A case: an operation with inputs. The cases of `ops/NAME.yaml` are the list `CASES` in `tests/cases/NAME.py`.

Each case is run by real TensorFlow once (the recorder) and by typegrad in every test run; those with float64 inputs
(float32, where an operation has no wider type) are also checked against finite differences, first and second order,
for every input whose gradient has a rule.

Cases import only NumPy and `case`, `samples` and `sweeps` of `support`, because the recorder runs them without
typegrad.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from attrs import field, frozen
from numpy.typing import NDArray


@frozen(eq=False)
class Var:
    """An input that is the handle of a variable holding `value`; None: not yet initialized."""

    value: NDArray[Any] | None


@frozen(eq=False)
class Accumulator(Var):
    """An input that is the handle of an accumulator to which the rows of `value` were applied, one after the other."""

    value: NDArray[Any]
    reduction: Literal["MEAN", "SUM"] = "MEAN"


@frozen(eq=False)
class Case:
    """`inputs` in argument order (a tuple for a list input), `attrs` by TensorFlow's names, dtypes as TensorFlow's
    strings ("float").
    """

    op: str
    inputs: tuple[Any, ...] = ()
    attrs: Mapping[str, Any] = field(factory=dict)
    rtol: float | None = None
    """Relative tolerance where the default for the dtype is too strict."""
    smooth: bool = True
    """Whether finite differences apply at these inputs: no kink, tie or pole nearby."""
    fails: bool = False
    """Whether TensorFlow refuses these inputs; typegrad must, too."""
    differs: str = ""
    """Why typegrad's answer is not TensorFlow's, as the entry's `differences` says. The recorded output is then not
    compared.
    """
    gradient_differs: str = ""
    """Why typegrad's gradient is not TensorFlow's at these inputs. The recorded gradient is then not compared."""
