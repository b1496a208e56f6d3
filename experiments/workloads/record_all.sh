#!/usr/bin/env bash
# Records the workloads of this folder, or those named, into FOLDER, and checks each against its reference images.
#
#   experiments/workloads/record_all.sh [--frames N] FOLDER [NAME...]
#
# N: pictures of each [as many as its file says]. A recording from which the skipped pictures cannot be left out is kept
# whole. TESSERA: the program [build/default/experiments/tessera/tessera]. SIZE: of the display, as 800x480 [that of each
# workload]. Recordings that exist are kept. Prints a table: frames, draws per frame, size, the worst PSNR and the largest
# difference, or why it was refused. Exit code 1 if any was.
set -uo pipefail

here=$(cd "$(dirname "$0")" && pwd)
tessera=${TESSERA:-$here/../../build/default/experiments/tessera/tessera}
command -v "$tessera" > /dev/null ||
    { echo "error: expected the program tessera at $tessera, found none: build it, or set TESSERA" >&2; exit 2; }
pictures=()
if [ "${1:-}" = --frames ]; then
    pictures=(--frames "${2:?usage: record_all.sh [--frames N] FOLDER [NAME...]}")
    shift 2
fi
folder=${1:?usage: record_all.sh [--frames N] FOLDER [NAME...]}
shift
names=("$@")
[ ${#names[@]} -eq 0 ] && for file in "$here"/*.toml; do names+=("$(basename "$file" .toml)"); done
mkdir -p "$folder" || exit 4

failed=0
printf '%-22s %6s %9s %10s %9s %8s  %s\n' workload frames size draws MB PSNR difference
for name in "${names[@]}"; do
    recording=$folder/$name.vtr.zst
    new=$folder/$name.new.vtr.zst
    if [ ! -e "$recording" ]; then
        if ! "$tessera" record --workload "$name" "${pictures[@]}" ${SIZE:+--size "$SIZE"} -o "$new" --force \
            --private-socket >"$folder/$name.record.log" 2>&1 &&
            ! grep -q '^error: the recording is kept whole' "$folder/$name.record.log"; then
            printf '%-22s not recorded: %s\n' "$name" "$(grep '^error:' "$folder/$name.record.log" | tail -1)"
            failed=1
            continue
        fi
        mv "$new" "$recording"
    fi
    counts=$("$tessera" info --json "$recording" | /usr/bin/python3 -c '
import json, sys
d = json.load(sys.stdin)
f = d["frames"]
print(len(f), "%dx%d" % (f[-1]["width"], f[-1]["height"]), "%d-%d" % (min(x["draws"] for x in f), max(x["draws"] for x in f)),
      "%.1f" % (d["file_bytes"] / 1e6))')
    if ! "$tessera" trace "$recording" --images "$folder/$name.images" --check >"$folder/$name.check.log" 2>&1; then
        problem=$(grep '^error:' "$folder/$name.check.log" | tail -1)
        printf '%-22s %6s %9s %10s %9s %s\n' "$name" $counts "$problem"
        failed=1
        continue
    fi
    worst=$(sed -n 's/.*PSNR \(.*\) dB, largest difference \([0-9]*\).*/\1 \2/p' "$folder/$name.check.log" |
        sed 's/infinite/inf/' | sort -g | awk 'NR == 1 { psnr = $1 } $2 > most { most = $2 } END { print psnr, most + 0 }')
    printf '%-22s %6s %9s %10s %9s %8s  %s\n' "$name" $counts $worst
done
exit $failed
