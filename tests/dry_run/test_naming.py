"""Messages of typegrad in the words of the program: an operand by the name that the program has for it."""

from __future__ import annotations

import typegrad as tg
from typegrad.dry_run.source.naming import renamed
from typegrad.op import core

TEXT = "nothing is fed for 'Placeholder:0'"


def test_an_operand_that_a_message_names_alone() -> None:
    x = core.Placeholder.create(tg.Scope(tg.Graph()), tg.TFloat32, ())
    assert renamed(TEXT, {"x": x}, __file__) == "nothing is fed for 'x'"


def test_a_name_that_two_graphs_have_is_kept() -> None:
    x = core.Placeholder.create(tg.Scope(tg.Graph()), tg.TFloat32, ())
    y = core.Placeholder.create(tg.Scope(tg.Graph()), tg.TFloat32, ())
    assert renamed(TEXT, {"x": x, "y": y}, __file__) == TEXT
