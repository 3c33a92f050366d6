"""The operations that are measured one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from contenders.inputs import Array
from contenders.kernel import LENIENT, STRICT, Kernel, Make, Samples, characters, floats, measured, sizes
from contenders.kernels_of_images import IMAGES
from contenders.kernels_of_layers import LAYERS

__all__ = ["KERNELS"]


def _linear_algebra() -> list[Kernel]:
    """A large matrix, and many small ones."""
    rows: list[Kernel] = []

    def row(operation: str, make: Callable[[Samples, int, int], tuple[Any, ...]], large: int, **rest: Any) -> None:
        rows.append(measured(operation, f"{large}x{large}", lambda r, n: make(r, 1, n), large, 4, aim=STRICT, **rest))
        rows.append(measured(operation, "64x8x8", lambda r, n: make(r, n, 8), 64, 2, aim=STRICT, **rest))

    row("BatchMatMulV3", lambda r, k, n: (r.normal(k, n, n), r.normal(k, n, n)), 512, Tout="float")
    row("Cholesky", lambda r, k, n: (r.definite(k, n, n),), 400)
    row("MatrixSolve", lambda r, k, n: (r.solvable(k, n, n), r.normal(k, n, 4)), 300)
    row("MatrixTriangularSolve", lambda r, k, n: (r.solvable(k, n, n), r.normal(k, n, 4)), 400)
    row("MatrixInverse", lambda r, k, n: (r.solvable(k, n, n),), 300)
    row("MatrixDeterminant", lambda r, k, n: (r.solvable(k, n, n) / (4 * n**0.5),), 300)
    row("LogMatrixDeterminant", lambda r, k, n: (r.solvable(k, n, n),), 300)
    row("Lu", lambda r, k, n: (r.solvable(k, n, n),), 300)
    row("Qr", lambda r, k, n: (r.solvable(k, n, n),), 200, look=np.abs)
    row("Svd", lambda r, k, n: (r.solvable(k, n, n),), 120, look=sizes)
    row("SelfAdjointEigV2", lambda r, k, n: (r.definite(k, n, n),), 200, look=sizes)
    row("Eig", lambda r, k, n: (r.solvable(k, n, n),), 100, Tout="complex64", look=sizes)
    row("MatrixExponential", lambda r, k, n: (r.normal(k, n, n) / n,), 100)
    row("MatrixLogarithm", lambda r, k, n: (r.definite(k, n, n).astype(np.complex128),), 100)
    row("MatrixSquareRoot", lambda r, k, n: (r.definite(k, n, n),), 100)
    row("MatrixSolveLs", lambda r, k, n: (r.solvable(k, n, n), r.normal(k, n, 4), np.float64(0)), 200, fast=False)
    return rows


def _transforms() -> list[Kernel]:
    def row(operation: str, label: str, make: Make, size: int, quick: int = 8, **rest: Any) -> Kernel:
        return measured(operation, label, make, size, quick, aim=STRICT, **rest)

    return [
        row("FFT", "64", lambda r, n: (r.complex(n),), 64),
        row("FFT", "64x256", lambda r, n: (r.complex(n, 256),), 64),
        row("FFT", "16x16384", lambda r, n: (r.complex(16, n),), 16384),
        row("IFFT", "64x256", lambda r, n: (r.complex(n, 256),), 64),
        row("FFT2D", "16x16", lambda r, n: (r.complex(n, n),), 16),
        row("FFT2D", "8x128x128", lambda r, n: (r.complex(8, n, n),), 128),
        row("IFFT2D", "8x128x128", lambda r, n: (r.complex(8, n, n),), 128),
        row("FFT3D", "4x32x32x32", lambda r, n: (r.complex(4, n, n, n),), 32),
        row("RFFT", "64", lambda r, n: (r.normal(n), (n,)), 64),
        row("RFFT", "64x1024", lambda r, n: (r.normal(64, n), (n,)), 1024),
        row("IRFFT", "64", lambda r, n: (r.complex(n // 2 + 1), (n,)), 64),
        row("IRFFT", "64x1024", lambda r, n: (r.complex(64, n // 2 + 1), (n,)), 1024),
        row("RFFT2D", "8x128x128", lambda r, n: (r.normal(8, n, n), (n, n)), 128),
        row("IRFFT2D", "8x128x128", lambda r, n: (r.complex(8, n, n // 2 + 1), (n, n)), 128),
        row("RFFT3D", "4x32x32x32", lambda r, n: (r.normal(4, n, n, n), (n, n, n)), 32),
    ]


def _arrays() -> list[Kernel]:
    def rows(r: Samples, n: int) -> Array:
        return r.normal(n, 100)

    def ids(n: int) -> Array:
        return np.arange(n, dtype=np.int32) // 10

    segments: dict[str, Any] = {"aim": LENIENT}
    return [
        *(
            measured(name, "20000x100", lambda r, n: (rows(r, n), ids(n), n // 10), 20_000, 20, **segments)
            for name in ("SegmentSumV2", "SegmentMaxV2", "SegmentProdV2")
        ),
        measured("SegmentMean", "20000x100", lambda r, n: (rows(r, n), ids(n)), 20_000, 20, **segments),
        *(
            measured(f"UnsortedSegment{name}", "20000x100", _unsorted, 20_000, 20, **segments)
            for name in ("Sum", "Max", "Min", "Prod")
        ),
        *(
            measured(name, f"1000x1000-{axis}", _along(axis), 1000, 4)
            for name in ("Sum", "Mean", "Max", "ArgMax", "Cumsum", "EuclideanNorm")
            for axis in (0, 1)
        ),
        measured("Prod", "1000x1000-1", lambda r, n: (r.uniform(n, 1000) + np.float32(0.5), 1), 1000, 4, look=sizes),
        measured("All", "1000x1000-1", lambda r, n: (r.normal(n, 1000) > -9, 1), 1000, 4),
        measured("Cumprod", "1000x1000-1", lambda r, n: (1 + r.normal(n, 1000) / 1000, 1), 1000, 4),
        measured("CumulativeLogsumexp", "1000x1000-1", lambda r, n: (r.normal(n, 1000), 1), 1000, 4),
        measured("TopKV2", "100x10000", lambda r, n: (r.normal(100, n), 10), 10_000, 20),
        measured("TopKV2", "sorting-100x1000", lambda r, n: (r.normal(100, n), n), 1000, 20),
        measured("NthElement", "100x10000", lambda r, n: (r.normal(100, n), n // 2), 10_000, 20),
        measured("InTopKV2", "1000x1000", lambda r, n: (r.normal(n, 1000), r.integers(1000, n), 5), 1000, 4),
        measured("GatherV2", "rows", lambda r, n: (rows(r, n), r.integers(n, n), 0), 20_000, 20),
        measured("GatherV2", "columns", lambda r, n: (rows(r, n), r.integers(100, 50), 1), 20_000, 20),
        measured("GatherNd", "20000", lambda r, n: (rows(r, n), r.integers(100, n, 2) % n), 20_000, 20),
        measured("ScatterNd", "20000x100", lambda r, n: (r.integers(n, n, 1), rows(r, n), (n, 100)), 20_000, 20),
        measured("TensorScatterAdd", "20000", lambda r, n: (rows(r, n), r.integers(n, n, 1), rows(r, n)), 20_000, 20),
        measured("OneHot", "20000", lambda r, n: (r.integers(100, n), 100, np.float32(1), np.float32(0)), 20_000, 20),
        measured("ConcatV2", "20000x100", lambda r, n: ([rows(r, n), rows(r, n)], 1), 20_000, 20),
        measured("Tile", "1000x100", lambda r, n: (rows(r, n), (2, 10)), 1000, 4),
        measured("PadV2", "20000x100", lambda r, n: (rows(r, n), ((1, 1), (2, 2)), np.float32(0)), 20_000, 20),
        measured("MirrorPad", "20000x100", lambda r, n: (rows(r, n), ((1, 1), (2, 2))), 20_000, 20, mode="REFLECT"),
        measured("Transpose", "1000x1000", lambda r, n: (r.normal(n, n), (1, 0)), 1000, 4),
        measured("Transpose", "20000x10x10", lambda r, n: (r.normal(n, 10, 10), (0, 2, 1)), 20_000, 4),
        measured("ReverseV2", "20000x100", lambda r, n: (rows(r, n), (1,)), 20_000, 20),
        measured(
            "ReverseSequence",
            "2000x100",
            lambda r, n: (rows(r, n), r.integers(100, n)),
            2000,
            20,
            seq_dim=1,
            batch_dim=0,
        ),
        measured("Roll", "20000x100", lambda r, n: (rows(r, n), 7, 1), 20_000, 20),
        measured("SelectV2", "20000x100", lambda r, n: (rows(r, n) > 0, rows(r, n), rows(r, n)), 20_000, 20),
        measured("Where", "20000x100", lambda r, n: (rows(r, n) > 0,), 20_000, 20),
        measured(
            "DynamicPartition", "20000x100", lambda r, n: (rows(r, n), r.integers(4, n)), 20_000, 20, num_partitions=4
        ),
        measured("UniqueV2", "100000", lambda r, n: (r.integers(1000, n), np.zeros(0, np.int32)), 100_000, 50),
        measured("ListDiff", "100000", lambda r, n: (r.integers(n, n), r.integers(n, n)), 100_000, 50),
        measured("Bincount", "1M", lambda r, n: (r.integers(100, n), 100, r.normal(0)), 1_000_000, 50),
        measured(
            "HistogramFixedWidth", "1M", lambda r, n: (r.normal(n), np.array([-2, 2], np.float32), 100), 1_000_000, 50
        ),
        measured("Bucketize", "1M", lambda r, n: (r.normal(n),), 1_000_000, 50, boundaries=(-1.0, 0.0, 0.5, 2.0)),
        measured("UpperBound", "100x10000", lambda r, n: (np.sort(r.normal(100, n)), r.normal(100, n)), 10_000, 20),
        *(
            measured("Cast", f"1M-{name}", lambda r, n: (r.normal(n) * 100,), 1_000_000, 50, DstT=name, look=floats)
            for name in ("int32", "half", "bfloat16", "double", "bool")
        ),
        measured("Cast", "1M-from-half", lambda r, n: (r.normal(n).astype(np.float16),), 1_000_000, 50, DstT="float"),
        measured("ClipByValue", "1M", lambda r, n: (r.normal(n), np.float32(-1), np.float32(1)), 1_000_000, 50),
        measured("NotEqual", "100000-strings", _strings, 100_000, 50),
        measured("AsString", "10000", lambda r, n: (r.integers(10**6, n),), 10_000, 50, look=characters),
        measured("Fingerprint", "1000x1000", lambda r, n: (r.bytes(n, 1000), b"farmhash64"), 1000, 4),
        measured("IsotonicRegression", "100x1000", lambda r, n: (r.normal(100, n),), 1000, 10),
        measured("MatrixBandPart", "64x100x100", lambda r, n: (r.normal(n, 100, 100), 3, 5), 64, 2),
        measured("MatrixDiagPartV2", "64x100x100", lambda r, n: (r.normal(n, 100, 100), 0, np.float32(0)), 64, 2),
        measured("Cross", "100000x3", lambda r, n: (r.normal(n, 3), r.normal(n, 3)), 100_000, 10),
        measured(
            "Einsum",
            "64x32x32",
            lambda r, n: ([r.normal(n, 32, 32), r.normal(n, 32, 32)],),
            64,
            4,
            equation="abc,adc->abd",
        ),
        measured("CholeskyGrad", "200", lambda r, n: (np.linalg.cholesky(r.definite(n, n)), r.normal(n, n)), 200, 4),
        measured("TridiagonalSolve", "64x1000", _tridiagonal, 64, 2, partial_pivoting=True),
        measured("BandedTriangularSolve", "64x200", _banded, 64, 2, lower=True, adjoint=False),
        measured("Pow", "1M", lambda r, n: (r.uniform(n) + np.float32(0.1), r.normal(n)), 1_000_000, 50),
        measured("Atan2", "1M", lambda r, n: (r.normal(n), r.normal(n)), 1_000_000, 50),
        measured("FloorMod", "1M", lambda r, n: (r.normal(n), r.uniform(n) + np.float32(0.5)), 1_000_000, 50),
        measured("FloorDiv", "1M", lambda r, n: (r.normal(n) * 9, r.uniform(n) + np.float32(0.5)), 1_000_000, 50),
        measured("Igamma", "100000", lambda r, n: (r.uniform(n) * 9, r.uniform(n) * 9), 100_000, 50),
        measured("Betainc", "100000", lambda r, n: (1 + r.uniform(n), 1 + r.uniform(n), r.uniform(n)), 100_000, 50),
        measured("Zeta", "100000", lambda r, n: (2 + r.uniform(n), 1 + r.uniform(n)), 100_000, 50),
        measured("Polygamma", "100000", lambda r, n: (np.ones(n, np.float32), 1 + r.uniform(n)), 100_000, 50),
    ]


def _along(axis: int) -> Make:
    return lambda r, n: (r.normal(n, 1000), axis)


def _strings(r: Samples, n: int) -> tuple[Any, ...]:
    """Two arrays of words of six letters, of which some are the same."""
    words = [b"word%02d" % number for number in range(100)]
    return tuple(np.array(words, object)[r.integers(100, n)] for _ in range(2))


def _unsorted(r: Samples, n: int) -> tuple[Any, ...]:
    return r.normal(n, 100), r.integers(n // 10, n), n // 10


def _tridiagonal(r: Samples, n: int) -> tuple[Any, ...]:
    diagonals = r.normal(n, 3, 1000)
    diagonals[:, 1] += 8
    return diagonals, r.normal(n, 1000, 1)


def _banded(r: Samples, n: int) -> tuple[Any, ...]:
    bands = r.normal(n, 3, 200)
    bands[:, 0] += 8
    return bands, r.normal(n, 200, 4)


_DOMAINS: Final[dict[str, Callable[[Array], Array]]] = {
    "numbers": lambda x: x * 4,
    "inside": np.tanh,
    "above": lambda x: np.abs(x) * 4 + x.dtype.type(0.1),
    "beyond": lambda x: np.abs(x) + x.dtype.type(1.1),
    "shares": lambda x: x.dtype.type(0.01) + x.dtype.type(0.98) / (1 + np.exp(x)),
}
_FUNCTIONS: Final = {
    "numbers": "Exp Expm1 Sin Cos Tan Sinh Cosh Tanh Asinh Atan Sigmoid Softplus Softsign Elu Selu Relu Square Rint "
    "Floor Sign Erf Erfc BesselI0e BesselI1e BesselJ0 BesselJ1 Dawsn FresnelCos FresnelSin IsFinite",
    "inside": "Asin Acos Atanh Erfinv",
    "above": "Sqrt Rsqrt Log Log1p Lgamma Digamma BesselK0e BesselK1e BesselY0 BesselY1 Expint Spence",
    "beyond": "Acosh",
    "shares": "Ndtri",
}
"""The functions of one real number, by the domain on which they are measured."""
_IN_FLOAT64: Final = {"numbers": "Erf Erfc Exp Sin Tanh BesselJ0", "above": "Log Lgamma Digamma"}
_DOUBLE: Final = np.dtype(np.float64)
_SINGLE: Final = np.dtype(np.float32)


def _elementwise() -> list[Kernel]:
    """Of some numbers the calls take the time, of many the arithmetic."""
    some, wide = [("500", 500), ("1M", 1_000_000)], [("1M-double", 1_000_000)]
    return [
        measured(name, label, _of(_DOMAINS[domain], dtype), size, 600)
        for functions, dtype, lengths in (
            (_FUNCTIONS, _SINGLE, some),
            (_IN_FLOAT64, _DOUBLE, wide),
        )
        for domain, names in functions.items()
        for name in names.split()
        for label, size in lengths
    ]


def _of(domain: Callable[[Array], Array], dtype: np.dtype[Any]) -> Make:
    return lambda r, n: (domain(r.normal(n).astype(dtype)),)


def _random() -> list[Kernel]:
    """TensorFlow's own numbers where the operations are stateless."""
    key = (np.array([3], np.uint64), np.array([5, 7], np.uint64), 1)
    seed = np.array([3, 5], np.int64)
    drawn: dict[str, Any] = {"dtype": "float", "look": sizes}
    return [
        *(measured(name, "1M", lambda _, n: ((n,),), 1_000_000, 50, **drawn) for name in _STATEFUL),
        measured("RandomUniformInt", "1M", lambda _, n: ((n,), 0, 1000), 1_000_000, 50, look=sizes),
        measured("RandomShuffle", "100000", lambda r, n: (r.normal(n),), 100_000, 50, look=sizes),
        measured("RandomShuffle", "20000x100", lambda r, n: (r.normal(n, 100),), 20_000, 50, look=sizes),
        measured(
            "Multinomial",
            "100x1000",
            lambda r, n: (r.normal(100, 1000), n),
            1000,
            50,
            output_dtype="int64",
            look=sizes,
        ),
        measured("RandomGamma", "100000", lambda _, n: ((n,), np.full(1, 2.5, np.float32)), 100_000, 50, look=sizes),
        measured("RandomPoissonV2", "100000", lambda _, n: ((n,), np.full(1, 20, np.float32)), 100_000, 50, **drawn),
        *(
            measured(f"Stateless{name}V2", "1M", lambda _, n: ((n,), *key), 1_000_000, 50, dtype="float")
            for name in ("RandomUniform", "RandomNormal", "TruncatedNormal")
        ),
        measured("StatelessRandomUniformIntV2", "1M", lambda _, n: ((n,), *key, 0, 1000), 1_000_000, 50),
        measured("StatelessRandomGammaV3", "100000", lambda _, n: ((n,), *key, np.float32(2.5)), 100_000, 50),
        measured("StatelessRandomPoisson", "100000-3", _poisson(3), 100_000, 50, dtype="float"),
        measured("StatelessRandomPoisson", "100000-20", _poisson(20), 100_000, 50, dtype="float"),
        measured(
            "StatelessRandomBinomial",
            "100000",
            lambda _, n: ((n,), seed, np.float32(100), np.float32(0.4)),
            100_000,
            50,
            dtype="float",
        ),
        measured("RandomIndexShuffle", "100000", _shuffled, 100_000, 50),
        measured("StatelessShuffle", "100000", lambda r, n: (r.normal(n), *key), 100_000, 50),
        measured("KMC2ChainInitialization", "100000", lambda r, n: (r.uniform(n), np.int64(5)), 100_000, 50),
        measured("SobolSample", "10000x8", lambda _, n: (8, n, 1), 10_000, 50),
    ]


_STATEFUL: Final = ("RandomUniform", "RandomStandardNormal", "TruncatedNormal")


def _poisson(rate: float) -> Make:
    return lambda _, n: ((n,), np.array([3, 5], np.int64), np.float32(rate))


def _shuffled(_: Samples, n: int) -> tuple[Any, ...]:
    return np.arange(n, dtype=np.int32), np.array([3, 5, 7], np.int32), np.int32(n)


KERNELS: Final = (
    *_linear_algebra(),
    *_transforms(),
    *LAYERS,
    *IMAGES,
    *_arrays(),
    *_elementwise(),
    *_random(),
)
