"""The registry holds the agreed operations, each operation has cases, and every case was recorded."""

from __future__ import annotations

from typing import Final

from support.entries import entries
from support.recording import FOLDER, identity, load
from support.registry import by_op, cases_in, files, names

AGREED: Final = """
    Placeholder PlaceholderWithDefault Const Identity IdentityN NoOp StopGradient Shape ShapeN Size Rank Reshape
    ExpandDims Squeeze Fill ZerosLike OnesLike Range LinSpace Sum Prod Max Min All Any Pack Unpack ConcatV2 Split
    SplitV Slice StridedSlice GatherV2 OneHot Tile BroadcastTo SelectV2 Where ReverseV2 PadV2 EnsureShape VarHandleOp
    ReadVariableOp AssignVariableOp AssignAddVariableOp AssignSubVariableOp VarIsInitializedOp ResourceScatterAdd
    AddV2 Add AddN Sub Mul RealDiv Div DivNoNan FloorDiv FloorMod Neg Abs Sign Exp Expm1 Log Log1p Sqrt Rsqrt Square
    SquaredDifference Pow Reciprocal Maximum Minimum Sin Cos Tan Tanh Sigmoid Softplus Erf Floor Ceil Round Equal
    NotEqual Less LessEqual Greater GreaterEqual LogicalAnd LogicalOr LogicalNot IsNan IsInf IsFinite ArgMax ArgMin
    Mean Cumsum MatMul Transpose Einsum Relu Relu6 LeakyRelu Elu Selu Softmax LogSoftmax SoftmaxCrossEntropyWithLogits
    SparseSoftmaxCrossEntropyWithLogits BiasAdd L2Loss InTopKV2 RandomUniform RandomStandardNormal TruncatedNormal
    RandomUniformInt PreventGradient BatchMatMulV3 ResourceApplyGradientDescent Cast Bitcast
"""
"""The operations that the registry must hold at least."""

WITHOUT_CASES: Final = {
    "Placeholder": "has no value unless it is fed",
}
MOST_BYTES: Final = 2_000_000


def test_agreed_operations_exist() -> None:
    missing = sorted(set(AGREED.split()) - set(names()))
    assert not missing, missing


def test_every_operation_has_cases() -> None:
    missing = sorted(set(names()) - set(by_op()) - set(WITHOUT_CASES))
    assert not missing, missing


def test_every_case_is_of_an_operation() -> None:
    missing = sorted(set(by_op()) - set(names()))
    assert not missing, missing


def test_cases_are_in_the_file_of_the_entry() -> None:
    misplaced = [
        f"{name} is in ops/{entry.stem}.yaml, but has cases in tests/cases/{stem}.py"
        for name, entry in entries().items()
        for stem in sorted({stem for stem, _ in by_op().get(name, [])} - {entry.stem})
    ]
    assert not misplaced, misplaced


def test_every_operation_has_a_case_that_runs() -> None:
    runs = {name for name, pairs in by_op().items() if any(not case.fails for _, case in pairs)}
    missing = sorted(set(by_op()) - runs)
    assert not missing, missing


def test_recordings_match_the_cases() -> None:
    for stem in files():
        stale = {identity(case) for case in cases_in(stem)} ^ set(load(stem))
        assert not stale, f"tests/recorded/{stem}.npz is stale: re-run the recorder, tests/record.py; {sorted(stale)}"
    assert {path.stem for path in FOLDER.glob("*.npz")} == {stem for stem in files() if cases_in(stem)}


def test_recordings_are_small() -> None:
    assert sum(path.stat().st_size for path in FOLDER.glob("*.npz")) < MOST_BYTES
