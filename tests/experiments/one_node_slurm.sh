#!/usr/bin/env bash
# Runs a command beside a Slurm of its own that has this machine as its only node: started in a new folder, on free
# ports, and gone with the command, whatever ends it. Works as root and as a user, without systemd and cgroups.
#   one_node_slurm.sh COMMAND...     the command's exit code; 77 where Slurm is not installed
# Debian's packages: slurm-wlm slurm-wlm-basic-plugins munge.
set -euo pipefail
PATH=$PATH:/usr/sbin
for program in munged slurmctld slurmd sbatch squeue scontrol setpriv; do
    command -v "$program" >/dev/null || { echo "$program is not installed" >&2; exit 77; }
done

folder=$(mktemp -d "${TMPDIR:-/tmp}/tessera_slurm_XXXXXX")
host=$(hostname -s)
user=$(id -un)
export SLURM_CONF=$folder/slurm.conf
unset "${!SLURM_JOB@}" "${!SLURM_ARRAY@}" "${!SBATCH_@}" 2>/dev/null || true

end() {
    scancel --quiet --user="$user" 2>/dev/null || true
    for _ in {1..50}; do [ -n "$(squeue --noheader 2>/dev/null)" ] || break; sleep 0.1; done
    kill $daemons 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$folder"
}
daemons=""
trap end EXIT
trap 'exit 143' HUP INT TERM

daemon() {  # NAME COMMAND...: dies with this script, even if that is killed
    local name=$1
    shift
    setpriv --pdeathsig KILL "$@" >"$folder/$name.out" 2>&1 &
    daemons+=" $!"
}
wait_for() {  # WHAT COMMAND...
    local what=$1
    shift
    for _ in {1..300}; do
        "$@" >/dev/null 2>&1 && return
        sleep 0.1
    done
    echo "$what does not start:" >&2
    tail -n 20 "$folder"/*.out "$folder"/*.log >&2
    exit 1
}
free_port() {  # a number from which none is asked for by another script of this kind
    local port
    while port=$((20000 + RANDOM % 10000)); do
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || { echo "$port"; return; }
    done
}

mkdir -m 755 "$folder/state" "$folder/spool"
mkdir -m 711 "$folder/munge"
chmod 755 "$folder"
dd if=/dev/urandom of="$folder/munge/key" bs=1024 count=1 2>/dev/null
chmod 400 "$folder/munge/key"
cat >"$SLURM_CONF" <<END
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
AuthType=auth/munge
# A job that is queued again has to wait for as long as credentials are good: the node knows those of before as revoked.
AuthInfo=socket=$folder/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,sched_min_interval=100000
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
ReturnToService=2
KillWait=20
PropagateResourceLimits=NONE
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=4 RealMemory=2000 State=UNKNOWN
PartitionName=test Nodes=$host Default=YES MaxTime=01:00:00 State=UP
END

# Nothing here asks for cgroups; left to itself, slurmd looks for their file system and ends where there is none.
echo "CgroupPlugin=cgroup/v1" >"$folder/cgroup.conf"

daemon munged munged --foreground --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
    --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed"
wait_for munged test -S "$folder/munge/socket"
daemon slurmctld slurmctld -D -c
daemon slurmd slurmd -D -c
node_is_idle() { [ "$(sinfo --noheader --format=%T)" = idle ]; }
wait_for Slurm node_is_idle
"$@"
