"""One operation's file: its `OpDef`, the typed access to its inputs, the wrapper class."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence

from typegrad.base.types import BY_NAME
from typegrad.graph.definition import Flow, InputGradient
from typegrad_codegen.docs import accessor_doc, class_doc, create_doc, docstring
from typegrad_codegen.dtypes import cover
from typegrad_codegen.module import LIMIT, Names, header, imports, indent, layout, variable_names
from typegrad_codegen.schema import AttrSpec, InputSpec, OpSpec, OutputSpec
from typegrad_codegen.signature import Create, Parameter, Signature, create, leaf, python_type, quoted, source_text

__all__ = ["OVERLAPS", "render_op", "signature_text"]

OVERLAPS = (
    '# mypy: disable-error-code="overload-overlap"\n'
    "# pyright: reportOverlappingOverload=false\n"
    "# A bool is an int, and an int passes for a float: the overloads overlap on purpose, the first that fits wins.\n"
)
"""Stands above signatures that tell Python's scalars apart."""


def render_op(op: OpSpec, folder: str) -> str:
    """Write the operation's module."""
    variables = _type_variables(op)
    names = Names(variables, own=_own(op))
    form = create(op)
    classes = [_inputs_class(op, variables), _wrapper_class(op, form.mapped(names), variables)]
    body = names("\n".join([_variables(op, form, variables), _definition(op), "", "\n\n".join(classes)]))
    parts = [
        header(f"{folder}/{op.file.rpartition('/')[2]}"),
        OVERLAPS if form.overlaps else "",
        docstring(f"The operation `{op.class_name}`.", 0),
        "\nfrom __future__ import annotations\n\n",
        imports(names.used),
        f'\n__all__ = ["DEF", "{op.class_name}", "{op.class_name}Inputs"]\n\n__typegrad_generated__ = True\n\n',
        body,
    ]
    return "".join(parts)


def _own(op: OpSpec) -> list[str]:
    """The classes of the module."""
    return [op.class_name, f"{op.class_name}Inputs"]


# Type variables


def _type_variables(op: OpSpec) -> dict[str, str]:
    return variable_names([spec.name for spec in op.types], _own(op))


def _variables(op: OpSpec, form: Create, variables: Mapping[str, str]) -> str:
    """Declare those of `create`, with exact bounds, and those of the classes, with none: other code may use any type there."""
    bounds = {variables[name]: bound for name, bound in form.variables.items()}
    if form.has_shape:
        bounds["S"] = "tuple[int, ...]"
    classes = [f"_{variables[spec.name]}" for spec in op.output_types]
    shape = "bound=tuple[int, ...], default=tuple[«Any», ...], covariant=True"
    return "".join(
        [
            *(type_variable(name, bound) for name, bound in bounds.items()),
            *(f'{name} = «TypeVar»("{name}", bound=«TType»)\n' for name in classes),
            *(f'{name} = «TypeVar»("{name}", {shape})\n' for name in _shape_variables(op).values()),
        ]
    )


def type_variable(name: str, bound: str) -> str:
    """Declare a variable; where nothing but values stand for operands, and no type checker can solve it, it is Any."""
    default = "tuple[«Any», ...]" if bound.startswith("tuple") else "«Any»"
    return f'{name} = «TypeVar»("{name}", bound={bound}, default={default})\n'


def _shape_variables(op: OpSpec) -> dict[str, str]:
    """The variable for the static shape of each output, where there are several; a list output has one for all its elements."""
    if op.is_operand:
        return {}
    shaped = [spec.name for spec in op.outputs if spec.type not in op.mixed_types]
    names = variable_names([f"{name}_shape" for name in shaped], _type_variables(op).values())
    return {name: f"_{names[f'{name}_shape']}" for name in shaped}


# The definition


def _definition(op: OpSpec) -> str:
    rows = "".join(f"{row},\n" for row in _definition_rows(op))
    return f"DEF: «Final» = «OpDef»(\n{indent(rows)})\n"


def _definition_rows(op: OpSpec) -> list[str]:
    found = op.functions
    types = [f'"{spec.name}": «leaves»({", ".join(map(leaf, cover(spec.allowed)))})' for spec in op.types]
    tf_names = [f'"{name}": "{theirs}"' for name, theirs in op.tf_names.items()]
    paths = {"kernel": found.kernel, "value": found.value, "gradient": found.gradient}
    return [
        f'name="{op.name}"',
        f'class_name="{op.class_name}"',
        "module=__name__",
        layout("types={", types, "}", 1),
        _tuple("inputs", [_input_def(op, spec) for spec in op.inputs]),
        _tuple("attrs", [_attr_def(spec) for spec in op.attrs]),
        _tuple("outputs", [_output_def(op, spec) for spec in op.outputs]),
        f'shape="{found.shape}"',
        *([_tuple("shape_args", [f'"{name}"' for name in op.shape.arguments])] if op.shape.arguments else []),
        *(f'{key}="{path}"' for key, path in paths.items() if path),
        *([_gradients(op.gradient)] if op.gradient else []),
        *([_tuple("broadcasts", [f'"{name}"' for name in op.broadcasts])] if op.broadcasts else []),
        *(["stops_gradients=True"] if op.stops_gradients else []),
        *([f'effect="{op.effect}"'] if op.effect else []),
        *([layout("tf_names={", tf_names, "}", 1)] if tf_names else []),
    ]


def _tuple(name: str, items: Sequence[str]) -> str:
    return f"{name}=({items[0]},)" if len(items) == 1 else layout(f"{name}=(", items, ")", 1)


def _gradients(gradient: Mapping[str, InputGradient]) -> str:
    rows = [f'"{name}": {_flow(how, len(name) + 4)}' for name, how in gradient.items()]
    return layout("gradients={", rows, "}", 1)


def _flow(how: InputGradient, before: int) -> str:
    """Write how a gradient reaches an input; a reason that does not fit after `before` characters is split into several strings."""
    if isinstance(how, Flow):
        return f"«Flow».{how.name}"
    if len(quoted(how.reason)) + before + 22 <= LIMIT:
        return f"«NoGradient»({quoted(how.reason)})"
    parts = textwrap.wrap(how.reason, LIMIT - 20, drop_whitespace=False, break_on_hyphens=False)
    return "«NoGradient»(\n" + "".join(f"    {quoted(part)}\n" for part in parts) + ")"


def _type_def(name: str) -> str:
    return leaf(BY_NAME[name]) if name in BY_NAME else f'"{name}"'


def _input_def(op: OpSpec, spec: InputSpec) -> str:
    arguments = [f'"{spec.name}"', _type_def(spec.type)]
    if spec.kind != "one":
        arguments.append(f'kind="{spec.kind}"')
    if spec.literal:
        arguments.append(f'literal="{spec.literal}"')
    if isinstance(spec.default, str):
        arguments.append(f'default="{op.functions.defaults[spec.name]}"')
    elif spec.default is not None:
        arguments.append(f"default={source_text(spec.default)}")
    return f"«InputDef»({', '.join(arguments)})"


def _attr_def(spec: AttrSpec) -> str:
    arguments = [f'"{spec.name}"', f'"{spec.type}"']
    if spec.allowed:
        listed = ", ".join(map(quoted, spec.allowed))
        arguments.append(f"allowed=({listed}{',' if len(spec.allowed) == 1 else ''})")
    if spec.minimum is not None:
        arguments.append(f"minimum={spec.minimum}")
    return f"«AttrDef»({', '.join(arguments)})"


def _output_def(op: OpSpec, spec: OutputSpec) -> str:
    count = spec.count or (spec.type if op.is_list(spec) else "")
    arguments = [f'"{spec.name}"', _type_def(spec.type), *([f'count="{count}"'] if count else [])]
    return f"«OutputDef»({', '.join(arguments)})"


# Access to inputs and attributes


def _inputs_class(op: OpSpec, variables: Mapping[str, str]) -> str:
    accessors = [_input_accessor(op, index, variables) for index in range(len(op.inputs))]
    accessors += [
        _attr_accessor(spec.name, "«ElementType»", f"The element type `{spec.name}`.") for spec in op.explicit_types
    ]
    accessors += [_attr_accessor(spec.name, _attr_type(spec), accessor_doc(spec.doc)) for spec in op.attrs]
    parameters = _input_parameters(op, variables)
    bases = "«OpInputs»" + (f", «Generic»[{', '.join(parameters)}]" if parameters else "")
    doc = docstring(f"The inputs and attributes of a `{op.class_name}`.", 1)
    return _class(f"{op.class_name}Inputs", bases, [doc + "\n__slots__ = ()\n", *accessors])


def _class(name: str, bases: str, members: Iterable[str]) -> str:
    return f"@«final»\nclass {name}({bases}):\n" + indent("\n".join(members))


def _property(name: str, annotation: str, value: str, doc: str) -> str:
    body = f"{docstring(doc, 2)}return {value}\n"
    return f"@property\ndef {name}(self) -> {annotation}:\n{indent(body)}"


def _attr_accessor(name: str, annotation: str, doc: str) -> str:
    if annotation == "«Any»":
        return _property(name, annotation, f'self._op.attrs["{name}"]', doc)
    body = f'{docstring(doc, 2)}value: {annotation} = self._op.attrs["{name}"]\nreturn value\n'
    return f"@property\ndef {name}(self) -> {annotation}:\n{indent(body)}"


def _attr_type(spec: AttrSpec) -> str:
    """What the attribute is once it is checked: lists are tuples, shapes are `Shape`."""
    given = python_type(spec).replace("«ShapeLike»", "«Shape»")
    return given.replace("«Sequence»[", "tuple[")[:-1] + ", ...]" if spec.type.startswith("list(") else given


def _input_accessor(op: OpSpec, index: int, variables: Mapping[str, str]) -> str:
    spec = op.inputs[index]
    text = f"«Output»[{_class_type(op, spec.type, variables)}]"
    if spec.kind != "one":
        return _property(spec.name, f"list[{text}]", f"«list_input»(self._op, {index})", accessor_doc(spec.doc))
    lists = [position for position, other in enumerate(op.inputs) if other.kind != "one"]
    if not lists or index < lists[0]:
        value = f"self._op.inputs[{index}]"
    elif index > lists[-1]:
        value = f"self._op.inputs[{index - len(op.inputs)}]"
    else:
        value = f"«list_input»(self._op, {index})[0]"
    return _property(spec.name, text, value, accessor_doc(spec.doc))


def _class_type(op: OpSpec, name: str, variables: Mapping[str, str]) -> str:
    if name in BY_NAME:
        return leaf(BY_NAME[name])
    known = any(spec.name == name for spec in op.output_types)
    return f"_{variables[name]}" if known else "«Any»"


def _input_parameters(op: OpSpec, variables: Mapping[str, str]) -> list[str]:
    fixed = {spec.type for spec in op.inputs}
    return [f"_{variables[spec.name]}" for spec in op.output_types if spec.name in fixed]


# The wrapper class


def _wrapper_class(op: OpSpec, form: Create, variables: Mapping[str, str]) -> str:
    members = [
        docstring(class_doc(op), 1) + f'\n__slots__ = ()\nOP_NAME: «ClassVar»[str] = "{op.name}"\n',
        _inputs_property(op, variables),
        *(_output_accessor(op, index, variables) for index in range(len(op.outputs))),
        _create(op, form),
        _of(op),
    ]
    return _class(op.class_name, _bases(op, variables), members)


def _bases(op: OpSpec, variables: Mapping[str, str]) -> str:
    if op.is_operand:
        return f"«OperandOp»[{_class_type(op, op.outputs[0].type, variables)}, «S_co»]"
    parameters = [*(f"_{variables[spec.name]}" for spec in op.output_types), *_shape_variables(op).values()]
    return "«Op»" + (f", «Generic»[{', '.join(parameters)}]" if parameters else "")


def _inputs_property(op: OpSpec, variables: Mapping[str, str]) -> str:
    parameters = _input_parameters(op, variables)
    annotation = f"{op.class_name}Inputs" + (f"[{', '.join(parameters)}]" if parameters else "")
    return _property("inputs", annotation, f"{op.class_name}Inputs(self.op)", "The inputs and attributes.")


def _output_accessor(op: OpSpec, index: int, variables: Mapping[str, str]) -> str:
    spec = op.outputs[index]
    element = _class_type(op, spec.type, variables)
    if op.is_operand:
        return _property(spec.name, f"«Output»[{element}, «S_co»]", "self.op.outputs[0]", accessor_doc(spec.doc))
    shape = _shape_variables(op).get(spec.name)
    output = f"«Output»[{element}, {shape}]" if shape else f"«Output»[{element}]"
    if op.is_list(spec):
        value = f'self.op.output_list("{spec.name}")'
        return _property(spec.name, f"list[{output}]", value, accessor_doc(spec.doc))
    before = any(op.is_list(other) for other in op.outputs[:index])
    position = index - len(op.outputs) if before else index
    return _property(spec.name, output, f"self.op.outputs[{position}]", accessor_doc(spec.doc))


def signature_text(name: str, signature: Signature, first: str, body: str, decorators: Sequence[str]) -> str:
    """A method with this signature; `first` is the argument before those of the signature."""
    positional = [item.render() for item in signature.parameters if not item.keyword]
    keywords = [item.render() for item in signature.parameters if item.keyword]
    arguments = [first, *positional, *(["*", *keywords] if keywords else [])]
    end = f") -> {signature.returns}:" + (" ..." if body == "..." else "")
    lines = "".join(f"{decorator}\n" for decorator in decorators) + layout(f"def {name}(", arguments, end, 1) + "\n"
    return lines if body == "..." else lines + indent(body)


def _create(op: OpSpec, form: Create) -> str:
    scope = "scope: «Scope»"
    overloads = [
        signature_text("create", signature, scope, "...", ["@«overload»", "@staticmethod"])
        for signature in form.overloads
    ]
    inputs = [spec.name for spec in op.inputs]
    passed = f"({', '.join(inputs)}{',' if len(inputs) == 1 else ''})"
    attrs = layout("{", (f'"{name}": {name}' for name in _attributes(op, form.implementation.parameters)), "}", 4)
    doc = docstring(create_doc(op, scope=True), 2)
    added = layout("Scope.add(", ["scope", "DEF", passed, attrs], ")", 3)
    body = f"{doc}{layout(f'return {op.class_name}(', [added], ')', 2)}\n"
    return "\n".join([*overloads, signature_text("create", form.implementation, scope, body, ["@staticmethod"])])


def _attributes(op: OpSpec, parameters: Iterable[Parameter]) -> list[str]:
    inputs = {spec.name for spec in op.inputs}
    return [item.name for item in parameters if item.name not in inputs]


def _of(op: OpSpec) -> str:
    arguments = ["«Any»" for _ in op.output_types]
    returns = op.class_name + (f"[{', '.join(arguments)}]" if arguments else "")
    doc = docstring(f"Wrap an existing {op.name} node; another operation is a `GraphError`.", 2)
    body = f"{doc}return {op.class_name}(«unwrap»(DEF, operation))\n"
    return f"@staticmethod\ndef of(operation: «Operation») -> {returns}:\n{indent(body)}"
