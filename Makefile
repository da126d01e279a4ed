# Everyday commands; CMake does the building. `make help` lists them.
SHELL := /bin/bash
BUILD := build
PYTHON := $(BUILD)/venv/bin/python
JOBS ?= $(shell nproc)
CMAKE_OPTIONS ?=
export PYTHONPATH := $(CURDIR)/python

.DEFAULT_GOAL := help
.PHONY: help demo test bench setup build build-all configure stage format check-format tidy clean

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 24

demo: build  ## set up, build, optimize real models and show what was done
	@$(PYTHON) examples/demo.py

test: build-all  ## set up, build and run every test
	@scripts/test.sh $(BUILD) $(JOBS)

setup:  ## install what is missing: Debian packages, LibTorch and test models in a shared environment
	@scripts/setup.sh

build: configure  ## build Release into build/bin and build/lib, without the tests
	@cmake --build $(BUILD) --parallel $(JOBS) --target product

build-all: configure
	@cmake --build $(BUILD) --parallel $(JOBS)

configure: setup
	@scripts/configure.sh $(BUILD) $(BUILD)/venv $(CMAKE_OPTIONS)

bench: build  ## time fused kernels against a copy; needs a GPU
	@$(PYTHON) bench/bench.py

stage: build-all  ## a stripped, relocatable install with the tests in build/stage
	@rm -rf $(BUILD)/stage
	@cmake --install $(BUILD) --prefix $(BUILD)/stage --strip >/dev/null
	@cmake --install $(BUILD) --prefix $(BUILD)/stage --strip --component tests >/dev/null
	@$(PYTHON) examples/models.py $(BUILD)/stage/models
	@du -sh $(BUILD)/stage

format:  ## format every C++ and CUDA source
	@scripts/setup.sh lint
	@scripts/format.sh -i

check-format:  ## fail if a source is not formatted
	@scripts/setup.sh lint
	@scripts/format.sh --dry-run -Werror

tidy: setup  ## check names, function sizes and likely bugs with clang-tidy
	@scripts/setup.sh lint
	@scripts/tidy.sh $(BUILD) $(JOBS)

clean:  ## remove the build folder; the shared environment stays
	@rm -rf $(BUILD)
