#!/bin/bash
# Configures the build folder named by the first argument, unless that was done with the same environment already.
#   scripts/configure.sh build [-DNAME=VALUE...]
set -euo pipefail
build=$1
shift
venv=$(readlink -f "$build/venv")

if [ -f "$build/build.ninja" ] && grep -qxF "TORCHWELD_VENV:PATH=$venv" "$build/CMakeCache.txt" && [ $# = 0 ]; then
  exit 0
fi
echo "configure: log in $build/configure.log"
if ! cmake --preset release -B "$build" -DTORCHWELD_VENV="$venv" "$@" >"$build/configure.log" 2>&1; then
  cat "$build/configure.log" >&2
  exit 1
fi
