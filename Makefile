# make run    start the program              make quick   fast tests, under a minute
# make check  lint, types, imports           make test    all tests that a change must keep
# make bench  measure, side by side          make soak    the same tests with long random runs
# make coverage  which lines the quick tests run
# make matrix make quick on each supported Python
# Everything is set up in .venv from the locked versions in requirements/.

# Compiled modules are kept, also where the environment says not to: the tests start many processes.
export PYTHONDONTWRITEBYTECODE :=

PYTHON ?= python3
PYTHONS ?= python3.11 python3.12 python3.13
VENV ?= .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
SELF := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
PYTEST := $(BIN)/python -m pytest --dist worksteal -r s
# Browsers and servers wait a third of the time of `make test`: one worker more than processors.
WORKERS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')
RUN := $(VENV)/.run
DEV := $(VENV)/.dev
CHROMIUM := $(VENV)/.chromium
POSTGRESQL := $(VENV)/.postgresql

.PHONY: run quick test coverage soak matrix check js-check bench lock words schema playthroughs clean

run: $(RUN)
	@$(BIN)/grognard serve

# tests/tiers.py says what each of the three tiers runs.
quick: $(DEV)
	$(PYTEST) -n auto -p no:schemathesis --tier=quick

test: $(DEV) $(CHROMIUM) $(POSTGRESQL)
	$(PYTEST) -n $(WORKERS) --tier=test

# Tracing doubles the time of a test on Python 3.11, so coverage is that of the quick tests.
coverage: $(DEV)
	$(PYTEST) -n auto -p no:schemathesis --tier=quick --cov --cov-report=term:skip-covered

soak: $(DEV) $(CHROMIUM) $(POSTGRESQL)
	$(PYTEST) -n auto --tier=soak

# Each Python has its own environment: .venv-3.11, .venv-3.12, .venv-3.13.
matrix:
	@for python in $(PYTHONS); do $$python -c '' 2>/dev/null || missing="$$missing $$python"; done; \
	  [ -z "$$missing" ] || { echo "These Pythons are missing:$$missing. Name yours: make matrix PYTHONS='/path/to/python3.12 ...'"; exit 2; }
	@set -e; for python in $(PYTHONS); do \
	  version=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
	  echo "make quick on Python $$version ($$python)"; \
	  $(MAKE) --no-print-directory quick PYTHON=$$python VENV=.venv-$$version; \
	done

check: $(DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@$(MAKE) --no-print-directory js-check

# Biome on the JavaScript of the pages, where npm can install it.
js-check:
	@if ! command -v npm >/dev/null; then echo "npm is not installed: the JavaScript is not checked."; \
	elif [ node_modules -nt package-lock.json ] || { npm ci --silent --no-audit --no-fund && touch node_modules; }; \
	then npm run --silent check; \
	else echo "npm could not install Biome: the JavaScript is not checked."; fi

bench: $(DEV) $(POSTGRESQL)
	$(BIN)/python -m benchmarks

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Grognard needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(RUN): requirements/run.txt pyproject.toml | $(BIN)/python
	$(INSTALL) -r requirements/run.txt
	$(SELF)
	@touch $@

$(DEV): requirements/dev.txt pyproject.toml | $(BIN)/python
	$(INSTALL) -r requirements/dev.txt
	$(SELF)
	@touch $@ $(RUN)

# Debian's Chromium for the browser tests.
$(CHROMIUM): | $(BIN)/python
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || { \
	  echo "Chromium is not here: installing it with apt-get. If that fails, the browser tests are skipped."; \
	  { apt-get update -qq && apt-get install -y -qq chromium; } >/dev/null 2>&1 \
	    || echo "Chromium can't be installed: the browser tests are skipped."; \
	}
	@touch $@

# Debian's PostgreSQL, which the tests start by themselves in a temporary folder.
$(POSTGRESQL): | $(BIN)/python
	@command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || { \
	  echo "PostgreSQL is not here: installing it with apt-get. If that fails, its tests are skipped."; \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql; } >/dev/null 2>&1 \
	    || echo "PostgreSQL can't be installed: its tests are skipped."; \
	}
	@touch $@

# Pin the newest versions again (needs uv; the files name no host).
lock:
	uv pip compile --quiet --universal --no-strip-extras --python-version 3.11 --generate-hashes --no-header --no-annotate \
	  pyproject.toml requirements/build.in -o requirements/run.txt
	uv pip compile --quiet --universal --no-strip-extras --python-version 3.11 --generate-hashes --no-header --no-annotate \
	  pyproject.toml requirements/build.in --extra server -o requirements/server.txt
	uv pip compile --quiet --universal --no-strip-extras --python-version 3.11 --generate-hashes --no-header --no-annotate \
	  pyproject.toml --group dev -o requirements/dev.txt

# Extract the program's messages, and compile their French.
words: $(DEV)
	$(BIN)/python -m tests.catalogue

# Write the golden playthroughs again; read the difference before you commit it.
playthroughs: $(DEV)
	$(BIN)/python -m tests.golden

# Write the JSON Schema of the card format again.
schema: $(DEV)
	$(BIN)/python -m tests.schema

.PHONY: floor-plan tutorials pictures

# Draw the packages in docs/design.md anew.
floor-plan: $(DEV)
	$(BIN)/python -m tests.floor_plan

# Take the pictures of the README again.
pictures: $(DEV) $(CHROMIUM)
	$(BIN)/python -m tests.pictures

# Run the examples of README and tutorials, and write their output into them.
tutorials: $(DEV)
	$(BIN)/python -m tests.tutorials

clean:
	rm -rf .venv .venv-* .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .coverage dist
