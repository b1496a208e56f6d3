#!/usr/bin/env bash
# A run that is stopped again and again, and goes on each time on other threads and ranks with another partition, comes to
# the results of one that was not stopped: threads x ranks x partitions x ways of rendering, organisations, networks,
# memories and homes of texture blocks.
#
#     resume.sh BUILD [WORKLOAD [STOPS [COUNTS [CHAINS]]]]
#
# BUILD: folder of a build. WORKLOAD: sample (small frames), or a frame trace or recording [sample]. STOPS: in how many
# places [10]. COUNTS: of threads and of ranks ["1 2 3"]. Every chain of starts begins with a plan of its own, and the next
# one of the list goes on with it, so every plan stops and goes on in many places. CHAINS: how many of them [one a plan].
# Exit code 0: all the same; 1: not.
set -uo pipefail
build=$1 workload=${2:-sample} stops=${3:-10} counts=${4:-1 2 3} chains=${5:-1000}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1  # more ranks than cores
export HWLOC_COMPONENTS=-gl  # mpirun shall not depend on an X server
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_MCA_orte_tmpdir_base=$work  # two mpiruns that share such a folder sometimes remove it under each other
tessera=$build/experiments/tessera/tessera
if [ "$workload" = sample ]; then
    workload=$work/sample.h5
    "$build/tests/experiments/write_sample_trace" "$work/kernels.h5" "$work/sample.json" "$workload" || exit 1
fi
fail() { echo "FAILED: $*" >&2; exit 1; }

plans=()
for partition in block balanced; do
    for ranks in $counts; do
        for threads in $counts; do plans+=("$ranks $threads $partition"); done
    done
done

# go_on PLAN OPTIONS...: with the plan of that number
go_on() {
    local launcher=() ranks threads partition
    read -r ranks threads partition <<< "${plans[$(($1 % ${#plans[@]}))]}"
    shift
    [ "$ranks" = 1 ] || launcher=(timeout -k 5 120 mpirun -n "$ranks")
    "${launcher[@]}" "$tessera" run "$@" --threads "$threads" --partition "$partition" --progress none >"$work/out" 2>"$work/err"
}

ways=("bifrost32 --set rendering.mode=immediate --set raster.distribution=position --set fragment_processor.pipeline=squash --set dram.device=lpddr5-6400 --set dram.refresh=per_bank --set home.policy=d_nuca --set home.directory_entries=512"
      "bifrost32 --set rendering.mode=tiled --set network.kind=mesh --set address_space.translation=tlb --set address_space.placement=random --set fragment_processor.pipeline=collector --set vertex_processor.pipeline=collector --set home.policy=dtm_nuca_distributed --set home.epoch_accesses=500 --set observe.owners=true --set raster.distribution=quad_round_robin"
      "bifrost32 --set rendering.mode=tiled --set rendering.organisation=tile_per_core --set network.kind=crossbar --set fragment_processor.pipeline=baseline --set dram.device=lpddr4x-4266 --set home.policy=s_nuca"
      "bifrost32"
      "bifrost32 --set observe.latency=true --set observe.occupancy=true --set observe.reuse=true --set observe.census_every=200 --set observe.bandwidth_every=300 --set observe.pipeline_cores=3 --set observe.pipeline_to=1000000"
      "bifrost32 --set rendering.organisation=tile_per_core --set dram.model=flat --set home.policy=dtm_nuca --set home.epoch_accesses=500 --set observe.owners=true"
      "tegra-dae"
      "mali-g71mp8")  # whose frames depend on those before them

resumed=0
for way in "${ways[@]}"; do
    read -r -a machine <<< "$way"
    run=("${machine[0]}" "$workload" "$workload" --force "${machine[@]:1}")
    "$tessera" run "${run[@]}" -o "$work/whole" --threads 1 --progress none >"$work/out" ||
        fail "a run that is not stopped: $way"
    digest=$("$tessera" digest "$work/whole") || fail "no digest"
    cycles=$(awk '$1 == "all" { print $2 }' "$work/out")
    step=$((cycles / (stops + 1)))
    for first in "${!plans[@]}"; do
        [ "$first" -lt "$chains" ] || break
        go_on "$first" "${run[@]}" -o "$work/chain" --stop-after "$step cycles"
        code=$? plan=$first
        while [ $code = 75 ]; do
            plan=$((plan + 1)) resumed=$((resumed + 1))
            go_on "$plan" --resume "$work/chain" --stop-after "$step cycles"
            code=$?
        done
        where="$way, from plan ${plans[$first]} to ${plans[$((plan % ${#plans[@]}))]}"
        [ $code = 0 ] || fail "$where: exit code $code: $(cat "$work/err")"
        [ $((plan - first)) -ge "$stops" ] || fail "$where: stopped $((plan - first)) times only"
        found=$("$tessera" digest "$work/chain")
        [ "$found" = "$digest" ] || fail "$where: expected $digest, found $found"
        "$tessera" compare "$work/whole" "$work/chain" >"$work/out" || fail "$where: $(cat "$work/out")"
    done
done
echo "$resumed times resumed"
