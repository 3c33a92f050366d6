"""Python expressions over operands, to be evaluated over TensorFlow's tensors and over typegrad's operands, a line
each.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from attrs import frozen

__all__ = ["EXPRESSIONS", "OPERANDS", "VALUES", "Fed"]


@frozen(eq=False)
class Fed:
    """An operand that is fed: nothing but its type and shape is known while the graph is built."""

    value: np.ndarray[Any, Any]
    shape: tuple[int | None, ...] | None


def _fed(value: object, dtype: str) -> Fed:
    array = np.array(value, dtype)
    return Fed(array, array.shape)


OPERANDS: Final = {
    "b": _fed([True, False, True], "bool"),
    "b0": _fed(True, "bool"),
    "bm": _fed([[True, False, True], [False, False, True]], "bool"),
    "i": _fed([-7, 2, 5], "int32"),
    "i0": _fed(1, "int32"),
    "im": _fed([[1, 2, 3], [4, 5, 6]], "int32"),
    "j": _fed([9, -4, 2], "int64"),
    "u": _fed([3, 0, 250], "uint8"),
    "h": _fed([0.5, -2.0, 8.0], "float16"),
    "f": _fed([1.5, -2.0, 4.0], "float32"),
    "f0": _fed(2.5, "float32"),
    "m": _fed([[1.0, 2.0, -3.0], [0.5, -4.0, 8.0]], "float32"),
    "n": _fed([[1.0, 0.5], [2.0, -1.0], [4.0, 3.0]], "float32"),
    "t": _fed(np.arange(12).reshape(2, 2, 3), "float32"),
    "d": _fed([1.5, -2.0, 0.25], "float64"),
    "c": _fed([3 + 4j, -1j, 2.0], "complex64"),
    "s": _fed([b"one", b"two"], "object"),
    "rows": Fed(np.array([[1, -2, 3], [4, 5, 6]], "float32"), (None, 3)),
    "any": Fed(np.array([[1, -2, 3], [4, 5, 6]], "float32"), None),
}
"""`rows` has an unknown size, `any` an unknown shape."""

VALUES: Final = {
    "np": np,
    "f32": np.array([1.0, 2.0, 4.0], np.float32),
    "f64": np.array([1.0, 2.0, 4.0]),
    "i32": np.array([1, 2, 4], np.int32),
    "i64": np.array([1, 2, 4]),
    "m32": np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], np.float32),
    "mask": np.array([True, False, True]),
}
"""What is not an operand."""

_LINES: Final = """
i + i; i - 2; 2 - i; i * 3; i // 2; 7 // i; i % 3; -i % 3; 7 % i; i ** 2; 2 ** i0; i0 ** 3; i / 2; i / i; 1 / i0
i + 1.5; 1.5 + i; i * 2.0; i + True; i + j; j + i; i + 2**31; j + 2**31; i + [1, 2, 3]; [1, 2, 3] - i; i + (1, 2, 3)
j - 2; j // 2; j % 4; j ** 2; j / 2; -j; abs(j); j * i0
u + 1; u + 10; u + 300; u - 1; -1 + u; u * 2; u // 2; u % 7; -u; abs(u); u ** 2; u / 2; u < 4; u & 3; u | 4; u ^ 255; ~u
h + 1; h + 1.5; h * h; h / 2; h // 2; h % 3; h ** 2; h + 70000.0; h + f; -h; abs(h); h < 1
f + f; f - 1; 1 - f; f * 2.5; 2.5 * f; f / 2; 2 / f; f // 2; 7.0 // f; f % 3; -f % 3; 7 % f; f ** 2; f ** 0.5; 2 ** f
f + 1j; f + True; f + b; f + i; f + d; d + f; f + 1e39; f + "x"; f + None; f + f0; f + m; m + f; m + n; f + [1, 2]
d + 1.5; d / 3; d ** 2; d // 1; d % 1; 1e300 * d; d + 1; abs(d); d < 0
c + 1; c + 1.5; c * 1j; 1j - c; c / 2; c ** 2; -c; abs(c); c < c; c // 2; c % 2; c + f; ~c
b + b; b * 2; -b; ~b; b & b; b | False; True ^ b; b ^ b; b & 1; b < b; b + 1; abs(b); b / b; not b0; b0 and b; b if b0 else f
~i; i & 3; 3 | i; i ^ i; i & 1.5; i & j; ~f; f & 1; i << 1; i >> 1; i & True
+f; +i; +b; -m; --f; abs(f); abs(i); abs(-m); divmod(i, 2); divmod(f, 2); divmod(7, i); round(f); round(f0, 1); round(i)
f < 2; 2 < f; f <= f; f >= -2.0; f > i; i > 1.5; i >= 2; i < j; f < f32; f64 < f; b > b; 0 < f < 2; s < s
f == f; f == 2.0; f == i; f != f; f != 2; f == None; f is None; f == "x"; b == b; m == f; f != [1, 2]
hash(f) == hash(f); f in [f]; f in [1.0]; {f: 1}; {f, f}; 2.0 in f; f in m
bool(f0); bool(b0); float(f0); int(i0); complex(f0); len(f); len(f0); len(rows); len(any); list(f); [e for e in i]; iter(f0); list(rows)
range(i0); [10, 20, 30][i0]; str(f)[:0]; f"{f.shape}"; f"{f0:.2f}"; np.asarray(f); sum([f, f]); max(f, f32); sorted([f0, f0])
f32 + f; f + f32; f32 * f; f32 / f; f32 ** f; f32 - f; f32 // f; f32 % f; f32 @ f; f32 < f; f32 == f; np.float32(2) * f
f64 + f; f + f64; f * np.float64(2); np.float64(2) * f; np.float64(2) - f; f ** np.float64(2); i + i64; i + np.int64(2); np.int64(2) + i
j + i64
i32 + i; i * i32; i32 & i; i + f32; f + i32; f + i64; f + np.int32(1); np.float32(1.5) + i; d + f32; np.bool_(True) & b; mask & b
b | mask
np.add(f, f32); np.sin(f); np.sum(f); np.matmul(m32, n); np.multiply(2, f); np.stack([f, f]); np.float32(2) < f; np.array([f0, f0])
m @ n; n @ m; m @ f; f @ f; m @ m32.T; m32 @ n; m @ [[1.0], [2.0], [3.0]]; [[1.0, 2.0]] @ m; t @ n; m @ t; t @ t; rows @ n; any @ n
im @ im; c @ c
m @ m; m @ 2; 2 @ m; f32 @ n; m @ np.ones((3, 1)); im @ np.ones((3, 1), np.int32)
f[0]; f[-1]; f[3]; f[-4]; f[1:]; f[:-1]; f[::2]; f[::-1]; f[2:0:-1]; f[5:]; f[-9:2]; f[1:1]; f[::0]; f[0:1.5]; f[1.0]
m[1]; m[1, 2]; m[:, 1]; m[..., 0]; m[0, ...]; m[None]; m[:, None, :]; m[..., None]; m[np.newaxis, 1]; m[-1, -1]; m[0, 0, 0]; m[0][1]
m[:, ::-1]; m[1:, :2]; m[..., 0, ...]; m[()]; m[...]; m[(1, 2)]; t[0, :, 1]; t[..., 1]; t[1, ..., None, 0]; t[:, -1:, ::2]
f[i0]; f[i0:]; f[:i0]; f[::i0]; m[i0, 0]; m[0, i0]; m[i0, i0]; f[i0 + 1]; f[f0]; f[b0]; f[i]; m[j]; f[np.int64(1)]; f[np.array(1)]
f[True]
f[b]; m[bm]; m[b]; f[f > 0]; m[m > 0]; f[mask]; m[:, mask]; m[np.array([True, False])]; f[[True, False, True]]; f[[0, 2]]; f[i32]
m[[0, 1], [1, 2]]
f["x"]; f[None, None]; f0[0]; f0[...]; f0[None]; rows[0]; rows[:, 0]; rows[1:]; any[0]; any[..., 0]; any[None]; c[0]; s[1]; b[0]
i[i > 0]; any[any > 0]
s + s; s + "!"; "<" + s; s == s; s * 2; s[0] + s[1]
f.shape; m.shape; rows.shape; any.shape; f0.shape; f.shape[0]; m.shape[-1]; m.shape[1:]; rows.shape[0]; any.shape[0]; m.shape[2]
m.shape == (2, 3); m.shape == [2, 3]; m.shape == m.shape; rows.shape == (None, 3); m.shape == im.shape; m.shape != (2, 3)
any.shape == None
tuple(m.shape); list(m.shape); len(m.shape); len(any.shape); list(any.shape); m.shape.rank; any.shape.rank; 3 in m.shape; m.shape + (1,)
(1,) + m.shape
[*m.shape, 1]; bool(any.shape); bool(m.shape); rows[0].shape; m.ndim; any.ndim; f0.ndim; (m + f).shape; (rows + 1).shape
(any * 2).shape
f.dtype == f32.dtype; f.dtype == np.float32; f.dtype is d.dtype; f.dtype == (f + 1).dtype; f.dtype == np.int32; f.dtype.name
(f < 1).dtype.name
m.shape[0] * 2; f * m.shape[1]; f + m.shape[0]; m.T; f.name[:0]; m[0] + f; (f + 1)[0]; -f[0]; (m @ n)[0, 0]; f[0] + f[-1] * 2
1 + 2 * f - 3; (f > 0) & (f < 2); ~(f > 0) | (i > 2)
"""

EXPRESSIONS: Final = [text.strip() for line in _LINES.strip().splitlines() for text in line.split(";")]
