"""Running graphs: `Session`, the plans it compiles and the state it keeps."""

from typegrad.arguments.guarding import guard as _guard
from typegrad.session.explanation import ExplainedStep as ExplainedStep
from typegrad.session.explanation import Explanation as Explanation
from typegrad.session.runner import Runner as Runner
from typegrad.session.session import Session as Session

_guard(__name__, trusted=(Session.run,))
