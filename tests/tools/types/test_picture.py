"""The picture of an annotated file in the guide: the tests of guides compare what it is drawn from."""

from __future__ import annotations

from record_annotated import PICTURE, drawn


def test_the_picture_shows_what_the_guide_prints() -> None:
    assert PICTURE.read_text(encoding="utf-8") == drawn(), "python tests/record_annotated.py draws it again"
