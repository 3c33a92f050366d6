"""Record which names in the entries' `known_as` exist elsewhere, in `tests/data/names_elsewhere.txt`.

In an environment with one or more of TensorFlow, JAX and PyTorch, of these versions, and with PyYAML:

    python tests/record_names_elsewhere.py

The names of the libraries that are not installed there stay as they are. A name of TensorFlow 1 exists where
`tf.compat.v1` has it. NumPy's and SciPy's names need no record: the tests import both.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import yaml

OPS: Final = Path(__file__).parents[1] / "ops"
RECORDED: Final = Path(__file__).parent / "data" / "names_elsewhere.txt"
PLACES: Final = {
    "tf": ("tensorflow", "tensorflow.compat.v1"), "jax": ("jax",), "jnp": ("jax.numpy",), "torch": ("torch",),
}  # fmt: skip
"""Where a library's names are looked up."""
GONE: Final = {
    "tf.compat.v1.nn.rnn_cell.GRUCell",
    "tf.compat.v1.nn.rnn_cell.LSTMCell",
    "tf.contrib.image.transform",
    "tf.contrib.opt.AddSignOptimizer",
    "tf.contrib.opt.PowerSignOptimizer",
}
"""Names that TensorFlow no longer has, and programs for TensorFlow 1 still use. They cannot be recorded."""
VERSIONS: Final = {"tensorflow": "2.21.0", "jax": "0.10.2", "torch": "2.13.0"}


def names() -> set[str]:
    """What the entries say, of the libraries that are recorded, but for what is gone."""
    texts = (path.read_text(encoding="utf-8") for path in OPS.glob("*.yaml") if path.name != "types.yaml")
    entries = (op for text in texts for op in yaml.safe_load(text).values())
    return {name for op in entries for name in op.get("known_as", ()) if _library(name) in PLACES} - GONE


def recorded() -> set[str]:
    """The names that exist."""
    return set(RECORDED.read_text(encoding="utf-8").split())


def _library(name: str) -> str:
    return name.partition(".")[0]


def _exists(name: str) -> bool:
    library, _, path = name.partition(".")
    return any(_reaches(place, path.split(".")) for place in PLACES[library])


def _reaches(module: str, path: list[str]) -> bool:
    owner = importlib.import_module(module)
    for part in path:
        module = f"{module}.{part}"
        if not hasattr(owner, part):
            try:
                importlib.import_module(module)
            except ModuleNotFoundError:
                return False
        owner = getattr(owner, part)
    return True


def _is_installed(library: str) -> bool:
    package = PLACES[library][0].partition(".")[0]
    if find_spec(package) is None:
        return False
    version = importlib.import_module(package).__version__.partition("+")[0]
    if version != VERSIONS[package]:
        raise SystemExit(f"the recorded names are of {package} {VERSIONS[package]}; this is {version}")
    return True


def main() -> None:
    """Ask what is installed."""
    installed = {library for library in PLACES if _is_installed(library)}
    before = recorded()
    exist = {name for name in names() if (_exists(name) if _library(name) in installed else name in before)}
    RECORDED.write_text("".join(f"{name}\n" for name in sorted(exist)), encoding="utf-8")
    print("not there:", *sorted(name for name in names() - exist if _library(name) in installed))


if __name__ == "__main__":
    main()
