"""Messages of typegrad in the words of the program: an operand by the name that the program has for it."""

from __future__ import annotations

import typegrad as tg
from typegrad.dry_run.source.naming import name_of, renamed
from typegrad.op import core

TEXT = "nothing is fed for 'Placeholder:0'"


def test_an_operand_that_a_message_names_alone() -> None:
    x = core.Placeholder.create(tg.Scope(tg.Graph()), tg.TFloat32, ())
    assert renamed(TEXT, {"x": x}, __file__) == "nothing is fed for 'x'"


def test_a_name_that_two_graphs_have_is_kept() -> None:
    x = core.Placeholder.create(tg.Scope(tg.Graph()), tg.TFloat32, ())
    y = core.Placeholder.create(tg.Scope(tg.Graph()), tg.TFloat32, ())
    assert renamed(TEXT, {"x": x, "y": y}, __file__) == TEXT


def test_a_name_that_two_graphs_have_of_one_line_is_kept() -> None:
    x, y = (core.Placeholder.create(tg.Scope(tg.Graph()), tg.TFloat32, ()) for _ in range(2))
    place = x.op.created_at
    text = f"a = 'Placeholder:0' (Placeholder, float32 [], created at {place})"
    assert (name_of("Placeholder:0", place, {"x": x}), name_of("Placeholder:0", place, {"x": x, "z": y * 2.0})) == (
        "x",
        None,
    )
    assert renamed(text, {"x": x}, __file__) == f"a = 'x' (Placeholder, float32 [], line {place.rpartition(':')[2]})"


def test_the_name_of_a_class_is_none_of_an_operand() -> None:
    w = tg.Variable.create(tg.Scope(tg.Graph()), 1.0)
    assert renamed("'Variable' has no value", {"w": w}, __file__) == "'w' has no value"
    text = "'Variable' object has no attribute 'T'"
    assert renamed(text, {"w": w}, __file__) == text
