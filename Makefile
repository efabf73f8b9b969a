# `make` lists what it can do. Everything runs in .venv, which the first target that needs it makes.

PYTHON ?= $(firstword $(foreach name,python3 python3.14 python3.13 python3.12 python3.11,\
	$(shell $(name) -c 'import sys; sys.version_info >= (3, 11) and print("$(name)")' 2>/dev/null)))
BIN := .venv/bin
BENCH := build/bench-venv
# Python compiles what it imports; to compile everything at once takes longer than all the rest.
PIP := $(BIN)/python -m pip install -qq --disable-pip-version-check --no-compile
STAMP := .venv/.complete
PROTOS = $(shell cd protos && find fivecrowns -name '*.proto' | sort)
PROTO_OUT ?= protos

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo up compile bench-peers bench soak goldens python test tests-of-referee tests-of-site tests-with-services packages lint format proto proto-release lock wheel clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMP) ## Make or refresh .venv with everything to run, test and build

$(STAMP): requirements-dev.txt pyproject.toml | python
	@$(PYTHON) -m venv .venv >&2 || { echo "$(PYTHON) cannot make a virtual environment: on Debian, apt-get install python3-venv" >&2; exit 1; }
	@echo "installing the environment into .venv"
	@sed -n '/^uv==/,/^    # via/p' requirements-dev.txt > .venv/uv.txt
	@$(PIP) --require-hashes -r .venv/uv.txt
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements-dev.txt \
		|| { echo "uv could not, so pip does it: about a minute"; $(PIP) --require-hashes -r requirements-dev.txt; }
	@$(PIP) --no-deps --no-build-isolation --no-index --editable .
	@touch $@

python:
	@if [ -z "$(PYTHON)" ]; then echo "Python 3.11 or newer is needed: install it, or say make PYTHON=/path/to/python3" >&2; exit 1; fi

demo: wheel ## Sixteen bots, a Swiss, a round robin and the site, from nothing; DEMO_EXIT=1 ends by itself
	@$(BIN)/python -m web.demo

up: wheel ## Run the whole site on this machine until Ctrl-C, data in ./var
	@$(BIN)/crowns up

compile: setup ## Compile rules, record and play beside their source, for this Python; needs a C compiler
	@$(BIN)/python -m referee.compiling

# The peers are no dependencies: what cannot be installed is left out of the table, and the table says so.
bench-peers: $(BENCH)/.complete ## Make build/bench-venv with the packages that `make bench` compares with

$(BENCH)/.complete: pyproject.toml | python
	@$(PYTHON) -m venv $(BENCH)
	@for peer in $$($(PYTHON) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["optional-dependencies"]["bench"])'); do \
		$(BENCH)/bin/python -m pip install -qq --disable-pip-version-check "$$peer" || echo "$$peer could not be installed" >&2; done
	@touch $@

bench: setup compile bench-peers ## Measure everything, about twenty minutes on a quiet machine; writes build/bench.json
	@$(BIN)/python -m tests.bench

soak: setup ## Kill referee and bots at random for ten minutes (MINUTES=60 for longer), then all of a league of 200 bots
	@$(BIN)/python -m tests.soak $(or $(MINUTES),10)
	@$(BIN)/python -m tests.soak league

goldens: setup ## Write the golden games anew; look at what changed before you commit
	$(BIN)/python -m tests.support.goldens

test: packages lint ## Everything that must pass, with private RabbitMQ and PostgreSQL
	@$(MAKE) --no-print-directory --jobs=3 --output-sync=target tests-of-referee tests-of-site tests-with-services

# Three runs side by side, for each of them waits half of its time; the output of each is shown when it has ended.
tests-of-referee:
	$(BIN)/pytest -m "not system" tests/referee tests/bots
	$(BIN)/pytest -m embedded

tests-of-site:
	$(BIN)/pytest -m "not system and not browser" --ignore=tests/referee --ignore=tests/bots
	DJANGO_ALLOW_ASYNC_UNSAFE=true $(BIN)/pytest -m browser

tests-with-services:
	$(BIN)/python -m tests.support.services $(BIN)/pytest -m "(system and not embedded) or both_databases"

packages: python ## Install the servers and the browser that the tests run (Debian, root), or say what to install
	@$(PYTHON) -m tests.support.packages

lint: setup ## Format, lint, types, import contracts, schemas
	$(BIN)/ruff format --check --quiet
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	cd protos && ../$(BIN)/buf lint

format: setup ## Put the code into its format
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

proto: setup ## Generate the Python code of the schemas
	cd protos && ../$(BIN)/python -m grpc_tools.protoc -I. --python_out=$(abspath $(PROTO_OUT)) --pyi_out=$(abspath $(PROTO_OUT)) \
		--grpc_python_out=$(abspath $(PROTO_OUT)) $(PROTOS)

proto-release: setup ## Make today's schemas the ones that later ones must not break
	mkdir -p protos/released
	cd protos && ../$(BIN)/buf build --exclude-source-info -o released/v1.binpb

lock: setup ## Resolve the dependencies anew, with hashes and without addresses
	$(BIN)/uv pip compile --quiet --generate-hashes --universal --python-version 3.11 --custom-compile-command "make lock" \
		--upgrade --extra site pyproject.toml -o requirements.txt
	$(BIN)/uv pip compile --quiet --generate-hashes --universal --python-version 3.11 --custom-compile-command "make lock" \
		--upgrade --extra site --extra dev pyproject.toml -o requirements-dev.txt

wheel: setup ## Build what /downloads/ serves: the wheel and the schemas
	@rm -rf build/downloads build/protos
	@$(BIN)/python -m hatchling build -t wheel -d build/downloads >/dev/null
	@cd protos && for file in $(PROTOS); do mkdir -p ../build/protos/$$(dirname $$file) && cp $$file ../build/protos/$$file; done
	@$(BIN)/python -m zipfile -c build/downloads/protos.zip build/protos/fivecrowns

clean: ## Remove what was built and cached; .venv and var stay
	rm -rf build dist referee/_compiled .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -not -path './.venv/*' -prune -exec rm -rf {} +
