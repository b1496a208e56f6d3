#!/usr/bin/env bash
# The benchmark of the machine as users start it:  program_test.sh MPIEXEC PROGRAM
set -uo pipefail
mpiexec=$1 program=$2
export OMPI_MCA_orte_tmpdir_base=$(mktemp -d)  # two mpiruns that share such a folder sometimes remove it under each other
trap 'rm -rf "$OMPI_MCA_orte_tmpdir_base"' EXIT

fail() { echo "FAILED: $*" >&2; exit 1; }
# What must not depend on how it was run; it comes first.
result() { grep -oE '"(cycles|thread_instructions|messages|digest)": "?[0-9a-f]+' <<< "$1" | head -n 4; }

small="--scale 2 --repeat 2"
one=$("$program" --json $small) || fail "$small"
[ "$(result "$one" | wc -l)" = 4 ] || fail "found $one"
[ "$(grep -o '"seconds": [0-9.e-]*, "thread' <<< "$one" | wc -l)" = 2 ] || fail "expected two ways, found $one"
for ranks in 2 3; do
    found=$(timeout -k 5 100 "$mpiexec" -n $ranks "$program" --json $small) || fail "$ranks ranks"
    [ "$(result "$found")" = "$(result "$one")" ] || fail "expected $one, found $found: $ranks ranks"
done
other=$("$program" --json $small --set rendering.organisation=tile_per_core) || fail "--set"
[ "$(result "$other")" != "$(result "$one")" ] || fail "--set changes nothing"
text=$("$program" $small) || fail "as text"
for part in "2 threads" "thread-instr./s" "l2_slice" "synthetic: 1 frames"; do
    grep -qF -- "$part" <<< "$text" || fail "expected \"$part\", found: $text"
done

# refuses CODE TEXT OPTIONS...: one line with the text
refuses() {
    local expected=$1 text=$2 output code; shift 2
    output=$("$program" "$@" 2>&1); code=$?
    [ "$code" = "$expected" ] || fail "expected exit code $expected, found $code: $*"
    [ "$(wc -l <<< "$output")" = 1 ] && grep -qF -- "$text" <<< "$output" || fail "expected \"$text\", found: $output"
}
refuses 2 "--repeat: Value 0 not in range" --repeat 0
refuses 2 "did you mean 'bifrost32'?" --machine bifrost23
refuses 4 "absent.h5" absent.h5
