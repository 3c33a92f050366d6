"""The signature of `create` and of the method of the facade, for each kind of entry."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from support.rendering import rendered, signatures

# (the entry, the class, the forms of `create`)
STATED: Final = [
    (
        f"tuple[{', '.join(f'SizeLike[Size{number}]' for number in range(1, rank + 1)) or '()'}]",
        f"tuple[{', '.join(f'Size{number}' for number in range(1, rank + 1)) or '()'}]",
    )
    for rank in range(6)
]
"""The annotation and the static shape of a shape that is stated as a tuple, by rank."""

CASES: Final[dict[str, tuple[str, str, list[str]]]] = {
    "the same type": (
        """\
  types: {T: [floating]}
  inputs: {x: {type: T, doc: X.}}
  outputs: {y: {type: T, doc: Y.}}
  shape: unknown
  gradient: {x: rule}
  examples: [{inputs: {x: 1.0}}]
""",
        "One(OperandOp[_T, S_co])",
        ["(scope: Scope, x: Operand[T] | FloatLike) -> One[T]"],
    ),
    "the same shape": (
        """\
  types: {T: [floating]}
  inputs: {x: {type: T, doc: X.}}
  outputs: {y: {type: T, doc: Y.}}
  shape: same_as(x)
  gradient: {x: rule}
  examples: [{inputs: {x: 1.0}}]
""",
        "One(OperandOp[_T, S_co])",
        ["(scope: Scope, x: Operand[T, S] | FloatLike) -> One[T, S]"],
    ),
    "a fixed type and a scalar": (
        """\
  types: {T: [floating]}
  inputs: {x: {type: T, doc: X.}}
  outputs: {y: {type: bool, doc: Y.}}
  shape: scalar
  gradient: {x: stop}
  examples: [{inputs: {x: 1.0}}]
""",
        "One(OperandOp[TBool, S_co])",
        ["(scope: Scope, x: Operand[T] | FloatLike) -> One[tuple[()]]"],
    ),
    "an axis that may be left out": (
        """\
  types: {T: [number], Tidx: [int32, int64]}
  inputs: {x: {type: T, doc: X.}, axis: {type: Tidx, integers: axes, default: zero, doc: Axis.}}
  outputs: {y: {type: T, doc: Y.}}
  shape: unknown
  kernel: several
  gradient: {x: stop, axis: stop}
  examples: [{inputs: {x: 1.0}}]
""",
        "One(OperandOp[_T, S_co])",
        [
            (
                "(scope: Scope, x: Operand[T] | ComplexLike, axis: Operand[TInt32] | Operand[TInt64] "
                "| int | Sequence[int] | IntegerArray | np.integer[Any] | None=None) "
                "-> One[T]"
            )
        ],
    ),
    "integers for two inputs of one type": (
        """\
  types: {T: [number], Index: [int32, int64]}
  inputs: {begin: {type: Index, integers: ints, doc: From.}, end: {type: Index, integers: ints, doc: To.}}
  outputs: {y: {type: bool, doc: Y.}}
  shape: unknown
  kernel: several
  gradient: {begin: stop, end: stop}
  examples: [{inputs: {begin: 1, end: 2}, attrs: {T: float32}}]
""",
        "One(OperandOp[TBool, S_co])",
        [
            (
                "(scope: Scope, begin: Operand[Index] | Sequence[Integer] | IntegerVector, "
                "end: Operand[Index] | Sequence[Integer] | IntegerVector, "
                "T: type[TNumber]) -> One"
            )
        ],
    ),
    "integers alone fix the type": (
        """\
  types: {T: [int64, int32]}
  inputs: {limit: {type: T, integers: int, doc: To.}, delta: {type: T, integers: int, default: 1, doc: By.}}
  outputs: {y: {type: T, doc: Y.}}
  shape: unknown
  kernel: several
  gradient: {limit: stop, delta: stop}
  examples: [{inputs: {limit: 1}}]
""",
        "One(OperandOp[_T, S_co])",
        [
            "(scope: Scope, limit: int, delta: int | None=None) -> One[TInt32]",
            (
                "(scope: Scope, limit: Operand[T] | int | np.integer[Any], "
                "delta: Operand[T] | int | np.integer[Any] | None=None) -> One[T]"
            ),
        ],
    ),
    "integers or floats alone fix the type": (
        """\
  types: {T: [float32, int32]}
  inputs: {limit: {type: T, integers: int, doc: To.}, delta: {type: T, integers: int, default: 1, doc: By.}}
  outputs: {y: {type: T, doc: Y.}}
  shape: unknown
  kernel: several
  gradient: {limit: stop, delta: stop}
  examples: [{inputs: {limit: 1}}]
""",
        "One(OperandOp[_T, S_co])",
        [
            "(scope: Scope, limit: int, delta: int | None=None) -> One[TInt32]",
            "(scope: Scope, limit: float, delta: float | None=None) -> One[TFloat32]",
            "(scope: Scope, limit: Operand[T] | FloatLike, delta: Operand[T] | FloatLike | None=None) -> One[T]",
        ],
    ),
    "inputs that may be left out": (
        """\
  types: {T: [floating]}
  inputs:
    x: {type: T, doc: X.}
    start: {type: int32, integers: int, default: 0, doc: From.}
    step: {type: int32, integers: int, default: 1, doc: By.}
  outputs: {y: {type: T, doc: Y.}}
  shape: unknown
  kernel: several
  gradient: {x: stop, start: stop, step: stop}
  examples: [{inputs: {x: 1.0}}]
""",
        "One(OperandOp[_T, S_co])",
        [
            (
                "(scope: Scope, x: Operand[T] | FloatLike, start: Operand[TInt32] | int | np.integer[Any] | None=None, "
                "step: Operand[TInt32] | int | np.integer[Any] | None=None) -> One[T]"
            )
        ],
    ),
    "integers beside an operand of their type": (
        """\
  types: {T: [int64, int32]}
  inputs: {x: {type: T, doc: X.}, by: {type: T, integers: int, doc: By.}}
  outputs: {y: {type: T, doc: Y.}}
  shape: unknown
  kernel: several
  gradient: {x: stop, by: stop}
  examples: [{inputs: {x: 1, by: 1}}]
""",
        "One(OperandOp[_T, S_co])",
        ["(scope: Scope, x: Operand[T] | IntegerLike, by: Operand[T] | int | np.integer[Any]) -> One[T]"],
    ),
    "a type with a default that no output has": (
        """\
  types: {T: [floating], index: {allowed: [int32, int64], default: int32}}
  inputs: {x: {type: T, doc: X.}}
  outputs: {y: {type: T, doc: Y.}}
  shape: unknown
  gradient: {x: stop}
  examples: [{inputs: {x: 1.0}}]
""",
        "One(OperandOp[_T, S_co])",
        ["(scope: Scope, x: Operand[T] | FloatLike, index: type[TInt32 | TInt64]=TInt32) -> One[T]"],
    ),
    "a type that is stated, with a shape": (
        """\
  types: {dtype: [number, bool]}
  attrs: {shape: {type: shape, default: null, doc: The shape.}}
  outputs: {y: {type: dtype, doc: Y.}}
  shape: from_attr(shape)
  kernel: nothing
  examples: [{attrs: {dtype: float32}}]
""",
        "One(OperandOp[_Dtype, S_co])",
        [
            *(
                f"(scope: Scope, dtype: type[Dtype], *, shape: {shape}) -> One[Dtype, {static}]"
                for shape, static in STATED
            ),
            "(scope: Scope, dtype: type[Dtype], *, shape: ShapeLike=None) -> One[Dtype]",
        ],
    ),
    "a shape by position": (
        """\
  types: {dtype: [number, bool]}
  attrs:
    shape: {type: shape, default: null, positional: true, doc: The shape.}
    label: {type: string, default: none, doc: The label.}
  outputs: {y: {type: dtype, doc: Y.}}
  shape: from_attr(shape)
  kernel: nothing
  examples: [{attrs: {dtype: float32}}]
""",
        "One(OperandOp[_Dtype, S_co])",
        [
            *(
                f"(scope: Scope, dtype: type[Dtype], shape: {shape}, *, label: str='none') -> One[Dtype, {static}]"
                for shape, static in STATED
            ),
            "(scope: Scope, dtype: type[Dtype], shape: ShapeLike=None, *, label: str='none') -> One[Dtype]",
        ],
    ),
    "a type with a default": (
        """\
  types: {T: [number], out_type: {allowed: [int32, int64], default: int32}}
  inputs: {x: {type: T, doc: X.}}
  outputs: {y: {type: out_type, doc: Y.}}
  shape: unknown
  gradient: {x: stop}
  examples: [{inputs: {x: 1.0}}]
""",
        "One(OperandOp[_OutType, S_co])",
        [
            "(scope: Scope, x: Operand[T] | ComplexLike) -> One[TInt32]",
            "(scope: Scope, x: Operand[T] | ComplexLike, out_type: type[OutType]) -> One[OutType]",
        ],
    ),
    "attributes": (
        """\
  attrs:
    size: {type: int, doc: Size.}
    rate: {type: float, default: 0.5, doc: Rate.}
    steps: {type: list(int), default: [1], doc: Steps.}
    mode: {type: string, default: up, allowed: [up, down], doc: Mode.}
    parts: {type: list(string), default: [], allowed: [head, tail], doc: Parts.}
    most: {type: float, default: .inf, doc: Most.}
  outputs: {y: {type: float32, doc: Y.}}
  shape: unknown
  kernel: nothing
  examples: [{attrs: {size: 1}}]
""",
        "One(OperandOp[TFloat32, S_co])",
        [
            (
                "(scope: Scope, size: int, *, rate: float=0.5, steps: Sequence[int]=(1,), mode: "
                "Literal['up', 'down']='up', "
                "parts: Sequence[Literal['head', 'tail']]=(), most: float=float('inf')) -> One"
            )
        ],
    ),
    "lists": (
        """\
  types: {T: [number], Ts: [number, bool, string]}
  inputs: {xs: {type: T, kind: many, doc: Xs.}, rest: {type: Ts, kind: mixed, doc: Rest.}, last: {type: T, doc: Last.}}
  outputs: {ys: {type: T, count: N, doc: Ys.}, sum: {type: T, doc: Sum.}}
  shape: unknown
  kernel: several
  gradient: {xs: rule, rest: stop, last: rule}
  examples: [{inputs: {xs: [1.0], rest: [], last: 1.0}}]
""",
        "One(Op, Generic[_T, _YsShape, _SumShape])",
        [
            (
                "(scope: Scope, xs: Sequence[Operand[T] | ComplexLike], rest: Sequence[Operand[Any] | AnyLike], "
                "last: Operand[T] | ComplexLike) -> One[T]"
            )
        ],
    ),
    "what is required, before what is not": (
        """\
  attrs: {rate: {type: float, default: 0.5, doc: Rate.}, size: {type: int, doc: Size.}}
  outputs: {y: {type: float32, doc: Y.}}
  shape: unknown
  kernel: nothing
  examples: [{attrs: {size: 1}}]
""",
        "One(OperandOp[TFloat32, S_co])",
        ["(scope: Scope, size: int, *, rate: float=0.5) -> One"],
    ),
    "what is required, after what may be left out": (
        """\
  inputs: {axis: {type: int32, integers: axes, default: zero, doc: Axis.}}
  attrs: {size: {type: int, doc: Size.}}
  outputs: {y: {type: float32, doc: Y.}}
  shape: unknown
  kernel: several
  gradient: {axis: stop}
  examples: [{attrs: {size: 1}}]
""",
        "One(OperandOp[TFloat32, S_co])",
        [
            (
                "(scope: Scope, axis: Operand[TInt32] | int | Sequence[int] | IntegerArray | np.integer[Any] | "
                "None=None, *, size: int) -> One"
            )
        ],
    ),
    "nothing": ("  shape: none\n  kernel: nothing\n", "One(Op)", ["(scope: Scope) -> One"]),
}


@pytest.mark.parametrize("case", CASES)
def test_the_signature_of(case: str, library: Path, tmp_path: Path) -> None:
    body, bases, expected = CASES[case]
    files = rendered(tmp_path, body)
    text = files["demo/one.py"]
    assert f"class {bases}:" in text
    assert signatures(text, "create") == expected
    methods = [line.replace("scope: Scope", "self").replace("-> One", "-> _demo.One") for line in expected]
    assert signatures(files["demo/_facade.py"], "one") == methods


def test_names_that_tensorflow_has_for_arguments_stand_in_the_definition(library: Path, tmp_path: Path) -> None:
    body = """\
  types: {out_type: {tf: Tout, allowed: [int32, int64], default: int32}}
  inputs: {axis: {tf: dim, type: int32, doc: Axis.}, x: {type: int32, doc: X.}}
  attrs: {size: {tf: Size, type: int, doc: Size.}}
  outputs: {y: {tf: z, type: out_type, doc: Y.}}
  shape: unknown
  kernel: several
  gradient: {axis: stop, x: stop}
  examples: [{inputs: {axis: 1, x: 1}, attrs: {size: 1}}]
"""
    text = rendered(tmp_path, body)["demo/one.py"]
    assert 'tf_names={"axis": "dim", "out_type": "Tout", "size": "Size"},' in text
    assert signatures(text, "create")[-1] == (
        "(scope: Scope, axis: Operand[TInt32] | IntegerLike, x: Operand[TInt32] | IntegerLike, "
        "out_type: type[OutType], "
        "*, size: int) -> One[OutType]"
    )
