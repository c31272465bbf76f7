#!/bin/sh
# mutants.sh -- applies each small semantic change of tests/mutants.tbl to a copy
# of the tree and names the test that notices it.
#
# usage: tests/mutants.sh [--only REGEX] [--list]
# The copy and its build are kept in build/mutants, so that a second run only
# builds what has changed.  Takes some 5 s a mutant on 2 cores.  Exit 1: one
# survives.
set -eu
cd "$(dirname "$0")/.."
. base/packages.sh

# shellcheck disable=SC2086
install_packages $packages_build $packages_run $packages_test rsync
copy=$PWD/build/mutants/source
mkdir -p "$copy"
rsync -a --delete --exclude=/build --exclude=/.git --exclude=/demo-data ./ "$copy/"
rm -f "$copy/../shared"
[ ! -d ../shared ] || ln -s "$(cd ../shared && pwd)" "$copy/../shared"
(cd "$copy" && cmake --preset release >/dev/null)
exec python3 tests/mutants.py tests/mutants.tbl "$copy" "$copy/build/release" "$@"
