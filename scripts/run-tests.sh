#!/bin/bash
# Runs the tests of a staged tree with the LibTorch of `python3` (or of $PYTHON). Arguments go to the test binaries.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${PYTHON:-python3}

torch=$("$python" -c 'import os, torch; print(os.path.dirname(torch.__file__))') || {
  echo "run-tests: $python has no torch; set PYTHON to an interpreter that has it" >&2
  exit 2
}
libraries=$torch/lib
for folder in "$torch"/../nvidia/*/lib; do
  [ -d "$folder" ] && libraries=$libraries:$folder
done
export LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export TORCHWELD_LIBRARY=$here/lib/libtorchweld.so
export TORCHWELD_TOOL=$here/bin/torchweld
export TORCHWELD_OPT=$here/bin/torchweld-opt
export TORCHWELD_SOURCE_DIR=$here
export TORCHWELD_MODELS=$here/models
export PYTHONPATH=$here/python${PYTHONPATH:+:$PYTHONPATH}

failed=0
for binary in torchweld_tests torchweld_torch_tests; do
  [ -x "$here/bin/$binary" ] || continue
  "$here/bin/$binary" --gtest_brief=1 "$@" || failed=1
done
if [ -d "$here/tests/python" ]; then
  "$python" -m pytest -q -ra -p no:cacheprovider "$here/tests/python" "$here/tests/graph" || failed=1
fi
exit $failed
