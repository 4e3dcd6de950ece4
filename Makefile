# make run starts Evalcore; make test proves it. Nothing but Python 3.11 or newer is needed beforehand.

PORT ?= 8501
ROWS ?= 1000000
# Which visits the robot makes, and for how long.
SEED ?= 1
SECONDS ?= 600
TREC_EVAL_SOURCE ?= https://github.com/usnistgov/trec_eval
# What make spark-test tests.
ENGINES := tests/engines
# The first Python on this machine that is new enough, unless one is named: make run PYTHON=…
# Looked for at its first use, and only then.
PYTHON ?= $(eval PYTHON := $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && echo $$p && break; done))$(PYTHON)
# One that is named has an environment of its own, such as .venv-3.12.
VENV := .venv$(if $(filter command,$(origin PYTHON)),-$(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])'))
BIN  := $(VENV)/bin

.PHONY: run test words robot pythons spark spark-test check bench peers shots big-sample lock browser clean help

help:
	@echo "make run [PORT=8501]        start the application"
	@echo "make test                   all tests, the browser's too"
	@echo "make words                  write the golden files of words anew, after sentences were changed: read their diff"
	@echo "make pythons                the tests without the browser on each Python found, with the oldest and newest packages too"
	@echo "make robot [SEED=1] [SECONDS=600]   a visitor that tries everything on every page"
	@echo "make spark-test             the engines on clusters of Spark and Dask too (450 MB more; needs Java 17 or newer)"
	@echo "make check                  lint, format and types, as CI does; known flaws (ADVISORIES=export of PyPI's, OSV)"
	@echo "make bench                  speed beside peers, as ratios (make peers: ranx, ir_measures, trec_eval)"
	@echo "make shots                  every page as a picture, in shots/ (SHOTS=--films: renew those of README and docs)"
	@echo "make big-sample ROWS=1000000"
	@echo "make lock                   newest versions within the bounds, with hashes, and their licences (needs uv)"
	@echo "make clean                  remove what make has made (uploads in .workspace stay)"

run: $(VENV)/ready
	$(BIN)/python -m streamlit run app.py --server.port $(PORT) --server.headless true

test: $(VENV)/ready-dev browser
	$(BIN)/python -m pytest -n auto

words: $(VENV)/ready-dev
	WORDS=renew $(BIN)/python -m pytest -q -n auto -m words

pythons: $(VENV)/ready-dev
	$(BIN)/python -m tests.pythons $(PYTHONS)

robot: $(VENV)/ready-dev browser
	$(BIN)/python -m tests.robot $(SEED) $(SECONDS)

spark-test: spark
	PYTHONPATH=$(abspath $(VENV)/spark) $(BIN)/python -m pytest $(ENGINES) -k "pyspark or dask"

spark: $(VENV)/spark/ready
	@$(BIN)/python -m tests.engines.java

# Not in the locks, as nothing else needs them, and apart, so that other tests do not start a cluster. Spark comes as source
# that is packed only to be unpacked: not to compress it meanwhile halves the time.
$(VENV)/spark/ready: requirements-spark.txt $(VENV)/ready-dev
	rm -rf $(@D)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --config-settings=--build-option=--compression=stored \
		--target $(@D) -r $<
	@touch $@

check: $(VENV)/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/basedpyright --pythonpath $(BIN)/python
	$(BIN)/oxlint pages evalcore
	@$(BIN)/python -m tests.supply

bench: $(VENV)/ready-dev peers
	$(BIN)/python -m benchmarks

# What benchmarks compare with beyond the development requirements; without git or a C compiler there is no trec_eval.
peers: $(VENV)/peers/ready
$(VENV)/peers/ready: benchmarks/requirements.txt $(VENV)/ready-dev
	rm -rf $(@D)
	$(BIN)/python -m pip install --quiet --target $(@D) -r $<
	-git -c advice.detachedHead=false clone --quiet --depth 1 --branch v9.0.8 $(TREC_EVAL_SOURCE) $(@D)/source && \
		$(MAKE) --silent -C $(@D)/source && mv $(@D)/source/trec_eval $(@D)
	touch $@

shots: $(VENV)/ready-dev browser
	$(BIN)/python -m tests.browser.shots $(SHOTS)

big-sample: $(VENV)/ready
	$(BIN)/python -m sample_data.big $(ROWS)

browser: $(VENV)/ready-dev
	@$(BIN)/python -m tests.browser.chromium

# The two stamps say which locks are installed: without a change in them, the second run installs nothing.
$(VENV)/ready: requirements.lock | $(BIN)/python
	@$(call install,requirements.lock)
	@touch $@

$(VENV)/ready-dev: requirements-dev.lock | $(BIN)/python
	@$(call install,requirements-dev.lock)
	@touch $@ $(VENV)/ready

COMPILE := uv pip compile --quiet --universal --python-version 3.11 --upgrade --generate-hashes --no-header --no-annotate

lock:
	@command -v uv >/dev/null || { echo "make lock needs uv (pip install uv)." >&2; exit 1; }
	$(COMPILE) requirements.txt -o requirements.lock
	$(COMPILE) requirements-dev.txt -c requirements.lock -o requirements-dev.lock
	$(MAKE) $(VENV)/ready-dev
	$(BIN)/python -m tests.supply licences

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
if command -v uv >/dev/null; then uv pip install --quiet --require-hashes --python $(BIN)/python -r $(1); \
else $(BIN)/python -m pip install --quiet --require-hashes --disable-pip-version-check -r $(1); fi
endef

clean:
	rm -rf .venv .venv-* shots .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
