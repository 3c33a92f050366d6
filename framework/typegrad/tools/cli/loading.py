"""Import a user's function and call it to build a graph.

Errors in the user's code are shown with the user's line, without the lines of this package.
"""

from __future__ import annotations

import inspect
import linecache
import sys
import sysconfig
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from functools import reduce
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Final, TypeAlias

from attrs import field, frozen

import typegrad
from typegrad.functions.facade import Facade
from typegrad.graph.graph import Graph
from typegrad.graph.operand import AnyOperand, Operand
from typegrad.graph.operation import Operation
from typegrad.graph.scope import Scope
from typegrad.graph.wrapper import Op
from typegrad.tools.cli.output import CommandError, fail

__all__ = ["LoadedGraph", "UserCode", "build", "import_user_module"]

_EXPECTED: Final = (
    "expected a Graph, an operand, a sequence or mapping of operands, or, from a function of a scope or graph, None"
)
_TAKES: Final = "expected a function of a Scope, a Graph, a tg.Ops or of nothing"
_LIBRARIES: Final = tuple(
    str(Path(path).resolve()) for path in (*sysconfig.get_paths().values(), str(Path(typegrad.__file__).parent))
)


Node: TypeAlias = AnyOperand | Operation
"""What a user's function may return: variables are operands, too."""


@frozen
class LoadedGraph:
    """A graph and the operands, operations and variables that its function returned, by key or position."""

    graph: Graph
    named: Mapping[str, Node] = field(factory=dict)


def build(target: str) -> LoadedGraph:
    """Build the graph of `module:function` or `file.py:function`. Output of the user's code goes to standard error."""
    with redirect_stdout(sys.stderr):
        return _build(target)


def _build(target: str) -> LoadedGraph:
    place, colon, path = target.rpartition(":")
    if not colon or not place or not path:
        fail(f"expected MODULE:FUNCTION or FILE.py:FUNCTION, such as model:build, got {target!r}")
    hint = "a file is named with its ending: model.py:build"
    module = _from_file(Path(place)) if place.endswith(".py") else import_user_module(place, hint)
    function = _function(module, place, path)
    graph = Graph()
    arguments = _arguments(function, target, graph)
    with UserCode(target):
        returned = function(*arguments)
    return _loaded(returned, target, graph if arguments else None)


# Import


def _from_file(file: Path) -> ModuleType:
    if not file.is_file():
        fail(f"there is no file {file}")
    sys.path.insert(0, str(file.resolve().parent))
    spec = spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None, "a name that ends in .py has a loader"
    module = module_from_spec(spec)
    sys.modules.setdefault(
        file.stem, module
    )  # a file called math.py must not replace what others import under that name
    with UserCode(str(file)):
        spec.loader.exec_module(module)
    return module


def import_user_module(name: str, hint: str) -> ModuleType:
    """Import the module of this name from here or the installation; `hint` completes the error if there is none."""
    sys.path.insert(0, str(Path.cwd()))
    with UserCode(name):
        try:
            return import_module(name)
        except ModuleNotFoundError as error:
            if error.name and f"{name}.".startswith(f"{error.name}."):
                fail(f"there is no module {error.name!r}, here or installed; {hint}")
            raise


def _function(module: ModuleType, place: str, path: str) -> Callable[..., object]:
    try:
        target: object = reduce(getattr, path.split("."), module)
    except AttributeError:
        names = [name for name, value in vars(module).items() if _is_own_function(value, module)]
        if not names:
            fail(f"{place} has no functions; write one that builds the graph")
        fail(f"{place} has no {path!r}; its functions are {', '.join(names)}")
    if not callable(target):
        fail(f"{place}:{path} is {target!r}; {_TAKES}")
    return target


def _is_own_function(value: object, module: ModuleType) -> bool:
    return inspect.isfunction(value) and value.__module__ == module.__name__


# Call


def _arguments(function: Callable[..., object], target: str, graph: Graph) -> list[Scope | Graph | Facade]:
    """The arguments for the function: a scope, graph or facade if it takes one."""
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except ValueError:
        fail(f"the parameters of {target} are not known; {_TAKES}")
    required = [
        each
        for each in parameters
        if each.default is each.empty and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
    ]
    first = parameters[0] if parameters and parameters[0].kind in kinds else None
    argument = None if first is None else _argument(first, graph)
    left = [each.name for each in required if argument is None or each is not first]
    if left:
        fail(f"{target} takes {', '.join(map(repr, left))}; {_TAKES}, all other parameters having defaults")
    return [] if argument is None else [argument]


def _argument(parameter: inspect.Parameter, graph: Graph) -> Scope | Graph | Facade | None:
    """The argument by the parameter's annotation, else by its name."""
    annotation = parameter.annotation
    if annotation is parameter.empty:
        kind = {"scope": "Scope", "graph": "Graph", "tf": "Ops"}.get(parameter.name, "")
    else:
        text = annotation.strip("'\"") if isinstance(annotation, str) else getattr(annotation, "__name__", "")
        kind = text.rpartition(".")[2]
    if kind == "Ops":
        return typegrad.Ops.create(graph)
    if kind == "Scope":
        return Scope(graph)
    return graph if kind == "Graph" else None


def _loaded(returned: object, target: str, graph: Graph | None) -> LoadedGraph:
    if isinstance(returned, Graph):
        named: dict[str, Node] = {}
        graphs = [returned]
    elif returned is None and graph is not None:
        named, graphs = {}, [graph]
    else:
        named = _named(returned)
        if not named:
            fail(f"{target} returned {returned!r}; {_EXPECTED}")
        graphs = list(dict.fromkeys(item.graph for item in named.values()))
    if len(graphs) > 1:
        fail(f"{target} returned operands of {len(graphs)} graphs; expected operands of one")
    if not len(graphs[0]):
        fail(f"{target} built a graph without operations")
    return LoadedGraph(graphs[0], named)


def _named(returned: object) -> dict[str, Node]:
    """The nodes in the returned value, by key or position; none if it contains anything else."""
    returned = getattr(returned, "_asdict", lambda: returned)()  # a named tuple has keys, too
    if isinstance(returned, Mapping):
        items = {str(key): value for key, value in returned.items()}
    elif isinstance(returned, Sequence) and not isinstance(returned, str):
        items = {str(position): value for position, value in enumerate(returned)}
    else:
        items = {"0": returned}
    nodes = {key: node for key, value in items.items() if (node := _node(value)) is not None}
    return nodes if len(nodes) == len(items) else {}


def _node(value: object) -> Node | None:
    """An operand, a variable, or a node without outputs; None for anything else."""
    if isinstance(value, (Operand, Operation)):
        return value
    return value.op if isinstance(value, Op) else None


# Errors in the user's code


class UserCode:
    """A context for running the user's code; its errors end the command with a message that shows the user's line."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, (Exception, SystemExit)) and not isinstance(error, CommandError):
            fail(_explained(self._what, error, trace))


def _explained(what: str, error: BaseException, trace: TracebackType | None) -> str:
    """The message for an error: the place, the line, and Python's own message."""
    message = "".join(traceback.format_exception_only(error)).rstrip()
    frames = [frame for frame in traceback.extract_tb(trace) if not _is_library(frame.filename)]
    if isinstance(error, SyntaxError) or not frames:
        return (
            f"{what} cannot be imported:\n{message}" if isinstance(error, SyntaxError) else f"{what} failed:\n{message}"
        )
    last = frames[-1]
    line = linecache.getline(last.filename, last.lineno or 0).strip()
    return f"{what} failed at {last.filename}:{last.lineno}, in {last.name}:\n    {line}\n{message}"


def _is_library(filename: str) -> bool:
    return filename.startswith("<") or str(Path(filename).resolve()).startswith(_LIBRARIES)
