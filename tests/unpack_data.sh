#!/bin/sh
# unpack_data.sh NAME... -- unpack parts of ../shared/data once, when it is
# there; without it the tests that read them say that they are skipped.
set -eu
cd "$(dirname "$0")/.."
if [ ! -f ../shared/data/unpack.sh ]; then
    echo "no ../shared/data: nothing to unpack"
    exit 0
fi
exec sh ../shared/data/unpack.sh "$@"
