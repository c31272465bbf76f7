#!/bin/sh
# extraction.sh -- how well main text is told from boilerplate on pages of
# domains (or, with --leave-set-out, of whole collections) never trained on.
#
#   tests/real/extraction.sh [WINNOW [flags of winnow train]]
#
# Cross-validates `winnow train` on ../shared/data/extraction, writes what each
# page would be reduced to, and scores it: mean token LCS F1 over all pages, the
# macro mean over the 11 sets with unbiased truth, the segment test. Some 5
# minutes on 2 cores, 12 with --leave-set-out. WINNOW_EXTRACTION names the
# unpacked data (default ~/.cache/winnow-data/extraction). Exit 77: the data is
# not there.
set -eu
cd "$(dirname "$0")/../.."

winnow=${1:-build/release/crawler/winnow}
[ $# -gt 0 ] && shift
pages=${WINNOW_EXTRACTION:-$HOME/.cache/winnow-data/extraction}
scorer=${WINNOW_SHARED:-../shared}/data/extraction/score.py

if [ ! -f "$pages/manifest.tsv" ] || [ ! -f "$scorer" ]; then
    echo "skipped: no labelled pages in $pages" \
         "(../shared/data/unpack.sh extraction) or no $scorer"
    exit 77
fi
if [ ! -x "$winnow" ]; then
    echo "no program $winnow: build first, or name it" >&2
    exit 1
fi

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
"$winnow" train --pages "$pages" --export "$tmp/out" "$@"
python3 "$scorer" "$pages" "$tmp/out" --by-set --jobs 2 >"$tmp/score"
cat "$tmp/score"
# Columns: set pages missing | bow P R F1/median | lcs P R F1/median | sh4 ...
awk '$2 ~ /^[0-9]+$/ && NF > 10 && $1 != "ALL" && $1 != "MACRO" &&
     $1 != "readability" && $1 != "newspaper4k" {
         split($9, f, "/"); sum += f[1]; n++
     }
     $1 == "ALL" { split($10, f, "/"); all = f[1] }
     END { printf "\nmean token F1: all pages %s, macro over %d sets %.3f\n",
                  all, n, n ? sum / n : 0 }' "$tmp/score"
