# The project's commands. `make` alone explains them.
PYTHON ?= python3
VENV ?= .venv
BIND ?= 127.0.0.1:8000
PIP = $(VENV)/bin/pip --disable-pip-version-check --no-color
# For all platforms and Python versions at once; what only some of them need has a marker.
COMPILE = $(VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 \
  --generate-hashes --no-emit-package paper-search --custom-compile-command "make requirements"
# For each target of `make fuzz`, and each of its two ways to make input.
FUZZ_SECONDS ?= 20
IMAGE_BASE ?= localhost/python:3-slim

# Installs what a requirements file pins, a line for each package; every file must have one of the pinned hashes.
define install
@rm -f $@; total=$$(grep -c == $<); number=0; \
{ $(PIP) install --require-hashes -r $< && touch $@; } | while read -r word package _; do case "$$word" in \
  Collecting|Requirement) number=$$((number + 1)); test "$$word" = Requirement || echo "  $$number of $$total: $$package";; \
  Installing) echo "  Installing them, which takes a while ...";; \
esac; done; test -f $@
endef

.PHONY: help setup run test test-all test-cluster test-image fuzz coverage check release bench soak format screenshots requirements
.DEFAULT_GOAL := help

help: ## explain the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1	\2/' | expand -t 18

setup: $(VENV)/run.stamp ## install what the product needs into .venv; `make run` does it, too

run: $(VENV)/run.stamp ## set up, build the demo library, serve it on http://127.0.0.1:8000
	@$(VENV)/bin/python manage.py demo --bind $(BIND)

test: $(VENV)/dev.stamp ## set up and run the tests, and name the slowest
	@$(VENV)/bin/python -m pytest -n auto -m "not long" --durations=30 --durations-min=1 $(ARGS)

test-all: $(VENV)/dev.stamp ## run what is slow by nature, too: kill loops, growth, other platforms, the cluster's faults (before a release)
	@$(VENV)/bin/python -m pytest -n auto --durations=30 --durations-min=1 $(ARGS)
	@PAPERSITE_TEST_CLUSTER=1 $(VENV)/bin/python -m pytest tests/cluster

fuzz: $(VENV)/fuzz.stamp ## try parsers with hostile input, FUZZ_SECONDS (20) each (ARGS="bib query": these alone)
	@$(VENV)/bin/python -m tests.fuzz --seconds $(FUZZ_SECONDS) $(ARGS)

test-cluster: $(VENV)/dev.stamp ## run the tests of search on a cluster: three real nodes (needs Java 21 and Maven)
	@PAPERSITE_TEST_CLUSTER=1 $(VENV)/bin/python -m pytest tests/cluster $(ARGS)

test-image: $(VENV)/dev.stamp ## build the image with buildah and try it (IMAGE_BASE: an image with Python that buildah has)
	@PAPERSITE_TEST_IMAGE=$(IMAGE_BASE) $(VENV)/bin/python -m pytest tests/faults/test_image.py $(ARGS)

coverage: $(VENV)/dev.stamp ## run the tests without browsers and faults, and count the branches they take
	@$(VENV)/bin/coverage erase
	@$(VENV)/bin/coverage run -m pytest -q --ignore=tests/browser --ignore=tests/faults $(ARGS)
	@$(VENV)/bin/coverage combine -q
	@$(VENV)/bin/coverage json -q -o .branches.json
	@$(VENV)/bin/python -m tests.branch_coverage .branches.json

check: $(VENV)/dev.stamp ## format, lint, types, import contracts
	@$(VENV)/bin/ruff format --check --quiet . || { echo "Run: make format"; exit 1; }
	@$(VENV)/bin/djangofmt --check --quiet templates || { echo "Run: make format"; exit 1; }
	@$(VENV)/bin/ruff check --quiet .
	@$(VENV)/bin/mypy .
	@$(VENV)/bin/lint-imports --no-logo

release: $(VENV)/dev.stamp ## build sdist, wheel, SBOM, notes and checksums into dist/
	@$(VENV)/bin/python deploy/release.py

format: $(VENV)/dev.stamp ## format the code and the templates
	@$(VENV)/bin/ruff format --quiet . && $(VENV)/bin/ruff check --quiet --fix-only .
	@$(VENV)/bin/djangofmt --quiet templates

requirements: $(VENV)/dev.stamp ## pin what pyproject.toml names (ARGS=--upgrade: the newest versions that it allows)
	@$(COMPILE) pyproject.toml --extra postgresql --output-file requirements.txt $(ARGS)
	@$(COMPILE) --group pyproject.toml:fuzz --output-file requirements-fuzz.txt $(ARGS)
	@$(COMPILE) pyproject.toml --all-extras --group dev --constraints requirements.txt --output-file requirements-dev.txt $(ARGS)

screenshots: $(VENV)/dev.stamp ## take the pictures of docs/screenshots anew (needs chromium)
	@$(VENV)/bin/python docs/take_screenshots.py

bench: $(VENV)/dev.stamp ## list the benchmarks
	@grep -l "^if __name__" bench/*.py bench/*/*.py | xargs grep -m1 -H '^"""' | sed -E 's/^bench\/(.*)\.py:"""(.*[^"])"*$$/  python -m bench.\1	\2/; s/^(  python -m bench\.[a-z_]*)\//\1./'

soak: $(VENV)/dev.stamp ## load the real server: 32 clients, 10,000 requests
	@$(VENV)/bin/python -m bench.faults.soak $(ARGS)

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo "papersite needs Python 3.11 or newer; name one: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	  || { echo "This Python has no venv module; install it (Debian: apt install python3-venv) and try again"; exit 1; }
	@echo "Setting up $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: requirements.txt | $(VENV)/bin/python
	@echo "Installing what the product needs ..."
	$(install)

$(VENV)/dev.stamp: requirements-dev.txt requirements.txt | $(VENV)/bin/python
	@echo "Installing what the tests need ..."
	$(install)
	@touch $(VENV)/run.stamp

$(VENV)/fuzz.stamp: requirements-fuzz.txt $(VENV)/dev.stamp
	@echo "Installing the fuzzer ..."
	$(install)
