"""The properties of the generated classes."""

from __future__ import annotations

from pathlib import Path

from support.rendering import functions, rendered, returned


def test_accessors_find_their_inputs_and_outputs_around_lists(library: Path, tmp_path: Path) -> None:
    body = """\
  types: {T: [number], Ts: [number]}
  inputs:
    first: {type: T, doc: First.}
    xs: {type: T, kind: many, doc: Xs.}
    middle: {type: T, doc: Middle.}
    rest: {type: Ts, kind: mixed, doc: Rest.}
    last: {type: T, doc: Last.}
  outputs: {head: {type: T, doc: Head.}, ys: {type: T, count: N, doc: Ys.}, tail: {type: T, doc: Tail.}}
  shape: unknown
  kernel: several
  gradient: {first: stop, xs: stop, middle: stop, rest: stop, last: stop}
  examples: [{inputs: {first: 1.0, xs: [1.0], middle: 1.0, rest: [], last: 1.0}}]
"""
    text = rendered(tmp_path, body)["demo/one.py"]
    assert {node.name: returned(node) for node in functions(text) if node.name not in ("inputs", "create", "of")} == {
        "first": "self._op.inputs[0]",
        "xs": "list_input(self._op, 1)",
        "middle": "list_input(self._op, 2)[0]",
        "rest": "list_input(self._op, 3)",
        "last": "self._op.inputs[-1]",
        "head": "self.op.outputs[0]",
        "ys": "self.op.output_list('ys')",
        "tail": "self.op.outputs[-1]",
    }
