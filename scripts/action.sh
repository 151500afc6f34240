#!/usr/bin/env bash
# The two steps of action.yml: `action.sh install`, then `action.sh check`.
#
# Inputs come as environment variables, and none is ever part of a command's text. Runs with
# the bash 3.2 of macOS, too. Exit codes of `check` are those of `deltabench check`.
set -euo pipefail

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
readonly checkout
readonly USABLE='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))'
readonly MANAGED='import os, sys, sysconfig
marker = os.path.join(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED")
sys.exit(not (sys.prefix == sys.base_prefix and os.path.exists(marker)))'

fail() {
  local message=$1
  # A % or a line break in an annotation would be read as the runner's own syntax.
  message=${message//'%'/%25}
  printf '::error title=deltabench::%s\n' "${message//[[:cntrl:]]/ }" >&2
  exit 2
}

usable() {
  "$1" -c "$USABLE" 2>/dev/null
}

lines_of() { # without blank ones and the space around them
  local line
  while IFS= read -r line || [[ -n $line ]]; do
    line=${line#"${line%%[![:space:]]*}"}
    line=${line%"${line##*[![:space:]]}"}
    [[ -z $line ]] || printf '%s\n' "$line"
  done <<<"$1"
}

python_of_the_job() {
  local name
  for name in python python3; do
    if usable "$name"; then
      command -v "$name"
      return
    fi
  done
  fail 'Python 3.11 to 3.13 is needed: use actions/setup-python before, or the input python-version'
}

python_of_version() {
  local candidate
  case $1 in
    3.11 | 3.12 | 3.13) ;;
    *) fail "python-version: '$1' is not one of 3.11, 3.12, 3.13" ;;
  esac
  # On the path, or where the runners of GitHub keep the others.
  for candidate in "python$1" "${RUNNER_TOOL_CACHE:-/nowhere}/Python/$1".*/*/bin/python; do
    if usable "$candidate"; then
      command -v "$candidate"
      return
    fi
  done
  fail "python-version: Python $1 is not on this runner: use actions/setup-python before"
}

install() {
  local python own='' target=$checkout options=() environment
  if [[ -n ${INPUT_PYTHON_VERSION:-} ]]; then
    python=$(python_of_version "$INPUT_PYTHON_VERSION")
    own=yes
  else
    python=$(python_of_the_job)
    if "$python" -c "$MANAGED"; then
      echo "$python takes no packages: deltabench gets an environment of its own"
      own=yes
    fi
  fi
  if [[ -n $own ]]; then
    environment=$(mktemp -d "${RUNNER_TEMP:-/tmp}/deltabench-python.XXXXXX")
    "$python" -m venv "$environment"
    python=$environment/bin/python
    options=(--constraint "$checkout/requirements.lock")
  fi
  if lines_of "${INPUT_CHECKPOINTER:-}" | grep -qx postgres; then
    target+='[postgres]'
  fi
  # Packages of the job that fit stay as they are: their versions are what is measured.
  "$python" -m pip install --quiet --disable-pip-version-check \
    ${options[@]+"${options[@]}"} "$target"
  echo "python=$python" >>"$GITHUB_OUTPUT"
}

check() {
  local directory arguments=(check) line
  directory=$(mktemp -d "${RUNNER_TEMP:-/tmp}/deltabench-results.XXXXXX")
  add() { # each line of an input as an option of its own
    while IFS= read -r line; do
      arguments+=("$1=$line")
    done < <(lines_of "$2")
  }
  add --workload "${INPUT_WORKLOAD:-}"
  add --turns "${INPUT_TURNS:-}"
  add --k "${INPUT_K:-}"
  add --checkpointer "${INPUT_CHECKPOINTER:-}"
  add --min-ratio "${INPUT_MIN_RATIO:-}"
  add --baseline "${INPUT_BASELINE:-}"
  add --policy "${INPUT_POLICY:-}"
  add --out "$directory"
  while IFS= read -r line; do
    arguments+=("$line")
  done < <(lines_of "${INPUT_ARGS:-}")
  echo "results=$directory" >>"$GITHUB_OUTPUT"
  # -P: a folder of the job's checkout that is named like a package is not that package.
  exec "$DELTABENCH_PYTHON" -P -m deltabench "${arguments[@]}"
}

case ${1:-} in
  install | check) "$1" ;;
  *) fail "usage: action.sh install|check" ;;
esac
