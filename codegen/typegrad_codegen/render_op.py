"""One operation's file: its `OpDef`, the typed access to its inputs, the wrapper class."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Final

from typegrad.base.types import BY_NAME
from typegrad.graph.definition import Flow, InputGradient
from typegrad_codegen.accessors import input_accessors, output_accessors
from typegrad_codegen.docs import class_doc, create_doc, docstring
from typegrad_codegen.dtypes import cover
from typegrad_codegen.module import LIMIT, Names, header, imports, layout
from typegrad_codegen.op_types import OpTypes, generic
from typegrad_codegen.schema import Entry, EntryAttr, EntryInput, EntryOutput
from typegrad_codegen.signature import Create, create, leaf, quoted, source_text
from typegrad_codegen.template import fill

__all__ = ["OVERLAPS", "render_op"]

OVERLAPS = (
    '# mypy: disable-error-code="overload-overlap"\n'
    "# pyright: reportOverlappingOverload=false\n"
    "# A bool is an int, and an int passes for a float: the overloads overlap on purpose, the first that fits wins.\n"
)
"""Comments for a module whose signatures distinguish Python's scalars."""

_MODULE: Final = '''\
$header
$overlaps
"""The operation `$Class`."""

from __future__ import annotations

$imports

__all__ = ["DEF", "$Class", "${Class}Inputs"]

__typegrad_generated__ = True

$body
'''

_BODY: Final = '''\
$variables

DEF: «Final» = «OpDef»(
    $definition
)


@«final»
class ${Class}Inputs(«OpInputs»$generic):
    """The inputs and attributes of `$Class`."""

    __slots__ = ()

    $inputs


@«final»
class $Class($bases):
    $doc

    __slots__ = ()
    OP_NAME: «ClassVar»[str] = "$name"

    @property
    def inputs(self) -> ${Class}Inputs$parameters:
        """The inputs and attributes."""
        return ${Class}Inputs(self.op)

    $outputs

    $overloads

    @staticmethod
    $create
        $create_doc
        $created

    @staticmethod
    def of(operation: «Operation») -> $wrapper:
        """Wrap an existing $name node; raise a `GraphError` for any other operation."""
        return $Class(«unwrap»(DEF, operation))
'''
"""The classes of an operation; `«name»` is imported, see `Names`."""


def render_op(op: Entry, folder: str) -> str:
    """Write the operation's module."""
    types = OpTypes(op)
    names = Names(types.variables, own=types.own)
    form = create(op)
    body = names(_body(types, form, form.mapped(names)))
    return fill(
        _MODULE,
        header=header(f"{folder}/{op.file.rpartition('/')[2]}"),
        overlaps=OVERLAPS if form.overlaps else "",
        Class=op.class_name,
        imports=imports(names.used),
        body=body,
    )


def _body(types: OpTypes, form: Create, named: Create) -> str:
    """The variables, the definition and the classes; `named` is `form` without marks."""
    op = types.op
    scope = "scope: «Scope»"
    return fill(
        _BODY,
        Class=op.class_name,
        name=op.name,
        variables=types.declarations(form),
        definition=_definition(op),
        generic=generic(types.inputs()),
        inputs="\n".join(each.render() for each in input_accessors(types)),
        bases=types.bases(),
        doc=docstring(class_doc(op), 1),
        parameters=types.inputs(),
        outputs="\n".join(each.render() for each in output_accessors(types)),
        overloads="\n".join(
            f"@«overload»\n@staticmethod\n{each.render('create', scope, ' ...')}\n" for each in named.overloads
        ),
        create=named.implementation.render("create", scope),
        create_doc=docstring(create_doc(op, scope=True), 2),
        created=_created(op, named),
        wrapper=types.wrapper(),
    )


def _created(op: Entry, form: Create) -> str:
    """The statement of `create` that adds the operation."""
    inputs = [each.name for each in op.inputs]
    attrs = [item.name for item in form.implementation.parameters if item.name not in inputs]
    passed = f"({', '.join(inputs)}{',' if len(inputs) == 1 else ''})"
    added = layout(
        "«Scope».add(", ["scope", "DEF", passed, layout("{", (f'"{name}": {name}' for name in attrs), "}", 4)], ")", 3
    )
    return layout(f"return {op.class_name}(", [added], ")", 2)


# The definition


def _definition(op: Entry) -> str:
    return "".join(f"{row},\n" for row in _definition_rows(op))


def _definition_rows(op: Entry) -> list[str]:
    functions = op.functions
    types = [f'"{each.name}": «leaves»({", ".join(map(leaf, cover(each.allowed)))})' for each in op.types]
    tf_names = [f'"{name}": "{theirs}"' for name, theirs in op.tf_names.items()]
    paths = {"kernel": functions.kernel, "value": functions.value, "gradient": functions.gradient}
    return [
        f'name="{op.name}"',
        f'class_name="{op.class_name}"',
        "module=__name__",
        layout("types={", types, "}", 1),
        _tuple("inputs", [_input_def(op, each) for each in op.inputs]),
        _tuple("attrs", [_attr_def(each) for each in op.attrs]),
        _tuple("outputs", [_output_def(op, each) for each in op.outputs]),
        f'shape="{functions.shape}"',
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
    """Write how a gradient reaches an input; a reason too long after `before` characters is split into strings."""
    if isinstance(how, Flow):
        return f"«Flow».{how.name}"
    if len(quoted(how.reason)) + before + 22 <= LIMIT:
        return f"«NoGradient»({quoted(how.reason)})"
    parts = textwrap.wrap(how.reason, LIMIT - 20, drop_whitespace=False, break_on_hyphens=False)
    return "«NoGradient»(\n" + "".join(f"    {quoted(part)}\n" for part in parts) + ")"


def _type_def(name: str) -> str:
    return leaf(BY_NAME[name]) if name in BY_NAME else f'"{name}"'


def _input_def(op: Entry, input_: EntryInput) -> str:
    arguments = [f'"{input_.name}"', _type_def(input_.type)]
    if input_.kind != "one":
        arguments.append(f'kind="{input_.kind}"')
    if input_.integers:
        arguments.append(f'integers="{input_.integers}"')
    if isinstance(input_.default, str):
        arguments.append(f'default="{op.functions.defaults[input_.name]}"')
    elif input_.default is not None:
        arguments.append(f"default={source_text(input_.default)}")
    if input_.otherwise:
        arguments.append(f"otherwise={quoted(input_.otherwise)}")
    if input_.uses != "values":
        arguments.append(f'uses="{input_.uses}"')
    return f"«InputDef»({', '.join(arguments)})"


def _attr_def(attr: EntryAttr) -> str:
    arguments = [f'"{attr.name}"', f'"{attr.type}"']
    if attr.allowed:
        listed = ", ".join(map(quoted, attr.allowed))
        arguments.append(f"allowed=({listed}{',' if len(attr.allowed) == 1 else ''})")
    if attr.minimum is not None:
        arguments.append(f"minimum={attr.minimum}")
    return f"«AttrDef»({', '.join(arguments)})"


def _output_def(op: Entry, output: EntryOutput) -> str:
    count = output.count or (output.type if op.is_list(output) else "")
    arguments = [f'"{output.name}"', _type_def(output.type), *([f'count="{count}"'] if count else [])]
    return f"«OutputDef»({', '.join(arguments)})"
