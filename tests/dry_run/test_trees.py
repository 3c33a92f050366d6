"""What is in syntax trees, compared with what Python's own functions find."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

import pytest

from typegrad.dry_run.source import trees
from typegrad.dry_run.source.trees import Nodes, Transformer, children, locate, nodes_of

SOURCE: Final = """
from a import b as c
@d
class E(f, g=h):
    i: int = 0
    def j(self, k, /, l=1, *m, n, o=2, **p) -> q:
        global r
        try:
            del r[0:1, ...], s.t
        except (U, V) as w:
            raise w from None
        else:
            return [x for y in z if a async for b in c]
async def d():
    async with e as f, g:
        h = {**i, j: -k}, {l for m in n}, not o and p or q, r < s <= t
        await (u := v)
        w += yield
    match x:
        case {"y": z, **a} | [b, *c] | D(e, f=None) as g if h:
            i = f"{j!r:>{k}}"
lambda *l, m=n: (o if p else q, *r)
"""
MARKS: Final = (ast.boolop, ast.cmpop, ast.expr_context, ast.operator, ast.unaryop)


def sources() -> list[str]:
    return [SOURCE, *(path.read_text(encoding="utf-8") for path in Path(trees.__file__).parent.glob("*.py"))]


@pytest.mark.parametrize("source", sources())
def test_all_nodes_but_contexts_and_operators_are_found(source: str) -> None:
    tree = ast.parse(source)
    assert nodes_of(tree) == [each for each in ast.walk(tree) if not isinstance(each, MARKS)]
    for node in ast.walk(tree):
        assert children(node) == [each for each in ast.iter_child_nodes(node) if not isinstance(each, MARKS)]


@pytest.mark.parametrize("source", sources())
def test_nodes_by_their_classes(source: str) -> None:
    trees = [ast.parse(source), ast.parse("a = b.c\n")]
    nodes = Nodes(trees)
    everything = [each for tree in trees for each in ast.walk(tree)]
    for class_ in {type(each) for each in everything} - {type(each) for each in everything if isinstance(each, MARKS)}:
        assert set(nodes.of(class_)) == {each for each in everything if type(each) is class_}
    assert [*nodes.of(ast.Name, ast.Match)] == [*nodes.of(ast.Name), *nodes.of(ast.Match)]


def without_places(source: str) -> ast.Module:
    tree = ast.parse(source)
    for number, node in enumerate(ast.walk(tree)):
        if number % 3:
            for name in {"lineno", "col_offset", "end_lineno", "end_col_offset"} & vars(node).keys():
                delattr(node, name)
    return tree


@pytest.mark.parametrize("source", sources())
def test_missing_places_are_those_of_what_is_around(source: str) -> None:
    expected, tree = ast.fix_missing_locations(without_places(source)), without_places(source)
    locate(tree)
    assert ast.dump(tree, include_attributes=True) == ast.dump(expected, include_attributes=True)


class Twice(Transformer):
    def visit_Name(self, node: ast.Name) -> ast.expr:  # noqa: N802
        return ast.Constant(node.id)

    def visit_Expr(self, node: ast.Expr) -> list[ast.stmt]:  # noqa: N802
        self.generic_visit(node)
        return [node, node]


def test_nodes_are_replaced_by_one_or_several() -> None:
    tree = Twice().visit(ast.parse("if a:\n    b\n    c = [d]\n"))
    assert ast.unparse(tree) == "if 'a':\n    'b'\n    'b'\n    'c' = ['d']"
