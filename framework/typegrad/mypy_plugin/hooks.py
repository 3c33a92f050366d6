"""Which calls have a hook."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Final, TypeAlias

from mypy.nodes import FuncDef, MypyFile, SymbolNode, SymbolTableNode, TypeInfo, Var
from mypy.options import Options
from mypy.plugin import (
    AnalyzeTypeContext,
    AttributeContext,
    FunctionContext,
    FunctionSigContext,
    MethodContext,
    MethodSigContext,
)
from mypy.plugins.default import DefaultPlugin
from mypy.types import CallableType, Type

from typegrad.mypy_plugin.arguments.wrong_calls import checked_wrapper
from typegrad.mypy_plugin.arrays.ndarrays import array_of_call, arrays_of_call
from typegrad.mypy_plugin.arrays.numpy_arguments import returned_parts
from typegrad.mypy_plugin.arrays.numpy_calls import returned_array
from typegrad.mypy_plugin.arrays.numpy_contexts import made_hook
from typegrad.mypy_plugin.arrays.numpy_refusals import NUMBERS
from typegrad.mypy_plugin.arrays.numpy_types import (
    SHAPE,
    reordered_attribute_hook,
    reordered_hook,
    reorders,
    shape_attribute_hook,
)
from typegrad.mypy_plugin.base.annotations import arithmetic_hook
from typegrad.mypy_plugin.base.classes import OPTIMIZER, OWN, WRAPPER
from typegrad.mypy_plugin.base.dims import ARITHMETIC
from typegrad.mypy_plugin.base.memory import forget
from typegrad.mypy_plugin.base.operands import OPERAND, VARIABLE
from typegrad.mypy_plugin.base.registry import MARK, functions_of
from typegrad.mypy_plugin.calls.counts import LIST_OP, item_hook
from typegrad.mypy_plugin.calls.expected_results import expected_hook
from typegrad.mypy_plugin.calls.functions import FUNCTIONS, function_hook
from typegrad.mypy_plugin.calls.generic_objects import opened_hook, replaced_types
from typegrad.mypy_plugin.calls.generics import generic_hook, parameters_of, sized_hook
from typegrad.mypy_plugin.calls.gradients import apply_hook
from typegrad.mypy_plugin.calls.initializers import INITIALIZER, initializer_hook
from typegrad.mypy_plugin.calls.library import library_signature
from typegrad.mypy_plugin.calls.losses import LOSSES, loss_function_hook, loss_object_hook
from typegrad.mypy_plugin.calls.operations import operation_hook
from typegrad.mypy_plugin.calls.operators import OPERATORS, operator_hook
from typegrad.mypy_plugin.calls.records import OF_RUN
from typegrad.mypy_plugin.calls.runs import fetched_field_hook
from typegrad.mypy_plugin.calls.shape_items import RANK, rank_hook
from typegrad.mypy_plugin.calls.signatures import operation_signature, operator_signature
from typegrad.mypy_plugin.calls.solved_shapes import solved_hook, solving
from typegrad.mypy_plugin.calls.variables import create_hook, create_signature
from typegrad.mypy_plugin.expressions.reducing import REDUCING, reduce_signature
from typegrad.mypy_plugin.flow.aliases import alias_hook, alias_signature
from typegrad.mypy_plugin.flow.bodies import body_hook, constructor_of, held_hook, is_followed
from typegrad.mypy_plugin.flow.common_types import shares_types
from typegrad.mypy_plugin.flow.rebinding import preparing_hook
from typegrad.mypy_plugin.flow.wrong_order import has_order
from typegrad.mypy_plugin.named_hooks import (
    FUNCTION_HOOKS,
    METHOD_HOOKS,
    OPERAND_METHOD_HOOKS,
    OPERAND_SIGNATURE_HOOKS,
    SIGNATURE_HOOKS,
    unchanged_hook,
)
from typegrad.mypy_plugin.safety import (
    SUPPRESSED,
    checked,
    function_signature,
    is_public,
    own_signature,
    safe,
    safe_attribute,
    safe_signature,
)
from typegrad.mypy_plugin.values.elsewhere import read_from
from typegrad.mypy_plugin.values.objects import original_name
from typegrad.mypy_plugin.values.program_files import file_read, uses_library

__all__ = ["Hooks"]

array_of_call.provide(returned_array)
arrays_of_call.provide(returned_parts)

_MYPY: Final = DefaultPlugin(Options())
"""The hooks of mypy itself, as for `-1`, which is of a literal type, and for `get` of a `TypedDict`."""
_NUMPY: Final = "numpy."
_ANNOTATED: Final = frozenset(
    f"typegrad.{name}"
    for name in ("graph.graph.Graph", "graph.operand.Operand", "graph.scope.Scope", "session.session.Session")
) | {VARIABLE}
"""The classes whose names are in the annotations of programs before anything is called."""
_FACADE: Final = "typegrad.functions.facade.GroupOps"
_CREATE: Final = "typegrad.graph.variable:Variable.create"

_SignatureHook: TypeAlias = Callable[[MethodSigContext], CallableType]
_MethodHook: TypeAlias = Callable[[MethodContext], Type]
_FunctionHook: TypeAlias = Callable[[FunctionContext], Type]
_AttributeHook: TypeAlias = Callable[[AttributeContext], Type]
_FunctionSignatureHook: TypeAlias = Callable[[FunctionSigContext], CallableType]


class Hooks:
    """The hooks for the calls of typegrad and of users' registries."""

    def __init__(
        self, lookup: Callable[[str], SymbolTableNode | None], modules: Callable[[], Mapping[str, MypyFile]]
    ) -> None:
        """Create the hooks, which look names up by `lookup`, among `modules`."""
        self._lookup = lookup
        self._modules = modules
        read_from(modules)
        self._signatures: dict[str, _SignatureHook | None] = {}
        self._methods: dict[str, _MethodHook | None] = {}
        self._functions: dict[str, _FunctionHook | None] = {}
        self._attributes: dict[str, _AttributeHook | None] = {}
        self._function_signatures: dict[str, _FunctionSignatureHook | None] = {}
        self._is_preparing = False

    def forget(self) -> None:
        """Clear the caches of the hooks, since a file was read again."""
        self._signatures.clear()
        self._methods.clear()
        self._functions.clear()
        self._attributes.clear()
        self._function_signatures.clear()
        forget()

    def separate(self, file: MypyFile) -> None:
        """Separate the definitions of a name in a file that was read, if it has the cells of a notebook."""
        text = file_read(file.path)
        if text != file.path:
            from typegrad.mypy_plugin.base.cells import separate

            with suppress(*SUPPRESSED):
                separate(file, text)

    def of_type(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        """The hook for annotations with arithmetic of sizes, or the one that prepares a file before mypy checks it."""
        if fullname in _ANNOTATED:
            return None if self._is_preparing else self._analyzed
        return partial(arithmetic_hook, fullname=fullname) if fullname in ARITHMETIC else None

    def _analyzed(self, ctx: AnalyzeTypeContext) -> Type:
        self._is_preparing = True
        try:
            return preparing_hook(ctx)
        finally:
            self._is_preparing = False

    def of_function(self, fullname: str) -> Callable[[FunctionContext], Type] | None:
        """Hooks for gradients, losses and functions, and for users' functions with sizes as type variables."""
        if fullname not in self._functions:
            is_variable = self._is_variable(fullname)
            hook = partial(expected_hook, own=held_hook) if is_variable else self._function_hook(fullname)
            hook = partial(made_hook, own=hook) if fullname.startswith(_NUMPY) else hook
            hook = checked(hook) if fullname.startswith(_NUMPY) or fullname in NUMBERS else hook
            guarded = None if hook is None else safe(hook)
            self._functions[fullname] = partial(alias_hook, otherwise=guarded) if is_variable and guarded else guarded
        return self._functions[fullname]

    def of_function_signature(self, fullname: str) -> _FunctionSignatureHook | None:
        """Hooks that report calls of `gradients` that fit no overload, and for other names of functions."""
        if fullname not in self._function_signatures:
            self._function_signatures[fullname] = self._function_signature_hook(fullname)
        return self._function_signatures[fullname]

    def of_method_signature(self, fullname: str) -> _SignatureHook | None:
        """Hooks that relax signatures where the plugin itself checks the element types."""
        if fullname not in self._signatures:
            hook = self._signature_hook(original_name(fullname))
            self._signatures[fullname] = None if hook is None else safe_signature(hook, fullname)
        return self._signatures[fullname]

    def of_method(self, fullname: str) -> _MethodHook | None:
        """Hooks that give results their static shapes."""
        if fullname not in self._methods:
            hook = self._method_hook(original_name(fullname))
            hook = partial(made_hook, own=hook) if fullname.startswith(_NUMPY) else hook
            hook = checked(hook) if fullname.startswith(_NUMPY) else hook
            self._methods[fullname] = None if hook is None else safe(hook)
        return self._methods[fullname]

    def of_attribute(self, fullname: str) -> _AttributeHook | None:
        """The hook that gives attributes of users' objects the shapes that they have from the constructor."""
        if fullname not in self._attributes:
            is_own = fullname.startswith(OWN) or not isinstance(self._node(fullname), Var)
            other = reordered_attribute_hook if reorders(fullname) else None
            is_own |= OF_RUN in fullname
            other = fetched_field_hook if OF_RUN in fullname else other
            other = {SHAPE: shape_attribute_hook, RANK: rank_hook}.get(fullname, other)
            self._attributes[fullname] = other if is_own else safe_attribute
        return self._attributes[fullname]

    def _function_signature_hook(self, fullname: str) -> _FunctionSignatureHook | None:
        """The hook for the signature of a function or class, typegrad's or the program's own."""
        if self._is_variable(fullname):
            return alias_signature
        if fullname in REDUCING:
            return partial(reduce_signature, places=REDUCING[fullname])
        if self._is_below(fullname, WRAPPER):
            return partial(checked_wrapper, fullname=fullname)
        if is_public(fullname):
            return partial(function_signature, fullname=fullname)
        return self._own_signature_hook(fullname)

    def _own_signature_hook(
        self, fullname: str
    ) -> Callable[[FunctionSigContext | MethodSigContext], CallableType] | None:
        """The hook for the signature of a user's function, method or class."""
        function = self._node(fullname) or self._inherited(fullname)
        parameters = parameters_of(function)
        if not (has_order(function) or parameters.changes_signature or shares_types(function)):
            return None
        return partial(own_signature, fullname=fullname, parameters=parameters)

    def _function_hook(self, fullname: str) -> _FunctionHook | None:
        """The hook for the result of a function or class."""
        if fullname in FUNCTION_HOOKS:
            return FUNCTION_HOOKS[fullname]
        if reorders(fullname):
            return reordered_hook
        function = self._node(fullname)
        if fullname.startswith(FUNCTIONS):
            module, _, name = fullname.rpartition(".")
            return partial(function_hook, path=f"{module}:{name}")
        if fullname.startswith(LOSSES) and isinstance(function, FuncDef) and "y_pred" in function.arg_names:
            return partial(loss_function_hook, fullname=fullname)
        return self._generic_hook(fullname)

    def _generic_hook(self, fullname: str) -> Callable[[FunctionContext | MethodContext], Type] | None:
        """The hook for what no other one is for, mypy's neither: users' functions, methods and classes."""
        is_of_mypy = _MYPY.get_method_hook(fullname) or _MYPY.get_function_hook(fullname)
        hook = None if is_of_mypy else self._own_hook(fullname)
        return None if hook is None else partial(expected_hook, own=hook)

    def _own_hook(self, fullname: str) -> Callable[[FunctionContext | MethodContext], Type] | None:
        """The same, for calls whose arguments fit."""
        function = self._node(fullname)
        parameters = parameters_of(function)
        if fullname.startswith(OWN):
            has_sizes = parameters.sizes and isinstance(function, FuncDef)
            return partial(sized_hook, parameters=parameters) if has_sizes else None
        name = fullname.removesuffix(".__call__").rpartition(".")[2]
        hook = partial(generic_hook, name=name, parameters=parameters) if parameters else None
        called = function or self._inherited(fullname)
        solved = solving(called)
        hook = partial(solved_hook, solved=solved, own=hook) if solved else hook
        if called is None or isinstance(called, Var):  # of a function inside a method, mypy knows the class
            return held_hook
        if isinstance(called, TypeInfo):
            home = self._modules().get(called.module_name)
            is_foreign = home is None or home.is_stub
            replaced, called = replaced_types(called), constructor_of(called)
            hook = partial(opened_hook, positions=replaced, own=hook) if replaced and not is_foreign else hook
        if isinstance(called, FuncDef) and is_followed(called):
            return partial(body_hook, function=called, own=hook)
        return hook or self._preparing_hook(fullname)

    def _preparing_hook(self, fullname: str) -> Callable[[FunctionContext | MethodContext], Type] | None:
        """The hook for calls that say nothing, but for which a file is prepared: their program may build graphs."""
        modules = (self._modules().get(fullname.rsplit(".", count)[0]) for count in (1, 2))
        home = next(filter(None, modules), None)
        return unchanged_hook if home is not None and uses_library(home.path) else None

    def _signature_hook(self, fullname: str) -> _SignatureHook | None:
        """The hook for the signature of a method, such as `create`."""
        if fullname in SIGNATURE_HOOKS:
            return SIGNATURE_HOOKS[fullname]
        owner, _, method = fullname.rpartition(".")
        if method in OPERAND_SIGNATURE_HOOKS or method in OPERATORS:
            is_operand = self._is_below(owner, OPERAND)
            return OPERAND_SIGNATURE_HOOKS.get(method, operator_signature) if is_operand else None
        if not self._makes_operation(fullname):
            if is_public(fullname):
                return partial(library_signature, fullname=fullname)
            return self._own_signature_hook(fullname)
        function = self._function_of(fullname)
        if function is None:
            return operation_signature
        return create_signature if function == _CREATE else partial(library_signature, fullname=fullname)

    def _method_hook(self, fullname: str) -> _MethodHook | None:
        """The hook for the result of a method, such as `create`."""
        if fullname in METHOD_HOOKS:
            return METHOD_HOOKS[fullname]
        owner, _, method = fullname.rpartition(".")
        if method == "__call__":
            return self._call_hook(owner)
        if method == "apply_gradients":
            return apply_hook if self._is_below(owner, OPTIMIZER) else None
        if method in OPERATORS or method in OPERAND_METHOD_HOOKS:
            if not self._is_below(owner, OPERAND):
                is_item = method == "__getitem__" and self._is_below(owner, LIST_OP)
                return item_hook if is_item else self._generic_hook(fullname)
            return OPERAND_METHOD_HOOKS.get(method) or partial(operator_hook, method=method)
        if not self._makes_operation(fullname):
            return self._generic_hook(fullname)
        function = self._function_of(fullname)
        if function is None:
            return operation_hook
        return create_hook if function == _CREATE else partial(function_hook, path=function)

    def _call_hook(self, owner: str) -> _MethodHook | None:
        """The hook for calls of instances: of initializers, of the losses of typegrad, and of users' layers."""
        if self._is_below(owner, INITIALIZER):
            return initializer_hook
        return loss_object_hook if owner.startswith(LOSSES) else self._generic_hook(f"{owner}.__call__")

    def _is_below(self, class_: str, base: str) -> bool:
        node = self._node(class_)
        return isinstance(node, TypeInfo) and node.has_base(base)

    def _is_variable(self, fullname: str) -> bool:
        """Whether what is called is a variable: mypy knows local ones by their name alone."""
        return fullname.isidentifier() or isinstance(self._node(fullname), Var)

    def _node(self, fullname: str) -> SymbolNode | None:
        symbol = self._lookup(fullname)
        return None if symbol is None else symbol.node

    def _inherited(self, fullname: str) -> SymbolNode | None:
        """The method of a base class that a name means: mypy names methods by the class of the object."""
        class_, _, method = fullname.rpartition(".")
        node = self._node(class_)
        symbol = node.get(method) if isinstance(node, TypeInfo) else None
        return None if symbol is None else symbol.node

    def _makes_operation(self, fullname: str) -> bool:
        """Whether a method may be `create` of a wrapper class, or a method of the facade."""
        class_, _, method = fullname.rpartition(".")
        if method.startswith("_") or not self._defines(class_.rpartition(".")[0], MARK):
            return False
        return method == "create" or self._is_below(class_, _FACADE)

    def _function_of(self, fullname: str) -> str | None:
        """The import path of the function that a method of the facade calls; None if it creates an operation."""
        class_, _, method = fullname.rpartition(".")
        node = self._node(class_)
        home = node.get_containing_type_info(method) if isinstance(node, TypeInfo) else None
        if home is None or not self._defines(home.module_name, "_FUNCTIONS"):
            return None
        return functions_of(home.module_name, self._modules()[home.module_name].path).get(method)

    def _defines(self, module: str, name: str) -> bool:
        tree = self._modules().get(module)
        return tree is not None and name in tree.names
