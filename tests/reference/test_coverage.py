"""Which operations of TensorFlow are here: each one is, or there is a reason, and no reason is left over."""

from __future__ import annotations

import re

from support.entries import entries
from support.facts import facts
from typegrad.arguments.tensorflow_ops import NOT_YET, reasons, tensorflow_ops
from typegrad_reference.entries.coverage import coverage


def test_every_operation_is_counted_once() -> None:
    groups = coverage(entries().values())
    counted = [listed.name for group in groups for listed, _ in group.here]
    counted += [listed.name for group in groups for _, ops in group.missing for listed in ops]
    assert sorted(counted) == sorted(listed.name for listed in tensorflow_ops())
    assert sum(group.size for group in groups) == len(counted)


def test_tensorflow_java_s_classes_are_counted() -> None:
    """Its public classes, whatever the group; other operations of TensorFlow are beside them."""
    public = {
        name for name, fact in facts().items() if fact.get("java", {}).get("visibility") in ("visible", "default")
    }
    groups = coverage(entries().values())
    assert sum(group.java_size for group in groups) == len(public)
    assert sum(group.java_here for group in groups) == len(public & entries().keys())
    assert {group.group for group in groups} >= {facts()[name]["java"]["group"] for name in public}


def test_what_is_here_is_listed_under_java_s_group() -> None:
    by_group = {group.group: group for group in coverage(entries().values())}
    assert {listed.name: op.class_name for listed, op in by_group["linalg"].here}["Cholesky"] == "Cholesky"
    assert {why for why, _ in by_group["data"].missing} == {reasons()[4].why}
    assert by_group["bitwise"].missing == []


def test_no_reason_is_given_for_what_is_here() -> None:
    patterns = [pattern for reason in reasons() for pattern in reason.names]
    assert not [(name, pattern.pattern) for name in entries() for pattern in patterns if pattern.fullmatch(name)]


def test_every_part_of_a_reason_applies_to_an_operation() -> None:
    names = {listed.name for listed in tensorflow_ops()}
    groups = {listed.group for listed in tensorflow_ops()}
    unused = [group for reason in reasons() for group in reason.groups if group not in groups]
    for pattern in (pattern for reason in reasons() for pattern in reason.names):
        unused += [part for part in _alternatives(pattern.pattern) if not any(re.fullmatch(part, n) for n in names)]
    assert not unused


def _alternatives(pattern: str) -> list[str]:
    """The alternatives of a pattern that are not within parentheses."""
    parts, depth = [""], 0
    for character in pattern:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def test_reasons_are_sentences() -> None:
    whys = [NOT_YET, *(reason.why for reason in reasons())]
    assert all(why.startswith("They ") and why.endswith(".") for why in whys)
    assert len(set(whys)) == len(whys)
