# Thin names for the commands of README.md. `make` alone lists them.

VENV ?= .venv
BIN := $(VENV)/bin
PYTHON ?= python3

.DEFAULT_GOAL := help
.PHONY: help venv tests lit unit types format docs bench clean

help: ## show this list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

venv: $(BIN)/npu-opt ## make .venv with everything that development needs

$(BIN)/npu-opt: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "npu-opt needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --editable '.[dev,mlir,onnx]'
	@touch $@

tests: venv ## run every check, as CI does
	$(BIN)/python test/all.py

lit: venv ## run the lit tests
	$(BIN)/python test/all.py lit

unit: venv ## run the tests of the Python interface
	$(BIN)/python test/all.py unit

types: venv ## run pyright
	$(BIN)/python test/all.py types

format: venv ## rewrite the source in the house style
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: venv ## show the pages as a site
	$(BIN)/mkdocs serve

bench: venv ## run the benchmarks
	for benchmark in benchmarks/*.py; do $(BIN)/python $$benchmark || exit 1; done

clean: ## remove what the targets above made
	rm -rf $(VENV) .lit build dist
