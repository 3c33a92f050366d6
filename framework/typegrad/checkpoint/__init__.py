"""Checkpoints: files from which a session goes on exactly where it was. `Session.save` and `Session.restore` do the work."""

from typegrad.arguments import guard as _guard
from typegrad.checkpoint.contents import read_metadata as read_metadata
from typegrad.checkpoint.saver import Saver as Saver

_guard(__name__)
