SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := setup
.DELETE_ON_ERROR:

export PATH := $(CURDIR)/.venv/bin:$(PATH)
export CMAKE_BUILD_PARALLEL_LEVEL ?= 2
# Without bytecode every process compiles all that it imports: twice the time of a short command.
unexport PYTHONDONTWRITEBYTECODE

CORE_SOURCES := $(wildcard core/*.?pp core/*/*.?pp core/*/*.inc core/*/*/*.?pp)
WEB := $(wildcard studio/*.json studio/*.js studio/*.html studio/src/*.* studio/src/*/*.* studio/src/*/*/*.*)
CORE := pyproject.toml CMakeLists.txt $(CORE_SOURCES)
SOURCES := src tests tools benchmarks examples docs
WORKERS ?= 2
BUILD := --no-build-isolation --no-deps --force-reinstall -e .

HOURS ?= 0.1

.PHONY: setup demo ready test suite coverage campaign bench lint format docs wheel extras lock sanitize clean

setup: .venv/.core .venv/.web

# All that the checks need, made side by side: make -j ready
ready: lint .venv/.web .venv/.docs .venv/.browser .venv-sanitize/.core

demo: .venv/.core .venv/.web
	.venv/bin/kempe demo

test: lint suite

suite: .venv/.core .venv/.web .venv/.browser
	.venv/bin/pytest -n $(WORKERS)

coverage: .venv/.core .venv/.web
	.venv/bin/pytest -n $(WORKERS) --cov=kempe --cov-report=term:skip-covered

campaign: .venv/.core .venv/.web
	.venv/bin/python -m tests.campaigns --minutes $$(.venv/bin/python -c 'print(60 * $(HOURS))')

lint: .venv/.core
	.venv/bin/ruff check $(SOURCES)
	.venv/bin/ruff format --check $(SOURCES)
	.venv/bin/clang-format --dry-run --Werror $(CORE_SOURCES)
	.venv/bin/mypy
	.venv/bin/lint-imports --no-logo

format: .venv/.deps
	.venv/bin/ruff check --fix $(SOURCES)
	.venv/bin/ruff format $(SOURCES)
	.venv/bin/clang-format -i $(CORE_SOURCES)

docs: .venv/.core .venv/.web .venv/.docs
	NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --quiet --strict

bench: .venv/.core
	$(MAKE) .venv-peers/.deps || echo "kempe: the peers could not be installed; their columns stay empty" >&2
	missed=0; for name in kinematics dynamics; do \
	  KEMPE_PEERS=$(CURDIR)/.venv-peers/bin/python .venv/bin/kempe bench $$name || missed=1; \
	done; exit $$missed

# Only files with tests of the core are collected.
sanitize: .venv-sanitize/.core
	tools/sanitized .venv-sanitize/bin/python -m pytest -n $(WORKERS) -m core --capture=sys \
	  $$(grep -rl --include='test_*.py' 'mark\.core' tests)

wheel: .venv-wheel/.deps .venv/.web
	tools/wheel .venv-wheel

extras: wheel
	.venv-wheel/bin/python tools/extras.py dist/kempe-*.whl

lock: .venv/.deps
	for name in dev docs wheel peers; do \
	  uv pip compile --quiet --upgrade --universal --python-version 3.11 --no-header --no-annotate \
	    --generate-hashes --no-emit-index-url --no-emit-find-links \
	    requirements-$$name.in --output-file requirements-$$name.txt; \
	done

clean:
	rm -rf .venv .venv-sanitize .venv-peers .venv-wheel build dist site
	rm -rf studio/node_modules studio/src/made src/kempe/studio/page src/kempe/draw/formats/player/made
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

.venv/.deps: requirements-dev.txt
	tools/bootstrap .venv
	tools/install .venv -r requirements-dev.txt
	touch $@

.venv/.core: .venv/.deps $(CORE)
	tools/install .venv $(BUILD)
	cp .venv/lib/python3.*/site-packages/kempe/_core.pyi src/kempe/
	touch $@

# Without Node or a network the studio has no page and players draw space in lines; make says so.
.venv/.web: .venv/.deps tools/build_web.py src/kempe/draw/view/theme.py $(filter-out studio/src/made/%,$(WEB))
	.venv/bin/python tools/build_web.py --optional
	touch $@

# Whether or not there is one now: nobody is asked twice.
.venv/.browser: .venv/.deps tools/browser
	tools/browser
	touch $@

.venv/.docs: .venv/.deps requirements-docs.txt | .venv/.core
	tools/install .venv -r requirements-docs.txt
	touch $@

.venv-peers/.deps: requirements-peers.txt
	tools/bootstrap .venv-peers
	tools/install .venv-peers -r requirements-peers.txt
	touch $@

.venv-wheel/.deps: requirements-wheel.txt
	tools/bootstrap .venv-wheel
	tools/install .venv-wheel -r requirements-wheel.txt
	touch $@

# Its .pth file lends it every package of .venv but the kempe built there.
.venv-sanitize/.core: .venv/.deps $(CORE)
	.venv/bin/python -m venv --clear --without-pip .venv-sanitize
	.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
	  > "$$(.venv-sanitize/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/lend.pth"
	tools/install .venv-sanitize $(BUILD) --config-settings=build-dir=build/sanitize \
	  --config-settings=cmake.build-type=Debug --config-settings=cmake.define.KEMPE_SANITIZE=ON
	touch $@
