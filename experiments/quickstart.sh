#!/usr/bin/env bash
# From a fresh Debian 12 to simulated frames of a real application: installs what is missing, builds a release, records
# 3 frames of two glmark2 scenes at 800x600, works out what a GPU has to do for them, checks the images against the
# recorded references, and plays them on a simulated 32-core mobile GPU with all cores of this machine.
#   bash experiments/quickstart.sh [DIRECTORY]      where the files go; default out/quickstart
# Recordings and frame traces that are there already are used again; the simulation runs anew.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-out/quickstart}
scenes="terrain jellyfish"

bash experiments/install_packages.sh build record
cmake --preset default -D TESSERA_TESTS=OFF >/dev/null
cmake --build --preset default --target tessera
tessera=build/default/experiments/tessera/tessera

mkdir -p "$out"
traces=()
for scene in $scenes; do
    recording=$out/$scene.vtr.zst trace=$out/$scene.trace.h5
    [ -f "$recording" ] || "$tessera" record -o "$recording" --frames 3 --gles 2 --size 800x600 -- \
        glmark2-es2 -s 800x600 -b "$scene:nframes=3"
    [ -f "$trace" ] || "$tessera" trace "$recording" -o "$trace" --images "$out/images/$scene" --check
    traces+=("$trace")
done

"$tessera" run bifrost32 "${traces[@]}" -o "$out/bifrost32" --force

echo
echo "Files:"
find "$out" -type f \( -name '*.h5' -o -name '*.vtr.zst' -o -name '*.png' -o -name '*.toml' \) | sort | sed 's/^/  /'
