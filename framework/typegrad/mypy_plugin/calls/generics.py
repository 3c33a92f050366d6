"""Users' functions with sizes, shapes or element types as type variables.

In `def project(x: Operand[F, tuple[M, N]], w: Operand[F, tuple[N, K]])` sizes are covariant, so mypy alone accepts 9
for the N of `x` and 8 for the N of `w`: it infers `int`. The same holds for the shapes of `def add(x: Operand[F, S], y:
Operand[F, S])`. Of element types that differ it says that it cannot infer one. Here each type variable must have a
single value, and a number that is passed for one, as in `def rows(n: N) -> Operand[F, tuple[N]]`, is that value.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import evolve, frozen
from mypy import errorcodes as codes
from mypy.checkexpr import has_uninhabited_component
from mypy.expandtype import expand_type
from mypy.nodes import Decorator, Expression, FuncDef, SymbolNode, TypeInfo
from mypy.plugin import CheckerPluginInterface, FunctionContext, FunctionSigContext, MethodContext, MethodSigContext
from mypy.subtypes import is_same_type, is_subtype
from mypy.typeops import get_all_type_vars
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    TupleType,
    Type,
    TypeOfAny,
    TypeVarId,
    TypeVarLikeType,
    TypeVarType,
    get_proper_type,
)

from typegrad.base.shape import UNKNOWN, Dim, Shape
from typegrad.base.size import Size
from typegrad.mypy_plugin.base.checker import checker_of
from typegrad.mypy_plugin.base.codes import DTYPE, SHAPE
from typegrad.mypy_plugin.base.dims import (
    Name,
    Rest,
    dim_of,
    dim_type,
    is_variable,
    shape_of,
    shape_type,
    united_shapes,
)
from typegrad.mypy_plugin.base.dtypes import type_name
from typegrad.mypy_plugin.base.operands import OPERAND, base_of, operand_of, union_items
from typegrad.mypy_plugin.base.reporting import drop, report, told
from typegrad.mypy_plugin.calls.container_parameters import Held, held_by, parts
from typegrad.mypy_plugin.calls.derived_sizes import (
    is_derived,
    sizes_of_class,
    with_any_size,
    with_solved,
    wrong_derived,
)
from typegrad.mypy_plugin.calls.stated_sizes import Stated, numbers_of, sizes_of_object, stated_sizes
from typegrad.mypy_plugin.calls.unequal_sizes import dims_of, exchanged_for_square, matched, wrong_sizes
from typegrad.mypy_plugin.types.open_shapes import is_open, with_shapes
from typegrad.mypy_plugin.values.arguments import Argument, arguments, type_alone
from typegrad.mypy_plugin.values.expression_types import expression_type

__all__ = ["Parameters", "generic_hook", "generic_signature", "parameters_of", "sized_hook"]

_FIRST_ID: Final = -2000
"""Below the ids of the type variables of signatures, also of those that `signatures` adds."""
_OF_ITEMS: Final = (codes.DICT_ITEM, codes.LIST_ITEM)
_OF_ARGUMENTS: Final = (*_OF_ITEMS, codes.ARG_TYPE, codes.MISC, codes.TYPE_VAR)
"""What mypy finds wrong with an argument."""
_UNKNOWN: Final = AnyType(TypeOfAny.special_form)


@frozen
class Parameters:
    """The parameters of a function that are operands with type variables."""

    sizes: Mapping[str, Shape]
    """The shapes with a type variable in a size, or for any number of sizes."""
    elements: Mapping[str, TypeVarType]
    """The element types that several parameters have in common."""
    numbers: Mapping[str, Name]
    """The type variables for sizes that parameters are themselves."""
    result: Type | None
    """The type of the result, as it is declared."""
    held: Mapping[str, Held] = {}
    """The operands with type variables in containers."""

    @property
    def derived(self) -> tuple[str, ...]:
        """The parameters with sizes that are arithmetic with type variables."""
        return tuple(name for name, shape in self.sizes.items() if any(map(is_derived, shape.known())))

    @property
    def changes_signature(self) -> bool:
        """Whether a call is checked with another signature."""
        return bool(self.elements or self.numbers or self.derived)

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self.sizes or self.held or self.changes_signature)


def parameters_of(function: SymbolNode | None) -> Parameters:
    """The parameters of a function, or of a class's constructor, that are to be checked."""
    made = function if isinstance(function, TypeInfo) else None
    if made is not None:
        init = made.get("__init__")
        function = None if init is None else init.node
    type_ = get_proper_type(function.type) if isinstance(function, (Decorator, FuncDef)) else None
    if not isinstance(type_, CallableType):
        return Parameters({}, {}, {}, None)
    bases = {name: _operand_in(each) for name, each in zip(type_.arg_names, type_.arg_types, strict=True)}
    operands = {name: base for name, base in bases.items() if name and base is not None}
    shapes = {name: _shape_of(base) for name, base in operands.items()}
    sizes = {name: shape for name, shape in shapes.items() if any(map(_is_generic, shape.dims or ()))}
    held = {name: each for name, each in held_by(type_).items() if any(map(_has_variables, each))}
    is_stated = made is not None and "__init__" not in made.names  # as by `class Single(Scaler[TFloat32])`
    elements = {} if is_stated else _elements(type_.arg_types[made is not None :], operands)  # without `self`
    return Parameters(sizes, elements, numbers_of(type_), type_.ret_type, held)


def _operand_in(type_: Type) -> Instance | None:
    """The operand that a parameter takes, also beside None or a number; None if another item takes operands too."""
    items = union_items(type_)
    operands = [base for base in (base_of(each, OPERAND) for each in items) if base is not None]
    others = [each for each in items if base_of(each, OPERAND) is None]
    is_only = len(operands) == 1 and not any(is_subtype(operands[0], each) for each in others)
    return operands[0] if is_only else None


def _shape_of(operand: Instance) -> Shape:
    """The shape of an operand, with its type variables."""
    static = shape_of(operand.args[1])
    return static.pattern or static.shape


def _has_variables(operand: Instance | None) -> bool:
    return operand is not None and bool(get_all_type_vars(operand))


def _is_generic(dim: Dim) -> bool:
    return is_variable(dim) or is_derived(dim)


def _elements(taken: Sequence[Type], operands: Mapping[str, Instance]) -> dict[str, TypeVarType]:
    """The variables that are the element type of several operands, and that occur in no other kind of parameter."""
    types = {name: get_proper_type(operand.args[0]) for name, operand in operands.items()}
    variables = {name: type_ for name, type_ in types.items() if isinstance(type_, TypeVarType)}
    uses = Counter(variable.id for type_ in taken for variable in get_all_type_vars(type_))
    counts = Counter(variable.id for variable in variables.values())
    return {name: each for name, each in variables.items() if 1 < counts[each.id] == uses[each.id]}


def generic_signature(ctx: FunctionSigContext | MethodSigContext, parameters: Parameters) -> CallableType:
    """The signature with an element type of its own for each operand, so that `generic_hook` can name them.

    The sizes that the call states are in the type of the result: what is expected of the result does not change them.
    """
    signature = _stated_signature(ctx, parameters.numbers)
    fresh: list[TypeVarLikeType] = []
    solving = _solving(ctx, signature, parameters.elements)
    types = list(signature.arg_types)
    any_size = ctx.api.named_generic_type("builtins.int", [])
    for position, name in enumerate(signature.arg_names):
        if name in parameters.derived:
            types[position] = with_any_size(types[position], any_size)
        variable = parameters.elements.get(name or "")
        own = next((each for each in signature.variables if variable and each.name == variable.name), None)
        if variable is None or not isinstance(own, TypeVarType):
            continue
        if name not in solving:
            fresh.append(own.copy_modified(id=TypeVarId(_FIRST_ID - len(fresh), namespace=own.id.namespace)))
            types[position] = expand_type(types[position], {own.id: fresh[-1]})
    return signature.copy_modified(arg_types=types, variables=[*signature.variables, *fresh])


def _solving(
    ctx: FunctionSigContext | MethodSigContext, signature: CallableType, elements: Mapping[str, TypeVarType]
) -> set[str]:
    """The parameter that keeps each type variable: one that always takes an operand, or whose argument is one."""
    types = dict(zip(signature.arg_names, signature.arg_types, strict=True))
    exprs = dict(zip(signature.arg_names, ctx.args, strict=True))
    names: defaultdict[str, list[str]] = defaultdict(list)
    for name, variable in elements.items():
        names[variable.name].append(name)
    always = {name for name in elements if base_of(types[name], OPERAND) is not None}
    return {
        next((each for each in group if each in always), None)
        or next((each for each in group if any(_is_operand(ctx.api, expr) for expr in exprs[each])), group[0])
        for group in names.values()
    }


def _is_operand(api: CheckerPluginInterface, expr: Expression) -> bool:
    return operand_of(expression_type(api, expr)) is not None


def _stated_signature(ctx: FunctionSigContext | MethodSigContext, numbers: Mapping[str, Name]) -> CallableType:
    signature = ctx.default_signature
    if _is_object(signature.ret_type):
        return signature
    own = {each.name: each for each in signature.variables if isinstance(each, TypeVarType)}
    types, known = list(signature.arg_types), dict[TypeVarId, Type]()
    for position, (name, exprs) in enumerate(zip(signature.arg_names, ctx.args, strict=True)):
        number = numbers.get(name or "") if len(exprs) == 1 else None
        variable = own.get(str(number).removeprefix("*"))
        if name is None or number is None or variable is None:
            continue
        argument = Argument(exprs[0], expression_type(ctx.api, exprs[0]))
        for _, value in stated_sizes(ctx.api, {name: argument}, {name: number}).values():
            types[position] = variable.upper_bound
            known[variable.id] = _value_type(ctx.api, number, value, is_gradual=False)
    return signature.copy_modified(arg_types=types, ret_type=expand_type(signature.ret_type, known))


def _is_object(type_: Type) -> bool:
    """Whether a result is an object of a class with sizes, which fits no others; they are found where it is used."""
    proper = get_proper_type(type_)
    is_operand = base_of(proper, OPERAND) is not None
    return isinstance(proper, Instance) and not is_operand and any(is_variable(dim_of(each)) for each in proper.args)


def generic_hook(ctx: FunctionContext | MethodContext, name: str, parameters: Parameters) -> Type:
    """Check that every type variable has a single size or element type, and give the result the sizes that follow."""
    held = list(parts(ctx, parameters.held))
    args = _arguments(ctx, parameters.held)
    stated = sizes_of_object(ctx) | stated_sizes(ctx.api, args, parameters.numbers)
    values = dict(stated)
    elements: list[tuple[str, Type, Type]] = [
        (each, variable, args[each].type)
        for each, variable in parameters.elements.items()
        if each in args and not _takes_any(ctx.default_return_type, variable)
    ]
    elements += [(each, operand.args[0], type_) for each, operand, type_ in held]
    shapes = [(each, shape, args[each].type) for each, shape in parameters.sizes.items() if each in args]
    shapes += [(each, _shape_of(operand), type_) for each, operand, type_ in held]
    wrong = _wrong_elements(elements)
    wrong_size = exchanged_for_square(shapes, stated) or wrong_sizes(shapes, values)
    wrong_size = wrong_size or _wrong_derived(ctx, args, parameters, values)
    if wrong or wrong_size:
        _drop_told(ctx, name)
        text = f"{wrong}; cast one with dtypes.Cast" if wrong else wrong_size
        report(ctx.api, DTYPE if wrong else SHAPE, f"{name}: {text}", ctx.context)
    result = ctx.default_return_type
    if (stated or parameters.derived) and parameters.result is not None:
        result = _with_sizes(ctx.api, result, parameters.result, {each: value for each, (_, value) in values.items()})
    result = with_solved(ctx.api, result, values) if parameters.derived else result
    return _in_normal_form(ctx.api, _with_common_sizes(ctx.api, result, args, parameters))


def _takes_any(made: Type, variable: TypeVarType) -> bool:
    """Whether an object is stated to take any element type, as that of `Scaler[Any](mean, std)`."""
    proper = get_proper_type(made)
    if not isinstance(proper, Instance) or base_of(proper, OPERAND) is not None:
        return False
    stated = zip(proper.type.defn.type_vars, proper.args, strict=False)
    return any(each.id == variable.id and isinstance(get_proper_type(arg), AnyType) for each, arg in stated)


def _arguments(ctx: FunctionContext | MethodContext, held: Mapping[str, Held]) -> dict[str, Argument]:
    """The arguments by name, without such as `*ys` that are several.

    Where anything is expected of the result, as in a function that returns `Any`, it is of what makes an argument, too.
    """
    several = [name for name, exprs in zip(ctx.callee_arg_names, ctx.args, strict=True) if len(exprs) > 1]
    args = arguments(ctx, without=[name for name in several if name and name in held])
    for name, each in args.items():
        operand = base_of(each.type, OPERAND)
        if each.expr is not None and operand is not None and isinstance(get_proper_type(operand.args[0]), AnyType):
            args[name] = evolve(each, type=type_alone(ctx.api, each.expr))
    return args


def _drop_told(ctx: FunctionContext | MethodContext, name: str) -> None:
    """Take back what mypy says of the same call: that it infers no type variable, or that another item is expected."""
    call = ctx.context
    lines = range(call.line, (call.end_line or call.line) + 1)
    for errors in told(checker_of(ctx.api)):
        here = [each for each in errors if each.line in lines and each.code in _OF_ARGUMENTS]
        drop(errors, [each for each in here if each.code in _OF_ITEMS or f'"{name}"' in each.message])


def sized_hook(ctx: FunctionContext | MethodContext, parameters: Parameters) -> Type:
    """The type of the result with the sizes of the arguments."""
    return _with_common_sizes(ctx.api, ctx.default_return_type, arguments(ctx), parameters)


def _with_common_sizes(
    api: CheckerPluginInterface, result: Type, args: Mapping[str, Argument], parameters: Parameters
) -> Type:
    """The type of a result with what the arguments say of its sizes, where mypy takes what is expected of it.

    In `h: Operand[F] = relu(x)`, any shape is expected.
    """
    if parameters.result is None or not is_open(result):
        return result
    found: defaultdict[Name, list[Shape]] = defaultdict(list)
    for parameter, shape in parameters.sizes.items():
        dims = dims_of(args[parameter].type) if parameter in args else None
        known = dict[Dim, Shape](matched(shape.known(), dims))
        for variable in filter(is_variable, shape.known()):
            found[variable].append(known.get(variable, UNKNOWN))
    common = {variable: united_shapes(shapes) for variable, shapes in found.items()}
    values = {variable: shape for variable, shape in common.items() if shape.dims is not None}
    return with_shapes(result, _with_sizes(api, result, parameters.result, values, is_gradual=True))


def _wrong_derived(
    ctx: FunctionContext | MethodContext, args: Mapping[str, Argument], parameters: Parameters, values: Stated
) -> str:
    """What is wrong with the sizes of the arguments that are declared as arithmetic."""
    sizes: list[tuple[str, Dim, Dim]] = []
    for parameter in parameters.derived:
        dims = dims_of(args[parameter].type) if parameter in args else None
        pairs = matched(parameters.sizes[parameter].known(), dims)
        sizes += [(parameter, dim, shape.known()[0]) for dim, shape in pairs if is_derived(dim)]
    if sizes:
        for name, of_class in sizes_of_class(ctx).items():
            values.setdefault(name, of_class)
    return wrong_derived(sizes, values)


def _with_sizes(
    api: CheckerPluginInterface, type_: Type, declared: Type, values: Mapping[Name, Shape], *, is_gradual: bool = False
) -> Type:
    """The type of a result with the values of type variables: of an operand, or of a tuple of operands."""
    proper, as_declared = get_proper_type(type_), get_proper_type(declared)
    if isinstance(proper, TupleType) and isinstance(as_declared, TupleType):
        pairs = zip(proper.items, as_declared.items, strict=False)
        items = [_with_sizes(api, item, other, values, is_gradual=is_gradual) for item, other in pairs]
        return proper.copy_modified(items=items) if len(items) == len(proper.items) else type_
    base = base_of(as_declared, OPERAND)
    if base is None or not isinstance(proper, Instance) or not proper.args:
        return type_
    variables = {name: name.type for name in values}
    known = {
        each.id: _value_type(api, name, values[name], is_gradual=is_gradual)
        for name, each in variables.items()
        if isinstance(each, TypeVarLikeType)
    }
    if not known.keys() >= {variable.id for variable in get_all_type_vars(base.args[1])}:
        return type_
    return proper.copy_modified(args=[*proper.args[:-1], expand_type(base.args[1], known)])


def _value_type(api: CheckerPluginInterface, variable: Name, value: Shape, *, is_gradual: bool) -> Type:
    """The type in place of a type variable: a size, or a tuple of sizes."""
    types = [dim_type(api, dim, is_gradual=is_gradual) for dim in value.known()]
    fallback = api.named_generic_type("builtins.tuple", [_UNKNOWN])
    return TupleType(types, fallback) if isinstance(variable, Rest) else types[0]


def _wrong_elements(elements: Sequence[tuple[str, Type, Type]]) -> str:
    """What is wrong with the element types of operands, each with its parameter and the element type that this has."""
    known: dict[TypeVarId, tuple[str, Type]] = {}
    for parameter, expected, type_ in elements:
        variable, operand = get_proper_type(expected), operand_of(type_)
        if not isinstance(variable, TypeVarType) or operand is None:
            continue
        if isinstance(get_proper_type(operand.dtype), AnyType):
            continue
        first, dtype = known.setdefault(variable.id, (parameter, operand.dtype))
        if not is_same_type(dtype, operand.dtype):
            other = type_name(operand.dtype)
            return f"{variable.name} is {type_name(dtype)} in {first}, but {other} in {parameter}"
    return ""


def _in_normal_form(api: CheckerPluginInterface, type_: Type) -> Type:
    """The type of operands with their sizes in normal form: `Times[N, Literal[2]]` where N is 4 is `Literal[8]`.

    Sizes of an argument of unknown shape are Any: mypy infers none for them, and would ask for an annotation.
    """
    proper = get_proper_type(type_)
    if isinstance(proper, TupleType):
        return proper.copy_modified(items=[_in_normal_form(api, item) for item in proper.items])
    if not isinstance(proper, Instance) or not proper.args:
        return type_
    shape = get_proper_type(proper.args[-1])
    if not isinstance(shape, TupleType):
        return type_
    if has_uninhabited_component(shape):
        unknown = AnyType(TypeOfAny.special_form)
        shape = shape.copy_modified(
            items=[unknown if has_uninhabited_component(each) else each for each in shape.items]
        )
    elif not any(isinstance(dim_of(item), Size | int) for item in shape.items):
        return type_
    static = shape_of(shape)
    written = shape_type(api, static.pattern or static.shape, is_gradual=static.is_gradual)
    return type_ if written is None else proper.copy_modified(args=[*proper.args[:-1], written])
