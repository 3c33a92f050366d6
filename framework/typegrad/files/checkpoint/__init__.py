"""Checkpoints: files from which a session continues exactly where it was.

`Session.save` and `Session.restore` do the work.
"""

from typegrad.arguments.guarding import guard as _guard
from typegrad.files.checkpoint.contents import read_metadata as read_metadata
from typegrad.files.checkpoint.contents import read_values as read_values
from typegrad.files.checkpoint.saver import Saver as Saver

_guard(__name__)
