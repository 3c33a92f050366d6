# Every target makes what it needs, the virtual environment included; a failed check does not hide the results of the others.
MAKEFLAGS += --keep-going
ifneq ($(filter test unit,$(MAKECMDGOALS)),)
MAKEFLAGS += --jobs=2 --output-sync  # two checks at a time; each says what it has to say at its end
endif
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
OLDEST_MYPY := $(abspath $(VENV)/oldest-mypy)
CHECKING := $(addprefix tests/,drafts dry_run mypy_plugin typing)
TOOLING := $(addprefix tests/,benchmarks browser codegen guides project reference tools)

.PHONY: demo help setup test lint style registry unit unit-checking unit-tooling unit-rest oldest-mypy mypy pyright browser codegen format guides benchmarks clean

demo: $(INSTALLED)  ## run the demo
	$(BIN)/typegrad demo

help:  ## list the targets
	@awk -F ':.*  ## ' '/^[a-z-]+:.*  ## / {printf "%-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(INSTALLED)  ## make the virtual environment, .venv unless VENV says otherwise

# The longest checks come first, behind those that say something at once: so two at a time end together.
test: lint style registry unit oldest-mypy mypy pyright  ## run all checks that follow, up to pyright, two at a time

lint: $(INSTALLED)  ## ruff: what the linter says
	$(BIN)/ruff check

style: $(INSTALLED)  ## ruff: whether the code is as the formatter would write it
	$(BIN)/ruff format --check

registry: $(INSTALLED)  ## whether the registry has no mistakes, and the generated code is up to date
	$(BIN)/typegrad codegen --check

unit: unit-checking unit-tooling unit-rest  ## the tests, in these parts, two at a time

unit-checking: PART := $(CHECKING)  ## of the tests, what type checkers and dry runs say
unit-tooling: PART := $(TOOLING)  ## of the tests, commands, generated code and pages
unit-rest: PART := $(addprefix --ignore=,$(CHECKING) $(TOOLING))  ## of the tests, all others

# A process for each part: each process of `pytest -n` collects all tests, and sends every result to one more. With one thread, as others
# would only be in the way where all cores are busy.
unit-checking unit-tooling unit-rest: $(INSTALLED)
	OPENBLAS_NUM_THREADS=1 $(BIN)/pytest $(PART)

# `unit` tests the plugin with the newest mypy that it supports. The path is absolute, as some tests start mypy in other folders.
oldest-mypy: $(OLDEST_MYPY)/.installed  ## the tests of the mypy plugin about what mypy does, with the oldest that it supports
	OPENBLAS_NUM_THREADS=1 PYTHONPATH=$(OLDEST_MYPY) $(BIN)/pytest tests/mypy_plugin

mypy: $(INSTALLED)  ## mypy, strict, over all code
	$(BIN)/mypy

pyright: $(INSTALLED)  ## basedpyright, strict, over what users' programs import
	$(BIN)/basedpyright --pythonpath $(BIN)/python

browser:  ## install Chromium, which some tests need, and skip without; it changes the system, so only CI asks for it
	.ci/install-browser

codegen: $(INSTALLED)  ## write the generated code
	$(BIN)/typegrad codegen

format: $(INSTALLED)  ## ruff: mend what it can, and format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

guides: $(INSTALLED)  ## run the guides and this project's pages, and write into them what their programs show
	$(BIN)/python -m typegrad_reference.guides --write

benchmarks: $(INSTALLED)  ## measure how fast typegrad is
	$(BIN)/python benchmarks/run.py

clean:  ## remove what the other targets made, but for the generated code
	rm -rf $(VENV) demo-output site .mypy_cache .pytest_cache .ruff_cache .hypothesis

# Python compiles what is imported; to compile all that is installed takes half of the installation.
$(INSTALLED): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable '.[demo,dev]'
	touch $@

# That mypy alone, which takes the place of the environment's where this folder comes first on the path.
$(OLDEST_MYPY)/.installed: $(INSTALLED) framework/typegrad/mypy_plugin/versions.py
	version=$$($(BIN)/python -c "from typegrad.mypy_plugin.versions import OLDEST; print(*OLDEST, sep='.')") && \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade --no-deps --target $(OLDEST_MYPY) "mypy==$$version.*"
	touch $@
