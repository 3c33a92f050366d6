"""The names of an operation elsewhere, and the operations close to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from attrs import frozen

from typegrad_codegen.schema import Entry

__all__ = ["LIBRARIES", "Library", "elsewhere", "library_of", "neighbours"]


@frozen
class Library:
    """A library whose names lead to operations."""

    key: str
    title: str
    prefixes: tuple[str, ...]


LIBRARIES: Final = (
    Library("tensorflow", "TensorFlow", ("tf.",)),
    Library("raw-ops", "TensorFlow's operations", ("tf.raw_ops.",)),
    Library("java", "TensorFlow Java", ("org.tensorflow.",)),
    Library("numpy", "NumPy and SciPy", ("np.", "scipy.")),
    Library("jax", "JAX", ("jnp.", "jax.")),
    Library("torch", "PyTorch", ("torch.",)),
)
"""In the order in which they are shown."""


def library_of(name: str) -> Library:
    """The library that a name is from; the longest prefix decides."""
    fitting = [
        (len(prefix), library) for library in LIBRARIES for prefix in library.prefixes if name.startswith(prefix)
    ]
    if not fitting:
        raise LookupError(f"{name!r} starts like no library that is known: see LIBRARIES in {__name__}")
    return max(fitting, key=lambda item: item[0])[1]


def elsewhere(op: Entry) -> dict[Library, list[str]]:
    """The names of an operation in each library."""
    names = [*filter(None, (op.raw_name, op.java_class)), *op.known_as]
    by_library: dict[Library, list[str]] = {}
    for name in names:
        by_library.setdefault(library_of(name), []).append(name)
    return {library: by_library[library] for library in LIBRARIES if library in by_library}


def neighbours(operations: Iterable[Entry]) -> Mapping[str, list[Entry]]:
    """For each operation the ones that its entry names, then those whose entries name it."""
    by_name = {op.name: op for op in operations}
    near_by_name: dict[str, dict[str, Entry]] = {name: {} for name in by_name}
    for op in by_name.values():
        for other in op.see_also:
            near_by_name[op.name][other] = by_name[other]
    for op in by_name.values():
        for other in op.see_also:
            near_by_name[other].setdefault(op.name, op)
    return {name: list(near.values()) for name, near in near_by_name.items()}
