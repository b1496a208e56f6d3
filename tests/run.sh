#!/usr/bin/env bash
# Installs what is missing, builds and passes all tests. On a fresh Debian 12, as root or with sudo.
#   bash tests/run.sh [PRESET]       PRESET: default (release), asan or tsan
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-default}

bash experiments/install_packages.sh build test record python
[ "$preset" = default ] || bash experiments/install_packages.sh sanitize

cmake --preset "$preset" -D TESSERA_TESTS=ON
cmake --build --preset "$preset"
# Sanitizers want the address space where they expect it: no randomisation. Two tests more than there are cores, as some
# mostly wait: for ranks that start, for watchdogs, for what is to be paused.
setarch --addr-no-randomize ctest --preset "$preset" --parallel "$(($(nproc) + 2))"
