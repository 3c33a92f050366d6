"""Pages: parsing them, running them, and saying what is wrong with them."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Final

import pytest

from typegrad_reference.guides.checking import main, refresh, run
from typegrad_reference.guides.page_types import check_types
from typegrad_reference.guides.pages import Code, Output, Page, PageError, Picture, Prose, parse

ROOT: Final = Path(__file__).parents[2]
PATH: Final = Path("a-page.md")


def page(text: str, path: Path = PATH) -> Page:
    return parse(textwrap.dedent(text).lstrip("\n"), path)


def shown(text: str) -> list[str]:
    """What the blocks of a page show after a run."""
    return [block.text for block in run(page(text)).blocks if isinstance(block, Output)]


PARTS: Final = """
    # Title

    ```python new raises mypy
    1 / 0
    ```
    ```text
    ZeroDivisionError: division by zero
    ```

    ```text
    error
    ```
    <!-- picture: graph, y=loss -->
    Prose.

    <!-- picture: graph -->
    ```mermaid
    flowchart TD
    ```
    <!-- append: ops/matmul.yaml -->
    ```yaml
    Cross: {}
    ```
    The end."""


def test_a_page_is_its_blocks() -> None:
    result = page(PARTS)
    kinds = [type(block) for block in result.blocks if not isinstance(block, Prose)]
    assert kinds == [Code, Output, Output, Picture, Picture, Code]
    assert [block.kind for block in result.blocks if isinstance(block, Output)] == ["raises", "mypy"]
    code = [block for block in result.blocks if isinstance(block, Code)]
    assert [(block.line, block.file, block.appends) for block in code] == [
        (4, "", False),
        (22, "ops/matmul.yaml", True),
    ]
    assert (result.title, result.name, result.changes_project, result.writes_files) == ("Title", "a-page", True, True)


def test_nothing_of_a_page_is_lost() -> None:
    source = textwrap.dedent(PARTS)
    written = page(PARTS).source
    assert written == source.lstrip("\n").replace("y=loss -->\n", "y=loss -->\n```mermaid\n```\n")
    assert parse(written, PATH).source == written


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("```ruby\n```\n", "a-page.md:1: the language of a block is one of python, sh, .*, not 'ruby'"),
        ("\n```\n```\n", "a-page.md:2: the language of a block is one of python, .*, not ''"),
        ("```python fails\n```\n", "a-page.md:1: python may be followed by prints, raises, .*, not 'fails'"),
        ("```yaml new\n```\n", "a-page.md:1: yaml may be followed by nothing, not 'new'"),
        ("```python\n```\nProse.\n```text\n```\n", "a-page.md:4: a text block shows what the code right above prints"),
        ("```python\n```\n```text\n```\n```text\n```\n", "a-page.md:5: a text block shows what the code right above"),
        ("```yaml\n```\n```text\n```\n", "a-page.md:3: a text block shows what the code right above prints"),
        ("Prose.\n\n- ```python\n  ```\n", "a-page.md:4: a block starts and ends with ``` at the very start of a line"),
        ("Prose.\n```python\nx = 1\n", "a-page.md:2: a block starts and ends with ```"),
        (
            "<!-- picture: graph -->\n```python\n```\n",
            "a-page.md:1: a picture is followed by a ```mermaid block, or by none",
        ),
        (
            "<!-- file: a.py -->\n\nProse.\n",
            "a-page.md:1: a block with what is written to a.py must follow right below",
        ),
        ("<!-- picture: graph, \n y=y -->\n", "a-page.md:1: a block starts and ends with ```"),
    ],
)
def test_what_keeps_no_convention_is_refused(text: str, message: str) -> None:
    with pytest.raises(PageError, match=message):
        parse(text, PATH)


def test_a_page_without_a_title() -> None:
    with pytest.raises(PageError, match="a-page.md:1: a page starts with its title"):
        print(parse("Prose.\n", PATH).title)


# Runs


def test_the_parts_are_one_program_and_output_is_written() -> None:
    text = """
        ```python
        from dataclasses import dataclass

        @dataclass
        class Point:
            x: int
        ```

        ```python
        print(Point(3), __name__, __file__)
        ```

        ```python new
        print("Point" in globals(), __file__)
        ```
        """
    assert shown(text) == ["Point(x=3) a_page a_page.py\n", "False a_page_2.py\n"]


def test_output_that_is_out_of_date_is_replaced_and_what_prints_nothing_shows_nothing() -> None:
    text = "```python\nprint('new')\n```\n```text\nold\n```\n\n```python\nx = 1\n```\n\n```text\nold\n```\n"
    assert run(parse(text, PATH)).source == "```python\nprint('new')\n```\n```text\nnew\n```\n\n```python\nx = 1\n```\n"


def test_errors_are_shown_with_the_line_of_the_program() -> None:
    text = """
        ```python
        import typegrad as tg
        from typegrad.op import core
        scope = tg.Scope(tg.Graph())
        ```

        ```python raises
        print("before")
        x = core.Constant.create(scope, 1.0)
        core.Constant.create(scope, 1) + x
        ```
        """
    (error,) = shown(text)
    assert error.startswith(
        "before\ntypegrad.DTypeError: AddV2 'AddV2' (a_page.py:6): input `x` is int32, but `y` is float32"
    )
    assert "created at a_page.py:5)" in error


def test_a_picture_is_drawn_where_it_stands() -> None:
    text = """
        ```python
        import typegrad as tg
        from typegrad.op import core
        graph = tg.Graph()
        x = core.Placeholder.create(tg.Scope(graph).with_name("x"), tg.TFloat32)
        ```

        <!-- picture: graph, y=x, x=[x] -->

        ```python
        y = core.Placeholder.create(tg.Scope(graph).with_name("later"), tg.TFloat32)
        ```
        """
    (mermaid,) = [block.drawing for block in run(page(text)).blocks if isinstance(block, Picture)]
    assert mermaid.startswith("flowchart") and "Placeholder<br/>x" in mermaid and "later" not in mermaid
    (html,) = [
        b.drawing for b in run(page(text), draw="typegrad.tools.pictures:figure").blocks if isinstance(b, Picture)
    ]
    assert "<figure" in html and "later" not in html


def test_files_are_there_for_the_commands_and_programs_below() -> None:
    text = """
        <!-- file: parts/model.py -->
        ```python
        SIZE = 3
        ```

        ```sh
        python -c "print('a command')"  # a comment

        typegrad --version
        ```

        ```sh raises
        python missing.py
        ```

        ```python
        from parts.model import SIZE
        print(SIZE)
        ```
        """
    printed, failed, size = shown(text)
    assert printed.startswith("a command\ntypegrad ")
    assert "can't open file 'missing.py'" in failed
    assert size == "3\n"


def test_commands_that_install_and_libraries_that_are_missing_stay_as_they_are() -> None:
    text = "```sh install\nmake demo\n```\n\n```python tensorflow\nimport no_such_library\n```\n\n```text\nkept\n```\n"
    try:
        import_tensorflow()
    except ImportError:
        assert run(parse(text, PATH)).source == text
    else:
        pytest.skip("TensorFlow is installed, so its programs run")


def import_tensorflow() -> None:
    from importlib import import_module

    import_module("tensorflow")


def test_code_of_another_library_is_a_program_of_its_own() -> None:
    text = "```python\nx = 1\n```\n\n```python numpy\nimport numpy\nprint('x' in globals())\n```\n"
    assert shown(text) == ["False\n"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "\n```python\nx = 1\nx.y\n```\n",
            "a-page.md:3: this block raises an error; if it should, write ```python raises\n",
        ),
        ("```python\nx = 1\nx.y\n```\n", "AttributeError: 'int' object has no attribute 'y'"),
        ("```python raises\nx = 1\n```\n", "a-page.md:2: this block should raise an error, but does not"),
        (
            "```sh\nrm -r x\n```\n",
            "a-page.md:2: 'rm' cannot be run here, only mypy, python, typegrad; mark what installs",
        ),
        ("```sh\npython no.py\n```\n", "a-page.md:2: this command fails; if it should, write ```sh raises\n.*no.py"),
        ("```sh raises\npython -V\n```\n", "a-page.md:2: this command should fail, but does not"),
        ("<!-- picture: graph -->\n", r"a-page.md:1: the picture of \(graph\) fails: NameError: name 'graph' is not"),
        (
            "<!-- file: a.py -->\n```python\n```\n" * 2,
            "a-page.md:6: a.py is there already; to add to it, write `append`",
        ),
        ("```python\nimport os\nos._exit(3)\n```\n", "a-page.md: the process that ran it ended with status 3"),
    ],
)
def test_what_does_not_run_as_it_says_is_refused(text: str, message: str) -> None:
    with pytest.raises(PageError, match=message):
        run(parse(text, PATH))


def test_a_page_that_adds_to_the_project_runs_on_a_copy_of_it() -> None:
    text = """
        <!-- append: framework/typegrad/base/shape.py -->
        ```python
        ADDED = "to a copy"
        ```

        ```python
        from typegrad.base.shape import ADDED
        print(ADDED)
        ```
        """
    result = run(page(text, ROOT / "docs" / "guides" / "a-page.md"))
    assert [block.text for block in result.blocks if isinstance(block, Output)] == ["to a copy\n"]
    assert "ADDED" not in (ROOT / "framework" / "typegrad" / "base" / "shape.py").read_text(encoding="utf-8")


def test_a_page_outside_of_a_checkout_cannot_add_to_it(tmp_path: Path) -> None:
    text = "<!-- append: ops/matmul.yaml -->\n```yaml\n```\n"
    with pytest.raises(PageError, match="adds to files of the project, so it must be in a checkout of it"):
        run(parse(text, tmp_path / "a-page.md"))


def test_only_files_of_the_project_can_be_added_to() -> None:
    text = "<!-- append: ops/no.yaml -->\n```yaml\n```\n"
    with pytest.raises(PageError, match="a-page.md:3: ops/no.yaml is not a file of the project"):
        run(parse(text, ROOT / "docs" / "a-page.md"))


# Types


def test_types_are_shown_where_asked_for_and_problems_are_listed(tmp_path: Path) -> None:
    good = "```python\nx = 1\n```\n\n```python mypy\nreveal_type(x)\nx = 'a'\n```\n"
    (checked,) = check_types([parse(good, PATH)], cache=tmp_path)
    (output,) = [block for block in checked.blocks if isinstance(block, Output)]
    note, error = output.text.splitlines()
    assert note.startswith('note: Revealed type is "') and note.endswith('int"')
    assert error.startswith("error: Incompatible types in assignment") and error.endswith("[assignment]")
    bad = parse(
        "Text.\n\n```python\nx: int = 1\n```\n```python\nx = 'a'\n```\n```python mypy\nx = 2\n```\n", Path("bad.md")
    )
    with pytest.raises(PageError, match=r"bad\.md:7: error: Incompatible types(.|\n)*bad\.md:10: mypy says nothing"):
        check_types([bad], cache=tmp_path)
    new = parse("```python\nx = 1\n```\n```python new\nx = 'a'\n```\n```python jax\nx = b''\n```\n", PATH)
    assert check_types([new], cache=tmp_path) == [new]


# The command


def test_the_command_says_what_would_change_and_changes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.md"
    path.write_text("# Page\n\n```sh\npython -c 'print(1)'\n```\n")
    assert main([str(path)]) == 1
    assert "+```text\n+1\n+```\n" in capsys.readouterr().out
    assert "text" not in path.read_text()
    assert main(["--write", str(path)]) == 0
    assert path.read_text().endswith("```\n\n```text\n1\n```\n")
    capsys.readouterr()
    assert main([str(path)]) == 0
    assert capsys.readouterr().out == ""


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.md"
    path.write_text("```ruby\n```\n")
    assert main([str(path)]) == 1
    assert "page.md:1: the language" in capsys.readouterr().err
    assert main([str(tmp_path / "no.md")]) == 1
    assert "No such file" in capsys.readouterr().err


def test_refresh_checks_types_and_runs() -> None:
    (fresh,) = refresh([parse("```sh\npython -c 'print(2)'\n```\n", PATH)])
    assert fresh.source.endswith("```text\n2\n```\n")
