# The front door: `make` alone lists the targets. Everything installs what it needs into .venv, once.
PYTHON ?= python3
VENV   ?= .venv
PY     := $(VENV)/bin/python
STAMPS := $(VENV)/stamps
READY  := $(STAMPS)/built $(STAMPS)/installed
N      ?= auto
T      ?=
K      ?=

SOURCES := setup.py $(wildcard scripts/native.py scripts/headers.py scripts/strict.py) \
	$(shell find pyasc include -path pyasc/cann -prune -o \
	\( -name '*.pyx' -o -name '*.pxd' -o -name '*.h' -o -name '*.cpp' -o -name '*.tsv' \) -print)
CPP := $(shell find pyasc/embedded pyasc/_core tests docs/examples -name '*.h' -o -name '*.cpp' -o -name '*.c')
PYTEST := $(PY) -m pytest
ONLY    = $(T) $(if $(K),-k "$(K)")

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test smoke lint cross format bench docs asan tsan abi wheel sdist test-wheel \
	test-oldest test-torch test-ecosystem test-isa test-strict build clean

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | awk -F'|' '{ printf "  make %-16s%s\n", $$1, $$2 }'

# ---------------------------------------------------------------- setting up

$(STAMPS)/venv:
	@sh scripts/prerequisites.sh "$(PYTHON)" "$${CXX:-g++}"
	$(PYTHON) -m venv $(VENV)
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/requirements: pyproject.toml | $(STAMPS)/venv
	$(PY) -m pip install -q $$($(PY) scripts/requirements.py build run)
	@touch $@

# An extra's packages, without the package itself: `make lint` builds nothing.
$(STAMPS)/extra-%: pyproject.toml | $(STAMPS)/venv
	$(PY) -m pip install -q $$($(PY) scripts/requirements.py $*)
	@touch $@

$(STAMPS)/built: $(SOURCES) | $(STAMPS)/requirements
	$(PY) setup.py -q build_ext --inplace
	@touch $@

# What was built is used: setup.py lets pip's editable build share its objects.
$(STAMPS)/installed: pyproject.toml | $(STAMPS)/built
	$(PY) -m pip install -q --no-build-isolation --no-deps -e .
	@touch $@

build: $(READY) ## build in place (what all others do first)

# ---------------------------------------------------------------- the two commands

demo: $(READY) $(STAMPS)/extra-demo ## set up and run the main job: an analysis of handwritten digits
	$(PY) docs/examples/run_digits.py

test: $(READY) $(STAMPS)/extra-test ## set up and run the tests; T=tests/test_x.py K=expression choose some
ifeq ($(T)$(K),)
	$(PYTEST) tests/test_smoke.py
	$(PYTEST) -n $(N)
else
	$(PYTEST) $(ONLY)
endif

smoke: $(READY) $(STAMPS)/extra-test ## a few seconds of tests
	$(PYTEST) tests/test_smoke.py

# ---------------------------------------------------------------- more tests

test-strict: $(READY) $(STAMPS)/extra-test ## the tests, on a device that takes only what an Ascend 910B takes
	PYASC_EMBEDDED_SOC=Ascend910B $(PYTEST) -n $(N) $(ONLY)

test-isa: $(READY) $(STAMPS)/extra-test ## the tests, once per instruction set that was built
	for isa in $$($(PY) -c 'import sys; sys.path.insert(0, "scripts"); import native; print(*native.instruction_sets())'); do \
		echo "instruction set $$isa"; PYASC_EMBEDDED_ISA=$$isa $(PYTEST) -n $(N) $(ONLY) || exit 1; done

# The same Python, so what was built is used. NumPy 2.0 has no wheels for Python 3.13: name an older one as PYTHON.
test-oldest: $(READY) ## the tests with NumPy 2.0, in .venv-oldest
	test -x $(VENV)-oldest/bin/python || $(PY) -m venv $(VENV)-oldest
	$(VENV)-oldest/bin/python -m pip install -q "numpy==2.0.*" $$($(PY) scripts/requirements.py build run test)
	PYTHONPATH=. $(VENV)-oldest/bin/python -m pytest -n $(N) $(ONLY)

test-torch: $(READY) $(STAMPS)/extra-test $(STAMPS)/extra-torch ## the tests that compare with PyTorch
	$(PYTEST) -n $(N) -m torch $(ONLY)

test-ecosystem: $(READY) $(STAMPS)/extra-test $(STAMPS)/extra-ecosystem ## other libraries on pyasc arrays
	SCIPY_ARRAY_API=1 $(PYTEST) -n $(N) -m ecosystem $(ONLY)

# A sanitizer's build lives in a copy of the tree, so that it and the ordinary one do not undo each other.
# libstdc++ beside the sanitizer's library: otherwise exceptions thrown in C++ are not intercepted.
build/asan/built: $(SOURCES) | $(STAMPS)/requirements
	$(PY) scripts/mirror.py build/asan
	cd build/asan && PYASC_BUILD=asan $(abspath $(PY)) setup.py -q build_ext --inplace
	@touch $@

asan: build/asan/built $(STAMPS)/extra-test ## address and undefined-behaviour sanitizers over the tests
	$(PY) scripts/mirror.py build/asan
	cd build/asan && PYASC_BUILD=asan PYTHONPATH="$(abspath build/asan)" \
		LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libstdc++.so)" \
		ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONMALLOC=malloc \
		$(abspath $(PY)) -m pytest -n $(N) $(ONLY)

# The thread sanitizer wants a program of its own kind around the library: the native tests, without Python.
tsan: $(STAMPS)/requirements $(STAMPS)/extra-test ## thread sanitizer over the native tests
	$(PY) scripts/mirror.py build/tsan
	cd build/tsan && $(abspath $(PY)) scripts/native.py --config tsan
	cd build/tsan && PYASC_BUILD=tsan PYTHONPATH="$(abspath build/tsan)" TSAN_OPTIONS=halt_on_error=1 \
		setarch -R $(abspath $(PY)) -m pytest tests/test_native.py $(if $(K),-k "$(K)")

abi: $(STAMPS)/requirements ## hold our headers against a toolkit: make abi ASCEND_HOME_PATH=/usr/local/Ascend/...
	$(PY) scripts/abi_check.py $(ASCEND_HOME_PATH)

# ---------------------------------------------------------------- style

lint: $(STAMPS)/extra-lint ## style, spelling, sizes, and whether the device compiles for aarch64
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/cython-lint --no-pycodestyle pyasc/_core
	$(VENV)/bin/clang-format --dry-run -Werror $(CPP)
	$(VENV)/bin/codespell
	$(PY) scripts/loc.py
	@$(MAKE) --no-print-directory cross

cross: | $(STAMPS)/requirements
	@if command -v aarch64-linux-gnu-g++ >/dev/null 2>&1; then \
		echo "aarch64: checking the device"; \
		PYASC_TARGET=aarch64 CXX=aarch64-linux-gnu-g++ $(PY) scripts/native.py --syntax; \
	else echo "aarch64: skipped: no aarch64-linux-gnu-g++ (Debian: apt-get install g++-aarch64-linux-gnu)"; fi

format: $(STAMPS)/extra-lint ## let ruff and clang-format rewrite the sources
	$(VENV)/bin/ruff check --fix-only .
	$(VENV)/bin/ruff format .
	$(VENV)/bin/clang-format -i $(CPP)

# ---------------------------------------------------------------- figures, papers, packages

bench: $(READY) $(STAMPS)/extra-bench ## time this commit beside NumPy (asv, in .venv); B=bench_ufunc chooses one
	$(PY) scripts/bench.py $(B)

docs: $(READY) $(STAMPS)/extra-docs ## build/docs/index.html; a warning is an error
	$(PY) -m sphinx -q -W --keep-going -b html -d build/doctrees docs build/docs

wheel: $(STAMPS)/built ## dist/*.whl
	$(PY) -m pip wheel -q --no-build-isolation --no-deps -w dist .

sdist: $(STAMPS)/requirements ## dist/*.tar.gz
	$(PY) -c 'from setuptools import build_meta; print(build_meta.build_sdist("dist"))'

test-wheel: wheel ## install the wheel into an empty environment and try it there
	rm -rf build/empty && $(PYTHON) -m venv build/empty
	build/empty/bin/python -m pip install -q dist/pyasc-*.whl
	cd build/empty && bin/python -m pyasc --doctor && bin/python -c \
		'import pyasc; a = pyasc.ones((1024, 1024)); assert float(pyasc.sum(pyasc.add(a, a))) == 2097152.0'

clean: ## remove what was built (not .venv)
	rm -rf build dist pyasc/cann .pytest_cache .ruff_cache .hypothesis docs/operators
	find pyasc -name '*.so' -delete
	find . -path './.venv*' -prune -o -name __pycache__ -type d -exec rm -rf {} +
	rm -f $(STAMPS)/built $(STAMPS)/installed
