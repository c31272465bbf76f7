#!/bin/sh
# corpus.sh -- from a job of a crawl to a corpus that answers queries.
#
# usage: corpus/corpus.sh JOB.ini FOLDER [CQL]
#
# Crawls (winnow crawl), takes out near-duplicates of the whole corpus (tender,
# tecl), makes sentences, languages, tokens, parts of speech and lemmas (winnow
# run vertical), and indexes them with BlackLab, which is fetched from Maven
# Central.  At the end the lines of a query: CQL, preset '[pos="ADJ"] [pos="NOUN"]'.
# FOLDER has everything; started again, it goes on where it was.  The vertical file
# and its registry file are what (No)Sketch Engine reads.
#
# Environment: WINNOW (build/release/crawler/winnow), WINNOW_BLACKLAB (a folder with
# BlackLab's jars; preset ~/.cache/winnow-blacklab, filled with mvn when it is empty),
# WINNOW_MEMORY (512M, for sorting), WINNOW_NEAR (0.8: resemblance of near-duplicates).
# Exit 3: all is made but the index, as there is no Java or no BlackLab.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
winnow=${WINNOW:-$here/build/release/crawler/winnow}
jars=${WINNOW_BLACKLAB:-$HOME/.cache/winnow-blacklab}
blacklab=$here/corpus/blacklab

[ $# -ge 2 ] || {
    echo "usage: corpus/corpus.sh JOB.ini FOLDER [CQL]" >&2
    exit 2
}
job=$1
folder=$2
query=${3:-[pos=\"ADJ\"] [pos=\"NOUN\"]}

say() { printf 'corpus.sh: %s\n' "$*" >&2; }

# Input that cannot be read is said and left out (exit 3); the rest goes on.
read_what_is_whole() {
    "$winnow" "$@" || [ $? -eq 3 ]
}

command -v zstdcat >/dev/null || {
    say "needs zstdcat (Debian: zstd)"
    exit 1
}

# ---- crawl, near-duplicates ----------------------------------------------
mkdir -p "$folder"
say "1/5 crawl"
"$winnow" crawl "$job" --dir "$folder/crawl" --set output.format=jsonl,shingles

say "2/5 near-duplicates"
rm -f "$folder"/near_* "$folder"/unique_*
read_what_is_whole tender -i "$folder/crawl/corpus/*.shingles.gz" \
    --near "${WINNOW_NEAR:-0.8}" -o "$folder/near"
read_what_is_whole tecl -i "$folder/crawl/corpus/*.jsonl.gz" \
    -b "$folder/near_*.blacklist" -o "$folder/unique" -g

# ---- sentences, tokens, tags ---------------------------------------------
say "3/5 sentences, languages, tokens, parts of speech"
read_what_is_whole run vertical -i "$folder/unique_*.jsonl.gz" -o "$folder/jobs" \
    --memory "${WINNOW_MEMORY:-512M}" >"$folder/counters.tsv"
zstdcat "$folder"/jobs/vertical/part-*.zst >"$folder/corpus.vert.part"
if cmp -s "$folder/corpus.vert.part" "$folder/corpus.vert"; then
    rm "$folder/corpus.vert.part" # as it was: so is the index
else
    rm -rf "$folder/index"
    mv "$folder/corpus.vert.part" "$folder/corpus.vert"
fi
"$winnow" job vertical map -D form=registry -D corpus="$(basename "$folder")" \
    -D path="$(cd "$folder" && pwd)/corpus.vert" </dev/null >"$folder/registry"
awk -F'\t' '$1 == "vertical" { print "    " $3 " " $2 }' "$folder/counters.tsv" >&2

# ---- index, query --------------------------------------------------------
without() {
    say "$1: no index; $folder/corpus.vert and $folder/registry are there"
    exit 3
}
say "4/5 index"
command -v java >/dev/null || without "no java"
if ! ls "$jars"/blacklab-engine-*.jar >/dev/null 2>&1; then
    command -v mvn >/dev/null || without "no BlackLab in $jars and no mvn"
    mvn -q -B -f "$blacklab/pom.xml" dependency:copy-dependencies \
        -DoutputDirectory="$jars" >&2 || without "BlackLab cannot be fetched"
fi
if [ ! -d "$folder/index" ]; then
    rm -rf "$folder/index.part"
    java -cp "$jars/*" "$blacklab/Concordance.java" index "$folder/index.part" \
        "$folder/corpus.vert" >"$folder/index.log" 2>&1 || {
        cat "$folder/index.log" >&2
        exit 1
    }
    mv "$folder/index.part" "$folder/index"
fi
tail -n 1 "$folder/index.log" >&2
say "5/5 $query"
java -cp "$jars/*" "$blacklab/Concordance.java" query "$folder/index" "$query" 20 \
    2>"$folder/query.log" || {
    cat "$folder/query.log" >&2
    exit 1
}
