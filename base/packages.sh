# packages.sh -- sourced by demo.sh and test.sh: Debian packages, build.
#
# install_packages NAME...: installs what is missing, and only that.  Needs
# root (or sudo) just for that; says so when it has neither.

packages_build="gcc libc6-dev cmake ninja-build pkg-config \
    libcurl4-openssl-dev libssl-dev libc-ares-dev liblmdb-dev zlib1g-dev libicu-dev \
    libfann-dev libnng-dev libprotobuf-c-dev protobuf-c-compiler \
    libpcre2-dev libpsl-dev libdeflate-dev libisal-dev libxxhash-dev libjson-c-dev \
    libmbedtls-dev libzstd-dev libbrotli-dev libmaxminddb-dev libexpat1-dev \
    libseccomp-dev libzip-dev"
packages_run="nginx-light python3-minimal ca-certificates zstd"
packages_test="poppler-utils antiword catdoc bubblewrap dnsmasq-base tinyproxy-bin python3 python3-dev python3-pip python3-venv libxml2-utils git openssl zstd sqlite3 clang default-jre-headless maven pyflakes3 dpkg-dev file"
packages_fuzz="clang libclang-rt-dev"

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo "$@"
    else
        say "needs root to install packages: run as root, install sudo, or run"
        say "  apt-get install $packages_missing"
        exit 1
    fi
}

install_packages() {
    packages_missing=
    for package in "$@"; do
        dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null |
            grep -q '^install ok installed' ||
            packages_missing="$packages_missing $package"
    done
    [ -n "$packages_missing" ] || return 0
    say "installing$packages_missing"
    export DEBIAN_FRONTEND=noninteractive
    as_root apt-get update -qq
    # nginx is run on ports of our own with configurations of our own: keep
    # Debian's service from starting.
    # shellcheck disable=SC2086
    as_root env RUNLEVEL=1 apt-get install -y -qq --no-install-recommends \
        $packages_missing >/dev/null
}

# watch PID LOG: while the process lives, how far ninja is ("[12/340]"): on a
# terminal in one line, else a line every ten seconds.
watch() {
    watch_n=0
    while kill -0 "$1" 2>/dev/null; do
        watch_at=$(sed -n 's/^\[\([0-9]*\)\/\([0-9]*\)\].*/\1 of \2 steps/p' \
            "$2" 2>/dev/null | tail -n 1)
        if [ -t 2 ]; then
            printf '\r%s: %s ' "${0##*/}" "$watch_at" >&2
        elif [ $((watch_n += 1)) -gt 10 ]; then
            watch_n=0
            say "$watch_at"
        fi
        sleep 1
    done
    [ ! -t 2 ] || printf '\r\033[K' >&2
}

# build PRESET [TARGET...]: configure and build into build/PRESET.
build() {
    preset=$1
    shift
    [ $# -eq 0 ] || set -- --target "$@"
    [ -f "build/$preset/build.ninja" ] ||
        cmake --preset "$preset" >"/tmp/winnow-cmake-$$" 2>&1 || {
        cat "/tmp/winnow-cmake-$$" >&2
        exit 1
    }
    rm -f "/tmp/winnow-cmake-$$"
    cmake --build "build/$preset" "$@" >"build/$preset/build.log" 2>&1 &
    build_pid=$!
    watch "$build_pid" "build/$preset/build.log"
    wait "$build_pid" || {
        tail -n 60 "build/$preset/build.log" >&2
        say "the build failed; whole log: build/$preset/build.log"
        exit 1
    }
}
