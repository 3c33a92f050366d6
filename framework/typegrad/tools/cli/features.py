"""Optional features and the libraries that they need."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Final

from attrs import frozen

__all__ = ["FEATURES", "Feature"]


@frozen
class Feature:
    """An optional feature, with the distribution name of each module that it needs."""

    what: str
    libraries: Mapping[str, str]
    command: str
    """The command that installs them."""

    def missing(self) -> list[str]:
        """The distributions that are not installed."""
        return [library for module, library in self.libraries.items() if find_spec(module) is None]


FEATURES: Final[Mapping[str, Feature]] = {
    "check": Feature("typegrad check", {"mypy": "mypy"}, "pip install mypy"),
    "demo": Feature(
        "typegrad demo",
        {"matplotlib": "matplotlib", "sklearn": "scikit-learn", "tqdm": "tqdm"},
        "pip install 'typegrad[demo]'",
    ),
    "docs": Feature(
        "typegrad docs",
        {
            "jinja2": "jinja2",
            "latex2mathml": "latex2mathml",
            "markdown_it": "markdown-it-py",
            "mdit_py_plugins": "mdit-py-plugins",
            "mypy": "mypy",  # for the description of the plugin
            "PIL": "pillow",  # for the examples with image files
            "pygments": "pygments",
        },
        "pip install 'typegrad[docs]'",
    ),
    "images": Feature("image files", {"PIL": "pillow"}, "pip install 'typegrad[images]'"),
    "lsp": Feature("typegrad lsp", {"pygls": "pygls", "mypy": "mypy"}, "pip install 'typegrad[lsp]'"),
    "progress": Feature("progress bars", {"tqdm": "tqdm"}, "pip install 'typegrad[progress]'"),
    "threads": Feature(
        "a suitable number of BLAS threads", {"threadpoolctl": "threadpoolctl"}, "pip install 'typegrad[threads]'"
    ),
    "tensorboard": Feature("event files", {"tensorboard": "tensorboard"}, "pip install 'typegrad[tensorboard]'"),
}
"""The optional features, by extra."""
