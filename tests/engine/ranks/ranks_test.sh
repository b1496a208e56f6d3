#!/usr/bin/env bash
# The kernel on MPI ranks:  ranks_test.sh CASE MPIEXEC PROGRAM
set -uo pipefail
mpiexec=$2 program=$3
output=$(mktemp)
trap 'rm -f "$output"' EXIT

fail() { echo "FAILED: $*" >&2; cat "$output" >&2; exit 1; }
on() { local ranks=$1; shift; timeout -k 5 60 "$mpiexec" -n "$ranks" "$program" "$@" > "$output" 2>&1; }
# expect CODE TEXT RANKS ARGUMENTS...: the exit code, and a line with the text
expect() {
    local code=$1 text=$2; shift 2
    on "$@"; local found=$?
    [ "$found" = "$code" ] || fail "expected exit code $code, found $found: $*"
    grep -qF -- "$text" "$output" || fail "expected \"$text\": $*"
}

case $1 in
digest)  # one digest, whatever the ranks, threads and partition; with ranks that own nothing
    expected=$("$program" digest 1 1 1) || fail "one process"
    for run in "1 1 1 1" "1 2 1 2" "1 2 4 2" "2 1 1 2" "2 1 9 2" "2 2 1 4" "2 2 3 3" "3 1 1 3" "3 2 1 6" "3 2 5 5" \
               "3 1 1 1" "3 2 4 2"; do
        read -r ranks threads stride workers <<< "$run"
        on "$ranks" digest "$threads" "$stride" "$workers" || fail "ranks threads stride workers = $run"
        [ "$(cat "$output")" = "$expected" ] || fail "expected $expected: ranks threads stride workers = $run"
    done ;;
ties)  # the same with another order of messages that arrive at one time
    expected=$("$program" digest 1 1 1 5) || fail "one process"
    [ "$expected" != "$("$program" digest 1 1 1)" ] || fail "the tie seed changes nothing"
    for run in "2 1 1 2" "2 2 3 3" "3 1 1 3"; do
        read -r ranks threads stride workers <<< "$run"
        on "$ranks" digest "$threads" "$stride" "$workers" 5 || fail "ranks threads stride workers = $run"
        [ "$(cat "$output")" = "$expected" ] || fail "expected $expected: ranks threads stride workers = $run"
    done ;;
checkpoint)  # written in mid-flight by some ranks and threads, read by others: the end is that of the whole run
    expected=$("$program" whole 1 1 1) || fail "one process"
    file=$(mktemp)
    for writer in "1 1 1 1" "1 2 1 2" "2 1 3 2" "3 2 1 6"; do
        read -r ranks threads stride workers <<< "$writer"
        on "$ranks" save "$file" "$threads" "$stride" "$workers" || fail "written by $writer"
        for reader in "1 1 1 1" "1 2 2 2" "2 1 1 2" "2 2 1 4" "3 1 4 3"; do
            read -r ranks threads stride workers <<< "$reader"
            on "$ranks" restore "$file" "$threads" "$stride" "$workers" || fail "written by $writer, read by $reader"
            [ "$(cat "$output")" = "$expected" ] || fail "expected $expected: written by $writer, read by $reader"
        done
    done
    rm -f "$file" ;;
exception)  # ends the job on all ranks, with the code of the error and the name of the process
    for guilty in 0 1 2; do
        expect 3 "suspect[$guilty]: byte offset 99: expected a draw, found a hat (at time 8)" 3 throw $guilty
    done ;;
unfinished) expect 1 "but not all is done: suspect[2]: 3 credits lost" 3 unfinished 2 ;;
stall)
    for guilty in 0 1; do expect 1 "worker $guilty is busy with suspect[$guilty]" 2 stall $guilty; done ;;
services)
    "$program" services > "$output" || fail "one process"
    for ranks in 1 2 3; do expect 0 "right on all ranks" "$ranks" services; done ;;
abort) on 3 abort 1; [ $? = 4 ] || fail "expected exit code 4" ;;
*) fail "no case $1" ;;
esac
