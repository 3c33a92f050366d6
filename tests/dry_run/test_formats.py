"""Texts with values in them: an error of one value is told whatever the others are."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from dry_run.following import differences

PRELUDE: Final = """
session = tg.Session(scope.graph)
rows = session.run(x, {x: np.zeros((2, 8), np.float32)})
loss = session.run(math.Mean.create(scope, x), {x: rows})
class Real:
    def __float__(self): return 1.0
"""
WRONG: Final = {
    "beside a number": "'%i %f' % (1, rows[0])  # E: only ",
    "beside what is unknown": "'%i %f' % (unknown.step, rows[0])  # E: only ",
    "beside an integer of a loop": (
        "for i in range(1000):\n    if i % 10 == 0 or i == 1:\n        '%i %f' % (i, rows[0])  # E: only "
    ),
    "in a branch": "if unknown.flag:\n    '%s %f' % (unknown, rows)  # E: only ",
    "by its name": "'%(step)d %(loss)f' % {'step': unknown.step, 'loss': rows}  # E: only ",
    "no number": "'%f %d' % (loss, 'a')  # E: real number is required, not str",
    "a field beside what is unknown": "'{:d} {:.6f}'.format(unknown.step, rows[0])  # E: an array has no format",
    "a field by its name": "'{step} {loss:.2f}'.format(step=unknown.step, loss=rows)  # E: an array has no format",
    "a field by its number": "'{1:.2f} {0}'.format(unknown.step, rows)  # E: an array has no format",
    "a part of a text": "f'{unknown.step} {rows:.2f}'  # E: an array has no format; take one of its elements",
    "a list in a text": "f'{unknown.step} {[loss, loss]:.2f}'  # E: unsupported format string passed to list",
    "nothing in a text": "f'{unknown.step} {None:>8}'  # E: None has no format",
    "too few": "'%d %d' % (unknown.step,)  # E: not enough arguments",
    "too many": "'%d' % (unknown.step, loss)  # E: not all arguments converted",
}
RIGHT: Final = {
    "a scalar": "'%i %f %5.2f%%' % (unknown.step, loss, loss)",
    "a text of an array": "'%i %s %r' % (unknown.step, rows, rows[0])",
    "an element": "'%s %f' % (unknown, rows[0, 0])",
    "by its name": "'%(loss)f %(rows)s' % {'loss': loss, 'rows': rows, 'other': unknown}",
    "objects": "'%f %s %f' % (Real(), Real(), loss)",
    "unknown kinds": "'%s %d %f %c %x' % (unknown.a, unknown.b, unknown.c, unknown.d, unknown.e)",
    "fields": "'{:d} {:.2f} {} {rows} {!s:>9}'.format(unknown.step, loss, rows, [1], rows=rows)",
    "fields of an array": "'{0.shape} {0[0]} {0!r:>90} {1:.1f}'.format(rows, unknown.time)",
    "fields whose format is a value": "'{:{}} {:{}}'.format(rows, '', 1.0, unknown.width)",
    "parts of a text": "f'{unknown.step:d} {loss:.2f} {rows} {rows!s:>90} {None!r:>8} {rows:{unknown.spec}}'",
    "a width": "'%*d %f' % (unknown.width, 3, loss)",
    "an unknown text": "unknown.text % (1, rows)",
    "an array in the place of a text": "rows % (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0)",
    "caught": "try:\n    '%i %f' % (unknown.step, rows)\nexcept TypeError:\n    pass",
    "of any size": "some = rows[rows[:, 0] > 0.0]\n'%d %s' % (len(some), some)",
    "a branch": "if unknown.flag:\n    '%s %d' % (unknown, loss)",
}


@pytest.mark.parametrize(
    "program", [*WRONG.values(), *RIGHT.values()], ids=[*WRONG, *(f"right: {name}" for name in RIGHT)]
)
def test_what_a_format_refuses(program: str, tmp_path: Path) -> None:
    assert differences(tmp_path, PRELUDE + program) == []
