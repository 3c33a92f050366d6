"""What `reveal_type` shows of operands whose types leave open what the program makes: that, with the type in a note."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from mypy.nodes import Block, CallExpr, ClassDef, Expression, MypyFile, RevealExpr, SymbolTable, TypeInfo
from mypy.plugin import CheckerPluginInterface
from mypy.types import AnyType, Instance, NoneType, TupleType, Type, UnionType, get_proper_type

from typegrad.base.shape import Dim, Shape
from typegrad.base.size import bind, names_of
from typegrad.base.types import BY_NAME
from typegrad.dry_run.known.values import OperandValue, Value, common
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.dims import Name, dim_of, dim_type, shape_of
from typegrad.mypy_plugin.base.dtypes import leaf_of
from typegrad.mypy_plugin.base.operands import OPERAND, base_of, operand_of
from typegrad.mypy_plugin.base.reporting import errors_of
from typegrad.mypy_plugin.base.syntax import nodes_of
from typegrad.mypy_plugin.reports.differing import other_operand
from typegrad.mypy_plugin.reports.wording import filled
from typegrad.mypy_plugin.types.symbols import any_tuple, element_type, instance

__all__ = ["has_revealed", "reveal"]

_REVEALED: Final = 'Revealed type is "'
_FROM_TYPES: Final = 'The program makes that; types alone say "{}"'
_COLLECTIONS: Final = frozenset(
    {"builtins.dict", "builtins.list", "builtins.tuple", "typing.Mapping", "typing.Sequence"}
)


def has_revealed(api: CheckerPluginInterface) -> bool:
    """Whether the checked file asks for types, but in mypy's daemon, which does not see when another file changes."""
    checker = checker_of(api)
    return not checker.options.fine_grained_incremental and any(
        each.message.startswith(_REVEALED) for each in errors_of(checker)
    )


def reveal(api: CheckerPluginInterface, made_at: Callable[[Expression], Value | None]) -> None:
    """Let each `reveal_type` show what the program makes where the type leaves it open."""
    checker = checker_of(api)
    for call, expr in _reveals(checker.tree):
        type_, made = checker.lookup_type(expr) if checker.has_type(expr) else None, made_at(call)
        if type_ is None or made is None:
            continue
        known = _Known(api, checker.tree).of(type_, made)
        before, after = (f'{_REVEALED}{each.str_with_options(checker.options)}"' for each in (type_, known))
        for each in errors_of(checker):
            if before != after and (each.line, each.column, each.message) == (expr.line, expr.column, before):
                each.message = after
                checker.msg.note(_FROM_TYPES.format(type_.str_with_options(checker.options)), expr)
                break


def _reveals(tree: MypyFile) -> Iterator[tuple[CallExpr, Expression]]:
    """The calls that ask for a type, each with the expression."""
    for node in nodes_of(tree):
        asked = node.analyzed if isinstance(node, CallExpr) else None
        if isinstance(node, CallExpr) and isinstance(asked, RevealExpr) and asked.expr is not None:
            yield node, asked.expr


class _Known:
    """Types with what the program makes where they leave something open."""

    def __init__(self, api: CheckerPluginInterface, tree: MypyFile) -> None:
        self._api = api
        self._tree = tree

    def of(self, type_: Type, made: Value | None) -> Type:
        """A type with what the program makes."""
        proper = get_proper_type(type_)
        if isinstance(made, OperandValue):
            return self._operand(type_, made)
        if made is None:
            return type_
        if isinstance(proper, TupleType):
            pairs = zip(proper.items, made, strict=False)
            return (
                proper.copy_modified(items=[self.of(*pair) for pair in pairs])
                if len(proper.items) == len(made)
                else type_
            )
        if isinstance(proper, Instance) and proper.type.fullname in _COLLECTIONS and made:
            return proper.copy_modified(args=[*proper.args[:-1], self.of(proper.args[-1], common(made))])
        return type_

    def _operand(self, type_: Type, made: OperandValue) -> Type:
        proper = get_proper_type(type_)
        if isinstance(proper, AnyType):
            return self._operand(instance(self._api, OPERAND, [proper, any_tuple(self._api)]), made)
        if isinstance(proper, UnionType):
            items = [
                each if isinstance(get_proper_type(each), NoneType) else self.of(each, made) for each in proper.items
            ]
            return UnionType.make_union(items)
        base, stated = base_of(proper, OPERAND), operand_of(proper)
        if (
            not isinstance(proper, Instance)
            or base is None
            or stated is None
            or other_operand(stated, made) is not None
        ):
            return type_
        dtype, shape = base.args
        if leaf_of(dtype) is None and made.dtype in BY_NAME:
            dtype = element_type(self._api, BY_NAME[made.dtype])
        parameters = base_of(Instance(proper.type, proper.type.defn.type_vars), OPERAND)
        new = dict(zip(parameters.args if parameters else (), (dtype, self._shape(shape, made.shape)), strict=False))
        args = [new.get(variable, old) for variable, old in zip(proper.type.defn.type_vars, proper.args, strict=True)]
        return proper.copy_modified(args=args)

    def _shape(self, type_: Type, made: Shape) -> Type:
        static, proper = shape_of(type_), get_proper_type(type_)
        before, dims = static.shape.dims or (), filled(static, made).dims
        if made.dims is None or dims is None:
            return type_
        if not isinstance(proper, TupleType) or not before:
            return TupleType(list(map(self._size, dims)), any_tuple(self._api))
        sizes = zip(proper.items, before, dims, strict=True)
        return proper.copy_modified(items=[type_ if old == new else self._size(new) for type_, old, new in sizes])

    def _size(self, dim: Dim) -> Type:
        """A size, whose names are types of the program."""
        known: dict[str, Dim] = {name: self._name(name) for name in names_of(dim)}
        return dim_type(self._api, bind(dim, known), is_gradual=True)

    def _name(self, name: str) -> Name:
        """The size of this name in the file, or else in another module; one to be shown where mypy knows none yet."""
        if isinstance(name, Name):
            return name
        symbols = (tree.names.get(name) for tree in (self._tree, *checker_of(self._api).modules.values()))
        infos = (each.node for each in symbols if each is not None and isinstance(each.node, TypeInfo))
        dims = (dim_of(Instance(info, [])) for info in infos if info.is_newtype)
        shown = TypeInfo(SymbolTable(), ClassDef(name, Block([])), "")
        shown._fullname = name
        return next((dim for dim in dims if isinstance(dim, Name)), Name(name, Instance(shown, [])))
