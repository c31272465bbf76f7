#!/bin/sh
# sanitized.sh -- every page of the open web and of the labelled pages through
# the whole chain and every output format, under AddressSanitizer and UBSan.
#
#   tests/real/sanitized.sh [WINNOW [PATH...]]
#
# WINNOW: a program of the asan preset (build/asan/crawler/winnow). All stages
# are on that need no outside data. About a quarter of an hour on 2 cores.
# Exit 1: a sanitizer had something to say; 77: no pages.
set -eu
cd "$(dirname "$0")/../.."

winnow=${1:-build/asan/crawler/winnow}
[ $# -gt 0 ] && shift
data=$HOME/.cache/winnow-data
[ $# -gt 0 ] || set -- "${WINNOW_WEB:-$data/web}/sites" \
    "${WINNOW_EXTRACTION:-$data/extraction}/pages"
if [ ! -x "$winnow" ]; then
    echo "no program $winnow: build the preset asan first" >&2
    exit 1
fi
found=no
for path in "$@"; do
    [ -e "$path" ] && found=yes
done
if [ $found = no ]; then
    echo "skipped: no pages (../shared/data/unpack.sh web extraction)"
    exit 77
fi

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
code=0
"$winnow" clean --all --join -o "$tmp/out" --url http://a.example/ \
    --format text,xml,jsonl,vertical,cwb,wet,tender \
    --links "$tmp/links" --shingles "$tmp/shingles" --tokens "$tmp/tokens" \
    --metrics "$tmp/metrics" --index "$tmp/index" \
    --set clean.mojibake=on --set clean.ascii_art=on \
    --set "clean.cleanse=tags emails uris hashtags" \
    --set clean.find_title=find --set clean.english=british \
    --set clean.word_break=dictionary --set clean.duplicates=text \
    "$@" 2>"$tmp/log" || code=$?
grep -E 'ERROR: |runtime error|SUMMARY' "$tmp/log" || true
tail -n 1 "$tmp/log"
# 0: all kept, 3: some rejected or unreadable; anything else is a finding.
[ $code = 0 ] || [ $code = 3 ]
