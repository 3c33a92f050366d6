"""Tracebacks and pickles name an error as users import it."""

import pickle

import pytest

import typegrad as tg
from typegrad.arguments.unknown import UnknownNameError
from typegrad.base import errors

ERRORS = [*(getattr(errors, name) for name in errors.__all__), UnknownNameError]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_an_error_is_found_under_the_name_that_it_shows(error: type[tg.TypegradError]) -> None:
    assert f"{error.__module__}.{error.__qualname__}" == f"typegrad.{error.__name__}"
    assert getattr(tg, error.__name__) is error and pickle.loads(pickle.dumps(error)) is error
