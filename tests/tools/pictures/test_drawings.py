"""Text, Graphviz and Mermaid: exact for a small graph, and safe for any names."""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np
import pytest

import typegrad as tg
from tools.pictures.examples import masked
from typegrad.op import core, math, nn

TEXT: Final = """\
Gradient of loss
x = Placeholder(shape=[Batch, 2]) -> float32 [Batch, 2]
w1/initial_value = Const(value=float32 [2, 1]: [[0], [0]]) -> float32 [2, 1]
w1/handle = VarHandleOp(shape=[2, 1], shared_name=w1) -> resource []  [x, gradient path, state]
w1/initialize = AssignVariableOp(resource=w1/handle, value=w1/initial_value)  [state]
w2/initial_value = Const(value=float32 [2, 1]: [[1], [1]]) -> float32 [2, 1]
w2/handle = VarHandleOp(shape=[2, 1], shared_name=w2) -> resource []  [x, masked, state]
w2/initialize = AssignVariableOp(resource=w2/handle, value=w2/initial_value)  [state]
student/ReadVariableOp = ReadVariableOp(resource=w1/handle) -> float32 [2, 1]  [gradient path, state]
student/MatMul = MatMul(a=x, b=student/ReadVariableOp) -> float32 [Batch, 1]  [gradient path]
teacher/ReadVariableOp = ReadVariableOp(resource=w2/handle) -> float32 [2, 1]  [masked, state]
teacher/MatMul = MatMul(a=x, b=teacher/ReadVariableOp) -> float32 [Batch, 1]  [masked]
teacher/StopGradient = StopGradient(input=teacher/MatMul) -> float32 [Batch, 1]  [masked, stops gradients]
Sub = Sub(x=student/MatMul, y=teacher/StopGradient) -> float32 [Batch, 1]  [gradient path]
square = Square(x=Sub) -> float32 [Batch, 1]  [gradient path]
loss/axis = Const(value=int32 [2]: [0, 1]) -> int32 [2]
loss = Mean(input=square, axis=loss/axis) -> float32 []  [y, gradient path]
"""

FOLDED: Final = """\
Gradient of loss
x = Placeholder(shape=[Batch, 2]) -> float32 [Batch, 2]
w1/ = 3 operations  [x, gradient path, state]
w2/ = 3 operations  [x, masked, state]
student/ = 2 operations of w1, x  [gradient path, state]
teacher/ = 3 operations of w2, x  [masked, stops gradients, state]
Sub = Sub(x=student/MatMul, y=teacher/StopGradient) -> float32 [Batch, 1]  [gradient path]
square = Square(x=Sub) -> float32 [Batch, 1]  [gradient path]
loss/ = 1 operation
loss = Mean(input=square, axis=loss/axis) -> float32 []  [y, gradient path]
"""

INNER: Final = """\
teacher
x = Placeholder(shape=[Batch, 2]) -> float32 [Batch, 2]
w2/handle = VarHandleOp(shape=[2, 1], shared_name=w2) -> resource []  [state]
teacher/ReadVariableOp = ReadVariableOp(resource=w2/handle) -> float32 [2, 1]  [state]
teacher/MatMul = MatMul(a=x, b=teacher/ReadVariableOp) -> float32 [Batch, 1]
teacher/StopGradient = StopGradient(input=teacher/MatMul) -> float32 [Batch, 1]  [stops gradients]
"""

DOT: Final = """\
  label="Gradient of loss"
  n0 [label="Placeholder\\nx", tooltip="x"]
  n1 [label="w1\\n3 operations\\n(x)", tooltip="w1", peripheries=2, color="#1d4ed8", fillcolor="#dbe7ff", \
penwidth=2.5, shape=box3d]
  n2 [label="w2\\n3 operations\\n(x)", tooltip="w2", peripheries=2, color="#6b7280", fillcolor="#f1f2f4", penwidth=1, \
style="filled,dashed", shape=box3d]
  n3 [label="student\\n2 operations", tooltip="student", color="#1d4ed8", fillcolor="#dbe7ff", \
penwidth=2.5, shape=box3d]
  n4 [label="teacher\\n3 operations", tooltip="teacher", color="#6b7280", fillcolor="#f1f2f4", penwidth=1, \
style="filled,dashed", shape=box3d]
  n5 [label="Sub", tooltip="Sub", color="#1d4ed8", fillcolor="#dbe7ff", penwidth=2.5]
  n6 [label="Square\\nsquare", tooltip="square", color="#1d4ed8", fillcolor="#dbe7ff", penwidth=2.5]
  n7 [label="loss\\n1 operation", tooltip="loss", shape=box3d]
  n8 [label="Mean\\nloss\\n(y)", tooltip="loss", peripheries=2, color="#1d4ed8", fillcolor="#dbe7ff", penwidth=2.5]
  n1 -> n3 [label="resource []", color="#1d4ed8", penwidth=2.5]
  n0 -> n3 [label="float32 [Batch, 2]"]
  n2 -> n4 [label="resource []"]
  n0 -> n4 [label="float32 [Batch, 2]"]
  n3 -> n5 [label="float32 [Batch, 1]", color="#1d4ed8", penwidth=2.5]
  n4 -> n5 [label="float32 [Batch, 1]"]
  n5 -> n6 [label="float32 [Batch, 1]", color="#1d4ed8", penwidth=2.5]
  n6 -> n8 [label="float32 [Batch, 1]", color="#1d4ed8", penwidth=2.5]
  n7 -> n8 [label="int32 [2]"]
  subgraph cluster_legend {
    label="legend"; style=dotted
    path [label="gradient path", color="#1d4ed8", fillcolor="#dbe7ff", penwidth=2.5]
    masked [label="masked", color="#6b7280", fillcolor="#f1f2f4", penwidth=1, style="filled,dashed"]
  }
}
"""

MERMAID: Final = """\
flowchart TD
  n0["Placeholder<br/>x"]
  subgraph s0["w2"]
    n1[("VarHandleOp<br/>handle")]
  end
  subgraph s1["teacher"]
    n2[("ReadVariableOp")]
    n3["MatMul"]
    n4{{"StopGradient"}}
  end
  n1 -->|"resource []"| n2
  n0 -->|"float32 [Batch, 2]"| n3
  n2 -->|"float32 [2, 1]"| n3
  n3 -->|"float32 [Batch, 1]"| n4
  subgraph legend["legend"]
    mstop{{"stops gradients"}}
    mstate[("state")]
  end
  classDef stop fill:#fde7e4,stroke:#b42318,stroke-width:2px,color:#111827
  class n4,mstop stop
"""


def test_words() -> None:
    example = masked()
    assert example.graph.to_text(y=example.loss, x=[example.w1, example.w2]) == TEXT
    assert example.graph.to_text(y=example.loss) == TEXT, "the trainable variables are what x is by default"
    assert example.graph.to_text(y=example.loss, depth=0) == FOLDED
    assert example.graph.to_text(scope="teacher") == example.graph.to_text(scope="teacher/") == INNER


def test_graphviz() -> None:
    example = masked()
    header, _, rest = example.graph.to_dot(y=example.loss, depth=0).partition("  label=")
    assert "  label=" + rest == DOT
    assert header.startswith("digraph typegrad {\n") and "fillcolor" in header


def test_mermaid() -> None:
    assert masked().graph.to_mermaid(scope="teacher") == MERMAID


def test_marks_of_mermaid() -> None:
    example = masked()
    lines = example.graph.to_mermaid(y=example.loss).splitlines()
    assert '  n7 ==>|"float32 [2, 1]"| n8' in lines and '  n9 -->|"float32 [2, 1]"| n10' in lines
    assert [line for line in lines if line.startswith("  class ")] == [
        "  class n2,n7,n8,n12,n13,n15,mpath path", "  class n11,mstop stop", "  class n5,n9,n10,mmasked masked"
    ]  # fmt: skip
    assert sum("stroke-dasharray" in line for line in lines) == 1


def small() -> tg.Scope:
    """A graph with a control edge, several outputs, a list input, an attribute, and a gradient."""
    scope = tg.Scope(tg.Graph())
    first = core.NoOp.create(scope.with_name("first"))
    x = core.Placeholder.create(scope.with_name("x"), tg.TFloat32, shape=(3,))
    y = math.Exp.create(scope.with_control_dependencies([first]).with_name("y"), x)
    top = nn.TopK.create(scope.with_name("top"), y, 2)
    core.IdentityN.create(scope.with_name("both"), [top.values, top.indices])
    tg.grad(scope, core.Sum.create(scope.with_name("total"), y, 0, keep_dims=True), x)
    return scope


def test_control_edges_lists_and_several_outputs() -> None:
    lines = small().graph.to_text().splitlines()
    assert lines[0] == f"Graph of {len(lines) - 1} operations" and lines[1] == "first = NoOp()"
    assert "y = Exp(x=x) -> float32 [3] after first" in lines
    assert "top = TopKV2(input=y, k=top/k, sorted=True) -> values: float32 [2], indices: int32 [2]" in lines
    assert "both = IdentityN(input[0]=top:0, input[1]=top:1) -> output[0]: float32 [2], output[1]: int32 [2]" in lines
    assert "total = Sum(input=y, axis=total/axis, keep_dims=True) -> float32 [1]" in lines


def test_control_edges_are_dashed_and_gradients_rounded() -> None:
    graph = small().graph
    dot, mermaid = graph.to_dot(), graph.to_mermaid()
    assert "  n0 -> n2 [style=dashed]" in dot and "  n0 -.-> n2" in mermaid
    assert 'added [label="added by a gradient", color="#8a5a00"' in dot
    boxes = dot.count('style="filled,rounded"')
    assert boxes == mermaid.count('("') == len(graph.gradient_operations) + 1, "and one in the legend"
    assert 'label="values: float32 [2], indices: int32 [2]"' in dot


def test_an_arrow_with_many_values_only_counts_them() -> None:
    scope = tg.Scope(tg.Graph())
    parts = core.Split.create(scope, 0, core.Constant.create(scope, np.ones(3, np.float32)), num_split=3)
    core.Stack.create(scope, parts.output)
    assert '|"3 values"|' in scope.graph.to_mermaid()


def test_scopes_are_nested_and_opened_to_the_depth_that_is_asked_for() -> None:
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope.with_sub_scope("a").with_name("x"), tg.TFloat32)
    math.Neg.create(scope.with_sub_scope("b").with_sub_scope("c").with_sub_scope("d"), x)
    titles = {
        depth: re.findall(r'^ *subgraph s\d\["(.*?)"\]', scope.graph.to_mermaid(depth=depth), re.MULTILINE)
        for depth in (None, 0, 1, 2, 3)
    }
    assert titles == {None: list("abcd"), 0: [], 1: ["a", "b"], 2: ["a", "b", "c"], 3: list("abcd")}
    assert '  n1[["b<br/>1 operation"]]' in scope.graph.to_mermaid(depth=0).splitlines()


HOSTILE: Final = 'a"b\\n\n</script><!-- `c` #35; <i>|d|</i> $e$ \x1b[31m\u202e'
"""The name of a dimension, which may be any text."""


def hostile() -> tg.Graph:
    """A graph with names that mean something to Graphviz, Mermaid, HTML or a terminal."""
    scope = tg.Scope(tg.Graph())
    x = core.Placeholder.create(scope.with_name("a\\n>b"), tg.TFloat32, shape=(HOSTILE,))
    math.Neg.create(scope.with_sub_scope("end").with_sub_scope("class\\l").with_name("end"), x)
    core.Constant.create(scope.with_name("graph"), [HOSTILE.encode()], tg.TString)
    return scope.graph


def test_words_stay_on_their_lines() -> None:
    text = hostile().to_text()
    assert len(text.splitlines()) == 4 and all(line.isprintable() for line in text.splitlines())
    assert r'shape=[a"b\n\n</script><!-- `c` #35; <i>|d|</i> $e$ \x1b[31m\u202e]' in text


def test_graphviz_has_no_text_outside_of_strings() -> None:
    dot = hostile().to_dot()
    quoted = re.compile(r'"((?:[^"\\]|\\.)*)"')
    assert re.fullmatch(r"[\w\s{}\[\]=,;.>-]*", quoted.sub("", dot)), "what is left is Graphviz's own"
    labels = [re.sub(r"\\(.)", lambda sign: "\n" if sign[1] == "n" else sign[1], text) for text in quoted.findall(dot)]
    assert f"float32 [{HOSTILE}]" in labels and "Placeholder\na\\n>b" in labels and "class\\l" in labels


def test_mermaid_has_no_markup_in_labels() -> None:
    mermaid = hostile().to_mermaid()
    labels = re.findall(r'"(.*?)"', mermaid)
    assert all(re.fullmatch(r"(?:[\w .,:/()\[\]?+=-]|<br/>|#\d+;)*", label) for label in labels)
    decoded = [re.sub(r"#(\d+);", lambda sign: chr(int(sign[1])), label) for label in labels]
    assert f"float32 [{HOSTILE}]".replace("\\n", "\\\u2060n") in decoded


def test_a_depth_is_a_count() -> None:
    with pytest.raises(tg.AttributeValueError, match=r"depth is how many levels .* an int from 0 up, .* got -1"):
        tg.Graph().to_dot(depth=-1)


def test_an_unknown_scope_is_an_error_that_knows_similar_ones() -> None:
    with pytest.raises(tg.GraphError, match="no scope is called 'techer'; similar names are 'teacher', "):
        masked().graph.to_text(scope="techer")
    with pytest.raises(tg.GraphError, match="no scope is called 'a'; the graph has no scopes"):
        tg.Graph().to_text(scope="a")


def test_operands_must_be_operands_of_the_graph() -> None:
    graph, other = tg.Graph(), masked()
    with pytest.raises(tg.GraphError, match="'loss:0' .*, given as y, belongs to another graph than the picture's"):
        graph.to_text(y=other.loss)
    with pytest.raises(tg.GraphError, match="'w1' .*, given as x, belongs to another graph"):
        graph.to_text(x=[other.w1])
    wrong: Any = "loss"
    with pytest.raises(tg.DTypeError, match="`y` must be an Operand or a list of Operands, not str 'loss'"):
        graph.to_text(y=wrong)
    with pytest.raises(tg.DTypeError, match="`x` must be an Operand or a Variable or a list of .*, not str 'loss'"):
        graph.to_text(x=wrong)


def test_an_empty_graph_has_a_picture() -> None:
    graph = tg.Graph()
    assert graph.to_text() == "Graph of 0 operations\n" and graph.to_mermaid() == "flowchart TD\n"
    assert graph.to_dot().endswith('  label="Graph of 0 operations"\n}\n')
    assert tg.Graph().to_text(title="Nothing") == "Nothing\n"
