#!/usr/bin/env bash
# The suite at a glance: traces the recordings that record_all.sh left in FOLDER and writes, for each, our picture beside
# the recorded one and the difference, one sheet of all, a table of how near they are and what they cost, and the figures
# that characterise the applications.
#
#   experiments/workloads/contact_sheet.sh FOLDER [OUTPUT]        OUTPUT [build/contact_sheet]
#
# Needs the group `python` of experiments/install_packages.sh. TESSERA: the program
# [build/default/experiments/tessera/tessera]. Exit code 1 if a recording could not be traced.
set -uo pipefail

here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?usage: contact_sheet.sh FOLDER [OUTPUT]}
output=${2:-$here/../../build/contact_sheet}
export PYTHONPATH=$here/../python${PYTHONPATH:+:$PYTHONPATH}
export TESSERA=${TESSERA:-$here/../../build/default/experiments/tessera/tessera}
command -v "$TESSERA" > /dev/null ||
    { echo "error: expected the program tessera at $TESSERA, found none: build it, or set TESSERA" >&2; exit 2; }

recordings=()
for file in "$folder"/*.vtr.zst; do
    [[ -e $file && $file != *.new.vtr.zst ]] && recordings+=("$file")
done
[ ${#recordings[@]} -gt 0 ] || { echo "contact_sheet.sh: no recordings in $folder; make some with record_all.sh" >&2; exit 2; }
status=0
/usr/bin/python3 -m tessera.contact_sheet "${recordings[@]}" -o "$output" || status=1
/usr/bin/python3 -m tessera.characterise "$output"/*.h5 -o "$output/characterisation" || status=1
exit $status
