#!/usr/bin/env bash
# The whole matrix of matrix.sh for all models: 12,800 runs; and that of resume.sh.
#     nightly.sh BUILD
set -euo pipefail
here=$(dirname "$0")
for model in phold machine_shape gpu gpu:immediate gpu:tiled_mesh gpu:tiled_per_core_crossbar gpu:hidden_per_core \
    gpu:observed gpu:prefetch gpu:tegra_dae; do
    echo "$model $(bash "$here/matrix.sh" "$1" "$model")"
done
echo "resume $(bash "$here/resume.sh" "$1")"
