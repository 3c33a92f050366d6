"""The kernels of operations with their attributes bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from typegrad.base.quiet import quietly
from typegrad.base.types import TType
from typegrad.graph.definition import resolve
from typegrad.graph.explain import located
from typegrad.session.checked import Checked
from typegrad.session.specialize import is_open
from typegrad.session.ufuncs import expression

if TYPE_CHECKING:
    from typegrad.graph.operand import AnyOutput
    from typegrad.graph.operation import Operation
    from typegrad.kernels.namespace import Namespace
    from typegrad.session.program import Kernel
    from typegrad.session.ufuncs import Expression

__all__ = ["bind", "compute", "expression_of"]

_NUMPY: Final[Namespace] = np

_IN_ORDER: Final = (0, 1, 2)


@cache
def _keywords(kernel: Kernel) -> tuple[str, ...]:
    return tuple(name for name, p in signature(kernel).parameters.items() if p.kind is Parameter.KEYWORD_ONLY)


@cache
def _without_attributes(kernel: Kernel) -> Kernel:
    return partial(kernel, _NUMPY)


def bind(op: Operation, **changed: object) -> Kernel:
    """The kernel of `op` with its attributes, some of them `changed`; the ufunc itself, if it is just that.

    It takes the generator, if it draws numbers, and the inputs.
    """
    calls = expression_of(op)
    if (
        calls is not None
        and len(calls) == 1
        and calls[0].operands == (0, 1, 2)[: len(op.inputs)]
        and not op.definition.has_list_inputs
    ):
        return calls[0].ufunc
    kernel = resolve(op.definition.kernel)
    names = _keywords(kernel)
    if not names:
        return _without_attributes(kernel)
    attrs = {name: _kernel_attr(op.attrs[name]) for name in names if name != "rng"} | changed
    return partial(_draw, kernel, attrs) if "rng" in names else partial(kernel, _NUMPY, **attrs)


def expression_of(op: Operation) -> Expression | None:
    """What the kernel of `op` computes, if it is made of ufuncs alone."""
    definition = op.definition
    if definition.effect or not op.inputs or not definition.has_one_output:
        return None
    kernel = resolve(definition.kernel)
    names = _keywords(kernel)
    dtypes = tuple([output.dtype.numpy for output in op.inputs])
    if not names and not definition.has_list_inputs:
        return expression(kernel, dtypes)
    attributes = tuple([(name, _kernel_attr(op.attrs[name]), repr(op.attrs[name])) for name in names])
    lists = tuple([len(group) if isinstance(group, tuple) else -1 for group in op.input_groups()])
    try:
        return expression(kernel, dtypes, lists, attributes)
    except TypeError:  # an attribute that has no hash
        return None


def _draw(kernel: Kernel, attrs: Mapping[str, object], rng: np.random.Generator, *inputs: object) -> Any:
    return kernel(_NUMPY, *inputs, rng=rng, **attrs)


def _kernel_attr(value: object) -> object:
    return value.numpy if isinstance(value, type) and issubclass(value, TType) else value


def compute(op: Operation, known: Mapping[AnyOutput, object]) -> Sequence[Any]:
    """Compute the outputs of an operation that draws no numbers from its inputs. An error names the node."""
    inputs = (
        tuple(known[output] for output in group) if isinstance(group, tuple) else known[group]
        for group in op.input_groups()
    )
    try:
        result = quietly(Checked(op, bind(op)) if is_open(op) else bind(op), *inputs)
    except Exception as error:
        raise located(op, error) from error
    values: Sequence[Any] = (result,) if op.definition.has_one_output else result or ()
    return values
