"""Functions as methods of the facade.

Their signatures and docs come from their source, which is parsed, not imported.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Iterator
from typing import Final

from attrs import frozen

from typegrad_codegen.functions import Definitions, definitions
from typegrad_codegen.module import escaped, home_of, indent, layout
from typegrad_codegen.names import snake

__all__ = ["Method", "import_of", "method", "method_name"]

_SCOPE: Final = "scope"


@frozen
class Method:
    """A function as a method, in the notation of `Names`."""

    name: str
    path: str
    text: str
    for_checkers: frozenset[str]
    """The statements that import the modules of what its annotations name."""
    for_defaults: frozenset[str]
    """The statements that import the modules of what its defaults name."""


def method_name(path: str) -> str:
    """The method's name: the function's name, or for `create` of a class the name of the class."""
    name = path.partition(":")[2]
    owner, _, function = name.rpartition(".")
    return snake(owner) if owner else function


def method(path: str) -> Method:
    """Write the function at `path`, or `Class.create`, as a method that passes the facade's scope.

    Raises:
        LookupError: There is no such function, or its first parameter is not `scope`.
    """
    source = definitions(path)
    first = [(*node.args.posonlyargs, *node.args.args)[:1] for node in source.nodes]
    if not source.nodes or any(not arguments or arguments[0].arg != _SCOPE for arguments in first):
        raise LookupError(f"{path} is not a function of a scope")
    annotations, defaults = set[str](), set[str]()
    texts = [_rendered(node, method_name(path), path, source, (annotations, defaults)) for node in source.nodes]
    return Method(method_name(path), path, "\n".join(texts), frozenset(annotations), frozenset(defaults))


def import_of(module: str) -> str:
    """The statement that imports a function's module."""
    package, _, last = module.rpartition(".")
    return f"from {package} import {last} as {_alias(module)}" if package else f"import {module} as {_alias(module)}"


def _alias(module: str) -> str:
    """A name for a module, which no group of operations has."""
    return f"_{module.partition('.')[2].replace('.', '_') or module}_"


def _rendered(
    node: ast.FunctionDef, name: str, path: str, source: Definitions, imports: tuple[set[str], set[str]]
) -> str:
    is_overload = any(ast.unparse(each).endswith("overload") for each in node.decorator_list)
    has_overloads = len(source.nodes) > 1
    names = _Renamer(source, imports)
    # No single overload takes what each of them may, so the call is not checked: type checkers use the overloads.
    is_unchecked = has_overloads and not is_overload
    returns = names.annotation(None if is_unchecked else node.returns)
    end = f") -> {returns}:" + (" ..." if is_overload else "")
    lines = (
        ("@«overload»\n" if is_overload else "")
        + layout(f"def {name}(", ["self", *_parameters(node.args, names)], end, 1)
        + "\n"
    )
    if is_overload:
        return lines
    module, _, function = path.partition(":")
    doc = _docstring(_without_scope(ast.get_docstring(node) or ""))
    passed = ["self._scope", *_passed(node)]
    if not is_unchecked:
        return lines + indent(f"{doc}{layout(f'return {_alias(module)}.{function}(', passed, ')', 2)}\n")
    function_line = f"function: «Any» = {_alias(module)}.{function}\n"
    return lines + indent(f"{doc}{function_line}{layout('return function(', passed, ')', 2)}\n")


def _parameters(arguments: ast.arguments, names: _Renamer) -> Iterator[str]:
    """The parameters after the scope, as source."""
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [*[None] * (len(positional) - len(arguments.defaults)), *arguments.defaults]
    for argument, default in zip(positional[1:], defaults[1:], strict=True):
        yield names.parameter(argument, default)
    if arguments.vararg:
        yield "*" + names.parameter(arguments.vararg, None)
    elif arguments.kwonlyargs:
        yield "*"
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield names.parameter(argument, default)


def _passed(node: ast.FunctionDef) -> list[str]:
    """The arguments of the call."""
    arguments = node.args
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)[1:]]
    if arguments.vararg:
        names.append(f"*{arguments.vararg.arg}")
    return [*names, *(f"{argument.arg}={argument.arg}" for argument in arguments.kwonlyargs)]


class _Renamer(ast.NodeTransformer):
    """Annotations and defaults in which each name has its meaning in the function's module."""

    def __init__(self, source: Definitions, imports: tuple[set[str], set[str]]) -> None:
        """`imports` are what annotations and defaults need."""
        self._source = source
        self._annotations, self._defaults = imports
        self._imports = self._annotations

    def parameter(self, argument: ast.arg, default: ast.expr | None) -> str:
        """A parameter as source."""
        text = f"{argument.arg}: {self.annotation(argument.annotation)}"
        if default is None:
            return text
        self._imports = self._defaults
        text = f"{text} = {self._text(default)}"
        self._imports = self._annotations
        return text

    def annotation(self, node: ast.expr | None) -> str:
        """An annotation as source."""
        return "«Any»" if node is None else self._text(node)

    def _text(self, node: ast.expr) -> str:
        return ast.unparse(self.visit(copy.deepcopy(node)))

    def visit_Name(self, node: ast.Name) -> ast.Name:
        """A name as the generated module can write it."""
        home = self._source.home(node.id)
        if node.id == "np" or (home is not None and home_of(node.id) == home):
            return ast.Name(f"«{node.id}»")
        if home is None and hasattr(builtins, node.id):
            return node
        module = home or self._source.module
        self._imports.add(import_of(module))
        return ast.Name(f"{_alias(module)}.{node.id}")


def _docstring(text: str) -> str:
    """The docstring as it is written, in the notation of `Names`."""
    raw = "r" if "\\" in text else ""
    return f'{raw}"""{escaped(text)}' + ("\n" if "\n" in text else "") + '"""\n'


def _without_scope(doc: str) -> str:
    """The docstring without its lines about the scope."""
    lines = doc.splitlines()
    start = next((i for i, line in enumerate(lines) if line.strip().startswith(f"{_SCOPE}:")), None)
    if start is None:
        return doc
    depth = len(lines[start]) - len(lines[start].lstrip())
    end = start + 1
    while end < len(lines) and lines[end].strip() and len(lines[end]) - len(lines[end].lstrip()) > depth:
        end += 1
    left = [*lines[:start], *lines[end:]]
    if left[start - 1].strip() == "Args:" and (start >= len(left) or not left[start].strip()):
        del left[start - 1 : start + 1]
    return "\n".join(left)
