"""Operations on matrices: what they refuse, with which words, and named sizes that their results keep."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from support.refusals import Refused, check_refusal, operand
from typegrad.op import linalg

Sizes = tuple[Any, ...]


REFUSED: Final[Refused] = [
    (
        linalg.BandPart,
        ((3, 2), 4, 0),
        {},
        "`num_lower` is 4, but `input` of shape [3, 2] has only 3 rows; -1 means all",
    ),
    (
        linalg.MatrixDiagV3,
        ((2,), 0, 3, 4),
        {},
        (
            "diagonals 0 to 0 of length 2 need 2 rows and 2 columns, not more of both, but `num_rows` is 3 and "
            "`num_cols` is 4"
        ),
    ),
    (
        linalg.MatrixDiagV3,
        ((3, 4), [0, 1]),
        {},
        "`k` chooses 2 diagonals, 0 to 1, but `diagonal` of shape [3, 4] has a row for each of 3",
    ),
    (linalg.MatrixDiagV3, ((3, 4), [1, 0]), {}, "`k` is [1, 0], but the lowest diagonal comes first"),
    (
        linalg.MatrixDiagPart,
        ((3, 4), [1, 2, 3]),
        {},
        "`k` must be one diagonal, or the lowest and the highest, but has shape [3]",
    ),
    (linalg.MatrixDiagPartV3, ((3, 4), 4), {}, "`k` chooses diagonal 4, but `input` of shape [3, 4] has none"),
    (
        linalg.MatrixSetDiag,
        ((3, 4), (2,)),
        {},
        "`diagonal` must have shape [3], as the diagonals of `input` [3, 4] that it replaces, but has shape [2]",
    ),
    (linalg.Cholesky, ((2, 3),), {}, "`input` must hold square matrices, but has shape [2, 3]"),
    (
        linalg.Solve,
        ((1, 2, 2), (3, 2, 1)),
        {},
        (
            "`rhs` must have as many rows as `matrix`, and the same leading dimensions, which are not broadcast: "
            "`matrix` has shape [1, 2, 2], `rhs` [3, 2, 1]"
        ),
    ),
    (
        linalg.BandedTriangularSolve,
        ((1, 3), (2, 1)),
        {},
        (
            "`rhs` must have as many rows as the diagonals in `matrix` have elements, and leading dimensions that "
            "broadcast: `matrix` has shape [1, 3], `rhs` [2, 1]"
        ),
    ),
    (
        linalg.BandedTriangularSolve,
        ((1, 4, 3), (3, 2)),
        {},
        "`matrix` has 4 bands of 3 elements each; expected at most 3, the number of rows",
    ),
    (linalg.BandedTriangularSolve, ((1, 0), (0, 1)), {}, "`matrix` must not be empty, but has shape [1, 0]"),
    (
        linalg.TridiagonalSolve,
        ((2, 3), (3, 1)),
        {},
        (
            "`diagonals` must have shape [..., 3, m] where `rhs` has [..., m, k], but `diagonals` has shape [2, 3], "
            "`rhs` [3, 1]"
        ),
    ),
    (
        linalg.TridiagonalSolve,
        ((3, 3), (3, 1)),
        {"partial_pivoting": False, "perturb_singular": True},
        "`perturb_singular` needs partial_pivoting=True",
    ),
    (
        linalg.Cross,
        ((2,), (2,)),
        {},
        "the last dimension of `a` and `b` must be 3, but their shape is [2]",
    ),
    (
        linalg.TensorDiagPart,
        ((2, 3),),
        {},
        (
            "`input` must have some shape twice, as [2, 3, 2, 3], but has shape [2, 3]; for the diagonals of matrices, "
            "see linalg.MatrixDiagPartV3"
        ),
    ),
]


@pytest.mark.parametrize(("operation", "inputs", "attributes", "message"), REFUSED)
def test_what_is_refused(operation: Any, inputs: tuple[Any, ...], attributes: dict[str, Any], message: str) -> None:
    check_refusal(operation, inputs, attributes, message)


KEPT: Final[list[tuple[Any, tuple[Any, ...], dict[str, Any], list[Sizes]]]] = [
    (linalg.MatrixDiagV3, (("Batch", "N"),), {}, [("Batch", "N", "N")]),
    (linalg.MatrixDiagPartV3, (("Batch", "N", "N"),), {}, [("Batch", "N")]),
    (linalg.MatrixSetDiag, ((None, "N", "N"), ("Batch", "N")), {}, [("Batch", "N", "N")]),
    (linalg.TensorDiagPart, (("N", None),), {}, [("N",)]),
    (linalg.Cholesky, (("Batch", "N", None),), {}, [("Batch", "N", "N")]),
    (linalg.Solve, (("N", "N"), ("N", 2)), {}, [("N", 2)]),
    (linalg.MatrixSolveLs, (("B", "M", "N"), (None, "M", "K"), 0.0), {}, [("B", "N", "K")]),
    (linalg.TridiagonalSolve, ((3, "N"), ("N", "K")), {}, [("N", "K")]),
    (linalg.Lu, (("Batch", "N", None),), {}, [("Batch", "N", "N"), ("Batch", "N")]),
    (linalg.SelfAdjointEig, (("N", "N"),), {"compute_v": False}, [("N",), (0,)]),
    (linalg.Svd, (("N", "N"),), {}, [("N",), ("N", "N"), ("N", "N")]),
    (linalg.LogMatrixDeterminant, (("Batch", "N", "N"),), {}, [("Batch",), ("Batch",)]),
]


@pytest.mark.parametrize(("operation", "inputs", "attributes", "shapes"), KEPT)
def test_names_of_sizes_are_kept(
    operation: Any, inputs: tuple[Any, ...], attributes: dict[str, Any], shapes: list[Sizes]
) -> None:
    scope = tg.Scope(tg.Graph())
    operands = [operand(scope, each) if isinstance(each, tuple) else each for each in inputs]
    result = operation.create(scope, *operands, **attributes)
    assert [output.shape.dims for output in result.op.outputs] == shapes


@pytest.mark.parametrize(
    ("matrices", "which"),
    [(np.zeros((2, 2)), "`{}`"), (np.stack([np.eye(2), np.ones((2, 2))]), "matrix [1] of `{}`")],
)
def test_singular_matrices(matrices: Any, which: str) -> None:
    scope = tg.Scope(tg.Graph())
    result = {"input": linalg.Inv.create(scope, matrices), "matrix": linalg.Solve.create(scope, matrices, matrices)}
    with tg.Session(scope.graph) as session:
        for name, operation in result.items():
            with pytest.raises(tg.InvalidArgumentError) as raised:
                session.run(operation)
            assert f"{which.format(name)} is not invertible; add a multiple of the identity, or see linalg" in str(
                raised.value
            )


@pytest.mark.parametrize(("lower", "place"), [(True, "matrix[0, 1]"), (False, "matrix[1, 0]")])
def test_a_main_diagonal_with_a_zero(lower: bool, place: str) -> None:
    scope = tg.Scope(tg.Graph())
    bands = [[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]]
    operation = linalg.BandedTriangularSolve.create(scope, bands, [[1.0], [1.0], [1.0]], lower=lower)
    with tg.Session(scope.graph) as session, pytest.raises(tg.InvalidArgumentError) as raised:
        session.run(operation)
    row = 0 if lower else 1
    assert f"`{place}` is 0.0, but row {row} is the main diagonal, which must have no zeros" in str(raised.value)


def test_factors_of_a_singular_matrix() -> None:
    scope = tg.Scope(tg.Graph())
    operation = linalg.Lu.create(scope, np.stack([np.eye(2), np.ones((2, 2))]))
    with (
        tg.Session(scope.graph) as session,
        pytest.raises(
            tg.InvalidArgumentError, match=r"\): matrix \[1\] of `input` is not invertible, so that it has no factors\n"
        ),
    ):
        session.run(operation.lu)


def test_eigenvalues_of_what_is_not_finite() -> None:
    scope = tg.Scope(tg.Graph())
    operation = linalg.Eig.create(scope, np.full((2, 2), np.nan), tg.TComplex128)
    with (
        tg.Session(scope.graph) as session,
        pytest.raises(tg.InvalidArgumentError, match="an element that is infinite or"),
    ):
        session.run(operation.e)


def test_the_type_of_eigenvalues() -> None:
    with pytest.raises(tg.DTypeError, match="`input` is float64, so `tout` must be complex128, but is complex64"):
        linalg.Eig.create(tg.Scope(tg.Graph()), np.eye(2), tg.TComplex64)


@pytest.mark.parametrize(
    ("regularizer", "message"),
    [(-1.0, "`l2_regularizer` is -1, but must be 0 or more"), (0.0, "does not have full rank")],
)
def test_least_squares(regularizer: float, message: str) -> None:
    scope = tg.Scope(tg.Graph())
    operation = linalg.MatrixSolveLs.create(scope, np.ones((3, 2)), np.ones((3, 1)), regularizer)
    with tg.Session(scope.graph) as session, pytest.raises(tg.InvalidArgumentError, match=message):
        session.run(operation)
