# make run   start the program           make test   run every test
# make check lint and types              make bench  measure, side by side
# Everything is set up in .venv from the locked versions in requirements/.

PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes
SELF := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
RUN := .venv/.run
DEV := .venv/.dev
BROWSER := .venv/.browser

.PHONY: run test check bench lock words schema playthroughs clean

run: $(RUN)
	@$(BIN)/grognard serve

test: $(DEV) $(BROWSER)
	$(BIN)/python -m pytest -n auto -r s

check: $(DEV)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(DEV)
	$(BIN)/python -m benchmarks

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Grognard needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 2; }
	$(PYTHON) -m venv .venv

$(RUN): requirements/run.txt pyproject.toml | $(BIN)/python
	$(INSTALL) -r requirements/run.txt
	$(SELF)
	@touch $@

$(DEV): requirements/dev.txt pyproject.toml | $(BIN)/python
	$(INSTALL) -r requirements/dev.txt
	$(SELF)
	@touch $@ $(RUN)

# Debian's Chromium for the browser tests: installed where that is allowed, else they are left out.
$(BROWSER): | $(BIN)/python
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
	  || { apt-get update -qq && apt-get install -y -qq chromium; } >/dev/null 2>&1 \
	  || echo "Chromium is not here and can't be installed: the browser tests are left out."
	@touch $@

# Pin the newest versions again (needs uv; the files name no host).
lock:
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	  pyproject.toml requirements/build.in -o requirements/run.txt
	uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	  pyproject.toml --group dev -o requirements/dev.txt

# Extract the program's own words, and compile the French ones.
words: $(DEV)
	$(BIN)/python -m tests.catalogue

# Write the golden playthroughs anew; read the difference before you commit it.
playthroughs: $(DEV)
	$(BIN)/python -m tests.golden

# Write the JSON Schema of the card format anew.
schema: $(DEV)
	$(BIN)/python -m tests.schema

.PHONY: floor-plan tutorials

# Draw the packages in docs/design.md anew.
floor-plan: $(DEV)
	$(BIN)/python -m tests.floor_plan

# Run the examples of README and tutorials, and write their output into them.
tutorials: $(DEV)
	$(BIN)/python -m tests.tutorials

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache
