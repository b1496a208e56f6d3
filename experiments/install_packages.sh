#!/usr/bin/env bash
# Installs the Debian 12 packages the named groups need and this machine lacks. Needs root or sudo only if some are missing.
#   experiments/install_packages.sh GROUP...     build | test | record | python | sanitize
#   experiments/install_packages.sh --list GROUP...     prints the packages instead
set -euo pipefail

build="g++ cmake ninja-build pkg-config libtbb-dev libboost-dev libhdf5-dev libspdlog-dev libopenmpi-dev openmpi-bin
       libcli11-dev libtomlplusplus-dev libpng-dev libzstd-dev libxxhash-dev libhwloc-dev"
test="libgtest-dev libgmock-dev libbenchmark-dev librapidcheck-dev zstd procps
      slurm-wlm slurm-wlm-basic-plugins munge"
record="virgl-server xvfb xdotool glmark2-es2-x11 apitrace libgl1-mesa-dri libegl-dev libgles-dev"
python="python3 python3-h5py python3-h5netcdf python3-xarray python3-pandas python3-tables python3-matplotlib
        python3-xxhash python3-pytest python3-nbformat python3-nbclient python3-nbconvert python3-ipykernel"
sanitize="clang-14 libclang-rt-14-dev util-linux"

list_only=false
[ "${1:-}" = --list ] && list_only=true && shift
wanted=""
for group in "$@"; do
    case "$group" in
        build | test | record | python | sanitize) wanted+=" ${!group}" ;;
        *) echo "install_packages.sh: unknown group '$group' (known: build test record python sanitize)" >&2; exit 2 ;;
    esac
done
if $list_only; then printf '%s\n' $wanted; exit 0; fi

missing=""
for package in $wanted; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=" $package"
done
[ -z "$missing" ] && exit 0

as_root=""
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "install_packages.sh: these packages are missing and sudo is not available:$missing" >&2; exit 1; }
    as_root=sudo
fi
echo "Installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -q >/dev/null
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >/dev/null
