#!/usr/bin/env bash
# The whole matrix of matrix.sh for all models: 3840 runs, an hour or two on two cores; and that of resume.sh.
#     nightly.sh BUILD
set -euo pipefail
here=$(dirname "$0")
for model in phold machine_shape gpu; do
    echo "$model $(bash "$here/matrix.sh" "$1" "$model")"
done
echo "resume $(bash "$here/resume.sh" "$1")"
