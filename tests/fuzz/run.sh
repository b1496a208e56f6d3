#!/usr/bin/env bash
# Fuzzes each reader for a while, starting from the seeds; the first that fails ends the run.
#     tests/fuzz/run.sh [SECONDS [TARGET...]]     60 seconds each, all targets
# What is found lies in build/fuzz/found/TARGET: run `build/fuzz/tests/fuzz/TARGET FILE` to see it again. The corpus
# grows in build/fuzz/corpus; delete it to start afresh.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
shift || true
build=build/fuzz

bash experiments/install_packages.sh build test sanitize
cmake --preset fuzz >/dev/null
targets=${*:-$(cd tests/fuzz && ls -- *_fuzz.cpp | sed 's/\.cpp$//')}
cmake --build --preset fuzz --target fuzz_seeds $targets

$build/tests/fuzz/fuzz_seeds $build/corpus
for folder in tests/fuzz/seeds/*/; do
    mkdir -p "$build/corpus/$(basename "$folder")"
    cp -- "$folder"* "$build/corpus/$(basename "$folder")"
done
cp -- experiments/machines/*.toml "$build/corpus/config_fuzz"
cp -- experiments/workloads/*.toml "$build/corpus/recipe_fuzz"

export ASAN_OPTIONS=detect_leaks=0  # libFuzzer looks for leaks itself
for target in $targets; do
    mkdir -p "$build/found/$target" "$build/corpus/$target"
    dictionary=()
    [ -e "$build/corpus/$target.dict" ] && dictionary=(-dict="$build/corpus/$target.dict")
    echo "== $target: $seconds s"
    "$build/tests/fuzz/$target" -max_total_time="$seconds" -rss_limit_mb=2048 -malloc_limit_mb=1024 -timeout=10 \
        -max_len=8192 -print_final_stats=1 -verbosity=1 -artifact_prefix="$build/found/$target/" \
        "${dictionary[@]}" "$build/corpus/$target" >"$build/found/$target.log" 2>&1 ||
        { tail -n 60 "$build/found/$target.log"; echo "$target failed; see $build/found/$target.log" >&2; exit 1; }
    grep -E 'stat::|^Done' "$build/found/$target.log"
done
