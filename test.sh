#!/bin/sh
# test.sh -- install what is missing, build, run every test.
#
# usage: ./test.sh [CTEST-ARGUMENT...]     e.g. ./test.sh -R url
# Builds twice: `release`, and `asan` (AddressSanitizer and UBSan) where unit
# tests and fuzz corpora run again.  WINNOW_ASAN=0 leaves the second out.  Test
# clang_builds checks that clang compiles all of it, too.
set -eu
cd "$(dirname "$0")"
. base/packages.sh

# shellcheck disable=SC2086
install_packages $packages_build $packages_run $packages_test

say "building (release)"
build release
if [ "${WINNOW_ASAN:-1}" = 1 ]; then
    say "building (asan)"
    build asan
fi

jobs=$(nproc)
failed=0
if [ "${WINNOW_ASAN:-1}" = 1 ]; then
    say "unit tests and fuzz corpora under AddressSanitizer and UBSan"
    ctest --test-dir build/asan --output-on-failure -j "$jobs" \
        -R '^(unit|suite|fuzz)_' "$@" || failed=1
fi
say "all tests"
ctest --test-dir build/release --output-on-failure -j "$jobs" "$@" || failed=1
exit $failed
