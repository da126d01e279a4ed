#!/bin/bash
# Installs what a build needs and is missing: Debian packages, and a Python environment with LibTorch and test models.
# Run it as often as you like: when nothing is missing it ends at once.
#   scripts/setup.sh [lint]     lint: also the formatter and the linter
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")

build_packages=(
  g++ cmake make ninja-build ccache git
  libboost-graph-dev libcli11-dev libfmt-dev libgmock-dev libgtest-dev
  libspdlog-dev libxxhash-dev nlohmann-json3-dev
)
lint_packages=(clang-format clang-tidy)
venv=${TORCHWELD_VENV:-${XDG_CACHE_HOME:-$HOME/.cache}/torchweld/venv}
marker=$venv/torchweld-ready
requirements=$here/requirements.txt
silero_version=6.2.3

say() { echo "setup: $*"; }
stop() {
  echo "setup: $*" >&2
  exit 2
}

# The pinned list; the marker file holds it once everything is in place.
wanted() {
  cat "$requirements"
  echo "silero-vad file $silero_version"
}

# ---- Debian packages

missing_packages() {
  local package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
  done
}

install_packages() {
  local wanted=("$@") missing rights=()
  [ -n "${TORCHWELD_SKIP_PACKAGES:-}" ] && return
  command -v dpkg-query >/dev/null ||
    stop "no dpkg here: install the counterparts of: ${wanted[*]}; then set TORCHWELD_SKIP_PACKAGES=1"
  missing=$(missing_packages "${wanted[@]}" | tr '\n' ' ')
  [ -z "$missing" ] && return
  command -v apt-get >/dev/null || stop "no apt-get here: install these packages: $missing"
  if [ "$(id -u)" != 0 ]; then
    { command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; } ||
      stop "installing needs root or sudo: install these packages: $missing"
    rights=(sudo)
  fi
  say "installing Debian packages: $missing"
  export DEBIAN_FRONTEND=noninteractive
  # shellcheck disable=SC2086  # one word for each package
  {
    "${rights[@]}" apt-get install -y -q --no-install-recommends $missing ||
      { "${rights[@]}" apt-get update -q && "${rights[@]}" apt-get install -y -q --no-install-recommends $missing; }
  } || stop "apt-get failed: install these packages: $missing"
}

# ---- Python environment

make_venv() {
  say "making a Python environment in $venv"
  python3 -m venv "$venv" || stop "python3 -m venv failed: install python3-venv"
}

install_requirements() {
  say "installing LibTorch and the test models into $venv (4.7 GB when it is new, a minute or more)"
  "$venv/bin/python" -m pip install --disable-pip-version-check --progress-bar off -r "$requirements" |
    { grep --line-buffered -v '^Requirement already satisfied' || true; } &&
    fetch_silero && link_toolkit
}

# The model file alone: the package's dependencies are not wanted.
fetch_silero() {
  local folder=$venv/models download
  [ -s "$folder/silero_vad.jit" ] && [ "$(cat "$folder/silero_version" 2>/dev/null)" = "$silero_version" ] && return
  say "fetching silero_vad.jit"
  download=$(mktemp -d)
  "$venv/bin/python" -m pip download -q --disable-pip-version-check --no-deps -d "$download" \
    "silero-vad==$silero_version" &&
    "$venv/bin/python" - "$download" "$folder" <<'PYTHON' && echo "$silero_version" >"$folder/silero_version"
import pathlib, sys, zipfile
download, folder = map(pathlib.Path, sys.argv[1:])
folder.mkdir(exist_ok=True)
wheel = zipfile.ZipFile(next(download.glob("*.whl")))
(folder / "silero_vad.jit").write_bytes(wheel.read("silero_vad/data/silero_vad.jit"))
PYTHON
  local status=$?
  rm -rf "$download"
  return $status
}

# Wheels carry libcudart.so.13 but not the name that CMake looks for, and no lib64.
link_toolkit() {
  local toolkit
  for toolkit in "$venv"/lib/python3*/site-packages/nvidia/cu13; do
    ln -sfn lib "$toolkit/lib64" && ln -sf libcudart.so.13 "$toolkit/lib/libcudart.so" &&
      ln -sf libnvrtc.so.13 "$toolkit/lib/libnvrtc.so" || return 1
  done
}

whole() { "$venv/bin/python" "$here/verify_venv.py"; }

fill_venv() {
  if [ -e "$venv" ] && [ ! -e "$venv/pyvenv.cfg" ] && [ -n "$(ls -A "$venv")" ]; then
    stop "$venv is not empty and is no Python environment: remove it or set TORCHWELD_VENV"
  fi
  if [ -x "$venv/bin/python" ] && "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
    # Made by an earlier setup that did not finish, for another pinned list, or by hand: keep what is good in it.
    say "completing the Python environment in $venv"
    rm -f "$marker"
    if install_requirements && whole; then
      return
    fi
    say "the environment is damaged, making it anew"
  fi
  rm -rf "$venv"
  make_venv
  install_requirements || stop "pip failed; see above. Run make setup again when the network is back"
  whole || stop "the new environment is damaged; see above"
}

setup_venv() {
  mkdir -p "$(dirname "$venv")"
  exec 9>"$venv.lock"
  flock -n 9 || { say "another setup is at work on $venv, waiting" && flock 9; }
  if [ "$(cat "$marker" 2>/dev/null)" != "$(wanted)" ]; then
    fill_venv
    wanted >"$marker.new"
    mv "$marker.new" "$marker"
  fi
  exec 9>&-
}

if [ "${1:-}" = lint ]; then
  install_packages "${lint_packages[@]}"
  exit
fi
# A Python that was not installed by Debian may bring venv itself.
python3 -c 'import ensurepip, venv' 2>/dev/null || build_packages+=(python3 python3-venv)
install_packages "${build_packages[@]}"
[ "$(cat "$marker" 2>/dev/null)" = "$(wanted)" ] || setup_venv
mkdir -p "$root/build"
ln -sfn "$venv" "$root/build/venv"
