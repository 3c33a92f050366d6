"""What some commands and modules need that typegrad itself does not."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Final

from attrs import frozen

__all__ = ["FEATURES", "Feature"]


@frozen
class Feature:
    """Something that needs libraries which typegrad itself does not: by module, the name under which each is installed."""

    what: str
    libraries: Mapping[str, str]
    command: str
    """What installs them."""

    def missing(self) -> list[str]:
        """Those that are not installed."""
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
            "mypy": "mypy",  # the plugin, too, is described
            "pygments": "pygments",
        },
        "pip install 'typegrad[docs]'",
    ),
    "progress": Feature("progress bars", {"tqdm": "tqdm"}, "pip install 'typegrad[progress]'"),
    "tensorboard": Feature("event files", {"tensorboard": "tensorboard"}, "pip install 'typegrad[tensorboard]'"),
}
"""What is optional, by the name of the extra."""
