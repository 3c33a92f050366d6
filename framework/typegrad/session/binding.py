"""The kernels of operations with their attributes bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache, partial
from inspect import Parameter, signature
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from typegrad.base.types import TType
from typegrad.graph.definition import resolve
from typegrad.graph.explain import located
from typegrad.kernels.namespace import NUMPY
from typegrad.session.checked import CheckedKernel
from typegrad.session.ufuncs import expression

if TYPE_CHECKING:
    from typegrad.graph.definition import OpDef
    from typegrad.graph.operation import Operation
    from typegrad.kernels.namespace import Namespace
    from typegrad.session.program import Kernel
    from typegrad.session.ufuncs import Expression

__all__ = ["attributes", "bind", "compute", "expression_of"]

_NO_CHANGES: Final[Mapping[str, object]] = MappingProxyType({})


@cache
def _keywords(kernel: Kernel) -> tuple[str, ...]:
    return tuple(name for name, p in signature(kernel).parameters.items() if p.kind is Parameter.KEYWORD_ONLY)


def bind(op: Operation, xp: Namespace = NUMPY, changed: Mapping[str, object] = _NO_CHANGES) -> Kernel:
    """The kernel of `op` with its attributes, some of them `changed`; the ufunc itself, if it is just that.

    It takes the generator, if it draws numbers, and the inputs. The functions that it calls are those of `xp`.
    """
    definition = op.definition
    kernel = resolve(definition.kernel)
    names = _keywords(kernel)
    if not names and not definition.has_list_inputs:
        return _ufunc(kernel, definition, tuple([output.dtype for output in op.inputs])) or partial(kernel, xp)
    if op.inputs and not definition.has_list_inputs and not changed:
        ufunc = _only_ufunc(_calls_of(op), len(op.inputs))
        if ufunc is not None:
            return xp.matmul if ufunc is np.matmul else ufunc
    attrs = attributes(op) | dict(changed)
    return partial(_draw, kernel, xp, attrs) if "rng" in names else partial(kernel, xp, **attrs)


def attributes(op: Operation) -> dict[str, object]:
    """The attributes of `op` that its kernel takes."""
    names = _keywords(resolve(op.definition.kernel))
    return {name: _kernel_attr(op.attrs[name]) for name in names if name != "rng"}


@lru_cache(maxsize=4096)
def _ufunc(kernel: Kernel, definition: OpDef, types: tuple[type[TType], ...]) -> np.ufunc | None:
    """The ufunc that an operation without attributes and lists is, for inputs of these types."""
    may_be_ufunc = types and definition.has_one_output and not definition.effect
    calls = expression(kernel, tuple([each.numpy for each in types])) if may_be_ufunc else None
    return _only_ufunc(calls, len(types))


def _only_ufunc(calls: Expression | None, inputs: int) -> np.ufunc | None:
    """The ufunc that makes the expression, if it takes the inputs in their order."""
    is_one = calls is not None and len(calls) == 1 and calls[0].operands == tuple(range(inputs))
    return calls[0].ufunc if calls is not None and is_one else None


def expression_of(op: Operation) -> Expression | None:
    """What the kernel of `op` computes, if it is made of ufuncs alone that compute each element by itself."""
    calls = _calls_of(op)
    return calls if calls is not None and all(call.is_elementwise for call in calls) else None


def _calls_of(op: Operation) -> Expression | None:
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


def _draw(kernel: Kernel, xp: Namespace, attrs: Mapping[str, object], rng: np.random.Generator, *inputs: object) -> Any:
    return kernel(xp, *inputs, rng=rng, **attrs)


def _kernel_attr(value: object) -> object:
    return value.numpy if isinstance(value, type) and issubclass(value, TType) else value


def compute(op: Operation, known: Mapping[Any, object], *, is_checked: bool) -> Sequence[Any]:
    """Compute the outputs of an operation. An error names it.

    To be called `quietly`.

    Args:
        op: The operation.
        known: The values of its inputs, and if it draws numbers its generator.
        is_checked: Whether the inputs are checked first.
    """
    definition = op.definition
    inputs: list[object]
    if definition.has_list_inputs:
        groups = op.input_groups()
        inputs = [tuple([known[o] for o in group]) if isinstance(group, tuple) else known[group] for group in groups]
    else:
        inputs = [known[output] for output in op.inputs]
    if definition.effect == "random":
        inputs.insert(0, known[op])
    kernel = bind(op)
    try:
        result = (CheckedKernel(op, kernel) if is_checked else kernel)(*inputs)
    except Exception as error:  # whatever a kernel raises is raised again with its node
        raise located(op, error) from error
    values: Sequence[Any] = (result,) if definition.has_one_output else result or ()
    return values
