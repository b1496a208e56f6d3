#!/usr/bin/env bash
# Figures and claims of paper 004: see README.md beside this file.   TESSERA: the program [the release build of this tree]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../../..
export TESSERA=${TESSERA:-$root/build/default/experiments/tessera/tessera}
export PYTHONPATH=$root/experiments/python${PYTHONPATH:+:$PYTHONPATH} PYTHONDONTWRITEBYTECODE=1
exec /usr/bin/python3 "$here/paper.py" "$@"
