# A machine needs only make and Python 3.11 to 3.13; each target sets up what is missing.
#   make bench           measure workload B over 200 turns, full snapshots against K = 50
#   make test            lint, types, gate and tests: everything that CI runs, on the newest versions
#   make test-oldest     the short end-to-end tests on the oldest supported versions
#   make gate            hold short sessions of A and B against reports/baseline.json
#   make baseline        measure these again, show what changes, and ask to accept it
#   make reproduce       compare with the published figures; fails when one is out
#   make bench-overhead  what the metering costs, as a paired ratio against a bare loop
#   make bench-memory    that full snapshots of B over 200 turns stay below 1 GB resident
#   make verify          the guarantees of the runtime on all checkpointers, some six minutes
#   make verify-history  the same with older versions, each in an environment of its own
#   make bench-inspect   that inspecting 10 GB stays below 300 MB and near one plain pass
#   make check-forecast  that 500 turns are foreseen from 50 within 2 %
#   make record-series   record the sessions that forecast continues anew
#   make lint | format   check | rewrite the layout of the code
#   make lock            choose versions anew (needs Python 3.11)
#   make clean           remove environments and caches; results in reports/ stay
# PYTHON=/path/to/python3 chooses the interpreter.

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := bench
.DELETE_ON_ERROR:

# Debian's python3 has no ensurepip without python3-venv, so it is asked for, too.
USABLE := import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
PYTHON ?= $(shell for python in python3.13 python3.12 python3.11 python3; do \
	if $$python -c '$(USABLE)' 2>/dev/null; then command -v $$python; break; fi; done)

# Nothing of another environment may leak into this one, nor pip be told to install
# elsewhere; settings that say where pip downloads from stay in force.
unexport PYTHONHOME PYTHONPATH VIRTUAL_ENV __PYVENV_LAUNCHER__
unexport PIP_CONSTRAINT PIP_DRY_RUN PIP_NO_DEPS PIP_PREFIX PIP_PYTHON PIP_REQUIRE_HASHES
unexport PIP_REQUIREMENT PIP_ROOT PIP_TARGET PIP_USER

BIN := .venv/bin
BIN_OLDEST := .venv-oldest/bin

.PHONY: bench test test-oldest gate baseline reproduce bench-overhead bench-memory
.PHONY: verify verify-history bench-inspect check-forecast record-series
.PHONY: lint format lock clean build/gate

bench: .venv/.ready
	@$(BIN)/deltabench run --workload B --turns 200

test: .venv/.ready
	@$(MAKE) lint
	@$(BIN)/python -m mypy
	@$(MAKE) gate
	@$(BIN)/python -m pytest --no-header -n 2 --dist loadfile

# Old packages warn about newer companions; that is no fault of the code under test.
test-oldest: .venv-oldest/.ready
	@$(BIN_OLDEST)/python -m pytest --no-header -m oldest -W default --disable-warnings

gate: build/gate
	@$(BIN)/deltabench check build/gate --baseline reports/baseline.json --policy reports/gate.toml

baseline: build/gate
	@$(BIN)/deltabench baseline update build/gate

# Snapshots happen on every channel: five turns are 20 updates of A's messages and 50 of
# B's. A failed cell (exit code 3) is for the gate to tell, which blocks on it.
build/gate: .venv/.ready
	@rm -rf build/gate
	@$(BIN)/deltabench sweep --workload A --workload B --turns 5 --k 5 --checkpointer memory \
		--checkpointer sqlite --checkpointer postgres --out build/gate >/dev/null || test $$? -eq 3

reproduce: .venv/.ready
	@$(BIN)/deltabench reproduce

bench-overhead: .venv/.ready
	@$(BIN)/python scripts/bench_overhead.py

bench-memory: .venv/.ready
	@$(BIN)/python scripts/bench_memory.py

verify: .venv/.ready
	@$(BIN)/deltabench verify

verify-history: .venv/.ready
	@$(BIN)/python scripts/verify_history.py

bench-inspect: .venv/.ready
	@$(BIN)/python scripts/bench_inspect.py --gigabytes 10

check-forecast: .venv/.ready
	@$(BIN)/python scripts/check_forecast.py

record-series: .venv/.ready
	@$(BIN)/python scripts/record_series.py

lint: .venv/.ready
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --quiet --check

format: .venv/.ready
	@$(BIN)/ruff check --quiet --fix
	@$(BIN)/ruff format --quiet

lock: .venv/.ready
	@$(BIN)/python scripts/lock.py

clean:
	@rm -rf .venv .venv-oldest .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
	@find deltabench tests scripts -name __pycache__ -type d -prune -exec rm -rf {} +

.venv/.ready: requirements.lock pyproject.toml
	@$(call set_up,.venv,requirements.lock)

.venv-oldest/.ready: requirements-oldest.txt pyproject.toml
	@$(call set_up,.venv-oldest,requirements-oldest.txt)

# An environment holds what its list names and nothing else, so a change of the list
# makes it anew; the stamp comes last, so one that was interrupted is made again.
define set_up
if ! "$(PYTHON)" -c '$(USABLE)' 2>/dev/null; then \
	echo "error: Python 3.11 to 3.13 with venv is needed (set PYTHON=...; on Debian also: apt-get install python3-venv)" >&2; \
	exit 2; \
fi; \
echo "Setting up $(1), about a minute ..." >&2; \
rm -rf $(1) && "$(PYTHON)" -m venv $(1) && \
$(1)/bin/python -m pip install -qq --no-user --disable-pip-version-check -r $(2) && \
$(1)/bin/python -m pip install -qq --no-user --disable-pip-version-check --no-deps --no-build-isolation -e . && \
touch $(1)/.ready
endef
