"""The page on static shapes: every mistake has exactly the message and line on the page; the models type-check and
run.
"""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Final

import pytest

from mypy_plugin.checking import check

DOCS: Final = Path(__file__).parents[2] / "docs"
MODELS: Final = sorted((DOCS / "examples" / "models").glob("*.py"))
_BLOCK: Final = re.compile(r"```(python|text)\n(.*?)```", re.DOTALL)


def _mistakes() -> list[tuple[str, str]]:
    """The source of each mistake, and what is said about it."""
    page = (DOCS / "static-shapes.md").read_text()
    blocks = _BLOCK.findall(page[page.index("## Ten mistakes") :])
    preamble = blocks[0][1]
    return [(preamble + source, told) for (_, source), (_, told) in zip(blocks[1::2], blocks[2::2], strict=True)]


def test_the_ten_mistakes_give_the_messages_on_the_page(tmp_path: Path) -> None:
    mistakes = _mistakes()
    sources = {f"mistake{number}.py": source for number, (source, _) in enumerate(mistakes, start=1)}
    report = check(tmp_path, sources)
    actual = []
    for name, source in sources.items():
        (error,) = report.errors(name)
        line = source.splitlines()[error.line - 1]
        actual.append(f"error: {error.text}  [{error.code}]\n    {line.strip()}\n")
    assert actual == [told for _, told in mistakes]
    assert len(actual) == 10


def test_the_models_type_check_with_and_without_the_plugin(tmp_path: Path) -> None:
    sources = {path.name: path.read_text() for path in MODELS}
    assert len(sources) == 4
    for plugin in (True, False):
        assert check(tmp_path, sources, plugin=plugin).output == ""


def test_the_shapes_of_lenets_convolutions_are_proved(tmp_path: Path) -> None:
    """The strides and the windows are names that are bound to tuples."""
    source = (DOCS / "examples" / "models" / "lenet.py").read_text()
    source = re.sub(r"( +)(features) = .*\n", r"\g<0>\1reveal_type(\2)\n", source)
    revealed = check(tmp_path, {"lenet.py": source}).revealed("lenet.py").values()
    assert [re.sub(r"Literal\[(\d+)\]|[\w.]+\.", r"\1", each) for each in revealed] == [
        "Conv2d[TFloat32, tuple[Batch, 28, 28, 6]]",
        "Conv2d[TFloat32, tuple[Batch, 10, 10, 16]]",
    ]


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.stem)
def test_the_models_run(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(model), run_name="__main__")
    assert capsys.readouterr().out
