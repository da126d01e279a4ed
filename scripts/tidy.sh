#!/bin/bash
# Runs clang-tidy on our sources.
#   scripts/tidy.sh build [jobs]
# Folders without LibTorch get every check of .clang-tidy. Where LibTorch's headers are included all checks would take
# half a minute a file; names, function sizes and performance take a third of that.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$1
jobs=${2:-$(nproc)}
cheap_checks='-*,readability-identifier-naming,readability-function-size,performance-*,-performance-no-int-to-ptr,-performance-inefficient-vector-operation'

# clang cannot read the precompiled header of g++, so tidy has compile commands of its own.
scripts/configure.sh "$build/tidy" "$build/venv" -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON

sources() { git ls-files --cached --others --exclude-standard -- "$@" | grep '\.cpp$' || true; }
tidy() {
  xargs -r -P "$jobs" -n 1 clang-tidy -p "$build/tidy" --quiet --warnings-as-errors='*' "$@" 2>&1 |
    { grep -v ' warnings\? generated\.$' || true; }
}
sources graph fusion codegen cli/opt | tidy
sources runtime frontend report cli ':!cli/opt' | tidy --checks="$cheap_checks"
