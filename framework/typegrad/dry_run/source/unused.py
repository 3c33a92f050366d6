"""Methods that nothing calls: what they assign, no object has."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Final

from typegrad.dry_run.source.aliases import imported, last_name, root_of
from typegrad.dry_run.source.scopes import FUNCTIONS
from typegrad.dry_run.source.trees import Nodes, nodes_of

__all__ = ["stored_attributes"]

_BY_NAME: Final = ("attrgetter", "eval", "exec", "getattr", "methodcaller")
"""What calls methods by names that are texts."""
_LIBRARIES: Final = ("numpy", "typegrad")
_DECORATORS: Final = ("dataclass", "define", "frozen")
"""The decorators of classes that call none of their methods."""
_CALLED_BY_TESTS: Final = ("set_up", "setup", "tear", "test")
"""How the names begin of what a test runner calls."""
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def stored_attributes(nodes: Nodes) -> Collection[str]:
    """The attributes that a program assigns, or names by a text, but for those of methods that nothing calls."""
    unused = {id(part) for each in _unused(nodes) for part in nodes_of(each)}
    attributes = (each for each in nodes.of(ast.Attribute) if not isinstance(each.ctx, ast.Load))
    texts = {each.value for each in nodes.of(ast.Constant) if isinstance(each.value, str)}
    return {*texts, *(each.attr for each in attributes if id(each) not in unused)}


def _unused(nodes: Nodes) -> list[_Function]:
    """The methods of which nothing has the name that may run."""
    imports = nodes.of(ast.Import, ast.ImportFrom)
    libraries = {name for each in imports for name, package in imported(each) if package in _LIBRARIES}
    named = _names(nodes_of(*nodes.trees), libraries)
    found = [] if any(name in named for name in _BY_NAME) else _methods(nodes)
    while True:
        others = named - sum((_names(nodes_of(each), libraries) for each in found), Counter[str]())
        used = [each for each in found if each.name in others]
        if not used:
            return found
        found = [each for each in found if each not in used]


def _methods(nodes: Nodes) -> list[_Function]:
    """The methods that no library calls: of classes whose bases are the program's."""
    classes = {each.name: each for each in nodes.of(ast.ClassDef)}
    plain = [each for each in classes.values() if _is_plain(each, {*classes, "object"})]
    functions = (each for class_ in plain for each in class_.body if isinstance(each, FUNCTIONS))
    return [each for each in functions if not (each.decorator_list or _is_called_by_name(each.name))]


def _is_plain(node: ast.ClassDef, known: Collection[str]) -> bool:
    is_own = all(isinstance(each, ast.Name) and each.id in known for each in node.bases)
    is_decorated = any(last_name(getattr(each, "func", each)) not in _DECORATORS for each in node.decorator_list)
    return is_own and not (is_decorated or node.keywords or _is_called_by_name(node.name))


def _is_called_by_name(name: str) -> bool:
    return name.startswith("__") or name.casefold().startswith(_CALLED_BY_TESTS)


def _names(nodes: Iterable[ast.AST], libraries: Collection[str]) -> Counter[str]:
    """What is read by its name, or has it as a text, but for what libraries have of the name."""
    found = Counter[str]()
    for each in nodes:
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            found[each.value] += 1
        elif isinstance(each, (ast.Attribute, ast.Name)) and isinstance(each.ctx, ast.Load):
            found[last_name(each)] += not (isinstance(each, ast.Attribute) and last_name(root_of(each)) in libraries)
        elif isinstance(each, ast.alias):
            found[each.name] += 1
    return +found
