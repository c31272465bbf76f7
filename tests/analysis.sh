#!/bin/sh
# analysis.sh -- what compilers do not see: cppcheck and clang-tidy over the
# sources, valgrind over the unit tests.  For developers; some 20 minutes on two
# cores, so it is no part of the tests.
#
#   tests/analysis.sh [cppcheck] [tidy] [valgrind] [FILE.c ...]
#
# No name: all three.  Files: only these are looked at by clang-tidy.  Needs the
# release build (its compile_commands.json and its tests) and the Debian
# packages cppcheck, clang-tidy-14 and valgrind.  Exit 1: something was found.
set -u
cd "$(dirname "$0")/.."

build=${WINNOW_BUILD:-build/release}
parts="base clean crawler frontier proto shingle"
tools= files= found=0
for word in "$@"; do
    case $word in
    *.c) files="$files $word" ;;
    *) tools="$tools $word" ;;
    esac
done
[ -n "$tools$files" ] || tools="cppcheck tidy valgrind"
[ -z "$files" ] || tools="$tools tidy"

if [ ! -f "$build/compile_commands.json" ]; then
    echo "analysis: no $build/compile_commands.json; cmake --preset release" >&2
    exit 1
fi

# Unit tests that valgrind makes take minutes (a thousandfold model, real time)
# or that measure time themselves.
slow='bloom|frontier_model|frontier_kill|frontier_service|endpoint|dns|fetch'

for tool in $tools; do
    echo "-- $tool"
    case $tool in
    cppcheck)
        cppcheck -q -j2 --std=c11 --enable=warning,performance,portability \
            --inline-suppr --suppressions-list=tests/cppcheck.txt \
            --error-exitcode=1 -Iinclude -I. \
            --template='{file}:{line}: {id}: {message}' $parts || found=1
        ;;
    tidy) # a file at a time: version 14 mixes up va_lists of several
        [ -n "$files" ] || files=$(git ls-files $parts | grep '\.c$')
        echo $files | tr ' ' '\n' |
            xargs -P2 -n1 clang-tidy-14 -p "$build" --quiet \
                --extra-arg=-UNDEBUG \
                --warnings-as-errors='*' 2>/dev/null || found=1
        ;;
    valgrind)
        for test in "$build"/tests/test_*; do
            name=${test##*/test_}
            echo "$name" | grep -Eqx "$slow" && continue
            valgrind -q --error-exitcode=9 --leak-check=full \
                --errors-for-leak-kinds=definite "$test" >/dev/null 2>&1
            [ $? -ne 9 ] || { echo "valgrind: $name"; found=1; }
        done
        ;;
    *)
        echo "analysis: no such tool: $tool" >&2
        exit 1
        ;;
    esac
done
exit $found
