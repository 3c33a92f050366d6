"""The docstrings of generated code."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import Final

from typegrad_codegen.dtypes import ordered
from typegrad_codegen.module import LIMIT, escaped
from typegrad_codegen.raised import raises
from typegrad_codegen.schema import Entry, EntryAttr, EntryInput, EntryType
from typegrad_codegen.unicode_math import formulas

__all__ = ["accessor_doc", "class_doc", "create_doc", "docstring", "filled"]

_CODE: Final = " " * 4
"""How the lines of a block of code begin, if it does not belong to an item of a list."""
_ITEM: Final = re.compile(r"\s*(?:[-*]|\d+\.)\s+")
_VERBATIM: Final = ("```", "|", "$$", "#")


def docstring(text: str, depth: int) -> str:
    """`text` as a docstring at this depth of indentation, its lines no longer than the limit."""
    width = LIMIT - 4 * depth
    lines = list(_wrapped(text.strip(), width))
    raw = "r" if "\\" in text else ""
    body = "\n".join(line.rstrip() for line in lines).replace('"""', "'''")
    if body.endswith(('"', "\\")):
        body += " "
    end = "" if "\n" not in body and len(body) + 6 + len(raw) <= width else "\n"
    return f'{raw}"""{escaped(body)}{end}"""\n'


def filled(markdown: str, width: int) -> str:
    """Wrap the paragraphs and list items of Markdown that have a line longer than `width`."""
    return "\n".join(_filled(markdown.splitlines(), width))


def _wrapped(text: str, width: int) -> Iterator[str]:
    """The lines of a docstring; quotation marks precede the first."""
    summary, *lines = text.splitlines()
    yield from _filled([summary], width - len('r"""'))
    yield from _filled(lines, width)


def _filled(lines: Iterable[str], width: int) -> Iterator[str]:
    """The lines of Markdown; a paragraph or list item with a line that is too long is rewrapped."""
    is_item = False
    for block in _blocks(lines):
        is_code = block[0].startswith(_CODE) and not is_item
        is_item = bool(_ITEM.match(block[0])) or (is_item and (not block[0].strip() or block[0].startswith(" ")))
        if is_code or block[0].lstrip().startswith(_VERBATIM) or all(len(line) <= width for line in block):
            yield from block
            continue
        hang = " " * _item(block[0])
        words = " ".join([block[0], *(line.strip() for line in block[1:])])
        yield from textwrap.wrap(words, width, subsequent_indent=hang, break_long_words=False, break_on_hyphens=False)


def _blocks(lines: Iterable[str]) -> Iterator[list[str]]:
    """Paragraphs, list items, whole code blocks and displayed formulas, single lines of tables, empty lines."""
    block: list[str] = []
    end = ""
    for line in lines:
        mark = line.strip()[:3] if line.lstrip().startswith("```") else line.strip()[:2]
        if end:
            block.append(line)
            end = "" if line.strip().endswith(end) else end
            continue
        if block and (
            not line.strip() or _ITEM.match(line) or line.lstrip().startswith(_VERBATIM) or not block[0].strip()
        ):
            yield block
            block = []
        block.append(line)
        if mark in ("```", "$$") and not (len(line.strip()) > len(mark) and line.strip().endswith(mark)):
            end = mark
    if block:
        yield block


def _item(line: str) -> int:
    """How far the text of a list item, or of a paragraph, is indented."""
    match = _ITEM.match(line)
    return match.end() if match else len(line) - len(line.lstrip())


def class_doc(op: Entry) -> str:
    """Summary, description, differences, with formulas in Unicode: editors show docstrings, but no LaTeX."""
    parts = [op.summary, op.description]
    if op.differences:
        parts.append(f"Differences from TensorFlow: {op.differences}")
    return formulas("\n\n".join(part for part in parts if part))


def create_doc(op: Entry, *, scope: bool) -> str:
    """Summary, arguments with their docs and types, return value, errors."""
    arguments = [("scope", "The scope in which to add the operation.")] if scope else []
    if op.tensor is not None:
        arguments.append((op.tensor.name, op.tensor.doc))
    arguments += [(each.name, _input_doc(op, each)) for each in op.inputs]
    arguments += [(each.name, _type_doc(op, each)) for each in op.explicit_types]
    arguments += [(each.name, _attr_doc(each)) for each in op.attrs if each is not op.tensor]
    sections = [formulas(op.summary), _section("Args", arguments), _returns(op), _section("Raises", raises(op))]
    return "\n\n".join(section for section in sections if section)


def accessor_doc(text: str) -> str:
    """The doc of one input, attribute or output as a sentence of its own."""
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _section(title: str, items: Iterable[tuple[str, str]]) -> str:
    lines = [_entry(f"{name}: {' '.join(text.split())}") for name, text in items]
    return "\n".join([f"{title}:", *lines]) if lines else ""


def _entry(text: str) -> str:
    width = LIMIT - 8
    return textwrap.fill(
        formulas(text),
        width,
        initial_indent="    ",
        subsequent_indent="        ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _input_doc(op: Entry, input_: EntryInput) -> str:
    parts = [accessor_doc(input_.doc)]
    attribute = op.types_by_name.get(input_.type)
    first = attribute is not None and next(other for other in op.inputs if other.type == input_.type) is input_
    if attribute is not None and first:
        parts.append(_types(attribute))
    if attribute is not None and not first:
        other = next(other for other in op.inputs if other.type == input_.type)
        parts.append(f"Of the type of `{other.name}`.")
    return " ".join(parts)


def _types(type_: EntryType) -> str:
    names = [leaf.name for leaf in ordered(type_.allowed)]
    return f"Type: {names[0]}." if len(names) == 1 else f"Type: {', '.join(names[:-1])} or {names[-1]}."


def _type_doc(op: Entry, type_: EntryType) -> str:
    outputs = [output.name for output in op.outputs if output.type == type_.name]
    what = f"The element type of `{'`, `'.join(outputs)}`." if outputs else "An element type."
    default = f" Default: {type_.default.name}." if type_.default is not None else ""
    follows = " By default the type of the value." if op.tensor is not None and outputs else ""
    return f"{what} {_types(type_)}{default}{follows}"


def _attr_doc(attr: EntryAttr) -> str:
    least = ""
    if attr.minimum is not None:
        least = f" At least {attr.minimum}{' elements' if attr.type.startswith('list(') else ''}."
    return accessor_doc(attr.doc) + least


def _returns(op: Entry) -> str:
    if not op.outputs:
        return "Returns:\n    The operation, which has no output."
    if op.is_operand:
        return f"Returns:\n{_entry(accessor_doc(op.outputs[0].doc))}"
    lines = [_entry(f"`{each.name}`: {accessor_doc(each.doc)}") for each in op.outputs]
    return "\n".join(["Returns:", "    The operation, with these outputs:", "", *(_listed(line) for line in lines)])


def _listed(entry: str) -> str:
    return entry.replace("    ", "    - ", 1)
