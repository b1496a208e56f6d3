#!/usr/bin/env bash
# One digest, however a simulation is run: threads x ranks x partitions x seeds of schedule fuzzing, for PHOLD, for the
# machine-shaped load and for the GPU.
#
#     matrix.sh BUILD MODEL [SEEDS [COUNTS [PARTITIONS]]]
#
# BUILD: folder of a build. MODEL: phold, machine_shape, gpu (a small frame) or a frame trace or recording for the GPU.
# gpu:immediate, gpu:tiled_mesh, gpu:tiled_per_core_crossbar and gpu:hidden_per_core are the small frame in other ways of
# rendering, and with other networks, memories and homes of texture blocks, than those of bifrost32, the second with virtual
# memory and collected reads of registers; gpu:observed is with all that can be observed, gpu:prefetch with prefetchers,
# gpu:tegra_dae with decoupled access/execute. Of these the program itself runs the first plan, the others are run one
# after another by `plans`, started once for each number of ranks: starting each costs ten times what simulating does.
# SEEDS: how many seeds for schedule fuzzing [20]; every second one with ranks that share no memory, every third one with
# trials of one worker. COUNTS: of threads and of ranks ["1 2 3 4"]. PARTITIONS: ["single block round_robin balanced"].
# Exit code 0: all the same; 1: not.
set -uo pipefail
build=$1 model=$2 seeds=${3:-20} counts=${4:-1 2 3 4} partitions=${5:-single block round_robin balanced}
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1  # more ranks than cores
export HWLOC_COMPONENTS=-gl  # mpirun shall not depend on an X server
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_MCA_orte_tmpdir_base=$work  # two mpiruns that share such a folder sometimes remove it under each other
tessera=$build/experiments/tessera/tessera programs=$build/tests/engine/benchmarks

way=() machine=bifrost32
case $model in
gpu:immediate)
    way=(--set rendering.mode=immediate --set raster.distribution=position --set fragment_processor.pipeline=squash
        --set dram.device=lpddr5-6400 --set dram.refresh=per_bank --set dram.page=closed
        --set home.policy=d_nuca --set home.directory_entries=512) ;;
gpu:tiled_mesh)
    way=(--set rendering.mode=tiled --set network.kind=mesh
        --set address_space.translation=tlb --set address_space.placement=random
        --set fragment_processor.pipeline=collector --set vertex_processor.pipeline=collector
        --set home.policy=dtm_nuca_distributed --set home.epoch_accesses=500 --set observe.owners=true
        --set raster.distribution=quad_round_robin) ;;
gpu:tiled_per_core_crossbar)
    way=(--set rendering.mode=tiled --set rendering.organisation=tile_per_core --set network.kind=crossbar
        --set fragment_processor.pipeline=baseline --set dram.device=lpddr4x-4266 --set home.policy=s_nuca) ;;
gpu:observed)
    way=(--set observe.latency=true --set observe.occupancy=true --set observe.reuse=true
        --set observe.census_every=200 --set observe.bandwidth_every=300
        --set observe.pipeline_cores=3 --set observe.pipeline_from=500 --set observe.pipeline_to=1000000) ;;
gpu:prefetch)
    way=(--set rendering.mode=immediate --set raster.distribution=position
        --set texture_cache.prefetcher=thread_aware --set pixel_cache.prefetcher=history
        --set depth_cache.prefetcher=stride --set l2.prefetcher=next_line --set cluster.cores=4) ;;
gpu:tegra_dae) machine=tegra-dae way=(--set fragment_processor.warps=2) ;;
gpu:hidden_per_core) way=(--set rendering.organisation=tile_per_core --set dram.model=flat --set home.policy=dtm_nuca
        --set home.epoch_accesses=500 --set observe.owners=true) ;;
esac
if [[ $model == gpu* ]]; then
    model=$work/sample.h5
    "$build/tests/experiments/write_sample_trace" "$work/kernels.h5" "$work/sample.json" "$model" || exit 1
fi

# simulate LAUNCHER... -- OPTIONS...: prints the digest
simulate() {
    local launcher=() output
    while [ "$1" != -- ]; do launcher+=("$1"); shift; done
    shift
    case $model in
    phold) output=$("${launcher[@]}" "$programs/phold" --lps 60 --end 8 --remote 0.4 --json "$@" 2>&1) ;;
    machine_shape) output=$("${launcher[@]}" "$programs/machine_shape" --cycles 1500 --work-ns 4 --json "$@" 2>&1) ;;
    *) output=$("${launcher[@]}" "$tessera" run "$machine" "$model" -o "$work/out" --force --progress none "${way[@]}" "$@" 2>&1) ;;
    esac || { echo "$output" >&2; return 1; }
    grep -oE 'digest"?:? +"?[0-9a-f]+' <<< "$output" | grep -oE '[0-9a-f]+$'
}

expected=$(simulate -- --threads 1 --partition single) || exit 1
[ -n "$expected" ] || { echo "no digest" >&2; exit 1; }
runs=0
if [ ${#way[@]} -gt 0 ]; then
    settings=()
    for word in "${way[@]}"; do [ "$word" = --set ] || settings+=("$word"); done
    for seed in $(seq 1 "$seeds"); do
        for ranks in $counts; do
            launcher=()
            [ "$ranks" = 1 ] || launcher=(timeout -k 5 600 mpirun -n "$ranks")
            found=$("${launcher[@]}" "$build/tests/determinism/plans" "$seed" "$counts" "$partitions" "$machine" "$model" \
                "${settings[@]}") || { echo "FAILED: $ranks ranks: $found" >&2; exit 1; }
            if grep -qv "^$expected " <<< "$found"; then
                echo "FAILED: expected $expected, found with seed $seed, $ranks ranks:" "$found" >&2
                exit 1
            fi
            runs=$((runs + $(wc -l <<< "$found")))
        done
    done
    echo "$runs runs: $expected"
    exit 0
fi
for seed in $(seq 1 "$seeds"); do
    for partition in $partitions; do
        for ranks in $counts; do
            for threads in $counts; do
                options=(--threads "$threads" --partition "$partition" --fuzz-schedule "$seed") launcher=()
                [ "$ranks" = 1 ] || launcher=(timeout -k 5 120 mpirun -n "$ranks")
                case $model in
                phold | machine_shape)
                    [ $((seed % 3)) = 0 ] || options+=(--all-workers)
                    [ "$ranks" = 1 ] || [ $((seed % 2)) = 0 ] || options+=(--no-shared-memory) ;;
                esac
                found=$(simulate "${launcher[@]}" -- "${options[@]}")
                runs=$((runs + 1))
                [ "$found" = "$expected" ] && continue
                echo "FAILED: expected $expected, found ${found:-nothing}: $ranks ranks, ${options[*]}" >&2
                exit 1
            done
        done
    done
done
echo "$runs runs: $expected"
