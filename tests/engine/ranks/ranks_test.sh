#!/usr/bin/env bash
# The kernel on MPI ranks:  ranks_test.sh CASE MPIEXEC PROGRAM
set -uo pipefail
mpiexec=$2 program=$3
export HWLOC_COMPONENTS=-gl  # else mpirun asks an X server that happens to run, and prints what that answers
work=$(mktemp -d)
output=$work/output
trap 'rm -rf "$work"' EXIT
export OMPI_MCA_orte_tmpdir_base=$work  # two mpiruns that share such a folder sometimes remove it under each other

fail() { echo "FAILED: $*" >&2; cat "$output" >&2; exit 1; }
# finds the processes of the job that start() has started, by the launcher they are children of
ranks_of_job() { found pgrep -P "$(launcher_of_job)" -f "$(basename "$program")"; }
launcher_of_job() { found pgrep -P $job; }
# what a search finds; on a busy host a look at the processes may miss one that is there
found() { for _ in $(seq 100); do "$@" && return; sleep 0.05; done; }
# start RANKS ARGUMENTS...: in the background, until all ranks are ready
start() {
    local ranks=$1; shift
    timeout -k 5 240 "$mpiexec" -n "$ranks" "$program" "$@" > "$output" 2>&1 & job=$!
    for _ in $(seq 3000); do
        [ "$(grep -c '^ready$' "$output")" = "$ranks" ] && return
        sleep 0.01
    done
    fail "not ready: $*"
}
both="apart shared"  # over the network of MPI, and in shared memory
words() { [ "$1" = apart ] && echo apart; }
on() { local ranks=$1; shift; timeout -k 5 240 "$mpiexec" -n "$ranks" "$program" "$@" > "$output" 2>&1; }
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
        for way in $both; do
            on "$ranks" $(words $way) digest "$threads" "$stride" "$workers" || fail "$way: $run"
            [ "$(cat "$output")" = "$expected" ] || fail "expected $expected: $way: ranks threads stride workers = $run"
        done
    done ;;
hosts)  # of several nodes, which share no memory indeed, with one rank or several that do
    expected=$("$program" digest 1 1 1) || fail "one process"
    for run in "1 1 1 2" "1 2 3 4" "2 1 1 4"; do
        read -r ranks threads stride workers <<< "$run"
        RANKS=$ranks bash "$(dirname "$0")/two_hosts.sh" "$mpiexec" "$program" digest "$threads" "$stride" "$workers" \
            > "$output" 2> "$output.err"; code=$?  # MPI warns there of the shell that stands for ssh
        [ $code != 77 ] || { cat "$output"; exit 77; }
        [ $code = 0 ] && [ "$(cat "$output")" = "$expected" ] ||
            fail "expected $expected, found $(cat "$output.err"): ranks of a host, threads stride workers = $run"
    done ;;
many)  # far more workers than cores, and each with one process; ranks that own nothing
    expected=$("$program" large 1 100 2> /dev/null) || fail "one process"
    for run in "1 64" "8 8" "8 1"; do
        read -r ranks threads <<< "$run"
        for way in $both; do
            on "$ranks" $(words $way) large "$threads" 100 || fail "$way: ranks threads = $run"
            grep -qx "$expected" "$output" || fail "expected $expected: $way: ranks threads = $run"
        done
    done
    expected=$("$program" digest 1 1 1) || fail "one process"
    for way in $both; do
        on 8 $(words $way) digest 1 1 5 || fail "$way: 3 of 8 ranks own nothing"
        [ "$(cat "$output")" = "$expected" ] || fail "expected $expected: $way: 3 of 8 ranks own nothing"
    done ;;
signal)  # one rank gets it, or the launcher: all stop at the same time, and die of it
    for way in $both; do
        for signal in 15 10; do
            start 3 $(words $way) until-signal
            case $signal in 15) kill -15 "$(ranks_of_job | tail -n 1)" ;; 10) kill -10 "$(launcher_of_job)" ;; esac
            wait $job; code=$?
            [ $code = $((128 + signal)) ] || fail "expected exit code $((128 + signal)), found $code: $way"
            [ "$(grep -c "^stopped by $signal at [0-9]* with all steps$" "$output")" = 3 ] &&
                [ "$(grep '^stopped by' "$output" | sort -u | wc -l)" = 1 ] || fail "signal $signal: $way"
        done
    done ;;
killed)  # one rank dies: the job ends soon, and says of what
    for way in $both; do
        start 3 $(words $way) until-signal
        kill -9 "$(ranks_of_job | tail -n 1)"
        for _ in $(seq 100); do kill -0 $job 2> /dev/null || break; sleep 0.1; done
        ! kill -0 $job 2> /dev/null || fail "the job goes on 10 s after the death of a rank: $way"
        wait $job; code=$?
        [ $code = 137 ] && grep -q "exited on signal 9" "$output" || fail "exit code $code: $way"
    done ;;
paused)  # a rank that stands still for a while changes nothing
    expected=$("$program" large 1 20000 2> /dev/null) || fail "one process"
    for way in $both; do
        start 2 $(words $way) large 1 20000
        rank=$(ranks_of_job | tail -n 1)
        kill -STOP "$rank" || fail "has ended too early: $way"
        sleep 5
        grep -q "^State:.T" "/proc/$rank/status" || fail "was not stopped: $way"
        kill -CONT "$rank"
        wait $job || fail "$way"
        grep -qx "$expected" "$output" || fail "expected $expected: $way"
    done ;;
moved)  # processes that move to other ranks between two runs change nothing
    expected=$("$program" moved 1 1 1) || fail "one process"
    for run in "2 1 1 2" "2 2 1 4" "3 1 1 3" "3 2 3 6"; do
        read -r ranks threads stride workers <<< "$run"
        for way in $both; do
            on "$ranks" $(words $way) moved "$threads" "$stride" "$workers" || fail "$way: $run"
            [ "$(cat "$output")" = "$expected" ] || fail "expected $expected: $way: $run"
        done
    done
    expect 2 "pacer[0]: ran on rank 0 and cannot move to rank 1, as pacer has no function serialize()" 2 stuck ;;
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
    for way in $both; do
        for guilty in 0 1 2; do
            expect 3 "suspect[$guilty]: byte offset 99: expected a draw, found a hat (at time 8)" \
                3 $(words $way) throw $guilty
        done
    done ;;
unfinished)
    for way in $both; do
        expect 1 "but not all is done: suspect[2]: 3 credits lost" 3 $(words $way) unfinished 2
    done ;;
stall)
    for way in $both; do
        for guilty in 0 1; do
            expect 1 "worker $guilty is busy with suspect[$guilty]" 2 $(words $way) stall $guilty
        done
    done ;;
services)
    "$program" services > "$output" || fail "one process"
    for ranks in 1 2 3; do expect 0 "right on all ranks" "$ranks" services; done ;;
transport)  # by itself, with links that are full most of the time
    for ranks in 2 3; do expect 0 "right on all ranks" "$ranks" transport; done ;;
hang)  # a rank that does not come is named, whichever it is; one that says that it is at work is waited for
    for late in 0 1 2; do
        expect 1 "error: no sign of life from rank $late for " 3 hang $late
        grep -q "of 3 waits for it, for tea" "$output" || fail "no stage: $late"
        expect 0 "right on all ranks" 3 work $late
    done ;;
abort) on 3 abort 1; [ $? = 4 ] || fail "expected exit code 4" ;;
*) fail "no case $1" ;;
esac
