#!/bin/bash
# Runs clang-format with the given arguments on every source of ours. Golden kernels keep the printer's own layout.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
git ls-files -z --cached --others --exclude-standard -- '*.cpp' '*.h' '*.cuh' ':!tests/golden' |
  xargs -0 --no-run-if-empty clang-format "$@"
