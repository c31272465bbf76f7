#!/bin/bash
# analysis.sh -- what compilers do not see: cppcheck and clang-tidy over the
# sources, valgrind over the unit tests.  For developers; some 20 minutes on two
# idle cores, so it is no part of the tests.
#
#   tests/analysis.sh [cppcheck] [tidy] [valgrind] [FOLDER ... | FILE.c ...]
#
# No name: all three.  Folders or files: only these are looked at by cppcheck and
# clang-tidy, else all but the tests'; valgrind runs all unit tests.  Needs the release build (its
# compile_commands.json and its tests) and the Debian packages cppcheck,
# clang-tidy-14 and valgrind.
#
# Prints what was found as it is found, at the end a line a tool.  Exit 1:
# something was found, or a file or test could not be looked at.
set -u
cd "$(dirname "$0")/.." || exit 1

build=${WINNOW_BUILD:-build/release}
jobs=${WINNOW_JOBS:-2}
tools=() places=()
for word in "$@"; do
    case $word in
    cppcheck | tidy | valgrind) tools+=("$word") ;;
    *)
        [ -e "$word" ] || { echo "analysis: no such tool, folder or file: $word" >&2; exit 1; }
        places+=("$word")
        ;;
    esac
done
[ ${#tools[@]} -gt 0 ] || tools=(cppcheck tidy valgrind)

if [ ! -f "$build/compile_commands.json" ]; then
    echo "analysis: no $build/compile_commands.json; cmake --preset release" >&2
    exit 1
fi
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
export build room
mapfile -t files < <(git ls-files "${places[@]}" | grep '\.c$' | grep -v '^tests/')

# What was clean stays so until the file, what it includes, its flags or the checks
# change: build/release/analysis has a digest of them for each clean file.
clean=$build/analysis
mkdir -p "$clean"
python3 - "$build" >"$room/commands" <<'END'
import json, os, re, sys
for entry in json.load(open(os.path.join(sys.argv[1], "compile_commands.json"))):
    print(os.path.relpath(entry["file"]), re.sub(r" -o \S+ -c ", " -E ", entry["command"]),
          sep="\t")
END
export clean
digest() {
    local command
    command=$(awk -F'\t' -v file="$1" '$1 == file { print $2; exit }' "$room/commands")
    {
        echo "$command"
        cat .clang-tidy "$1"
        (cd "$build" && eval "$command -UNDEBUG")
    } 2>&1 | sha256sum
}

# A file at a time: version 14 mixes up va_lists of several.  What it found goes
# out whole, so that two files do not mix.
tidy_one() {
    local said now mark=$clean/${1//\//,}
    now=$(digest "$1")
    [ "$now" != "$(cat "$mark" 2>/dev/null)" ] || return
    said=$(clang-tidy-14 -p "$build" --quiet --extra-arg=-UNDEBUG \
        --warnings-as-errors='*' "$1" 2>"$room/errors.$$")
    if [ $? -ne 0 ]; then
        { flock 9; printf '%s\n' "${said:-$(cat "$room/errors.$$")}"; } 9>"$room/lock"
        echo "$1" >>"$room/tidy"
    else
        echo "$now" >"$mark"
    fi
    rm -f "$room/errors.$$"
}

# Some exit with a status of their own under it (a limit of memory, a time): only
# what valgrind itself says counts.
valgrind_one() {
    local name=${1##*/test_} log=$room/valgrind.$$
    timeout 1800 valgrind -q --error-exitcode=9 --leak-check=full \
        --errors-for-leak-kinds=definite --log-file="$log" "$1" >/dev/null 2>&1
    case $? in
    9)
        { flock 9; echo "valgrind: $name"; head -40 "$log"; } 9>"$room/lock"
        echo "$name" >>"$room/valgrind"
        ;;
    124 | 1[2-9][0-9])
        echo "valgrind: $name: not done in half an hour, or ended by a signal"
        echo "$name" >>"$room/valgrind"
        ;;
    esac
    rm -f "$log"
}
export -f digest tidy_one valgrind_one

# Tests that valgrind makes take minutes (a thousandfold model, real time) or that
# measure time themselves; memory, sandbox and journal, whose limits, calls and
# maps it does not allow; publisher and shards, which run themselves again.
slow='bloom|dedup|memory|sandbox|frontier_model|frontier_kill|frontier_service|endpoint|dns|fetch(_suites)?|journal|prefetch_links|publisher|shards'

summary= found=0
tell() { # tool, how many looked at, what, how many with findings
    summary+=$(printf '%-9s %4d %s, %d with findings' "$1" "$2" "$3" "$4")$'\n'
    [ "$4" -eq 0 ] || found=1
}
lines() { if [ -f "$1" ]; then wc -l <"$1"; else echo 0; fi; }

for tool in "${tools[@]}"; do
    echo "-- $tool"
    case $tool in
    cppcheck)
        cppcheck -q -j"$jobs" --std=c11 --enable=warning,performance,portability \
            --inline-suppr --suppressions-list=tests/cppcheck.txt \
            --error-exitcode=1 -Iinclude -I. \
            --template='{file}:{line}: {id}: {message}' "${files[@]}" 2>&1 |
            tee "$room/cppcheck.all"
        cut -d: -f1 "$room/cppcheck.all" | sort -u >"$room/cppcheck"
        tell cppcheck ${#files[@]} files "$(lines "$room/cppcheck")"
        ;;
    tidy)
        printf '%s\n' "${files[@]}" |
            xargs -P"$jobs" -I{} bash -c 'tidy_one {}'
        tell tidy ${#files[@]} files "$(lines "$room/tidy")"
        ;;
    valgrind)
        mapfile -t tests < <(ls "$build"/tests/test_* | grep -Evx ".*/test_($slow)")
        printf '%s\n' "${tests[@]}" |
            xargs -P"$jobs" -I{} bash -c 'valgrind_one {}'
        tell valgrind ${#tests[@]} tests "$(lines "$room/valgrind")"
        ;;
    esac
done
echo "-- summary"
printf '%s' "$summary"
exit $found
