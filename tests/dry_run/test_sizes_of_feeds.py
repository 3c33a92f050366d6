"""Feeds of which not all is known: what is known of them must agree about named sizes, as in a run."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import UNSIZED, differences

PRELUDE: Final = (
    UNSIZED
    + """
Edges = NewType("Edges", int)
known = core.Placeholder.create(scope, F, (Batch,))
edges = core.Placeholder.create(scope, F, (Edges, 3))
twice = core.Concat.create(scope, [known, known], 0)
total = core.Sum.create(scope, x) + core.Sum.create(scope, known) + core.Sum.create(scope, edges)
rows, few, many = (np.zeros(shape, np.float32) for shape in [(4, 8), 4, 5])
some = b.astype(np.float32)
"""
)
_OF_TWO: Final = "dimension Batch is 4 in the feed of 'x:0' (Placeholder, float32 [Batch, 8], created at"
_PAIR: Final = "ids = core.Placeholder.create(scope, I, (None,))\nmarks = np.zeros(n, np.int32)\n"
WRONG: Final = {
    "swapped arrays": f"{_PAIR}session.run(x, {{x: np.zeros(4, np.int32), ids: rows}})  # E: are swapped",
    "swapped arrays of unknown size": (
        f"{_PAIR}session.run(x, {{x: marks, ids: some.reshape(-1, 8)}})  # E: are swapped"
    ),
    "swapped arrays of a prepared run": f"{_PAIR}session.callable(x, [x, ids])(marks, rows)  # E: are swapped",
    "one wrong beside what is unknown": f"{_PAIR}session.run(x, {{x: unknown.rows, ids: rows}})  # E: is not int32",
    "two wrong": f"{_PAIR}session.run(x, {{x: marks, ids: marks * 0.5}})  # E: is not float32",
    "beside an array of unknown size": f"session.run(total, {{x: rows, known: many, edges: some}})  # E: {_OF_TWO}",
    "beside what is unknown": f"session.run(total, {{x: rows, known: many, edges: unknown.edges}})  # E: {_OF_TWO}",
    "before it": f"session.run(total, {{edges: unknown.edges, x: rows, known: many}})  # E: {_OF_TWO}",
    "what is not fed beside an unknown fetch": (
        "session.run((x, unknown.fetch), {x: rows})\n"
        "session.run([unknown.fetch, {'a': total}], {x: rows})  # E: must be fed"
    ),
    "what is fetched is unknown": f"session.run(unknown.fetch, {{x: rows, known: many, edges: some}})  # E: {_OF_TWO}",
    "a prepared run": f"session.callable(total, [x, known, edges])(rows, many, some)  # E: {_OF_TWO}",
    "a size of an array of unknown size": """
pairs = core.Placeholder.create(scope, D, (None, Batch))
session.run(total, {pairs: b, known: few, x: rows, edges: some})  # E: dimension Batch is 3 in the feed of
""",
    "a multiple": """
session.run(total, {x: rows, known: few, edges: some, twice: many})  # E: is 5, but 2*Batch is 8, since Batch is 4
""",
    "of a function that nothing calls": f"""
def program(pairs: Any) -> None:
    session.run(total, {{x: rows, known: many, edges: pairs}})  # E: {_OF_TWO}
""",
}
POSITIONS: Final = """
table = tg.Variable.create(scope, np.zeros((16, 4), np.float32))
tokens = core.Placeholder.create(scope, tg.TInt32, (2, None))
steps = core.Shape.create(scope, tokens)[1]
numbers = core.Range.create(scope, 0, steps, 1)
session = tg.Session(scope.graph)
"""
REPEATED: Final = (
    "core.Tile.create(scope, numbers[None], [core.Shape.create(scope, tokens)[0], 1])",
    "core.BroadcastTo.create(scope, numbers, core.Shape.create(scope, tokens))",
)
RIGHT: Final = {
    "sizes that agree": "session.run(total, {x: rows, known: few, edges: some})",
    "sizes that are not known": "session.run(total, {x: unknown.rows, known: many, edges: some})",
    "rows that are not known": """
chosen = rng.random((10, 8))[mask].astype(np.float32)
session.run(total, {x: chosen, known: few, edges: some})
session.run(total, {x: chosen, known: chosen[:, 0], edges: some})
""",
    "other names": "session.run(total, {x: rows, known: few, edges: unknown.edges})",
    "numbers of a list": "session.run(total, {x: rows, known: [1.0, 2.0, unknown.number, 3.0], edges: some})",
    "a multiple": "session.run(total, {x: rows, known: few, edges: some, twice: np.zeros(8, np.float32)})",
    "an error that is caught": """
try: session.run(total, {x: rows, known: many, edges: some})
except tg.FeedError: pass
""",
}


@pytest.mark.parametrize("name", WRONG)
def test_what_disagrees_is_told(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + WRONG[name])


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_else_is(name: str, tmp_path: Path) -> None:
    assert not differences(tmp_path, PRELUDE + RIGHT[name])


@pytest.mark.parametrize("indices", REPEATED)
def test_indices_that_follow_from_a_size(indices: str, tmp_path: Path) -> None:
    text = f"{POSITIONS}rows = table.gather(scope, {indices})\nsession.run(rows, {{tokens: 2 * [16 * [0]]}})\n"
    told = "session.run(rows, {tokens: 2 * [18 * [0]]})  # E: `indices[0, 16]` is 16, but must be in [0, 16)"
    assert not differences(tmp_path, text + told)
