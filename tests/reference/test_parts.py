"""What pages are made of: programs, docstrings, Markdown, code, names, the API."""

from __future__ import annotations

import pkgutil
import re
from typing import Any, Final

import pytest

import typegrad as tg
from support.entries import entries
from typegrad.graph.operators import Operators
from typegrad.op import core
from typegrad_reference.entries import api, docstrings, examples
from typegrad_reference.entries.neighbours import library_of, neighbours
from typegrad_reference.entries.sources import Sources
from typegrad_reference.site import highlighting, markup
from typegrad_reference.site.context import Context, Links

WITHOUT_PAGE: Final = {
    "arguments": "how the arguments of public functions are checked",
    "common": "`typegrad` has its names",
    "defaults": "named by entries",
    "differentiation": "`tg.gradients` and its like are on the page of `typegrad`",
    "dry_run": "what mypy's plugin finds by it is in the guide of static typing",
    "graph": "on the page of `typegrad`",
    "kernels": "named by entries",
    "op": "the operations",
    "rules": "named by entries",
    "session": "on the page of `typegrad`",
    "shapes": "named by entries",
}
"""Folders and modules without a page, and why."""


@pytest.fixture
def page() -> Context:
    links = Links()
    links.add("ops/math/Add.html", "math.Add", "Add", "math.add")
    links.add("api/typegrad.html#grad", "tg.grad", "grad")
    links.files["docs/guides/training.md"] = "guides/training.html"
    return Context("guides/here.html", links, Sources(), [])


# Programs


def test_python_operators_make_the_operations_they_are_listed_for() -> None:
    scope = tg.Scope(tg.Graph())
    numbers = {
        "x": core.Constant.create(scope, [[1.0, 2.0], [3.0, 4.0]]),
        "y": core.Constant.create(scope, [[5.0, 6.0], [7.0, 8.0]]),
    }
    truths = {"x": core.Constant.create(scope, [True]), "y": core.Constant.create(scope, [False])}
    integers = {name: core.Constant.create(scope, [6, 3]) for name in "xy"}
    stacks = {name: core.Constant.create(scope, [[[1.0]]]) for name in "xy"}
    special: dict[str, dict[str, Any]] = {"math.Logical": truths, "bitwise.": integers, "train.BatchMatMul": stacks}
    for name, expression in examples.operators().items():
        values = next((each for start, each in special.items() if name.startswith(start)), numbers)
        result: Any = eval(expression.format("x", "y"), {}, dict(values))
        assert f"{type(result).__module__.split('.')[2]}.{type(result).__name__}" == name


def test_every_operator_is_listed() -> None:
    reflected = {f"__r{name[2:]}" for name in examples.SYMBOLS}
    others = {"__getitem__", "__array_function__", "__array_ufunc__", "__bool__", "__format__", "__iter__"}
    own = {name for name, value in vars(Operators).items() if callable(value) and name.startswith("__")}
    own -= {name for name in own if vars(Operators)[name].__name__ == "refused"}
    inherited = {"__init_subclass__", "__class_getitem__"}
    assert own - reflected - others - inherited == set(examples.SYMBOLS)


@pytest.mark.parametrize(
    ("name", "number", "style", "line"),
    [
        ("MatMul", 0, "Classes", "product = linalg.MatMul.create(scope, a, b)"),
        ("MatMul", 0, "Facade", "product = tf.linalg.mat_mul(a, b)"),
        ("MatMul", 0, "Operators", "product = a @ b"),
        ("MatMul", 1, "Classes", "product = linalg.MatMul.create(scope, a, b, transpose_a=True)"),
        ("Sum", 0, "Facade", "output = tf.sum(input_, 0)"),
        ("Cast", 0, "Classes", "y = dtypes.Cast.create(scope, x, tg.TInt32)"),
        ("Const", 0, "Classes", "output = core.Constant.create(scope, [[1, 2], [3, 4]])"),
        ("Placeholder", 0, "Classes", "output = core.Placeholder.create(scope, tg.TFloat32, shape=(None, 3))"),
        ("IdentityN", 0, "Classes", '    print(*session.run(identity_n.output), sep="\\n")'),
        ("AssignVariableOp", 0, "Classes", "resource = tg.Variable.create(scope, [1.0, 2.0])"),
        ("RandomUniform", 0, "Classes", "scope = tg.Scope(tg.Graph(seed=1))"),
        ("StopGradient", 0, "Facade", "(d_input,) = tg.gradients(tf.scope, output, (input_,))"),
        ("Maximum", 1, "Classes", "d_x, d_y = tg.gradients(scope, z, (x, y))"),
        ("Maximum", 1, "Classes", "    print(session.run(d_y))"),
        ("Conj", 0, "Classes", "input_ = core.Constant.create(scope, [(1+2j), -3j], tg.TComplex64)"),
    ],
)
def test_programs(name: str, number: int, style: str, line: str) -> None:
    op = entries()[name]
    program = next(each for each in examples.programs(op, op.examples[number]) if each.style == style)
    assert line in program.text.splitlines()


def test_there_is_no_operator_where_there_are_attributes() -> None:
    op = entries()["MatMul"]
    assert [program.style for program in examples.programs(op, op.examples[1])] == ["Classes", "Facade"]


# Names


def test_no_line_of_a_program_is_long() -> None:
    op = entries()["ResourceApplyAdam"]
    (text, _) = (program.text for program in examples.programs(op, op.examples[0]))
    assert max(map(len, text.splitlines())) <= 88
    assert "\n    scope, var.handle, m.handle, v.handle, beta1_power, beta2_power, lr, beta1, beta2,\n" in text


def test_neighbours_know_each_other() -> None:
    near = neighbours(entries().values())
    for name, others in near.items():
        assert name not in {other.name for other in others}, f"{name} is its own neighbour"
        assert all(name in {op.name for op in near[other.name]} for other in others)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("tf.matmul", "tensorflow"),
        ("tf.raw_ops.MatMul", "raw-ops"),
        ("org.tensorflow.op.core.Sum", "java"),
        ("jax.nn.relu", "jax"),
    ],
)
def test_libraries_are_told_apart(name: str, key: str) -> None:
    assert library_of(name).key == key


def test_a_name_of_an_unknown_library_is_refused() -> None:
    with pytest.raises(LookupError, match="'mx.sum' starts like no library that is known: see LIBRARIES"):
        library_of("mx.sum")


# Docstrings and the API


def test_code_at_the_beginning_of_a_docstring_stays_code() -> None:
    assert docstrings.parse("Do it.\n\n    do(it)\n\nDone.\n").body == "    do(it)\n\nDone."


def test_docstrings_are_taken_apart() -> None:
    result = docstrings.parse(
        """Do it.

        More of it,
        in two lines.

        Args:
            x: The first,
                with a second line.
            *rest: The others.

        Returns:
            What is done.

        Raises:
            ValueError: It cannot be done.

        Source: somebody.
        """
    )
    assert result.summary == "Do it."
    assert result.body == "More of it,\nin two lines.\n\nSource: somebody."
    assert [(item.name, item.doc) for item in result.parameters] == [
        ("x", "The first, with a second line."),
        ("*rest", "The others."),
    ]
    assert result.returns == "What is done."
    assert [(item.name, item.doc) for item in result.errors] == [("ValueError", "It cannot be done.")]
    assert docstrings.parse(None).summary == ""


@pytest.mark.parametrize("name", api.MODULES)
def test_everything_public_is_said_something_about(name: str) -> None:
    module = api.module(name, Sources())
    assert module.doc.summary
    assert module.entries
    silent = [entry.name for entry in module.entries if entry.kind != "value" and not entry.doc.summary]
    silent += [
        f"{entry.name}.{member.name}"
        for entry in module.entries
        for member in entry.members
        if not member.doc.summary and member.name != entry.name
    ]
    assert not silent


def test_a_constructor_is_shown_without_a_result() -> None:
    """attrs annotates the ones that it writes with None itself, not with its name."""
    classes = {entry.name: entry for entry in api.module("typegrad", Sources()).entries}
    signatures = [*classes["GradientDifference"].members[0].signatures, *classes["Graph"].members[0].signatures]
    assert len(signatures) == 2
    assert all(signature.endswith(")") for signature in signatures)


def test_every_module_has_a_page_or_a_reason() -> None:
    there = {name for _, name, _ in pkgutil.iter_modules(tg.__path__) if not name.startswith("_")}
    shown = {name.split(".")[1] for name in api.MODULES if "." in name}
    assert there - shown - set(WITHOUT_PAGE) == set()
    assert set(WITHOUT_PAGE) <= there


# Markdown and code


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("`math.Add`", '<a href="../ops/math/Add.html"><code>math.Add</code></a>'),
        ("`tg.grad(scope, y, x)`", '<a href="../api/typegrad.html#grad"><code>tg.grad(scope, y, x)</code></a>'),
        ("`grad`", "<code>grad</code>"),
        ("[here](training.md#fit)", '<a href="training.html#fit">here</a>'),
        ("[`math.Add`](training.md)", '<a href="training.html"><code>math.Add</code></a>'),
        ("[folder](../../benchmarks)", "folder"),
        ("[out](https://x.org)", '<a href="https://x.org" rel="external noreferrer">out</a>'),
        ("<b>", "&lt;b&gt;"),
        ("<!-- not this -->\na b", "a b"),
        ("`<!-- this -->`", "<code>&lt;!-- this --&gt;</code>"),
    ],
)
def test_markdown(page: Context, text: str, html: str) -> None:
    assert page.markdown(text, file="docs/guides/here.md") == f"<p>{html}</p>\n"
    assert not page.problems


def test_formulas_become_mathml(page: Context) -> None:
    html = page.inline(r"so $\overline{\mathrm{x}} = \frac{1}{2}$")
    assert '<mrow class="over">' in html and "<mfrac>" in html


def test_a_paragraph_that_is_a_formula_is_a_block(page: Context) -> None:
    html = markup.block("With\n\n$x^2$\n\nand $y$.", page)
    assert html.count('<div class="formula"') == 1
    assert html.count('display="block"') == 1
    assert html.count("<p>") == html.count("</p>") == 2


def test_a_formula_that_cannot_be_read_is_reported(page: Context) -> None:
    page.inline(r"$x^$ and $\nosuch{x}$")
    assert page.problems == [
        "guides/here.html: the formula x^ cannot be read: MissingSuperScriptOrSubscriptError",
        r"guides/here.html: the formula \nosuch{x} has a command that is not known",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<script>boom()</script>", "&lt;script&gt;", "&#60;script&#62;", "&amp;#60;script>", "</math><img src=x>",
        "a<b>c",
        "&#x3c;!--", "]]>", '"><b>',
    ],
)  # fmt: skip
@pytest.mark.parametrize("latex", [r"\text{%s}", "%s", r"\mathrm{%s}", r"\operatorname{%s}", r"\frac{%s}{2}"])
def test_a_formula_holds_no_html(page: Context, latex: str, text: str) -> None:
    html = page.inline(f"${latex % text}$")
    tags = set(re.findall(r"<\W*([^\s>/]*)", html))
    assert tags <= {"math", "mrow", "mi", "mo", "mn", "mtext", "mfrac", "mspace", "mtable", "mtr", "mtd", "msub"}, html
    assert "<script" not in html and "<b>" not in html


@pytest.mark.parametrize(
    ("latex", "name"),
    [
        (r"\href{javascript:boom()}{x}", "href"), (r"\class{a}{x}", "class"), (r"\style{color:red}{x}", "style"),
    ],
)  # fmt: skip
def test_a_formula_does_nothing_but_show(page: Context, latex: str, name: str) -> None:
    html = page.inline(f"${latex}$")
    assert name not in html and "boom" not in html
    assert page.problems == [f"guides/here.html: the formula {latex} sets {name!r}, which no formula may"]


def test_characters_of_formulas_are_written_as_they_are(page: Context) -> None:
    html = page.inline(r"$\alpha < \beta ← \text{a & b}$")
    assert all(part in html for part in ("<mi>\u03b1</mi>", "<mo>&lt;</mo>", "<mo>←</mo>", "a\xa0&amp;\xa0b"))


@pytest.mark.parametrize("language", ["klingon", "<b>", "{.python}"])
def test_code_in_an_unknown_language_is_shown_as_it_is(page: Context, language: str) -> None:
    html = markup.block(f"```{language}\na < b\n```", page)
    assert "<code>a &lt; b</code>" in html and "<b>" not in html and not page.problems


def test_a_picture_that_is_not_there_is_reported(page: Context) -> None:
    page.markdown("![Words](gone.png)", file="docs/guides/here.md")
    assert page.problems == ["guides/here.html: there is no picture docs/guides/gone.png"]


def test_headings_get_anchors_each_its_own(page: Context) -> None:
    html = markup.block("# One `two`\n\n## One\n\n## One\n", page, shift=1)
    assert re.findall(r'<h(\d) id="(.*?)">.*? href="#(.*?)" aria-label="Link to section (.*?)">#</a></h\1>', html) == [
        ("2", "one-two", "one-two", "One two"),
        ("3", "one", "one", "One"),
        ("3", "one-1", "one-1", "One"),
    ]


def test_names_in_code_are_links(page: Context) -> None:
    html = page.code("x = math.Add(Any, add, '<')")
    assert '<a href="../ops/math/Add.html">Add</a>' in html
    assert html.count("<a ") == 1
    assert "&lt;" in html


def test_a_token_over_two_lines_is_closed_and_opened_again() -> None:
    marks = "&#34;" * 3
    rows = highlighting.lines('"""a\nb"""\n', "python")
    assert rows == [f'<span class="s">{marks}a</span>', f'<span class="s">b{marks}</span>']
