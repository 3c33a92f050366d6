"""The typed signature of `create`, which the wrapper class and the facade share.

The text contains marks, which a module resolves: «Name» is imported, «T:x» for the type variable of
type attribute x, «C:Name» for a wrapper class, «S» for the variable of the static shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from attrs import evolve, frozen

from typegrad.base.types import BY_NAME, TBool, TFloat32, TInt32, TIntegral, TNumber, TReal, TString, TType
from typegrad.graph.operand_like import SIZES
from typegrad_codegen.constants import constant_forms
from typegrad_codegen.dtypes import Leaf, cover, leaves, ordered
from typegrad_codegen.module import layout
from typegrad_codegen.schema import Entry, EntryAttr, EntryInput, EntryType
from typegrad_codegen.static_shapes import joins_shapes, passed_input, rank

__all__ = ["Create", "Parameter", "Signature", "bound", "create", "leaf", "python_type", "quoted", "source_text"]


@frozen
class Parameter:
    """One argument; `default` is source text, or None where the argument is required."""

    name: str
    annotation: str
    default: str | None = None
    keyword: bool = False

    def mapped(self, text: Callable[[str], str]) -> Parameter:
        """Return the parameter with `text` applied to its annotation and default."""
        default = None if self.default is None else text(self.default)
        return evolve(self, annotation=text(self.annotation), default=default)

    def render(self) -> str:
        """Write the parameter as in a `def`."""
        return f"{self.name}: {self.annotation}" + ("" if self.default is None else f" = {self.default}")


@frozen
class Signature:
    """Parameters, without the scope, and the return type."""

    parameters: tuple[Parameter, ...]
    returns: str

    def mapped(self, text: Callable[[str], str]) -> Signature:
        """Return the signature with `text` applied to every annotation."""
        return Signature(tuple(parameter.mapped(text) for parameter in self.parameters), text(self.returns))

    def render(self, name: str, first: str, body: str = "") -> str:
        """Write the `def` line of method `name`; `first` precedes the arguments, `body` follows on the same line."""
        positional = [item.render() for item in self.parameters if not item.keyword]
        keywords = [item.render() for item in self.parameters if item.keyword]
        arguments = [first, *positional, *(["*", *keywords] if keywords else [])]
        return layout(f"def {name}(", arguments, f") -> {self.returns}:{body}", 1)


@frozen
class Create:
    """All forms of `create`: its overloads (none if one form is enough) and the implementation's own signature."""

    overloads: tuple[Signature, ...]
    implementation: Signature
    variables: Mapping[str, str]
    """The bound of the type variable of each type attribute that the signatures use."""
    overlaps: bool = False
    """Whether the overloads overlap on purpose: the first that fits wins."""

    @property
    def has_shape(self) -> bool:
        """Whether a static shape occurs."""
        return any("«S»" in signature.returns for signature in (*self.overloads, self.implementation))

    def mapped(self, text: Callable[[str], str]) -> Create:
        """Return the signatures with `text` applied to every annotation."""
        return evolve(
            self,
            overloads=tuple(signature.mapped(text) for signature in self.overloads),
            implementation=self.implementation.mapped(text),
        )


@frozen
class _Choice:
    """One overload, as changes to the general signature."""

    annotations: Mapping[str, str] = {}
    dropped: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()
    types: Mapping[str, str] = {}
    shape: str = ""


_PYTHON: Final = {
    "int": "int",
    "float": "float",
    "bool": "bool",
    "string": "str",
    "shape": "«ShapeLike»",
    "tensor": "«Any»",
}
_PLAIN_INTEGERS: Final = {
    "int": "int",
    "ints": "«Sequence»[int] | «IntegerArray»",
    "axes": "int | «Sequence»[int] | «IntegerArray»",
    "indices": "«IntegerLike»",
}
_INTEGERS: Final = {
    **_PLAIN_INTEGERS,
    "ints": "«Sequence»[«Integer»] | «IntegerVector»",
    "indices": "«IntegerLike» | «Nested»[«Integer»]",
}
"""The same, where some of the integers may be scalar operands: `[batch, -1]`."""
_LIKE: Final[tuple[tuple[frozenset[Leaf], str], ...]] = (
    (leaves(TBool), "«BoolLike»"),
    (leaves(TString), "«StringLike»"),
    (leaves(TIntegral), "«IntegerLike»"),
    (leaves(TReal), "«FloatLike»"),
    (leaves(TNumber), "«ComplexLike»"),
    (leaves(TType), "«AnyLike»"),
)
"""Plain values accepted instead of an operand, by its types; the first set that contains all of them applies."""
_MANY: Final = 3
"""The most types for which a union of operands is written instead of a type variable."""


def leaf(marker: Leaf) -> str:
    """A marker class in generated code."""
    return f"«{marker.__name__}»"


def bound(type_: EntryType) -> str:
    """The bound of a type attribute's variable: exactly the types it allows."""
    return " | ".join(leaf(marker) for marker in cover(type_.allowed))


def create(op: Entry) -> Create:
    """The signatures of `create`."""
    if op.tensor is not None:
        return _of_constant(op, op.tensor)
    general = _general(op)
    numbers = _numbers_axis(op)
    axes = [axis for axis in (*_type_axes(op), _shape_axis(op), numbers) if axis]
    forms = [_apply(op, general, choices) for choices in product(*axes)]
    if len(forms) == 1:
        return Create((), forms[0], _variables(op, forms))
    overlaps = any(leaf(TFloat32) in choice.types.values() for choice in numbers)
    return Create(tuple(forms), _implementation(op, general), _variables(op, forms), overlaps)


# The general form


def _general(op: Entry) -> tuple[Parameter, ...]:
    """Every argument, as widely typed as it can be.

    In TensorFlow Java's order. Options are keywords, unless the entry says that the first one is positional, and so are
    the arguments after an optional one.
    """
    types = sorted(op.explicit_types, key=lambda each: each.default is not None)
    parameters = [
        *(_input(op, each) for each in op.inputs),
        *(_type_parameter(op, each) for each in types),
        *(_attribute(each) for each in op.attrs),
    ]
    first = next(
        (index for index, parameter in enumerate(parameters) if parameter.default is not None), len(parameters)
    )
    named = max(first + 1, len(op.inputs))
    return (*parameters[:named], *(evolve(parameter, keyword=True) for parameter in parameters[named:]))


def _type_parameter(op: Entry, type_: EntryType) -> Parameter:
    annotation = f"type[«T:{type_.name}»]" if type_ in op.output_types else f"type[{bound(type_)}]"
    return Parameter(type_.name, annotation, None if type_.default is None else leaf(type_.default))


def _attribute(attr: EntryAttr) -> Parameter:
    default = None if attr.required else source_text(attr.default)
    return Parameter(attr.name, python_type(attr), default, keyword=not (attr.required or attr.positional))


def python_type(attr: EntryAttr) -> str:
    """What a caller passes for an attribute."""
    element = attr.type[5:-1] if attr.type.startswith("list(") else attr.type
    text = f"«Literal»[{', '.join(quoted(value) for value in attr.allowed)}]" if attr.allowed else _PYTHON[element]
    return text if element == attr.type else f"«Sequence»[{text}]"


def quoted(text: str) -> str:
    """Write `text` as a string literal."""
    return '"' + text.encode("unicode_escape").decode().replace('"', '\\"') + '"'


def source_text(value: object) -> str:
    """Write a default as an expression."""
    if isinstance(value, list):
        return "(" + ", ".join(source_text(item) for item in value) + (",)" if len(value) == 1 else ")")
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, float) and (value != value or value in (float("inf"), -float("inf"))):
        return f'float("{value}")'
    return repr(value)


# Inputs


def _input(op: Entry, input_: EntryInput) -> Parameter:
    return Parameter(input_.name, _operand(op, input_), None if input_.default is None else "None")


def _operand(op: Entry, input_: EntryInput) -> str:
    if input_.kind == "mixed":
        return "«Sequence»[«Operand»[«Any»] | «AnyLike»]"
    if input_.kind == "many":
        return f"«Sequence»[«Operand»[{_input_type(input_)}] | {_like(op, input_)}]"
    options = [_operands(op, input_)]
    if input_.integers and not _may_be_float(op, input_):
        options.append(_INTEGERS[input_.integers])
        options += ["«np».integer[«Any»]"] * (input_.integers in ("int", "axes"))
    elif input_.type != "resource":
        options.append(_like(op, input_))
    if input_.default is not None:
        options.append("None")
    return " | ".join(options)


def _like(op: Entry, input_: EntryInput) -> str:
    """The plain values accepted instead of an operand."""
    known = op.types_by_name.get(input_.type)
    allowed = frozenset([BY_NAME[input_.type]] if known is None else known.allowed)
    return next(like for types, like in _LIKE if allowed <= types)


def _may_be_float(op: Entry, input_: EntryInput) -> bool:
    return input_.type in op.types_by_name and TFloat32 in op.types_by_name[input_.type].allowed


def _operands(op: Entry, input_: EntryInput) -> str:
    if input_.integers and input_.type in op.types_by_name and _expands(op, input_):
        allowed = ordered(op.types_by_name[input_.type].allowed)
        return " | ".join(f"«Operand»[{leaf(item)}]" for item in allowed)
    shape = ", «S»" if input_.name == passed_input(op) else ""
    return f"«Operand»[{_input_type(input_)}{shape}]"


def _input_type(input_: EntryInput) -> str:
    return leaf(BY_NAME[input_.type]) if input_.type in BY_NAME else f"«T:{input_.type}»"


def _expands(op: Entry, input_: EntryInput) -> bool:
    """Whether the types are few and nothing else depends on which of them it is."""
    attribute = op.types_by_name[input_.type]
    alone = sum(other.type == input_.type for other in op.inputs) == 1 and attribute not in op.output_types
    return alone and len(attribute.allowed) <= _MANY


# The return type


def _returns(op: Entry, types: Mapping[str, str], shape: str) -> str:
    arguments = [types.get(each.name, f"«T:{each.name}»") for each in op.output_types]
    if op.is_operand and shape:
        arguments.append(shape)
    name = f"«C:{op.class_name}»"
    return f"{name}[{', '.join(arguments)}]" if arguments else name


def _static_shape(op: Entry) -> str:
    """The shape in the return type, where one form of the signature can say it."""
    if passed_input(op):
        return "«S»"
    known = rank(op)
    if known is None:
        # Unlike a tuple of Any, Any fits the shape that a generic function passes through.
        return "«Any»" if joins_shapes(op) else ""
    # Any, not int: a size that only the plugin or the user knows must be accepted where this one is all there is.
    return f"tuple[{', '.join(['«Any»'] * known) or '()'}]"


# Overloads


def _apply(op: Entry, general: Sequence[Parameter], choices: Sequence[_Choice]) -> Signature:
    merged = _Choice(
        {name: text for choice in choices for name, text in choice.annotations.items()},
        frozenset().union(*(choice.dropped for choice in choices)),
        frozenset().union(*(choice.required for choice in choices)),
        {name: text for choice in choices for name, text in choice.types.items()},
        "".join(choice.shape for choice in choices) or _static_shape(op),
    )
    kept = [
        evolve(
            parameter,
            annotation=merged.annotations.get(parameter.name, parameter.annotation),
            default=None if parameter.name in merged.required else parameter.default,
        )
        for parameter in general
        if parameter.name not in merged.dropped
    ]
    return Signature(tuple(kept), _returns(op, merged.types, merged.shape))


def _type_axes(op: Entry) -> Iterator[list[_Choice]]:
    """An optional type: without it the result has the default type."""
    for type_ in op.explicit_types:
        if type_.default is not None and type_ in op.output_types:
            absent = _Choice(dropped=frozenset([type_.name]), types={type_.name: leaf(type_.default)})
            yield [absent, _Choice(required=frozenset([type_.name]))]


def _shape_axis(op: Entry) -> list[_Choice]:
    """A shape that an attribute states: as a tuple, it has a rank and the names in it."""
    if not op.is_operand or op.shape.function != "from_attr":
        return []
    name = op.shape.arguments[0]
    variables = [f"«{size.__name__}»" for size in SIZES]
    return [*(_stated(name, variables[:rank]) for rank in range(len(variables) + 1)), _Choice()]


def _stated(attribute: str, variables: Sequence[str]) -> _Choice:
    """A tuple that states a shape, with a type variable for each size."""
    stated = f"tuple[{', '.join(f'«SizeLike»[{each}]' for each in variables) or '()'}]"
    shape = f"tuple[{', '.join(variables) or '()'}]"
    return _Choice(annotations={attribute: stated}, required=frozenset([attribute]), shape=shape)


def _numbers_axis(op: Entry) -> list[_Choice]:
    """Plain integers give the default type, if all inputs that determine the result's type accept integers.

    If that may be a floating-point type, plain floats give float32.
    """
    for type_ in op.output_types:
        fixing = [each for each in op.inputs if each.type == type_.name]
        if fixing and all(each.integers for each in fixing):
            default = TInt32 if TInt32 in type_.allowed else min(type_.allowed, key=lambda item: item.enum)
            plain = {each.name: _plain(each, _PLAIN_INTEGERS[each.integers]) for each in fixing}
            choices = [_Choice(plain, types={type_.name: leaf(default)})]
            if TFloat32 in type_.allowed:
                floats = {each.name: _plain(each, "float") for each in fixing}
                choices.append(_Choice(floats, types={type_.name: leaf(TFloat32)}))
            return [*choices, _Choice()]
    return []


def _plain(input_: EntryInput, values: str) -> str:
    return values + ("" if input_.default is None else " | None")


def _implementation(op: Entry, general: Sequence[Parameter]) -> Signature:
    """The signature behind overloads: a default can't have the type of a variable, so such types are left open."""
    defaulted = {each.name for each in op.explicit_types if each.default is not None and each in op.output_types}
    opened = [evolve(item, annotation="type[«Any»]") if item.name in defaulted else item for item in general]
    types = dict.fromkeys((each.name for each in op.output_types), "«Any»")
    return Signature(tuple(opened), _returns(op, types, ""))


def _of_constant(op: Entry, value: EntryAttr) -> Create:
    """A value whose static type follows from the Python or NumPy value, unless the caller states it."""
    (dtype,) = (each for each in op.explicit_types if each in op.output_types)
    rest = tuple(item for item in _general(op) if item.name not in (value.name, dtype.name))
    variable = f"«T:{dtype.name}»"
    forms = []
    for form in constant_forms(dtype.allowed, variable):
        stated = (Parameter(dtype.name, form.stated, None),) if form.stated else ()
        parameters = (Parameter(value.name, form.value), *stated, *rest)
        forms.append(Signature(parameters, _returns(op, {dtype.name: form.type}, form.shape)))
    opened = (Parameter(value.name, "«Any»"), Parameter(dtype.name, "type[«Any»] | None", "None"), *rest)
    implementation = Signature(opened, _returns(op, {dtype.name: "«Any»"}, ""))
    return Create(tuple(forms), implementation, _variables(op, forms), overlaps=True)


def _variables(op: Entry, forms: Sequence[Signature]) -> dict[str, str]:
    text = "".join(item.annotation for form in forms for item in form.parameters)
    return {each.name: bound(each) for each in op.types if f"«T:{each.name}»" in text}
