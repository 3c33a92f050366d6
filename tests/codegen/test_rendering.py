"""What is generated for an entry: the signature of `create` for each kind of entry, and one file whole."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

import pytest

from typegrad_codegen.cli import main
from typegrad_codegen.load import load
from typegrad_codegen.render import render

HEAD: Final = "One:\n  group: demo\n  summary: Do one thing.\n"
TAIL: Final = "  examples:\n    - doc: None.\n"


def rendered(folder: Path, body: str) -> dict[str, str]:
    """The generated files for one operation with this entry."""
    (folder / "ops").mkdir()
    (folder / "ops" / "demo.yaml").write_text(HEAD + body + ("" if "examples:" in body else TAIL))
    return render(load(folder / "ops", package="lib.op"), "lib.op")


def signatures(text: str, name: str) -> list[str]:
    """The forms of a function: its overloads, or else the function itself."""
    found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef) and node.name == name]
    overloads = [node for node in found if "overload" in map(ast.unparse, node.decorator_list)]
    return [f"({ast.unparse(node.args)}) -> {ast.unparse(node.returns or node)}" for node in overloads or found]


# (the entry, the class, the forms of `create`)
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
  inputs: {x: {type: T, doc: X.}, axis: {type: Tidx, literal: axes, default: zero, doc: Axis.}}
  outputs: {y: {type: T, doc: Y.}}
  shape: unknown
  kernel: several
  gradient: {x: stop, axis: stop}
  examples: [{inputs: {x: 1.0}}]
""",
        "One(OperandOp[_T, S_co])",
        [
            (
                "(scope: Scope, x: Operand[T] | ComplexLike, axis: Operand[TInt32] | Operand[TInt64] | int | Sequence[int] | None=None) "
                "-> One[T]"
            )
        ],
    ),
    "two literals of one type": (
        """\
  types: {T: [number], Index: [int32, int64]}
  inputs: {begin: {type: Index, literal: ints, doc: From.}, end: {type: Index, literal: ints, doc: To.}}
  outputs: {y: {type: bool, doc: Y.}}
  shape: unknown
  kernel: several
  gradient: {begin: stop, end: stop}
  examples: [{inputs: {begin: 1, end: 2}, attrs: {T: float32}}]
""",
        "One(OperandOp[TBool, S_co])",
        [
            (
                "(scope: Scope, begin: Operand[Index] | Sequence[int], end: Operand[Index] | Sequence[int], "
                "T: type[TNumber]) -> One"
            )
        ],
    ),
    "literals alone fix the type": (
        """\
  types: {T: [float32, int32]}
  inputs: {limit: {type: T, literal: int, doc: To.}, delta: {type: T, literal: int, default: 1, doc: By.}}
  outputs: {y: {type: T, doc: Y.}}
  shape: unknown
  kernel: several
  gradient: {limit: stop, delta: stop}
  examples: [{inputs: {limit: 1}}]
""",
        "One(OperandOp[_T, S_co])",
        [
            "(scope: Scope, limit: int, delta: int | None=None) -> One[TInt32]",
            "(scope: Scope, limit: Operand[T] | int, delta: Operand[T] | int | None=None) -> One[T]",
        ],
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
            "(scope: Scope, dtype: type[Dtype], *, shape: S) -> One[Dtype, S]",
            "(scope: Scope, dtype: type[Dtype], *, shape: ShapeLike=None) -> One[Dtype]",
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
                "(scope: Scope, size: int, *, rate: float=0.5, steps: Sequence[int]=(1,), mode: Literal['up', 'down']='up', "
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
  inputs: {axis: {type: int32, literal: axes, default: zero, doc: Axis.}}
  attrs: {size: {type: int, doc: Size.}}
  outputs: {y: {type: float32, doc: Y.}}
  shape: unknown
  kernel: several
  gradient: {axis: stop}
  examples: [{attrs: {size: 1}}]
""",
        "One(OperandOp[TFloat32, S_co])",
        ["(scope: Scope, axis: Operand[TInt32] | int | Sequence[int] | None=None, *, size: int) -> One"],
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
        "(scope: Scope, axis: Operand[TInt32] | IntegerLike, x: Operand[TInt32] | IntegerLike, out_type: type[OutType], "
        "*, size: int) -> One[OutType]"
    )


CONSTANT: Final = """\
  types: {dtype: [float32, bool]}
  attrs: {value: {type: tensor, doc: The value.}}
  outputs: {y: {type: dtype, doc: Y.}}
  shape: unknown
  kernel: nothing
  examples: [{attrs: {value: 1.0}}]
"""


def test_the_type_of_a_constant_follows_from_its_value(library: Path, tmp_path: Path) -> None:
    text = rendered(tmp_path, CONSTANT)["demo/one.py"]
    stated = "dtype: None=None) -> One"
    assert signatures(text, "create") == [
        f"(scope: Scope, value: np.float32, {stated}[TFloat32, tuple[()]]",
        f"(scope: Scope, value: np.bool_, {stated}[TBool, tuple[()]]",
        f"(scope: Scope, value: bool, {stated}[TBool, tuple[()]]",
        f"(scope: Scope, value: float, {stated}[TFloat32, tuple[()]]",
        f"(scope: Scope, value: np.ndarray[S, np.dtype[Void]], {stated}[Any, S]",
        f"(scope: Scope, value: np.ndarray[S, np.dtype[Float32]], {stated}[TFloat32, S]",
        f"(scope: Scope, value: np.ndarray[S, np.dtype[Bool]], {stated}[TBool, S]",
        f"(scope: Scope, value: Sequence[Never], {stated}[Any]",
        f"(scope: Scope, value: Nested[bool], {stated}[TBool]",
        f"(scope: Scope, value: Nested[float], {stated}[TFloat32]",
        "(scope: Scope, value: np.ndarray[S, np.dtype[Any]], dtype: type[Dtype]) -> One[Dtype, S]",
        "(scope: Scope, value: complex | str | bytes | np.generic, dtype: type[Dtype]) -> One[Dtype, tuple[()]]",
        "(scope: Scope, value: Sequence[Any], dtype: type[Dtype]) -> One[Dtype]",
        f"(scope: Scope, value: np.generic | Sequence[Any], {stated}[Any]",
    ]


def test_names_that_modules_import_may_be_names_of_classes(library: Path, tmp_path: Path) -> None:
    body = """\
  class: Any
  types: {T: [number], Operand: [floating]}
  inputs: {x: {type: T, doc: X.}, axis: {type: Operand, doc: Axis.}}
  outputs: {y: {type: bool, doc: Y.}}
  shape: unknown
  kernel: several
  gradient: {x: stop, axis: stop}
  examples: [{inputs: {x: 1.0, axis: 0.0}}]
"""
    text = rendered(tmp_path, body)["demo/any.py"]
    assert "from typing import Any as Any_\n" in text
    assert "def x(self) -> Output[Any_]:" in text
    assert signatures(text, "create") == [
        "(scope: Scope, x: Operand[T] | ComplexLike, axis: Operand[Operand_] | FloatLike) -> Any"
    ]


ENTRY: Final = r"""
  description: |
    A long paragraph is filled anew where a line of it is too long for the file, as this one is, and everything after it moves along.
    Short lines of it move along, too.

    - An item of a list, which is also longer than a line of the file may be, so that what is left of it hangs below its text.

    | a table | stays |
    |---------|-------|

    Formulas such as $\frac{1}{2}$ are kept as they are.
  differences: TensorFlow does another thing.
  types: {T: [float16, float32]}
  inputs: {x: {type: T, doc: The only input}}
  attrs: {rate: {type: float, default: 1e-3, minimum: 0, doc: The rate.}}
  outputs: {y: {type: T, doc: The only output.}}
  shape: same_as(x)
  effect: random
  gradient: {x: {none: "nobody knows it"}}
  examples: [{inputs: {x: 1.0}}]
"""

GOLDEN: Final = r'''# Generated by `typegrad codegen` from ops/demo.yaml. Do not edit.
"""The operation `One`."""

from __future__ import annotations

from typing import Any, ClassVar, Final, Generic, final

from typing_extensions import TypeVar

from typegrad.base.types import TFloat16, TFloat32, TType
from typegrad.graph.definition import AttrDef, InputDef, NoGradient, OpDef, OutputDef, leaves
from typegrad.graph.literals import FloatLike
from typegrad.graph.operand import Operand, Output, S_co
from typegrad.graph.operation import Operation
from typegrad.graph.scope import Scope
from typegrad.graph.wrapper import OperandOp, OpInputs, unwrap

__all__ = ["DEF", "One", "OneInputs"]

__typegrad_generated__ = True

T = TypeVar("T", bound=TFloat16 | TFloat32, default=Any)
S = TypeVar("S", bound=tuple[int, ...], default=tuple[Any, ...])
_T = TypeVar("_T", bound=TType)

DEF: Final = OpDef(
    name="One",
    class_name="One",
    module=__name__,
    types={"T": leaves(TFloat16, TFloat32)},
    inputs=(InputDef("x", "T"),),
    attrs=(AttrDef("rate", "float", minimum=0),),
    outputs=(OutputDef("y", "T"),),
    shape="typegrad.shapes.common:same_as",
    shape_args=("x",),
    kernel="lib.kernels.demo:one",
    gradients={"x": NoGradient("nobody knows it")},
    effect="random",
)


@final
class OneInputs(OpInputs, Generic[_T]):
    """The inputs and attributes of a `One`."""

    __slots__ = ()

    @property
    def x(self) -> Output[_T]:
        """The only input."""
        return self._op.inputs[0]

    @property
    def rate(self) -> float:
        """The rate."""
        value: float = self._op.attrs["rate"]
        return value


@final
class One(OperandOp[_T, S_co]):
    r"""Do one thing.

    A long paragraph is filled anew where a line of it is too long for the file, as this one is, and everything after it
    moves along. Short lines of it move along, too.

    - An item of a list, which is also longer than a line of the file may be, so that what is left of it hangs below its
      text.

    | a table | stays |
    |---------|-------|

    Formulas such as $\frac{1}{2}$ are kept as they are.

    Differences from TensorFlow: TensorFlow does another thing.
    """

    __slots__ = ()
    OP_NAME: ClassVar[str] = "One"

    @property
    def inputs(self) -> OneInputs[_T]:
        """The inputs and attributes."""
        return OneInputs(self.op)

    @property
    def y(self) -> Output[_T, S_co]:
        """The only output."""
        return self.op.outputs[0]

    @staticmethod
    def create(scope: Scope, x: Operand[T, S] | FloatLike, *, rate: float = 0.001) -> One[T, S]:
        """Do one thing.

        Args:
            scope: Where in the graph the operation goes, and under which name.
            x: The only input. Type: float16 or float32.
            rate: The rate. At least 0.

        Returns:
            The only output.

        Raises:
            DTypeError: An element type does not fit.
            ShapeError: The shapes of the inputs can never work.
            GraphError: An input belongs to another graph.
            AttributeValueError: An attribute has a value that is not allowed.
        """
        return One(Scope.add(scope, DEF, (x,), {"rate": rate}))

    @staticmethod
    def of(operation: Operation) -> One[Any]:
        """Wrap an existing One node; another operation is a `GraphError`."""
        return One(unwrap(DEF, operation))
'''


def test_a_whole_file(library: Path, tmp_path: Path) -> None:
    assert rendered(tmp_path, ENTRY.lstrip("\n"))["demo/one.py"] == GOLDEN


def test_writing_and_checking(library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rendered(tmp_path, "  shape: none\n  kernel: nothing\n")
    out = tmp_path / "op"
    arguments = ["--registry", str(tmp_path / "ops"), "--out", str(out), "--package", "lib.op"]
    assert main([*arguments, "--check"]) == 1
    assert f"missing: {out}/demo/one.py" in capsys.readouterr().out
    assert not out.exists()

    assert main(arguments) == 0
    assert main([*arguments, "--check"]) == 0
    assert "1 operations, 7 files" in capsys.readouterr().out

    with (out / "demo" / "one.py").open("a") as file:
        file.write("edited by hand")
    (out / "demo" / "old.py").write_text((out / "demo" / "__init__.py").read_text())
    (out / "notes.py").write_text("# my own file\n")
    assert main([*arguments, "--check"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"stale: {out}/demo/one.py",
        f"extra: {out}/demo/old.py",
        "2 files are not up to date: run `typegrad codegen`",
    ]

    assert main(arguments) == 0
    assert main([*arguments, "--check"]) == 0
    assert sorted(path.name for path in out.rglob("*.py")) == [
        "__init__.py",
        "__init__.py",
        "_facade.py",
        "_known.py",
        "_ops.py",
        "_table.py",
        "notes.py",
        "one.py",
    ]
