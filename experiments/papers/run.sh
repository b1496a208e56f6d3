#!/usr/bin/env bash
# Figures and claims of a paper: see README.md in its folder, whose run.sh calls this.
#
#     run.sh PAPER [OPTIONS]      TESSERA: the program [the release build of this tree]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
paper=${1:?usage: run.sh PAPER [OPTIONS]}
shift
export TESSERA=${TESSERA:-$root/build/default/experiments/tessera/tessera}
export PYTHONPATH=$root/experiments/python${PYTHONPATH:+:$PYTHONPATH} PYTHONDONTWRITEBYTECODE=1
exec /usr/bin/python3 "$here/$paper/paper.py" "$@"
