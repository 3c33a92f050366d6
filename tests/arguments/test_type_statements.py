"""What a `type` statement has named, as NumPy 2.5 names `ArrayLike`, is accepted as what the name stands for."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import pytest
from typing_extensions import TypeAliasType

from typegrad.arguments.kinds import kind_of

T = TypeVar("T")
PARAMETERS: tuple[Any, ...] = (T,)
COUNT: Any = TypeAliasType("COUNT", int | None)
ARRAY_OR: Any = TypeAliasType("ARRAY_OR", np.ndarray[Any, np.dtype[Any]] | T, type_params=PARAMETERS)
ROWS: Any = TypeAliasType("ROWS", ARRAY_OR[COUNT])


@pytest.mark.parametrize(
    ("annotation", "accepted", "refused"),
    [
        (COUNT, [None, 3], ["3", 0.5]),
        (ARRAY_OR[str], ["a", np.zeros(2)], [0.5]),
        (ROWS, [None, 3, np.zeros(2)], ["a"]),
        (list[COUNT], [[None, 3]], [["a"], 3]),
    ],
    ids=["a name", "a name with an argument", "a name in another", "a name within"],
)
def test_the_name_accepts_what_it_stands_for(annotation: Any, accepted: list[Any], refused: list[Any]) -> None:
    kind = kind_of(annotation)
    assert kind is not None
    assert [value for value in accepted if not kind.accepts(value)] == []
    assert [value for value in refused if kind.accepts(value)] == []
