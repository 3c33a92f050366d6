"""The guide's table of defaults: typegrad's column is the code's, TensorFlow Java's and Keras' are the recorded
ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from inspect import isabstract, isclass, signature
from pathlib import Path
from typing import Final

from support import trajectories
from typegrad import optimizers

GUIDE: Final = Path(__file__).parents[3] / "docs" / "guides" / "training.md"

CLASSES: Final[Mapping[str, type[optimizers.Optimizer]]] = {
    name: item
    for name in dir(optimizers)
    if isclass(item := getattr(optimizers, name)) and issubclass(item, optimizers.Optimizer) and not isabstract(item)
}


def table() -> dict[tuple[str, str], dict[str, str]]:
    """(optimizer, argument) -> library -> what the table says. An empty first cell repeats the one above."""
    rows = [line.strip("|").split("|") for line in GUIDE.read_text(encoding="utf-8").splitlines() if line[:1] == "|"]
    cells = [[cell.strip() for cell in row] for row in rows]
    start = next(number for number, row in enumerate(cells) if row[0] == "Optimizer")
    libraries, defaults, optimizer = cells[start][2:], {}, ""
    for row in cells[start + 2 :]:
        optimizer = row[0].strip("`") or optimizer
        argument = row[1].split("`")[1]
        defaults[optimizer, argument] = dict(zip(libraries, row[2:], strict=True))
    return defaults


def numbers(library: str) -> dict[tuple[str, str], float]:
    """The numbers of a column that can be chosen, without those that are fixed."""
    return {
        key: float(cells[library])
        for key, cells in table().items()
        if cells[library] not in ("-", "required", "none") and "fixed" not in cells[library]
    }


def in_code(name: str) -> dict[str, float]:
    parameters = signature(CLASSES[name]).parameters.values()
    return {parameter.name: parameter.default for parameter in parameters if isinstance(parameter.default, float)}


def test_typegrads_column_is_what_the_code_says() -> None:
    adam = in_code("Adam")
    assert in_code("AMSGrad") == adam
    assert in_code("AdamW") == {**adam, "weight_decay": 0.004}
    expected = {(name, argument): value for name in CLASSES for argument, value in in_code(name).items()}
    same = {(name, argument) for name in ("AMSGrad", "AdamW") for argument in adam}
    assert numbers("typegrad") == {key: value for key, value in expected.items() if key not in same}


def test_javas_column_and_the_code_say_what_java_has() -> None:
    java = {(name, argument): value for name, told in trajectories.JAVA.items() for argument, value in told.items()}
    assert numbers("TensorFlow Java") == java
    assert {(name, argument): in_code(name)[argument] for name, argument in java} == java


def test_kerass_column_is_what_was_recorded() -> None:
    recorded = trajectories.load()
    keys = {key: "Keras " + " ".join(key) for key in table()}
    assert numbers("Keras 3") == {key: float(recorded[name][0]) for key, name in keys.items() if name in recorded}
