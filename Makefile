# `make demo` and `make test` make everything they need; a failed check does not hide the results of the others.
MAKEFLAGS += --keep-going
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: demo test lint style registry mypy pyright unit codegen format benchmarks clean

demo: $(INSTALLED)
	$(BIN)/typegrad demo

test: lint style registry mypy pyright unit

lint: $(INSTALLED)
	$(BIN)/ruff check

style: $(INSTALLED)
	$(BIN)/ruff format --check

registry: $(INSTALLED)
	$(BIN)/typegrad codegen --check

mypy: $(INSTALLED)
	$(BIN)/mypy

pyright: $(INSTALLED)
	$(BIN)/basedpyright --pythonpath $(BIN)/python

unit: $(INSTALLED)
	OPENBLAS_NUM_THREADS=1 $(BIN)/pytest -n 2  # two workers on two cores: threads of their own would only be in the way

codegen: $(INSTALLED)
	$(BIN)/typegrad codegen

format: $(INSTALLED)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

benchmarks: $(INSTALLED)
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf $(VENV) demo-output .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[demo,dev]'
	touch $@
