#!/bin/bash
# Runs clang-tidy on our sources, with the compile commands of the build folder.
#   scripts/tidy.sh build [jobs]
# Folders without LibTorch get every check of .clang-tidy. The others get the same with LibTorch's headers parsed for
# each file, which takes ten times as long, so they are spread over the jobs last.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$1
jobs=${2:-$(nproc)}

sources() { git ls-files -- "${@/%//*.cpp}"; }
{
  sources graph fusion codegen cli/opt
  sources runtime frontend report cli | grep -v '^cli/opt/' || true
} | xargs -r -P "$jobs" -n 4 clang-tidy -p "$build" --quiet --warnings-as-errors='*'
