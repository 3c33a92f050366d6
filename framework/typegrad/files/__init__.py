"""What is written to disk: checkpoints and event files."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typegrad.files import checkpoint as checkpoint
    from typegrad.files import tensorboard as tensorboard
else:
    from typegrad.arguments.lazy import lazy

    __getattr__, __dir__ = lazy(__name__, {"checkpoint": "", "tensorboard": ""})
