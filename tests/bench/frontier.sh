#!/bin/sh
# frontier.sh -- bench_frontier with the memory of its process and of the pages
# of its store limited, so that a store larger than that works from the disk.
#
# usage: tests/bench/frontier.sh MIB [SETTING=VALUE...]
#   e.g. tests/bench/frontier.sh 4096 urls=100 hosts=1000000
# Needs root and a cgroup (v2, or v1 with the memory controller).
set -eu
bench=$(dirname "$0")/../../build/release/tests/bench_frontier
mib=$1
shift

if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    group=/sys/fs/cgroup/winnow-bench
    echo +memory >/sys/fs/cgroup/cgroup.subtree_control
    mkdir -p "$group"
    echo "${mib}M" >"$group/memory.max"
elif [ -d /sys/fs/cgroup/memory ]; then
    group=/sys/fs/cgroup/memory/winnow-bench
    mkdir -p "$group"
    echo "${mib}M" >"$group/memory.limit_in_bytes"
else
    echo "frontier.sh: no memory cgroup here" >&2
    exit 1
fi
trap 'rmdir "$group" 2>/dev/null || :' EXIT
sh -c 'echo $$ >"$0/cgroup.procs"; exec "$@"' "$group" "$bench" "$@"
