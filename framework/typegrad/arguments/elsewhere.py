"""Hints of attribute errors: for a name that is different elsewhere, in another module, or misspelt.

`places` knows what typegrad has by its names elsewhere, `tensorflow_ops` what else TensorFlow has.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Final

from attrs import frozen

from typegrad.arguments.places import PACKAGE, RAW, Place, is_member, known_operations, known_places, subjects
from typegrad.base.misspelt import nearest, plain
from typegrad.base.types import TType

__all__ = ["counterpart", "namesake", "remedy"]

_ROOT: Final = "typegrad"
_SCOPE: Final = "typegrad.graph.scope"
_MOST: Final = 3
_VERY_CLOSE: Final = 0.88
_CLOSE: Final = 0.75


def remedy(owner: type | str, name: str, names: Iterable[str] = (), *, of_class: bool = False) -> str:
    """What to write instead of the attribute `name`, which a class's objects or the module `owner` do not have.

    `names` are attributes that a module has and `dir` does not know. With `of_class`, the class itself lacks the name.
    The answer begins with a punctuation mark; it is empty where nothing is like `name`.
    """
    if name.startswith("_"):
        return ""
    return _Owner.of(owner, names, of_class=of_class).remedy(name)


def counterpart(name: str) -> str:
    """What to write instead of another library's function, such as "np.sin". As `remedy` answers."""
    places = [place for place in (*known_operations(PACKAGE), *known_places()) if name in place.names]
    return _Owner.of("typegrad", ()).meant(places)


def namesake(title: str, count: int, *, is_facade: bool) -> str:
    """Another operation that shares a name with the one with this title in some library, and takes `count` arguments.

    As `remedy` answers. TensorFlow's `where` is one operation for one argument, and another one for three.
    """
    operations = known_operations(PACKAGE)
    own = {name for place in operations if plain(place.title) == plain(title) for name in place.names}
    places = [place for place in operations if plain(place.title) != plain(title) and not own.isdisjoint(place.names)]
    owner = _Owner.of(import_module("typegrad.op._ops").Ops if is_facade else PACKAGE, ())
    return owner.meant(place for place in places if place.takes(count))


@frozen
class _Owner:
    """What lacks the attribute."""

    kind: type | None
    module: str
    package: str
    """The generated package whose operations it may mean."""
    is_facade: bool
    own: tuple[str, ...]
    is_class: bool = False
    """Whether it is the class itself, and none of its objects."""

    @staticmethod
    def of(owner: type | str, names: Iterable[str], *, of_class: bool = False) -> _Owner:
        """An object's class, or a module by its name."""
        if isinstance(owner, str):
            is_group = hasattr(import_module(owner), "__typegrad_generated__")
            package = owner if owner.endswith(".op") or not is_group else owner.rpartition(".")[0]
            namespace = vars(import_module(owner))
            own = _public(
                (
                    *(each for each in dir(import_module(owner)) if not isinstance(namespace.get(each), ModuleType)),
                    *names,
                )
            )
            return _Owner(None, owner, package if is_group else PACKAGE, False, own)
        generated = next((base.__module__ for base in owner.__mro__ if base.__module__.endswith(_FACADES)), None)
        if generated is None:
            return _Owner(owner, owner.__module__, PACKAGE, False, _public((*dir(owner), *names)), of_class)
        package = generated.rpartition(".")[0]
        if not generated.endswith("._ops"):
            package = package.rpartition(".")[0]
        return _Owner(owner, generated, package, True, _public(dir(owner)))

    def remedy(self, name: str) -> str:
        """What to write instead of `name`; "" if nothing is known."""
        lookups = (
            self._of_several,
            self._of_same_function,
            self._spelt,
            self._of_inputs,
            self._of_java,
            self._of_variables,
            self._of_class,
            self._absent_of_class,
            self._of_scope,
            self._of_scopes,
            self._grouped,
            self._function,
            self._titled,
            self._of_tensorflow,
            self._absent_by_full_name,
            self._plural,
            self._of_outputs,
            self._absent_in_group,
            self._called,
            self._absent,
            self._absent_operation,
            self._misspelt,
            self._like,
            self._of_groups,
        )
        return next(filter(None, (lookup(name) for lookup in lookups)), "")

    # Lookups, the surest first

    def _of_several(self, name: str) -> str:
        """The operations of a function that is one or another by its arguments: `tf.where` is Select or Where."""
        if self.kind is not None and not self.is_facade:
            return ""
        places = [place for place in known_operations(PACKAGE) if f"tf.{name}" in place.names]
        own = [place for place in places if plain(place.title) == plain(name)]
        is_one = not own or own[0] is places[0] or any(all(each.takes(n) for each in places) for n in range(_MOST + 1))
        return "" if is_one else self.meant(places)

    def _of_same_function(self, name: str) -> str:
        """TensorFlow's function of exactly this name, and what is the same but for capitals: `tg.shape`."""
        own = [own for own in self.own if plain(own) == plain(name)] if self.module == _ROOT else []
        places = [place for place in known_operations(PACKAGE) if plain(place.title) == plain(name)] if own else []
        is_function = any(f"tf.{name}" in place.names for place in places)
        return _meant([*map(self._shown, places), *map(self._of_own, own)]) if is_function else ""

    def _spelt(self, name: str) -> str:
        """An attribute that is the same but for underscores and capitals."""
        return _meant([self._of_own(own) for own in self.own if plain(own) == plain(name)][:1])

    def _of_inputs(self, name: str) -> str:
        """What `y.inputs` has: the inputs of an operation."""
        definition = None if self.kind is None else vars(import_module(self.module)).get("DEF")
        if definition is None or self.kind is None or self.kind.__name__ != f"{definition.class_name}Inputs":
            return ""
        inputs = [f".{each.name}" for each in definition.inputs if each.name in self.own]
        listed = f"; its inputs are {', '.join(inputs)}" if inputs else "; the operation has no inputs"
        return self._own_like(name) or listed

    def _of_java(self, name: str) -> str:
        """An option, or a way to make an operation of a value, each a method of the class in Java."""
        if self.kind is not None and issubclass(self.kind, TType):
            return self._of_element_type(name)
        create = None if self.kind is None or self.is_facade else getattr(self.kind, "create", None)
        if self.kind is None or create is None:
            return ""
        made = f"{self.kind.__name__}.create(scope, "
        if name in _OF_VALUES:
            return f"; write {made}value)"
        option = next((each for each in inspect.signature(create).parameters if plain(each) == plain(name)), "")
        return f"; write {made}..., {option}=...)" if option and (self.is_class or option != name) else ""

    def _of_element_type(self, name: str) -> str:
        """What makes a tensor in Java, which is an array here, and the constant of a class that is the constant."""
        if plain(name) in map(plain, _OF_VALUES):
            return "; a tensor is an array of NumPy, and core.Constant.create(scope, value) makes an operand of one"
        return "; the class itself is the element type" if plain(name) == "dtype" else ""

    def _of_variables(self, name: str) -> str:
        """What only variables have: after `w += x`, the name `w` is of a sum."""
        variable = import_module("typegrad.graph.variable").Variable
        is_other = self.kind is not None and issubclass(self.kind, variable.__base__) and self.kind is not variable
        if not is_other or not hasattr(variable, name):
            return ""
        if name.startswith("assign") and self._is_fed():
            return "; a placeholder has no value to change: session.run(y, {x: value}) gives it one for a run"
        return "; a variable has it, and `w += x` makes a sum: write w.assign_add(scope, x) to add to a variable"

    def _is_fed(self) -> bool:
        """Whether it is an operation without inputs whose value is fed."""
        definition = getattr(import_module(self.module), "DEF", None)
        return definition is not None and definition.effect == "feed"

    def _of_class(self, name: str) -> str:
        """What the class has elsewhere, before what one that it derives from has: `tf.Tensor.get_shape`."""
        for aliases in self._aliases():
            names = {f"{alias}.{name}" for alias in aliases}
            places = [place for place in self._listed() if not names.isdisjoint(place.names)]
            if places:
                return self.meant([place for place in places if not place.is_operation] or places)
        return ""

    def _aliases(self) -> Iterator[Sequence[str]]:
        """What the class, and each that it derives from, is called elsewhere."""
        classes = [] if self.kind is None else [base.__name__ for base in self.kind.__mro__]
        own = [place for place in known_places() if place.path.startswith("typegrad.")]
        for name in dict.fromkeys(classes):
            yield [alias for place in own if place.title == name for alias in place.names]

    def _of_scope(self, name: str) -> str:
        """A group of operations, which a facade has, and a scope does not have."""
        groups = {place.path.partition(".")[0] for place in known_operations(PACKAGE)}
        if self.module != _SCOPE or name not in groups:
            return ""
        facade = "tg.Ops(scope)" if name == "core" else f"tg.Ops(scope).{name}"
        return f"; write {facade}, whose methods are operations, or from typegrad.op import {name}"

    def _of_scopes(self, name: str) -> str:
        """What only scopes have, such as `with_sub_scope`, where a graph or an operand is passed as the scope."""
        is_theirs = self.kind is not None and name.startswith("with_") and hasattr(import_module(_SCOPE).Scope, name)
        return "; a scope has it: tg.Scope(graph) makes one" if is_theirs else ""

    def _grouped(self, name: str) -> str:
        """A group of operations."""
        if self.kind is not None and not self.is_facade:
            return ""
        if name == "core" and self.module.endswith("._ops"):
            return "; the operations of `core` are its own methods, such as `tf.constant`"
        packages = [
            place.package for place in self._listed() if place.is_operation and place.path.startswith(f"{name}.")
        ]
        return _meant(f"`{name}` (from {package} import {name})" for package in packages)

    def _function(self, name: str) -> str:
        """The function of exactly this name, for a module: `tg.zeros` is `tg.functions.zeros`."""
        paths = [place.path for place in known_places()] if self.kind is None else []
        return _meant([f"`{_short(_FUNCTIONS + name)}`"] if _FUNCTIONS + name in paths else [])

    def _titled(self, name: str) -> str:
        """The operation of this name in a module or a facade."""
        if self.kind is not None and not self.is_facade:
            return ""
        return self.meant(place for place in self._listed() if place.is_operation and plain(place.title) == plain(name))

    def _of_tensorflow(self, name: str) -> str:
        """The operation of this name in TensorFlow: `MatrixSolve`, which is `linalg.Solve`."""
        if self.kind is not None and not self.is_facade:
            return ""
        raw = f"{RAW}{name}"
        return self.meant(place for place in known_operations(self.package) if plain(raw) in map(plain, place.names))

    def _plural(self, name: str) -> str:
        """An attribute that is the plural, or the singular."""
        return _meant([self._of_own(own) for own in self.own if own in (f"{name}s", name.removesuffix("s"))])

    def _misspelt(self, name: str) -> str:
        """An attribute with almost the same spelling, and the same numbers: `MaxPool2D` is not `MaxPool3d`."""
        own = nearest(name, [own for own in self.own if _numbers(own) == _numbers(name)], _VERY_CLOSE)
        return _meant([self._of_own(own)]) if own else ""

    def _of_outputs(self, name: str) -> str:
        """The outputs of an operation that has several: what is asked for is one of them, and no operation."""
        definition = None if self.kind is None else vars(import_module(self.module)).get("DEF")
        outputs = () if definition is None else definition.outputs
        if len(outputs) < 2:
            return ""
        return self._own_like(name) or f"; its outputs are {', '.join(f'.{each.name}' for each in outputs)}"

    def _own_like(self, name: str) -> str:
        """An attribute that is spelt a little like it."""
        own = nearest(name, [own for own in self.own if _numbers(name) in ("", _numbers(own))], _CLOSE)
        return _meant([self._of_own(own)]) if own else ""

    def _called(self, name: str) -> str:
        """What has this name in any library; the most likely one, if there are several."""
        ranked = [
            (self._rank(place, name, other), place)
            for place in self._listed()
            for other in place.all_names
            if plain(other.rpartition(".")[2]) == plain(name)
        ]
        first = min((rank for rank, _ in ranked), default=None)
        return self.meant(place for rank, place in ranked if rank == first)

    def _rank(self, place: Place, name: str, other: str) -> tuple[bool, ...]:
        """Less is better."""
        group = self.module.split(".")[-2] if self.is_facade else ""
        takes_operations = self.is_facade or self.module.startswith(self.package)
        return (
            self.kind is None and is_member(other),
            takes_operations and plain(other) != plain(f"tf.{name}"),
            not other.endswith(f".{name}"),
            not self._has(place),
            self.is_facade and other not in (f"tf.{name}", f"tf.{group}.{name}"),
            takes_operations and not (place.is_operation or (self.is_facade and self._method(place.path))),
            plain(place.title) != plain(name),
        )

    def _has(self, place: Place) -> bool:
        """Whether a place is in the module that lacks the attribute."""
        if place.is_operation:
            return f"{place.package}.{place.path}".rpartition(".")[0] == self.module
        return place.path.startswith(f"{self.module}.")

    def _absent(self, name: str) -> str:
        """What typegrad does not have, and what comes nearest."""
        return self._missing(lambda other: plain(other.rpartition(".")[2]) == plain(name))

    def _absent_of_class(self, name: str) -> str:
        """What the class has elsewhere, and not here: `tf.data.Dataset.take`."""
        names = {f"{alias}.{name}" for aliases in self._aliases() for alias in aliases}
        return self._missing(names.__contains__) if names else ""

    def _absent_by_full_name(self, name: str) -> str:
        """What TensorFlow or JAX has in the same place, such as `tf.function`, and typegrad does not have."""
        of_module = self.kind is None or self.is_facade
        return self._missing((f"tf.{name}", f"jax.{name}").__contains__) if of_module else ""

    def _absent_operation(self, name: str) -> str:
        """An operation of TensorFlow, by its name there, or the one in TensorFlow Java's group of this name."""
        if self.kind is not None and not self.is_facade:
            return ""
        from typegrad.arguments.tensorflow_ops import tensorflow_ops  # for few programs

        is_root = self.module.endswith("._ops")
        group = "core" if is_root else self.module.split(".")[-2 if self.is_facade else -1]
        for op in tensorflow_ops():
            if name == op.name or (group == op.group and op.java and plain(name) == plain(op.java)):
                return f". {op.why_not}"
        return ""

    def _absent_in_group(self, name: str) -> str:
        """What a library has in a module of the name of a group, such as `np.random.beta`."""
        group = self.module.rpartition(".")[2] if self.module.startswith(f"{self.package}.") else ""
        end = plain(f"{group}.{name}")
        return self._missing(lambda other: plain(".".join(other.split(".")[-2:])) == end) if group else ""

    def _missing(self, is_meant: Callable[[str], bool]) -> str:
        for item in subjects()["missing"]:
            if any(map(is_meant, item["names"])):
                by_name = {
                    other.removeprefix(RAW): place for place in known_operations(PACKAGE) for other in place.names
                }
                nearby = [by_name.get(path) or Place(path, ()) for path in item["instead"]]
                return f". {item['why']} See {_joined(map(self._shown, nearby), 'and')}."
        return ""

    def _like(self, name: str) -> str:
        """What is spelt a little like it: an attribute, or an operation."""
        if own := self._own_like(name):
            return own
        operations = [place for place in self._listed() if place.is_operation]
        near = nearest(name, [place.title for place in operations], _VERY_CLOSE)
        return self.meant(place for place in operations if place.title == near)

    def _of_groups(self, _name: str) -> str:
        """The groups of a package of operations."""
        groups = {
            place.path.partition(".")[0] for place in known_operations(self.package) if place.package == self.package
        }
        return f"; its groups are {', '.join(sorted(groups))}" if self.module == self.package else ""

    def _groups(self) -> set[str]:
        """Of the package's own operations."""
        own = (place.path for place in known_operations(self.package) if place.package == self.package)
        return {path.partition(".")[0] for path in own}

    def _listed(self) -> Sequence[Place]:
        return [*known_operations(self.package), *known_places()]

    # Texts

    def meant(self, places: Iterable[Place]) -> str:
        """The question whether one of these was meant."""
        return _meant(list(dict.fromkeys(map(self._shown, places)))[:_MOST])

    def _of_own(self, name: str) -> str:
        if self.is_facade:
            return _of_facade("core" if self.module.endswith("._ops") else self.module.split(".")[-2], name)
        if self.kind is not None:
            return f"`.{name}`"
        path = f"{self.module}.{name}".removeprefix(f"{self.package}.")
        return f"`{_short(path)}`"

    def _shown(self, place: Place) -> str:
        if place.is_operation:
            return self._operation(place)
        if place.is_page:
            return f"`{_SHOW} {place.title}`"
        if self.is_facade and (method := self._method(place.path)):
            return method
        owner, _, member = place.path.rpartition(".")
        cls = owner.rpartition(".")[2]
        if not cls[:1].isupper():
            return f"`{_short(place.path)}`"
        if self.kind is not None and cls in (base.__name__ for base in self.kind.__mro__):
            return f"`.{member}`"
        owner_class = getattr(import_module(owner.rpartition(".")[0]), cls)
        is_static = isinstance(inspect.getattr_static(owner_class, member), (staticmethod, classmethod))
        return f"`{_short(place.path) if is_static else f'{cls.lower()}.{member}'}`"

    def _operation(self, place: Place) -> str:
        group, _, name = place.path.partition(".")
        if self.module == f"{place.package}.{group}":
            return f"`{place.path}`"
        if not self.is_facade or place.package != self.package:
            return f"`{place.path}{self._on_handle(place)}` (from {place.package} import {group})"
        module = import_module(f"{self.package}.{group}._facade")
        facade = vars(module)[module.__all__[0]]
        return _of_facade(group, next(each for each in dir(facade) if plain(each) == plain(name)))

    def _on_handle(self, place: Place) -> str:
        """How an operation on variables is called with the variable; "" for any other operation."""
        if self.kind is not import_module("typegrad.graph.variable").Variable:
            return ""
        group, _, name = place.path.partition(".")
        operation = getattr(import_module(f"{place.package}.{group}"), name)
        (first, *_) = import_module(operation.__module__).DEF.inputs or [None]
        is_on_handle = first is not None and first.type is import_module("typegrad.base.types").TResource
        return ".create(scope, v.handle, ...)" if is_on_handle else ""

    def _method(self, path: str) -> str:
        """A function of the API as a method of the facade; "" if there is none."""
        groups = {
            place.path.partition(".")[0] for place in known_operations(self.package) if place.package == self.package
        }
        for group in groups:
            functions: Mapping[str, str] = vars(import_module(f"{self.package}.{group}._facade")).get("_FUNCTIONS", {})
            method = next((each for each, function in functions.items() if function.replace(":", ".") == path), None)
            if method is not None:
                return _of_facade(group, method)
        return ""


_OF_VALUES: Final = frozenset(("arrayOf", "scalarOf", "tensorOf", "vectorOf"))
"""What Java has to make a constant of a value."""
_SHOW: Final = "typegrad docs show"
_FUNCTIONS: Final = "typegrad.functions."
_FACADES: Final = ("._facade", "._ops")


def _numbers(name: str) -> str:
    return "".join(filter(str.isdigit, name))


def _public(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in names if not name.startswith("_"))


def _of_facade(group: str, method: str) -> str:
    return f"`tf.{method}`" if group == "core" else f"`tf.{group}.{method}`"


def _short(path: str) -> str:
    """A name of the API as it is written in programs: `tg.Session`."""
    if not path.startswith("typegrad."):
        return path
    return "tg." + _OFFERED.sub("", path.removeprefix("typegrad."))


_OFFERED: Final = re.compile(r"^(base\.(types|errors)|files|tools|training(?=\.[a-z]+\.)|functions(?=\.random\.))\.")
"""The folders whose names or modules `typegrad` itself offers."""


def _meant(texts: Iterable[str]) -> str:
    shown = list(dict.fromkeys(texts))
    if not shown:
        return ""
    if all(text.startswith(f"`{_SHOW}") for text in shown):
        return f"; see {_joined(shown, 'and')}"
    return f"; did you mean {_joined(shown, 'or')}?"


def _joined(texts: Iterable[str], word: str) -> str:
    *first, last = texts
    return f"{', '.join(first)} {word} {last}" if first else last
