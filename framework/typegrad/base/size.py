"""Symbolic sizes: polynomials over named dimensions, such as `2*Batch`, `Batch*Time`, `(Time - 1)//2`.

A dimension stays an int or a name as long as that says it all; a `Size` is any other one. It is in normal form:
integer coefficients over products of names and floored quotients, divided by a common divisor, whose quotient is
exact whenever the graph runs. Equal sizes have equal forms, but for some with floored quotients; `size_ranges`
decides these as far as possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import gcd
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, NewType, NoReturn, TypeAlias

from typegrad.base.errors import ShapeError

__all__ = [
    "ONE",
    "Dim",
    "Expression",
    "Floor",
    "Kind",
    "Name",
    "Product",
    "Size",
    "bind",
    "combined",
    "exact_quotient",
    "expression",
    "floored",
    "has_floor",
    "joined",
    "minus",
    "names_of",
    "parts_of",
    "plus",
    "simpler",
    "solved",
    "times",
]


_ONLY_IN_A_RUN: Final = "only a run knows the size {}; core.Shape.create(scope, x) has the sizes as an operand"


def _refuse(self: Any, *_: object) -> NoReturn:
    raise TypeError(_ONLY_IN_A_RUN.format(self))


def _divided(self: Any, other: object) -> Any:
    """No number, for `/` makes a fraction; an operand divides by itself."""
    return _refuse(self) if isinstance(other, (int, float, str, Size)) else NotImplemented


def _compared(name: str) -> Callable[[Any, Any], bool]:
    """A comparison of names, whose order is that of strings; a number has no place in it."""
    method: Callable[[Any, Any], bool] = getattr(str, name)

    def compare(self: Any, other: Any) -> bool:
        return method(self, other) if isinstance(other, str) else _refuse(self)

    return compare


def _of_sizes(operator: _Operator) -> _Operator:
    """An operator of sizes that refuses text; text in front of a name is left to strings."""

    def operate(self: Any, other: Any) -> Any:
        if type(other) is str and not (isinstance(self, Size) and other.isidentifier()):
            if isinstance(self, str) and operator.__name__.startswith("__r"):
                return NotImplemented
            raise TypeError(f'{self} is a size, and {other!r} a string; write f"{{x.shape[0]}}" in a string')
        if isinstance(other, float):
            _refuse(self)
        is_size = other is None or isinstance(other, (int, str, Size))
        return operator(self, other) if is_size else NotImplemented

    return operate


class Size:
    """A size that is more than an int or a name. It is immutable, and equal to sizes of the same normal form."""

    __slots__ = ("divisor", "terms")
    terms: tuple[_Term, ...]
    """Products with their integer coefficients, in an order of their own."""
    divisor: int
    """What the sum of the terms is divided by, without a remainder."""

    def __init__(self, terms: tuple[_Term, ...], divisor: int) -> None:
        """Take a normal form; arithmetic makes it."""
        self.terms = terms
        self.divisor = divisor

    @_of_sizes
    def __add__(self, other: Dim) -> Dim:
        return plus((self, other))

    @_of_sizes
    def __radd__(self, other: Dim) -> Dim:
        return plus((other, self))

    @_of_sizes
    def __sub__(self, other: Dim) -> Dim:
        return minus(self, other)

    @_of_sizes
    def __rsub__(self, other: Dim) -> Dim:
        return minus(other, self)

    @_of_sizes
    def __mul__(self, other: Dim) -> Dim:
        return times((self, other))

    @_of_sizes
    def __rmul__(self, other: Dim) -> Dim:
        return times((other, self))

    @_of_sizes
    def __floordiv__(self, other: Dim) -> Dim:
        return floored(self, other)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Size) and self.terms == other.terms and self.divisor == other.divisor

    def __hash__(self) -> int:
        return hash((self.terms, self.divisor))

    def __str__(self) -> str:
        return _text(expression(self))

    __repr__ = __str__
    if not TYPE_CHECKING:
        __float__ = __index__ = __int__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
        __truediv__ = __rtruediv__ = _divided


class Name(str):
    """The name of a dimension. With a size or a number, it is one, too: `x.shape[0] + 1` is `Batch + 1`."""

    __slots__ = ()
    if not TYPE_CHECKING:  # to a type checker, it has the operators of strings alone
        __add__, __radd__, __sub__, __rsub__ = Size.__add__, Size.__radd__, Size.__sub__, Size.__rsub__
        __mul__, __rmul__, __floordiv__ = Size.__mul__, Size.__rmul__, Size.__floordiv__
        __float__ = __index__ = __int__ = _refuse
        __truediv__ = __rtruediv__ = _divided
        __lt__, __le__, __gt__, __ge__ = map(_compared, ("__lt__", "__le__", "__gt__", "__ge__"))
        __hash__ = str.__hash__

        def __eq__(self, other):
            """Whether it is the same name, also as the `NewType` of that name."""
            return str.__eq__(self, other.__name__ if isinstance(other, NewType) else other)

        def __ne__(self, other):
            return not self == other


class Floor(NamedTuple):
    """A quotient, rounded down. The dividend has no multiples of the divisor."""

    dividend: Dim
    divisor: int


Dim: TypeAlias = int | str | Size | None
"""A size, a name, arithmetic with names, or None for unknown."""
Kind: TypeAlias = Literal["+", "-", "*", "/", "//"]
"""Arithmetic with sizes; / is an exact quotient, // one that is rounded down."""
_Operator: TypeAlias = Callable[[Any, Dim], Dim]
_Atom: TypeAlias = str | Floor
Product: TypeAlias = tuple[tuple[_Atom, int], ...]
"""Atoms with their exponents, in an order of their own; the empty product is 1."""
_Term: TypeAlias = tuple[Product, int]
_Sum: TypeAlias = dict[Product, int]

ONE: Final[Product] = ()


def _key(atom: _Atom) -> tuple[Any, ...]:
    """The order of atoms. Names that print alike may differ, so what counts is the string itself."""
    if isinstance(atom, str):
        return False, str.__str__(atom)
    terms, _ = parts_of(atom.dividend)
    return True, sorted((_key_of_product(product), count) for product, count in terms.items()), atom.divisor


def _key_of_product(product: Product) -> tuple[Any, ...]:
    return -sum(power for _, power in product), [(_key(atom), -power) for atom, power in product]


def parts_of(dim: Dim) -> tuple[_Sum, int]:
    """The terms and the divisor of a size, a name or an int."""
    if isinstance(dim, Size):
        return dict(dim.terms), dim.divisor
    if isinstance(dim, str):
        return {((dim, 1),): 1}, 1
    assert dim is not None
    return ({ONE: dim} if dim else {}), 1


def _size(terms: _Sum, divisor: int) -> Dim:
    """The normal form; a `ShapeError` if the quotient is never an integer."""
    terms = {product: count for product, count in terms.items() if count}
    shared = gcd(divisor, *terms.values())
    if shared > 1:
        terms, divisor = {product: count // shared for product, count in terms.items()}, divisor // shared
    if divisor > 1 and all(power > 0 for product in terms for _, power in product):
        common = gcd(divisor, *(count for product, count in terms.items() if product))
        if terms.get(ONE, 0) % common:
            whole = _sorted(terms, 1)
            raise ShapeError(f"{whole} is never a multiple of {divisor}")
    if divisor == 1:
        if not terms.keys() - {ONE}:
            return terms.get(ONE, 0)
        if len(terms) == 1:
            ((product, count),) = terms.items()
            if count == 1 and len(product) == 1 and product[0][1] == 1 and isinstance(product[0][0], str):
                return product[0][0]
    return _sorted(terms, divisor)


def _sorted(terms: _Sum, divisor: int) -> Size:
    return Size(tuple(sorted(terms.items(), key=lambda term: _key_of_product(term[0]))), divisor)


def plus(dims: Iterable[Dim]) -> Dim:
    """The sum; None if one is unknown."""
    number = 0
    others: list[Dim] = []
    for dim in dims:
        if isinstance(dim, int):
            number += dim
        else:
            others.append(dim)
    if not others:
        return number
    if None in others:
        return None
    terms, divisor = _Sum(), 1
    for dim in others:
        more, other = parts_of(dim)
        scale, shared = other // gcd(divisor, other), divisor // gcd(divisor, other)
        terms = {product: count * scale for product, count in terms.items()}
        for product, count in more.items():
            terms[product] = terms.get(product, 0) + count * shared
        divisor *= scale
    terms[ONE] = terms.get(ONE, 0) + number * divisor
    return _size(terms, divisor)


def minus(first: Dim, second: Dim) -> Dim:
    """The difference; None if one is unknown."""
    if isinstance(first, int) and isinstance(second, int):
        return first - second
    return plus((first, times((-1, second))))


def times(dims: Iterable[Dim]) -> Dim:
    """The product: 0 if one is 0, otherwise None if one is unknown."""
    number = 1
    others: list[Dim] = []
    for dim in dims:
        if isinstance(dim, int):
            number *= dim
        else:
            others.append(dim)
    if not number or not others:
        return number
    if None in others:
        return None
    terms, divisor = {ONE: number}, 1
    for dim in others:
        more, other = parts_of(dim)
        terms, divisor = _multiplied(terms, more), divisor * other
    return _size(terms, divisor)


def _multiplied(first: _Sum, second: _Sum) -> _Sum:
    result: _Sum = {}
    for a, n in first.items():
        for b, m in second.items():
            product = joined(a, b)
            result[product] = result.get(product, 0) + n * m
    return result


def joined(first: Product, second: Product, sign: int = 1) -> Product:
    """The product of two products, or their quotient."""
    powers = dict(first)
    for atom, power in second:
        powers[atom] = powers.get(atom, 0) + sign * power
    return tuple(sorted(((atom, power) for atom, power in powers.items() if power), key=lambda each: _key(each[0])))


def exact_quotient(dividend: Dim, divisor: Dim) -> Dim:
    """The quotient of sizes that divide without a remainder whenever the graph runs; None if it has no normal form.

    A `ShapeError` says that they never do.
    """
    if dividend is None or divisor is None or divisor == 0:
        return None
    terms, over = parts_of(dividend)
    by, under = parts_of(divisor)
    terms = {product: count * under for product, count in terms.items()}
    if len(by) == 1:
        ((product, count),) = by.items()
        sign = -1 if count < 0 else 1
        return _size({joined(each, product, -1): sign * n for each, n in terms.items()}, over * abs(count))
    quotient = _long_division(terms, by)
    return None if quotient is None else _size(quotient, over)


def _long_division(terms: _Sum, by: _Sum) -> _Sum | None:
    """The quotient of polynomials, if there is no remainder."""
    lead, *_ = sorted(by, key=_key_of_product)
    quotient: _Sum = {}
    while terms:
        first, *_ = sorted(terms, key=_key_of_product)
        product = joined(first, lead, -1)
        if terms[first] % by[lead] or any(power < 0 for _, power in product):
            return None
        count = quotient[product] = terms[first] // by[lead]
        for each, n in _multiplied({product: -count}, by).items():
            terms[each] = terms.get(each, 0) + n
        terms = {each: n for each, n in terms.items() if n}
    return quotient


def floored(dividend: Dim, divisor: Dim) -> Dim:
    """The quotient, rounded down; None if it is not known, or if it has no normal form."""
    if isinstance(dividend, int) and isinstance(divisor, int):
        return dividend // divisor if divisor else None
    if divisor == 1:
        return dividend
    if not isinstance(divisor, int):
        whole = exact_quotient(dividend, divisor)
        return whole if not isinstance(whole, Size) or _is_integral(whole) else None
    if dividend is None or divisor < 1:
        return None
    terms, over = parts_of(dividend)
    if any(power < 0 for product in terms for _, power in product):
        return None
    divisor *= over
    whole = plus(times((n // divisor, _alone(product))) for product, n in terms.items() if n // divisor)
    return plus((whole, _remainder({product: n % divisor for product, n in terms.items() if n % divisor}, divisor)))


def _is_integral(size: Size) -> bool:
    """Whether the quotient is an integer for any sizes."""
    return size.divisor == 1 and all(power > 0 for product, _ in size.terms for _, power in product)


def _alone(product: Product) -> Dim:
    return _size({product: 1}, 1)


def _remainder(terms: _Sum, divisor: int) -> Dim:
    """The floored quotient of a sum without multiples of the divisor."""
    rest = terms.pop(ONE, 0)
    if not terms:
        return 0
    shared = gcd(divisor, *terms.values())
    terms, rest, divisor = {product: n // shared for product, n in terms.items()}, rest // shared, divisor // shared
    if divisor == 1:
        return _size({**terms, ONE: rest}, 1)
    (first, count), *others = terms.items()
    if not others and count == 1 and len(first) == 1 and isinstance(first[0][0], Floor) and first[0][1] == 1:
        inner = first[0][0]  # (a//b + c)//d is (a + b*c)//(b*d)
        return floored(plus((inner.dividend, rest * inner.divisor)), inner.divisor * divisor)
    return _size({((Floor(_size({**terms, ONE: rest}, 1), divisor), 1),): 1}, 1)


def combined(kind: Kind, dims: Sequence[Dim]) -> Dim:
    """What an expression of this kind says about dimensions."""
    if kind == "+":
        return plus(dims)
    if kind == "*":
        return times(dims)
    first, second = dims
    if kind == "-":
        return minus(first, second)
    return exact_quotient(first, second) if kind == "/" else floored(first, second)


def bind(dim: Dim, sizes: Mapping[str, Dim]) -> Dim:
    """The size for sizes or names in the place of names: an int if all are ints. A `ShapeError` if it is no integer."""
    if isinstance(dim, str):
        return sizes.get(dim, dim)
    if not isinstance(dim, Size):
        return dim
    total = plus(_bound_term(product, count, sizes) for product, count in dim.terms)
    return exact_quotient(total, dim.divisor)


def solved(dim: Dim, size: int) -> tuple[str, int] | None:
    """The only name of a size and the size that it must have; None if there are several, or it is not a factor.

    A `ShapeError` if no size does.
    """
    terms, divisor = parts_of(dim)
    constant = terms.pop(ONE, 0)
    if len(terms) != 1:
        return None
    ((product, count),) = terms.items()
    if len(product) != 1 or product[0][1] != 1 or not isinstance(product[0][0], str):
        return None
    value, rest = divmod(size * divisor - constant, count)
    if rest or value < 0:
        raise ShapeError(f"{dim} is never {size}")
    return product[0][0], value


def _bound_term(product: Product, count: int, sizes: Mapping[str, Dim]) -> Dim:
    above, below = list[Dim]([count]), list[Dim]()
    for atom, power in product:
        value = sizes.get(atom, atom) if isinstance(atom, str) else floored(bind(atom.dividend, sizes), atom.divisor)
        (above if power > 0 else below).extend([value] * abs(power))
    return exact_quotient(times(above), times(below)) if below else times(above)


def names_of(dim: Dim) -> frozenset[str]:
    """The names that a size depends on."""
    if isinstance(dim, str):
        return frozenset({dim})
    if not isinstance(dim, Size):
        return frozenset()
    atoms = [atom for product, _ in dim.terms for atom, _ in product]
    return frozenset().union(*(names_of(atom if isinstance(atom, str) else atom.dividend) for atom in atoms))


def simpler(a: Dim, b: Dim) -> Dim:
    """Of two known dimensions that do not differ, the one that says more: the one without floored quotients."""
    return b if has_floor(a) and not has_floor(b) else a


def has_floor(dim: Dim) -> bool:
    """Whether a quotient that is rounded down occurs."""
    return isinstance(dim, Size) and not all(isinstance(atom, str) for product, _ in dim.terms for atom, _ in product)


# Expressions


class Expression(NamedTuple):
    """A size as an expression, the form in which it is printed and written in annotations."""

    kind: Kind
    parts: tuple[int | str | Expression, ...]
    """Two or more for + and *, two otherwise."""


def expression(dim: Dim) -> int | str | Expression:
    """The expression of a known size; equal sizes have the same."""
    if not isinstance(dim, Size):
        assert dim is not None
        return dim
    terms = dict(dim.terms)
    constant = terms.pop(ONE, 0)
    plain = [product for product, count in terms.items() if count == 1 and _is_floor(product)]
    written = {product: _written(product, abs(count)) for product, count in terms.items()}
    if constant < 0 and dim.divisor == 1 and len(plain) == 1:  # (Time - 1)//2 rather than (Time + 1)//2 - 1
        atom = plain[0][0][0]
        assert isinstance(atom, Floor)
        written[plain[0]] = Expression("//", (expression(plus((atom.dividend, constant * atom.divisor))), atom.divisor))
        constant = 0
    positive = [written[product] for product, count in terms.items() if count > 0] + [constant] * (constant > 0)
    negative = [written[product] for product, count in terms.items() if count < 0] + [-constant] * (constant < 0)
    whole = _combined("+", positive, 0)
    if negative:
        whole = Expression("-", (whole, _combined("+", negative, 0)))
    return whole if dim.divisor == 1 else Expression("/", (whole, dim.divisor))


def _is_floor(product: Product) -> bool:
    return len(product) == 1 and isinstance(product[0][0], Floor) and product[0][1] == 1


def _written(product: Product, count: int) -> int | str | Expression:
    above: list[int | str | Expression] = [count] * (count != 1)
    below: list[int | str | Expression] = []
    for atom, power in product:
        each = atom if isinstance(atom, str) else Expression("//", (expression(atom.dividend), atom.divisor))
        (above if power > 0 else below).extend([each] * abs(power))
    whole = _combined("*", above, 1)
    return Expression("/", (whole, _combined("*", below, 1))) if below else whole


def _combined(kind: Literal["+", "*"], parts: list[int | str | Expression], neutral: int) -> int | str | Expression:
    return Expression(kind, tuple(parts)) if len(parts) > 1 else parts[0] if parts else neutral


def _text(part: int | str | Expression) -> str:
    if not isinstance(part, Expression):
        return str(part)
    first, *others = part.parts
    if part.kind == "+":
        return " + ".join(map(_text, part.parts))
    if part.kind == "-":
        subtrahend = others[0]
        listed = subtrahend.parts if isinstance(subtrahend, Expression) and subtrahend.kind == "+" else others
        return " - ".join(map(_text, (first, *listed)))
    begin = _text(first) if isinstance(first, Expression) and first.kind == "*" else _factor(first)
    return part.kind.join((begin, *map(_factor, others)))


def _factor(part: int | str | Expression) -> str:
    return f"({_text(part)})" if isinstance(part, Expression) else str(part)
