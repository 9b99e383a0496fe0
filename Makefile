# Two commands do everything on a fresh machine: `make demo` and `make test`. `make help` lists the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
RUFF := $(BIN)/ruff check --quiet --line-length 132 --target-version py38 --select E,F,W,I,B,C4,PIE,RET,RUF100,PLE,A001 --ignore RET505,RET504,B904,B905 --per-file-ignores "tests/*:E501" --exclude tests/bench/lab

.PHONY: help demo test slow lint types interop conformance fuzz bench matrix single clean

help:
	@sed -n 's/^## //p' Makefile

## demo     the whole protocol between the example server and a client, each message explained; nothing is installed
demo:
	@$(PYTHON) examples/demo.py

$(READY): setup.cfg pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --config-settings editable_mode=compat --editable ".[dev]"
	@touch $(READY)

## test     the fast tests, in an environment of their own (made on first use)
test: $(READY)
	$(BIN)/python -m pytest -n 3

## slow     the slow tests
slow: $(READY)
	$(BIN)/python -m pytest -m "slow and not interop and not fuzz"

## lint     ruff
lint: $(READY)
	$(RUFF) mcplite tests examples

## types    mypy, strict
types: $(READY)
	$(BIN)/python -m mypy

## interop  against the official SDKs and real servers, installed outside the checkout
interop: $(READY)
	$(BIN)/python tests/interop/environments.py
	$(BIN)/python -m pytest -m interop tests

## conformance  the official conformance suite, in both revisions that it scores; a warning is a failure
conformance: $(READY)
	$(BIN)/python tests/interop/environments.py conformance
	$(BIN)/python tests/conformance/run.py

## fuzz     long random runs
fuzz: $(READY)
	$(BIN)/python -m pytest -m fuzz

## bench    the budgets, as ratios to a hand-written loop in the same run
bench: $(READY)
	$(BIN)/python tests/bench/budgets.py

## single   the fast tests against the single-file build
single: $(READY)
	$(BIN)/python -m mcplite bundle -o build/single/mcplite.py
	MCPLITE_SINGLE=build/single/mcplite.py $(BIN)/python -m pytest -n 3

## matrix   what runs on each interpreter of this machine
matrix: $(READY)
	$(BIN)/python tests/matrix.py

## clean    remove what make made
clean:
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
