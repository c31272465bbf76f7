#!/bin/sh
# fuzz.sh -- explore every fuzz target with libFuzzer under ASan and UBSan.
#
# usage: tests/fuzz.sh [-s SECONDS] [-j JOBS] [NAME...]
# Installs what it needs, builds the preset `fuzz` and gives each target (or
# those named) SECONDS (60) on one processor, JOBS (all processors) at a time,
# starting from tests/fuzz/corpus.  What is new stays in build/fuzz/corpus, what
# fails in build/fuzz/findings.  Prints a row for each target: executions,
# coverage, resident memory after a quarter of the time and at the end.
# Exit: 0 nothing found, 1 something found, 2 usage.
set -eu
cd "$(dirname "$0")/.."
. base/packages.sh

seconds=60
jobs=$(nproc)
while getopts s:j: flag; do
    case $flag in
    s) seconds=$OPTARG ;;
    j) jobs=$OPTARG ;;
    *)
        sed -n '4,11s/^# //p' "$0" >&2
        exit 2
        ;;
    esac
done
shift $((OPTIND - 1))

# shellcheck disable=SC2086
install_packages $packages_build $packages_test $packages_fuzz
[ -f build/fuzz/build.ninja ] || cmake --preset fuzz >/dev/null
if [ $# -eq 0 ]; then
    for target in tests/fuzz/fuzz_*.c; do
        target=${target##*/fuzz_}
        set -- "$@" "${target%.c}"
    done
fi
targets=
for name; do targets="$targets fuzz_$name"; done
say "building$targets"
# shellcheck disable=SC2086
cmake --build build/fuzz --target $targets >build/fuzz/build.log 2>&1 || {
    tail -n 40 build/fuzz/build.log >&2
    exit 1
}

explore() {
    work=build/fuzz/corpus/$1 found=build/fuzz/findings/$1
    mkdir -p "$work" "$found"
    if build/fuzz/tests/fuzz_"$1" -max_total_time="$seconds" -timeout=20 \
        -rss_limit_mb=2048 -print_final_stats=1 -verbosity=1 \
        -artifact_prefix="$found/" "$work" tests/fuzz/corpus/"$1" \
        >"$found/log" 2>&1; then
        result=ok
    else
        result=FOUND
    fi
    awk -v name="$1" -v result=$result '
        /rss: [0-9]+Mb/ {
            n++
            match($0, /rss: [0-9]+/)
            rss[n] = substr($0, RSTART + 5, RLENGTH - 5)
            if (match($0, /cov: [0-9]+/))
                cov = substr($0, RSTART + 5, RLENGTH - 5)
        }
        /stat::number_of_executed_units/ { runs = $2 }
        END {
            printf "%-18s %-5s %10d runs  coverage %5d  memory %4d -> %4d MB\n",
                name, result, runs, cov, rss[int((n + 3) / 4)], rss[n]
        }' "$found/log"
    [ $result = ok ] || touch build/fuzz/findings/.some
}

# Freed memory is not kept back for long, so that a leak shows as growth.
export ASAN_OPTIONS=quarantine_size_mb=8
rm -f build/fuzz/findings/.some
running=0
for name; do
    explore "$name" &
    running=$((running + 1))
    if [ $running -ge "$jobs" ]; then
        wait
        running=0
    fi
done
wait
if [ -e build/fuzz/findings/.some ]; then
    say "findings and their logs: build/fuzz/findings"
    exit 1
fi
