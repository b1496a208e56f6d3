#!/usr/bin/env bash
# The benchmark programs as users start them:  programs_test.sh CASE MPIEXEC PROGRAM
set -uo pipefail
mpiexec=$2 program=$3
export OMPI_MCA_orte_tmpdir_base=$(mktemp -d)  # two mpiruns that share such a folder sometimes remove it under each other
trap 'rm -rf "$OMPI_MCA_orte_tmpdir_base"' EXIT

fail() { echo "FAILED: $*" >&2; exit 1; }
result() { grep -oE '"(events|digest)": "?[0-9a-f]+' <<< "$1"; }  # what must not depend on how it was run

# agrees PLAIN-OPTION OPTIONS...: the plain code, and the kernel on ranks and threads
agrees() {
    local plain=$1 expected found run; shift
    expected=$(result "$("$program" --json "$@" "$plain")") && [ "$(wc -l <<< "$expected")" = 2 ] || fail "$plain $*"
    for run in "1 1 --partition single" "1 3 --partition round_robin" "2 1 --partition block" \
               "2 2 --partition round_robin" "3 1 --partition single" \
               "2 2 --partition round_robin --no-shared-memory"; do
        read -r ranks threads more <<< "$run"
        found=$(timeout -k 5 60 "$mpiexec" -n "$ranks" "$program" --json "$@" --threads "$threads" $more) ||
            fail "$* on $run"
        [ "$(result "$found")" = "$expected" ] || fail "expected $expected, found $found: $* on $run"
    done
}
# refuses TEXT OPTIONS...: exit code 2 and one line with the text
refuses() {
    local text=$1 output code; shift
    output=$("$program" "$@" 2>&1); code=$?
    [ "$code" = 2 ] || fail "expected exit code 2, found $code: $*"
    [ "$(wc -l <<< "$output")" = 1 ] && grep -qF -- "$text" <<< "$output" || fail "expected \"$text\", found: $output"
}

case $1 in
machine_shape)
    agrees --floor --cycles 2000 --work-ns 4 --window 4
    agrees --floor --cycles 2000 --work-ns 4 --window 16 --seed 3
    refuses "--window: Value 0 not in range" --window 0
    refuses "--threads excludes --floor" --floor --threads 2
    refuses "--floor-order requires --floor" --floor-order cycle
    refuses "--partition: blok not in" --partition blok
    refuses "not expected: --windows" --windows=4 ;;
phold)
    agrees --yardstick --lps 40 --end 20 --remote 0.25
    agrees --yardstick --lps 40 --end 2 --remote 0.9 --lookahead 0.001 --seed 3
    # Far more than 1024 messages for each other rank in a window, which no null message follows.
    crowded="--lps 4096 --population 16 --end 1 --remote 0.9"
    one=$(result "$("$program" --json $crowded)")
    found=$(timeout -k 5 60 "$mpiexec" -n 2 "$program" --json $crowded --no-shared-memory) || fail "$crowded"
    [ "$(result "$found")" = "$one" ] || fail "expected $one, found $found: $crowded"
    tied="--lps 5 --population 40 --end 0.0003 --lookahead 0.000002 --mean 0.000006 --tie-seed"
    one=$(result "$("$program" --json $tied 1)")
    [ "$one" = "$(result "$("$program" --json $tied 1 --threads 2 --partition round_robin)")" ] || fail "tie seed"
    [ "$one" != "$(result "$("$program" --json $tied 0)")" ] || fail "the tie seed changes nothing"
    refuses "--tie-seed excludes --yardstick" --yardstick --tie-seed 2
    refuses "--remote: Value 1.1 not in range" --remote 1.1
    refuses "--mean: expected at least the lookahead" --mean 0.5 --lookahead 0.6
    refuses "--threads excludes --yardstick" --yardstick --threads 2 ;;
*) fail "no case $1" ;;
esac
