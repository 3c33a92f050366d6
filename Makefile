# `make demo` and `make test` make everything they need; a failed check does not hide the results of the others.
MAKEFLAGS += --keep-going
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
OLDEST_MYPY := $(VENV)/oldest-mypy

.PHONY: demo test lint style registry mypy pyright unit oldest-mypy browser codegen format benchmarks clean

demo: $(INSTALLED)
	$(BIN)/typegrad demo

test: lint style registry mypy pyright unit oldest-mypy

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

browser:  # what some tests need, and skip without; installs packages of the system, so only continuous integration asks for it
	.ci/install-browser

# The plugin with the oldest mypy that it supports; `unit` tests it with the newest. One random program out of four: on nested calls of
# overloaded methods, of which they are full, that mypy takes five times as long.
oldest-mypy: $(OLDEST_MYPY)/.installed
	OPENBLAS_NUM_THREADS=1 $(OLDEST_MYPY)/bin/python -m pytest tests/mypy_plugin -k "not random_programs or 1"

codegen: $(INSTALLED)
	$(BIN)/typegrad codegen

format: $(INSTALLED)
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

benchmarks: $(INSTALLED)
	$(BIN)/python benchmarks/run.py

clean:
	rm -rf $(VENV) demo-output site .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[demo,dev]'
	touch $@

$(OLDEST_MYPY)/.installed: $(INSTALLED) framework/typegrad/mypy_plugin/versions.py
	$(PYTHON) -m venv $(OLDEST_MYPY)
	version=$$($(BIN)/python -c "from typegrad.mypy_plugin.versions import OLDEST; print(*OLDEST, sep='.')") && \
	$(OLDEST_MYPY)/bin/python -m pip install --quiet --disable-pip-version-check --editable . "mypy==$$version.*" pytest hypothesis
	touch $@
