#!/usr/bin/env bash
# Mistakes, damage, full disks, little memory and other users, each of which once lost a file, gave a wrong number or
# ended in a crash: what the program does now. Unit tests have the details; this is the program as users start it.
#     reproductions.sh BUILD RECORDINGS GROUP      outputs | memory | numbers | readers | ranks | recorder
# Exit 77 without the recordings.
set -uo pipefail
build=$(realpath "$1") recordings=$2 group=$3
[ -d "$recordings" ] || { echo "no recordings beside the tree"; exit 77; }
recordings=$(realpath "$recordings")
T=$build/experiments/tessera/tessera
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
scratch=$(mktemp -d)
trap 'mountpoint -q "$scratch/disk" && umount "$scratch/disk"; rm -rf "$scratch"' EXIT
export OMPI_MCA_orte_tmpdir_base=$scratch  # two mpiruns that share such a folder sometimes remove it under each other
cd "$scratch" || exit 1
failed=0
# Address and thread sanitizers reserve more address space than any limit leaves.
sanitized=$(grep -qE '__(asan|tsan)_init' "$T" && echo yes)

fail() { echo "FAILED: $*"; failed=$((failed + 1)); }
# expect CODE TEXT COMMAND...: ends with this code, and says TEXT in its one line of error if the code is not 0.
expect() {
    local code=$1 text=$2 found
    shift 2
    timeout 120 "$@" >out.txt 2>err.txt
    found=$?
    [ $found = "$code" ] || fail "$* -> exit $found, expected $code: $(tail -c 600 err.txt)"
    [ -z "$text" ] || grep -qF -- "$text" err.txt || fail "$* -> does not say '$text': $(tail -c 600 err.txt)"
    [ "$code" = 0 ] || [ "$(grep -c '^error: ' err.txt)" = 1 ] || fail "$* -> not one line: $(tail -c 600 err.txt)"
}
limit_memory() { [ -n "$sanitized" ] || ulimit -v "$1"; }  # kB of address space
there() { [ -e "$1" ] || fail "$1 is gone ($2)"; }
absent() { [ ! -e "$1" ] || fail "$1 is there ($2)"; }
same() { cmp -s "$1" "$2" || fail "$1 differs from $2 ($3)"; }
recording() { ln -sf "$recordings/$1.vtr.zst" .; }
trace() { recording "$1"; [ -e "$1.h5" ] || "$T" trace "$1.vtr.zst" -o "$1.h5" >trace.txt 2>&1 || fail "trace $1: $(cat trace.txt)"; }
cycles() { grep -oE '^frames? .*' out.txt; }

# What --force and --profile may take, and what a run that fails leaves.
outputs() {
    trace g_teeworlds
    trace es2_desktop_blur
    mkdir -p d/sub && echo x >d/sub/f
    expect 2 "is a folder" "$T" run bifrost32 g_teeworlds.h5 -o o --profile d --force
    there d/sub/f "--profile of a folder"
    cp g_teeworlds.h5 w.h5
    expect 2 "is read by this command" "$T" run bifrost32 w.h5 -o o --profile w.h5 --force
    same w.h5 g_teeworlds.h5 "--profile of the workload"
    echo 'base = "bifrost32"' >m.toml
    expect 2 "is read by this command" "$T" run m.toml g_teeworlds.h5 -o o --profile m.toml --force
    expect 2 "is where the results will be" "$T" run bifrost32 g_teeworlds.h5 -o o --profile o/results.h5
    absent o "runs that were refused"

    "$T" run bifrost32 g_teeworlds.h5 -o o --progress none >/dev/null || fail "a plain run"
    cp -r o before
    expect 4 "no_such.h5" "$T" run bifrost32 no_such.h5 -o o --force
    expect 3 "none of them is in 7-9" "$T" run bifrost32 g_teeworlds.h5 -o o --force --frames 7-9
    expect 2 nosuch "$T" run bifrost32 g_teeworlds.h5 -o o --force --partition nosuch
    expect 4 nosuch.h5 "$T" run bifrost32 g_teeworlds.h5 -o o --force --partition balanced --profile-from nosuch.h5
    expect 2 --threads "$T" run bifrost32 g_teeworlds.h5 -o o --force --threads 512
    expect 4 nodir "$T" run bifrost32 g_teeworlds.h5 g_teeworlds.h5 -o o --force --profile nodir/p.json
    diff -r o before >/dev/null || fail "runs that failed changed earlier results"
    mkdir -p r/results.h5 && echo x >r/results.h5/mine
    expect 2 "is a folder" "$T" run bifrost32 g_teeworlds.h5 -o r --force
    there r/results.h5/mine "a folder called results.h5"

    # Two at a time into one place: one writes, the others are told.
    for slices in 4 2; do
        "$T" run bifrost32 es2_desktop_blur.h5 es2_desktop_blur.h5 -o two --threads 1 --progress none --set l2.slices=$slices >two.$slices 2>&1 &
        eval "p$slices=$!"
    done
    wait $p4; c4=$?; wait $p2; c2=$?
    [ "$((c4 + c2))" = 4 ] || fail "two runs into one folder end with $c4 and $c2"
    digest=$(grep -h '^digest' two.4 two.2 | awk '{print $2}')
    [ "$digest" = "$("$T" digest two)" ] || fail "two runs into one folder: digest"
    "$T" trace g_teeworlds.vtr.zst -o x.h5 >/dev/null 2>&1 & p1=$!
    "$T" trace g_teeworlds.vtr.zst -o x.h5 >/dev/null 2>&1 & p2=$!
    wait $p1; c1=$?; wait $p2; c2=$?
    [ $c1 = 0 ] || [ $c2 = 0 ] || fail "two traces to one file end with $c1 and $c2"
    cmp -s x.h5 g_teeworlds.h5 || "$T" info x.h5 >/dev/null || fail "two traces to one file"

    # Names that others can foresee, links, devices, inputs.
    mkdir shared && echo victim >victim && ln -s "$scratch/victim" shared/t.h5.tmp
    expect 0 "" "$T" trace g_teeworlds.vtr.zst -o shared/t.h5
    [ "$(cat victim)" = victim ] && [ ! -L shared/t.h5 ] || fail "a link was followed"
    if mknod null c 1 3 2>/dev/null; then
        expect 2 "is a device" "$T" trace g_teeworlds.vtr.zst -o null --force
        [ -c null ] || fail "a device was replaced"
    fi
    cp "$recordings/g_teeworlds.vtr.zst" a.vtr.zst
    expect 2 "is a recording's" "$T" trace a.vtr.zst -o a.vtr.zst --force
    cp a.vtr.zst a.h5
    expect 2 "is read by this command" "$T" trace a.h5 -o a.h5 --force
    same a.h5 "$recordings/g_teeworlds.vtr.zst" "an input with a trace's name"
    expect 2 "is read by this command" "$T" cut a.vtr.zst -o a.vtr.zst --frames 1 --force
    same a.vtr.zst "$recordings/g_teeworlds.vtr.zst" "an input"

    # Pictures of another run.
    "$T" run bifrost32 es2_desktop_blur.h5 -o stale --progress none >/dev/null || fail "a plain run"
    rm stale/results.h5
    expect 2 "exists; --force replaces it" "$T" run bifrost32 g_teeworlds.h5 -o stale
    expect 0 "" "$T" run bifrost32 g_teeworlds.h5 -o stale --force
    absent stale/images/frame_0002.png "an image of another workload"

    # Disks that are full, files that may not grow.
    (failed=0; ulimit -f 10; expect 4 "File too large" "$T" run bifrost32 g_teeworlds.h5 -o limited; exit $failed) || fail "ulimit -f"
    absent limited "a run that could not write"
    mkdir disk
    if mount -t tmpfs -o size=64k tmpfs disk 2>/dev/null; then
        expect 4 "No space left on device" "$T" run bifrost32 g_teeworlds.h5 -o disk/o
        expect 4 "No space left on device" "$T" trace g_teeworlds.vtr.zst -o disk/t.h5
        expect 4 "No space left on device" "$T" cut g_teeworlds.vtr.zst -o disk/c.vtr.zst --frames 0
        [ -z "$(ls -A disk)" ] || fail "a full disk holds $(ls -A disk)"
        expect 4 "No space left on device" "$T" run bifrost32 g_teeworlds.h5 -o o3 --profile disk/p.json
        there o3/results.h5 "the results of a run whose timeline could not be written"
        umount disk
    fi
}

# Shaders that fail while they draw, and memory that runs out anywhere.
memory() {
    [ -z "$sanitized" ] || { echo "not under a sanitizer, which needs all address space"; exit 77; }
    recording g_oa120; recording es2_desktop_blur
    zstd -dc <es2_desktop_blur.vtr.zst |
        perl -0pe 's/(DCL SVIEW\[0\], )2D(, FLOAT\nDCL TEMP\[0\.\.3\]\n  0: TEX OUT\[0\], IN\[0\]\.xyyy, SAMP\[0\], )2D/${1}3D${2}3D/' >t3.vtr
    for threads in 1 2; do
        expect 3 "samples a 3D texture on unit 0, which holds a 2D texture" "$T" trace t3.vtr -o t3.h5 --threads $threads
        cp err.txt err.$threads
    done
    same err.1 err.2 "the error does not depend on the threads"
    expect 3 "3D texture" "$T" cut t3.vtr -o t3c.vtr --frames 1
    expect 3 "3D texture" "$T" run bifrost32 t3.vtr -o t3o
    expect 3 "3D texture" "$T" plan bifrost32 --input t3.vtr
    for file in t3.h5 t3c.vtr t3o/results.h5; do absent $file "a recording that was refused"; done
    for limit in 60 70 80 90 100 110 120 140 160 200; do
        for name in g_oa120 es2_desktop_blur; do
            (ulimit -v $((limit * 1000)); timeout 60 "$T" trace $name.vtr.zst -o m.h5 --threads 2 >out.txt 2>err.txt; exit $?)
            code=$?
            case $code in
                0) rm -f m.h5 ;;
                1 | 2 | 3 | 4) grep -q memory err.txt || fail "$name under $limit MB: $(cat err.txt)" ;;
                127) ;;  # not even the libraries fit
                *) fail "$name under $limit MB ends with $code: $(tail -c 300 err.txt)" ;;
            esac
            grep -q 'std::' err.txt && fail "$name under $limit MB: $(cat err.txt)"
            absent m.h5 "out of memory"
        done
    done
    recording g_teeworlds
    expect 3 "--memory-limit" "$T" trace g_teeworlds.vtr.zst -o small.h5 --memory-limit "60 MiB"
    absent small.h5 "beyond the memory limit"
    [ -z "$(find . -name '*.tessera-*')" ] || fail "left: $(find . -name '*.tessera-*')"
}

# Time, queues, numbers on the command line.
numbers() {
    trace g_teeworlds
    run() { expect "$1" "$2" "$T" run bifrost32 g_teeworlds.h5 -o n --force --frames 0 --progress none "${@:3}"; }
    for clocks in "4294967311 4294967291" "9999999967 9999999943" "4999999999 4999999937" "3100000001 3099999993" \
        "800000000 1866666667"; do
        run 2 "gpu.frequency, dram.flat.frequency: expected frequencies with a greater common divisor" \
            --set gpu.frequency="${clocks% *} Hz" --set dram.model=flat --set dram.flat.frequency="${clocks#* } Hz"
    done
    for entries in 64 65 95; do
        run 0 "" --set fragment_processor.count=33 --set raster.fragment_queue=$entries --set colour.queue=$entries
        "$T" digest n >digest.$entries
    done
    cmp -s digest.64 digest.95 && fail "33 processors with 64 and 95 entries are simulated alike"
    run 2 "--tie-seed" --tie-seed 18446744073709551616
    run 2 "--tie-seed" --tie-seed -1
    run 2 "--fuzz-schedule" --fuzz-schedule -3
    run 2 "l2.slices" --set l2.slices=4 --set l2.slices=8
    run 2 "l2.slices" --set l2.slices.=4
    run 2 "--set l2.slices=3" --set l2.slices=3
    run 2 "--threads" --threads 1024
    expect 2 "--frames" "$T" run bifrost32 g_teeworlds.h5 -o n --force --frames ''
    expect 2 "--threads" "$T" trace g_teeworlds.vtr.zst -o t.h5 --threads 1024
    expect 2 "--fps" "$T" record -o r.vtr.zst --fps nan -- true
    expect 2 "--frames" "$T" record -o r.vtr.zst --frames 0 -- true
    [ "$(wc -c <err.txt)" -lt 300 ] || fail "record --frames 0 says $(cat err.txt)"
    for count in 127 128 200 256; do
        timeout 120 "$T" run bifrost32 g_teeworlds.h5 -o v --force --frames 0 --progress none --set vertex_processor.count=$count >out.txt 2>err.txt
        code=$?
        [ $code = 0 ] || [ $code = 2 ] || fail "vertex_processor.count=$count ends with $code: $(tail -c 300 err.txt)"
    done
}

# Files that are of another kind, too large, forged or full of control characters.
readers() {
    trace g_teeworlds
    "$T" run bifrost32 g_teeworlds.h5 -o o --frames 0 --progress none >/dev/null || fail "a plain run"
    mkfifo pipe
    for file in /dev/zero /dev/urandom pipe; do
        for command in "info $file" "run bifrost32 $file -o x" "trace $file -o x.h5"; do
            (limit_memory 2000000; timeout 20 "$T" $command >out.txt 2>err.txt; exit $?)
            code=$?
            [ $code = 3 ] || [ $code = 4 ] || fail "$command ends with $code"
        done
    done
    truncate -s 4G big
    (limit_memory 1000000; timeout 20 "$T" info big >out.txt 2>err.txt; [ $? = 3 ]) || fail "a large file that is no recording: $(cat err.txt)"
    (printf VTR0; head -c 2500000000 /dev/zero) | zstd -qc >bomb.vtr.zst
    (limit_memory 1500000; timeout 60 "$T" info bomb.vtr.zst >out.txt 2>err.txt; code=$?; [ $code = 3 ] || [ $code = 4 ]) || fail "a zstd bomb: $(cat err.txt)"
    printf '[%s]\nx=1\n' "$(yes a | head -200000 | paste -sd.)" >d.toml
    expect 2 "d.toml:1:" "$T" run d.toml g_teeworlds.h5 -o x
    expect 2 "d.toml:1:" "$T" record --workload ./d.toml -o x.vtr.zst
    truncate -s 20M large.toml
    expect 2 "large.toml" "$T" run large.toml g_teeworlds.h5 -o x
    expect 3 "results" "$T" run bifrost32 o/results.h5 -o x
    odd=$'odd\e]0;pwned\a.vtr.zst'
    cp "$recordings/g_teeworlds.vtr.zst" "$odd"
    "$T" cut "$odd" -o c.vtr.zst --frames 0 >out.txt 2>err.txt; "$T" info c.vtr.zst >>out.txt 2>>err.txt
    cat out.txt err.txt | grep -q $'\e' && fail "control characters reach the terminal"
    "$T" trace nosuch$'\e'.vtr.zst -o x.h5 2>err.txt; grep -q $'\e' err.txt && fail "control characters in an error"
    "$T" trace g_teeworlds.vtr.zst -o y.h5 >out.txt 2>err.txt; grep -q checksums err.txt || fail "a recording without checksums is not told"
    expect 4 "nodir/x.h5: No such file or directory" "$T" trace g_teeworlds.vtr.zst -o nodir/x.h5
}

# Ranks that wait, and messages between them.
ranks() {
    command -v mpirun >/dev/null || return
    local phold=$build/tests/engine/benchmarks/phold options="--lps 4096 --population 16 --remote 0.9 --end 3"
    [ -x "$phold" ] || { echo "no phold in $build"; return; }
    alone=$("$phold" $options | grep -i digest)
    nodes=$(timeout 100 mpirun -n 2 --oversubscribe --bind-to none "$phold" $options --no-shared-memory | grep -i digest)
    [ -n "$alone" ] && [ "$alone" = "$nodes" ] || fail "phold between nodes: '$nodes', alone '$alone'"
}

# Workload files, folders for temporary files, other users.
recorder() {
    command -v glmark2-es2 >/dev/null && command -v Xvfb >/dev/null || { echo "no recorder here"; return; }
    for name in ../../x /x a/../../x; do
        printf 'name = "evil"\ncommand = ["glmark2-es2"]\npackages = []\n[files]\n"%s" = "y"\n' "$name" >evil.toml
        expect 2 evil.toml: "$T" record --workload ./evil.toml -o e.vtr.zst
    done
    TMPDIR=$scratch/none expect 4 TMPDIR "$T" record -o r.vtr.zst -- glmark2-es2
    TMPDIR=$scratch/none expect 4 TMPDIR "$T" plan bifrost32 --input "$recordings/g_teeworlds.vtr.zst"
    long=$scratch/$(printf 'l%.0s' $(seq 120)) && mkdir "$long"
    TMPDIR=$long expect 4 TMPDIR "$T" record -o r.vtr.zst -- glmark2-es2
    timeout 100 "$T" record -o s.vtr.zst --skip 20 --frames 2 --private-socket -- glmark2-es2 -s 200x150 -b build:nframes=40 >out.txt 2>err.txt || fail "record --skip: $(cat err.txt)"
    "$T" trace s.vtr.zst -o s.h5 --check >out.txt 2>err.txt || fail "trace of a recording with --skip: $(cat err.txt)"
    quads=$(grep -oE '^frame 0: [0-9]+' out.txt | grep -oE '[0-9]+$')
    [ "${quads:-99999}" -lt 5000 ] || fail "frame 0 of a recording with --skip 20 has $quads quads"
}

case $group in
    outputs | memory | numbers | readers | ranks | recorder) $group ;;
    *) echo "unknown group '$group'" >&2; exit 2 ;;
esac
[ $failed = 0 ] || { echo "$failed failed"; exit 1; }
