#!/bin/bash
# Runs every test of a build folder: ctest, then pytest; ends with the summaries of both.
#   scripts/test.sh build [jobs]
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
build=$1
jobs=${2:-$(nproc)}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

ctest --test-dir "$build" --parallel "$jobs" --output-on-failure --no-tests=error | tee "$logs/ctest"
ctest_status=$?
"$build/venv/bin/python" -m pytest -p no:cacheprovider -ra --durations=5 tests/python tests/graph | tee "$logs/pytest"
pytest_status=$?

echo
echo "ctest:  $(grep -E '^[0-9]+% tests passed' "$logs/ctest" || echo "failed to run")"
echo "pytest: $(tail -n 1 "$logs/pytest" | tr -d '=')"
[ $ctest_status = 0 ] && [ $pytest_status = 0 ]
