# make run starts Evalcore; make test proves it. Nothing but Python 3.11 or newer is needed beforehand.

PORT ?= 8501
ROWS ?= 1000000
VENV := .venv
BIN  := $(VENV)/bin
# The first Python on this machine that is new enough, unless one is named: make run PYTHON=…
# Looked for at its first use, and only then.
PYTHON ?= $(eval PYTHON := $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$p && break; done))$(PYTHON)

.PHONY: run test check bench shots big-sample browser clean help

help:
	@echo "make run [PORT=8501]        start the application"
	@echo "make test                   all tests, the browser's too"
	@echo "make check                  lint, format and types, as CI does"
	@echo "make bench                  speed beside peers, as ratios"
	@echo "make shots                  every page as a picture, in shots/ (SHOTS=--readme: renew those of the README)"
	@echo "make big-sample ROWS=1000000"
	@echo "make clean                  remove what make has made (uploads in .workspace stay)"

run: $(VENV)/ready
	$(BIN)/python -m streamlit run app.py --server.port $(PORT) --server.headless true

test: $(VENV)/ready-dev browser
	$(BIN)/python -m pytest -n auto

check: $(VENV)/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright --pythonpath $(BIN)/python
	$(BIN)/oxlint pages

bench: $(VENV)/ready-dev
	$(BIN)/python -m benchmarks

shots: $(VENV)/ready-dev browser
	$(BIN)/python -m tests.browser.shots $(SHOTS)

big-sample: $(VENV)/ready
	$(BIN)/python -m sample_data.big $(ROWS)

browser: $(VENV)/ready-dev
	@$(BIN)/python -m tests.browser.chromium

# The two stamps say which requirements are installed: without a change in them, the second run installs nothing.
$(VENV)/ready: requirements.txt | $(BIN)/python
	@$(call install,requirements.txt)
	@touch $@

$(VENV)/ready-dev: requirements-dev.txt requirements.txt | $(BIN)/python
	@$(call install,requirements-dev.txt)
	@touch $@ $(VENV)/ready

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Evalcore needs Python 3.11 or newer, and none was found here." >&2; exit 1; }
	@if command -v uv >/dev/null; then uv venv --quiet --python "$(PYTHON)" $(VENV); \
	elif $(PYTHON) -c 'import ensurepip' 2>/dev/null; then $(PYTHON) -m venv $(VENV); \
	elif $(PYTHON) -m pip --version >/dev/null 2>&1; then \
		$(PYTHON) -m venv --without-pip $(VENV) && $(PYTHON) -m pip --python $(BIN)/python install --quiet pip; \
	else \
		echo "$(PYTHON) cannot make a virtual environment: it has neither ensurepip nor pip." >&2; \
		echo "On Debian and Ubuntu: apt-get install -y python3-venv   (or install uv), then make again." >&2; false; \
	fi || { rm -rf $(VENV); exit 1; }

define install
if command -v uv >/dev/null; then uv pip install --quiet --python $(BIN)/python -r $(1); \
else $(BIN)/python -m pip install --quiet --disable-pip-version-check -r $(1); fi
endef

clean:
	rm -rf $(VENV) shots .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
