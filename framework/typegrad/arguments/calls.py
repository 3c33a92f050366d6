"""Calls that do not fit a function's signature: which argument is wrong, and what to write instead.

Python makes an error of such a call before the function runs, and without a hint; `explained` makes an `OptionError` of
it. What a method of an argument raises becomes an error that names the argument.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, wraps
from importlib import import_module
from inspect import Parameter, isfunction, isroutine, signature
from typing import Any, Final, TypeVar, cast

from typegrad.arguments.instead import instead_of_option, of_function
from typegrad.arguments.methods import raised_within
from typegrad.base.brief import brief, counted, described
from typegrad.base.errors import GraphError, OptionError, TypegradError
from typegrad.base.misspelt import nearest, plain

__all__ = [
    "called",
    "explain",
    "explained",
    "form",
    "hint",
    "made_by",
    "mistake",
    "use_of",
]

_F = TypeVar("_F", bound=Callable[..., object])

_OF_PROTOCOLS: Final = "Protocols cannot be instantiated"
"""What Python says when one is called."""

_SYNONYMS: Final = (
    ("axis", "dimension", "axes", "dim", "reduction_indices", "split_dim", "concat_dim", "squeeze_dims"),
    ("perm", "axes", "permutation", "permute"),
    ("keep_dims", "keepdim"),
    ("dtype", "output_type", "output_dtype", "out_type", "out_idx", "index_type", "dst_t", "type", "tout", "to"),
    ("shape", "dims", "size", "sizes", "newshape"),
    ("feed_dict", "feeds", "feed", "inputs", "data"),
    ("fetches", "fetch", "targets", "outputs"),
    ("learning_rate", "lr", "step_size", "alpha"),
    ("initial_value", "value", "initial", "initializer", "init", "data"),
    (
        "input", "x", "a", "features", "logits", "value", "tensor", "t", "params", "diagonal",
        "x1", "self", "array", "input_tensor", "object", "data", "left",
    ),
    ("y", "b", "x2", "other", "mat2", "right"),
    ("inputs", "values", "tensors", "arrays", "operands", "xs"),
    ("filter", "kernel", "filters", "weight", "rhs"),
    ("ksize", "pool_size", "kernel_size", "window"),
    ("indices", "index", "ids"),
    ("multiples", "reps", "repeats"),
    ("depth", "num_classes"),
    ("clip_value_min", "minval", "a_min", "minimum", "min", "low", "lower"),
    ("clip_value_max", "maxval", "a_max", "maximum", "max", "high", "upper"),
    ("condition", "cond", "mask", "where"),
    ("transpose_a", "adj_x", "adjoint_a", "transpose_x"),
    ("transpose_b", "adj_y", "adjoint_b", "transpose_y"),
    ("epsilon", "eps"),
    ("drop_remainder", "drop_last"),
    ("keep", "max_to_keep"),
    ("beta1", "b1"),
    ("beta2", "b2"),
    ("var_list", "variables", "parameters", "params"),
    ("stop_gradients", "consider_constant"),
    ("grad_ys", "output_gradients", "grad_outputs", "dx"),
    ("trainable", "requires_grad"),
    ("y_true", "labels", "targets", "target"),
    ("y_pred", "predictions", "logits", "outputs", "input"),
)  # fmt: skip
"""Names that operations here and in other libraries give an argument of the same meaning. The names used here come
first."""

_OF_THE_SCOPE: Final = {
    "name": 'with_name("{}")',
    "device": 'with_device("/cpu:0")',
    "control_inputs": "with_control_dependencies([op])",
    "control_dependencies": "with_control_dependencies([op])",
    "seed": "with_seed(1)",
}
"""What the scope says, where other libraries have an argument."""
_VERY_CLOSE: Final = 0.8
"""How similar a misspelt name of such an argument must be."""


_BESIDE: Final = {
    **{f"Graph.{name}": "; y=operand marks what leads to it" for name in ("to_dot", "to_mermaid", "to_text")},
    "Shape": ", with a tuple of sizes; tg.Shape.of(2, 3) takes them one by one",
    "Variable.assign": ", which makes an operation; session.assign(variable, value) sets the value now",
}
"""What to add about a call that is easily mistaken for another one."""


def explained(function: _F) -> _F:
    """Wrap `function`: its error for wrong arguments says what to write. Other calls cost next to nothing."""

    @wraps(function)
    def call(*args: object, **kwargs: object) -> Any:
        try:
            return function(*args, **kwargs) if kwargs else function(*args)
        except Exception as error:  # whatever a method of an argument raises
            better = explain(function, args, kwargs, error)
            if better is None:
                raise
            raise better from better.__cause__

    return cast("_F", call)


def explain(
    function: Callable[..., object], args: Sequence[object], kwargs: Mapping[str, object], error: Exception
) -> TypegradError | None:
    """What is wrong with a call that ended in `error`; None if `error` says it, or is none of an argument's."""
    if str(error) == _OF_PROTOCOLS:
        return OptionError(
            f"{type(args[0]).__name__} is a type of functions: pass a function of your own where one is taken"
        )
    if isinstance(error, TypeError) and error.__traceback__ is not None and error.__traceback__.tb_next is None:
        return _refused(function, args, kwargs, error)
    return raised_within(function, called, args, kwargs, error)


def _refused(
    function: Callable[..., object], args: Sequence[object], kwargs: Mapping[str, object], error: TypeError
) -> OptionError | GraphError:
    """What is wrong with a call that `function` refused before it ran."""
    owner = type(args[0]) if function.__name__ == "__init__" else None
    if owner is not None and hasattr(owner, "create"):
        return OptionError(not_for_new(owner))
    call = _of(function, called(function, args), args, kwargs)
    without = call.without_scope()  # told first: without it, the last argument seems to be missing
    if without:
        return GraphError(without)
    mistake = call.mistake() or str(error)
    return OptionError(mistake if owner is None else mistake + use_of(owner, mistake))


def use_of(owner: Any, mistake: str) -> str:
    """What to add to the mistake in a call of a class whose objects are called as well."""
    if "__call__" not in dir(owner) or not mistake or mistake.endswith("?"):
        return ""
    if signature(owner.__call__).return_annotation == "NoReturn":  # the call is a mistake that has its own error
        return ""
    form = _of(owner.__call__, f"{owner.__name__}(...)").form()
    return f", and what it makes as {form.removeprefix(_FORM)}"


def not_for_new(owner: Any) -> str:
    """What is wrong with a call of a class whose objects a method `create` makes."""
    return f"{owner.__name__}() makes no {owner.__name__}; {made_by(owner)}"


def made_by(owner: Any) -> str:
    """How a new object of a class is made that has a method `create`."""
    return f"write {_of(owner.create, f'{owner.__name__}.create').form().removeprefix(_FORM)}"


def mistake(function: Callable[..., object], called: str, by_position: int, by_name: Mapping[str, object]) -> str:
    """What is wrong with the number of the arguments, besides `self`, and with their names; "" if nothing is.

    Of the arguments by name, only texts are looked at.
    """
    mistake = _Call(called, _parameters(function), (None,) * by_position, by_name).mistake()
    if not isinstance(function, type):
        return mistake
    return not_for_new(function) if mistake and hasattr(function, "create") else mistake + use_of(function, mistake)


def form(function: Callable[..., object], called: str) -> str:
    """How the function is called: "it is called as Relu.create(scope, features)"."""
    return _Call(called, _parameters(function), (), {}).form()


@cache
def _parameters(function: Callable[..., object]) -> Sequence[Parameter]:
    """The parameters besides `self`."""
    parameters = list(signature(function).parameters.values())
    return parameters[1:] if parameters and parameters[0].name in ("self", "cls") else parameters


def _of(
    function: Callable[..., object],
    called: str,
    args: Sequence[object] = (),
    kwargs: Mapping[str, object] | None = None,
) -> _Call:
    parameters = list(signature(function).parameters.values())
    has_self = bool(parameters) and parameters[0].name in ("self", "cls")
    return _Call(called, parameters[has_self:], args[has_self:], kwargs or {})


def hint(name: str, names: Collection[str]) -> str:
    """What may have been meant by the unknown argument `name`: one of `names`, or what all of them are."""
    remedy = instead_of_option(name, names)
    if remedy:
        return remedy
    known = sorted(names)
    meant = _meant(name, known)
    if meant is not None:
        return f"did you mean `{meant}`?"
    return f"it takes {_listed(known)}" if names else "it takes none by name"


def _meant(name: str, names: Collection[str]) -> str | None:
    """The one of `names` that is meant by `name`, which may be misspelt, or another library's name, or both."""
    meant = _same(name, names) or nearest(name, names)
    elsewhere = (
        {each for same in _SYNONYMS if any(own in names for own in same) for each in same} if meant is None else set()
    )
    misspelt = nearest(name, sorted(elsewhere))
    return meant if misspelt is None else _same(misspelt, names)


def _same(name: str, names: Collection[str]) -> str | None:
    """The one of `names` that has the meaning of `name`."""
    for own in names:
        if plain(own) == plain(name):
            return own
    for same in _SYNONYMS:
        if plain(name) in map(plain, same):
            own_name = next((own for own in same if own in names), None)
            if own_name is not None:
                return own_name
    return None


def called(function: Callable[..., object], args: Sequence[object]) -> str:
    """What a user who called `function` called."""
    owner, _, name = function.__qualname__.rpartition(".")
    kind = (args[0] if isinstance(args[0], type) else type(args[0])) if args else object
    if any(base.__name__ == owner for base in kind.__mro__):
        owner = kind.__name__
    return owner if name in ("__init__", "__call__") else f"{owner}.{name}".removeprefix(".")


class _Call:
    """A call and the parameters of what was called, without `self`."""

    def __init__(
        self, called: str, parameters: Sequence[Parameter], args: Sequence[object], kwargs: Mapping[str, object]
    ) -> None:
        self._called = called
        self._parameters = parameters
        self._args = args
        self._kwargs = kwargs
        self._by_position = [item.name for item in parameters if item.kind in _BY_POSITION]
        self._by_name = [item.name for item in parameters if item.kind in _BY_NAME]
        self._named = {*self._by_position[: len(args)], *kwargs}
        required = [item.name for item in parameters if item.default is Parameter.empty and item.kind in _NAMED]
        self._missing = [name for name in required if name not in self._named]

    def without_scope(self) -> str:
        """What is wrong if something else is in the place of the scope."""
        is_missing = self._by_position[:1] == ["scope"] and self._args and not hasattr(type(self._args[0]), "with_seed")
        if not is_missing:
            return ""
        remedy = (of_function(self._called) if isroutine(self._args[0]) else "") or self.form()
        return f"{self._called}(): argument `scope` must be a Scope, not {described(self._args[0])}; {remedy}"

    def mistake(self) -> str:
        """What is wrong, and what to do."""
        has_options = any(item.kind is Parameter.VAR_KEYWORD for item in self._parameters)
        for name in self._kwargs:
            if name not in self._by_name and (not has_options or _meant(name, self._missing)):
                return f"{self._called}() takes no argument `{name}`; {self._instead(name)}"
        for name in self._by_position[: len(self._args)]:
            if name in self._kwargs:
                return f"{self._called}() was given `{name}` twice, by position and by name; {self.form()}"
        has_rest = any(item.kind is Parameter.VAR_POSITIONAL for item in self._parameters)
        if len(self._args) > len(self._by_position) and not has_rest:
            has_names = any(item.kind is Parameter.KEYWORD_ONLY for item in self._parameters)
            hint = ("" if has_names else self._namesake()) or f"; {self.form()}"
            return f"{self._called}() takes {self._most()} by position, not {len(self._args)}{hint}"
        if self._missing:
            return f"{self._called}() needs {_listed(self._missing)}; {self.form()}"
        return ""

    def _instead(self, name: str) -> str:
        free = [own for own in self._by_name if own not in self._named]
        meant = _meant(name, free)
        if meant is not None and not (name in _OF_THE_SCOPE and self._has_scope()):
            return f"did you mean `{meant}`?"
        of_scope = nearest(name, _OF_THE_SCOPE, _VERY_CLOSE) if meant is None else name
        if self._has_scope():
            if of_scope in _OF_THE_SCOPE:
                return f"write {self._scope()}.{_OF_THE_SCOPE[of_scope].format(self._name())}"
            if plain(name) in ("dtype", "outtype", "type"):
                return "the element type follows from the arguments; dtypes.Cast converts"
        if len(self._missing) == 1 and self._missing != ["scope"]:
            return f"did you mean `{self._missing[0]}`?"
        function = self._function_with(name)
        if function:
            return f"did you mean `tg.functions.{function}`?"
        return hint(name, set(self._by_name) - {"scope"})

    def _function_with(self, argument: str) -> str:
        """The function with the operation's name, or with a part of it as `uniform`, that has this argument."""
        functions = import_module("typegrad.functions")
        title = plain(self._title())
        named = [each for each in dir(functions) if plain(each) in title and isfunction(getattr(functions, each))]
        fitting = [each for each in named if _same(argument, signature(getattr(functions, each)).parameters)]
        return max(fitting, key=len, default="")

    def _namesake(self) -> str:
        """The operation that is meant by more arguments than this one takes; "" if this is no operation."""
        if not (self._called.endswith(".create") or self._is_facade()):
            return ""
        from typegrad.arguments.elsewhere import namesake

        has_scope = "scope" in self._by_name
        return namesake(self._title(), len(self._args) - has_scope, is_facade=self._is_facade())

    def _title(self) -> str:
        """The operation: the last part of what was called, without `create`."""
        return self._called.removesuffix(".create").rpartition(".")[2]

    def _name(self) -> str:
        """The name that was to be given."""
        name = self._kwargs.get("name")
        return name if isinstance(name, str) and _NAME.fullmatch(name) else "w"

    def _has_scope(self) -> bool:
        """Whether operations are made in a scope, which gives their names: the facade's, or an argument."""
        return "scope" in self._by_name or self._is_facade()

    def _is_facade(self) -> bool:
        return self._called.partition(".")[0].endswith("Ops")

    def _scope(self) -> str:
        return "tf" if self._is_facade() else "scope"

    def _most(self) -> str:
        return counted(len(self._by_position), "argument")

    def form(self) -> str:
        """How the function is called."""
        shown: list[str] = []
        for item in self._parameters:
            if item.kind is Parameter.VAR_KEYWORD:
                shown.append("...")
            elif item.kind is Parameter.VAR_POSITIONAL:
                shown.append(f"*{item.name}")
            elif item.kind is Parameter.KEYWORD_ONLY or item.default is not Parameter.empty:
                shown.append(f"{item.name}={_default(item.default)}")
            else:
                shown.append(item.name)
        return f"{_FORM}{self._called}({', '.join(shown)}){_BESIDE.get(self._called, '')}"


def _default(value: object) -> str:
    """A default, as a program writes it."""
    if value is Parameter.empty:
        return "..."
    return value.__name__ if isfunction(value) else brief(value)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


_FORM: Final = "it is called as "
_NAME: Final = re.compile(r"[\w./-]{1,80}", re.ASCII)
_NAMED: Final = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
_BY_POSITION: Final = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_BY_NAME: Final = (Parameter.POSITIONAL_OR_KEYWORD, Parameter.KEYWORD_ONLY)
