#!/bin/sh
# test.sh -- install what is missing, build, run every test.
#
# usage: ./test.sh [CTEST-ARGUMENT...]     e.g. ./test.sh -R url
# Builds three times: `release`; `asan` (AddressSanitizer and UBSan), where unit
# tests, suites, fuzz corpora and whole crawls run again; `tsan`
# (ThreadSanitizer), where what starts threads does.  WINNOW_ASAN=0 and
# WINNOW_TSAN=0 leave one out.  Test clang_builds checks that clang compiles all
# of it, too.
set -eu
cd "$(dirname "$0")"
. base/packages.sh

# Whole crawls that go through leaser, worker, crawl, loop and ship.
core='crash|bad_input|crawlers|refused|archive|documents|schedule|mazes'
threads='endpoint|peers|fetch|dedup|frontier_service|turns|intake|prefetch_links|prefetch_pool'

# shellcheck disable=SC2086
install_packages $packages_build $packages_run $packages_test
tests/spark_venv.sh >/dev/null ||
    say "no PySpark: scenario_spark and scenario_run_spark will be skipped"

jobs=$(nproc)
failed=0
say "building (release)"
build release
if [ "${WINNOW_ASAN:-1}" = 1 ]; then
    say "building (asan)"
    build asan
    say "unit tests, suites, fuzz corpora, crawls under ASan and UBSan"
    ctest --test-dir build/asan --output-on-failure -j "$jobs" \
        -R "^(data_unpacked|(unit|suite|fuzz)_.*|scenario_($core))\$" "$@" ||
        failed=1
fi
if [ "${WINNOW_TSAN:-1}" = 1 ]; then
    say "building (tsan)"
    # shellcheck disable=SC2046
    build tsan winnow $(echo "$threads" | sed 's/[a-z_]*/test_&/g; s/|/ /g')
    say "services and crawls under ThreadSanitizer"
    TSAN_OPTIONS="suppressions=$PWD/tests/tsan.txt" \
        ctest --test-dir build/tsan --output-on-failure -j "$jobs" \
        -R "^(unit_($threads)|scenario_(crash|crawlers|archive))\$" "$@" || failed=1
fi
say "all tests"
ctest --test-dir build/release --output-on-failure -j "$jobs" "$@" || failed=1
exit $failed
