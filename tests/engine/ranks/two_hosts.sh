#!/usr/bin/env bash
# Runs a program on two hosts:  [RANKS=N] two_hosts.sh MPIEXEC PROGRAM ARGUMENTS...
# RANKS: on each host [1]. The hosts are network namespaces of this machine that see each other over TCP only. Exit code: the program's; 77 where
# such hosts cannot be made (no root, no iproute2, a container without the right to).
set -uo pipefail
mpiexec=$1 ranks=${RANKS:-1}; shift
name=tessera$$ network=10.77.$(($$ % 256)) folder=$(mktemp -d)

clean_up() {
    ip netns delete "${name}a" 2> /dev/null
    ip netns delete "${name}b" 2> /dev/null
    rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 143' INT TERM

make_hosts() {
    ip netns add "${name}a" && ip netns add "${name}b" &&
        ip link add "a$$" netns "${name}a" type veth peer name "b$$" netns "${name}b" &&
        ip -n "${name}a" addr add "$network.1/24" dev "a$$" && ip -n "${name}b" addr add "$network.2/24" dev "b$$" &&
        ip -n "${name}a" link set "a$$" up && ip -n "${name}b" link set "b$$" up &&
        ip -n "${name}a" link set lo up && ip -n "${name}b" link set lo up &&
        ip netns exec "${name}a" unshare --uts hostname "${name}a"
}
if ! make_hosts > "$folder/why" 2>&1; then
    echo "SKIPPED: cannot make network namespaces: $(tail -n 1 "$folder/why")" >&2
    exit 77
fi

# mpirun runs on the first host and starts a daemon on the other one, by what it takes for ssh.
cat > "$folder/agent" << AGENT
#!/bin/sh
shift
exec ip netns exec ${name}b unshare --uts sh -c "hostname ${name}b; \$*"
AGENT
chmod +x "$folder/agent"
ip netns exec "${name}a" unshare --uts sh -c "hostname ${name}a"'; exec "$@"' sh timeout -k 5 "${TWO_HOSTS_SECONDS:-300}" \
    "$mpiexec" -host "$network.1:$ranks,$network.2:$ranks" -np $((2 * ranks)) --bind-to none --mca plm_rsh_agent "$folder/agent" \
    --mca oob_tcp_if_include "$network.0/24" --mca btl_tcp_if_include "$network.0/24" --mca btl tcp,vader,self \
    --mca mpi_yield_when_idle 1 "$@"
