"""The logarithm of a matrix, beside its exponential."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm

import typegrad as tg
from typegrad.op import core, linalg

RNG = np.random.default_rng(0)


def rotated(triangle: Any) -> Any:
    """A matrix with the eigenvalues of a triangular one."""
    size = np.shape(triangle)
    q, _ = np.linalg.qr(RNG.normal(size=size) + 1j * RNG.normal(size=size))
    return q @ triangle @ q.conj().T


ABOVE = np.triu(RNG.normal(size=(4, 4)), 1)
MATRICES = {
    "random": RNG.normal(size=(4, 4)) + 1j * RNG.normal(size=(4, 4)),
    "near the identity": np.eye(4) + 1e-3 * RNG.normal(size=(4, 4)),
    "one eigenvector": rotated(2 * np.eye(4) + np.diag(np.ones(3), 1)),
    "almost equal eigenvalues": rotated(np.diag([2, 2 + 1e-9, 2 + 1e-5, 2 - 1e-9]) + ABOVE),
    "negative eigenvalues": np.diag([-1.0, -2.0, 3.0, -2.0]) + ABOVE,
    "large and small eigenvalues": np.diag([1e-6, 1e6, 1.0, 1e-3]) + ABOVE,
    "far from normal": np.eye(4) + 1e5 * ABOVE,
}


@pytest.mark.parametrize("name", MATRICES)
def test_the_exponential_of_the_logarithm_is_the_matrix(name: str) -> None:
    x = np.asarray(MATRICES[name], np.complex128)
    scope = tg.Scope(tg.Graph())
    stack = core.Constant.create(scope, np.stack([np.asarray(each, np.complex128) for each in MATRICES.values()]))
    with tg.Session(scope.graph) as session:
        single, all_ = session.run([linalg.MatrixLogarithm.create(scope, each) for each in (x, stack)])
    np.testing.assert_array_equal(all_[list(MATRICES).index(name)], single)
    assert np.linalg.norm(expm(single) - x) < 1e-12 * np.linalg.norm(x) * (1 + np.linalg.norm(single))
    eigenvalues = np.linalg.eigvals(single)
    assert (np.abs(eigenvalues.imag) < np.pi + 1e-6).all()
