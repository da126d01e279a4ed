#!/bin/bash
# Configures a build folder with the environment, unless that was done already.
#   scripts/configure.sh build build/venv [-DNAME=VALUE...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$1
venv=$(readlink -f "$2")
shift 2

wanted="$venv $*"
if [ -f "$build/build.ninja" ] && [ "$(cat "$build/configured" 2>/dev/null)" = "$wanted" ]; then
  exit 0
fi
mkdir -p "$build"
rm -f "$build/CMakeCache.txt" "$build/configured"
if ! cmake --preset release -B "$build" -DTORCHWELD_VENV="$venv" "$@" >"$build/configure.log" 2>&1; then
  cat "$build/configure.log" >&2
  exit 1
fi
echo "$wanted" >"$build/configured"
echo "configured $build (log in $build/configure.log)"
