#!/bin/sh
# demo.sh -- watch Winnow crawl real pages for one language.
#
# Installs what is missing, builds, fetches a few Debian documentation packages
# (real HTML in Dutch, French, German and English; 33 MB, unpacked into
# demo-data/, not installed), serves them with nginx as 17 hosts of the made-up
# TLD `demo` on loopback, and crawls that TLD for Dutch twice with the same page
# budget: once breadth-first, once steered by what cleaning finds.  At the end:
# a text that was kept, and how many documents each crawl had after how many
# pages.
#
# usage: ./demo.sh [PAGES]      page budget of each crawl, default 1000
# Environment: WINNOW_DEMO_PORT (8899), WINNOW_DEMO_LANGUAGE (nl; fr de en).
set -eu
cd "$(dirname "$0")"
. base/packages.sh

pages=${1:-1000}
port=${WINNOW_DEMO_PORT:-8899}
language=${WINNOW_DEMO_LANGUAGE:-nl}
data=$PWD/demo-data
winnow=$PWD/build/release/crawler/winnow
documentation="installation-guide-amd64
    libreoffice-help-nl libreoffice-help-fr libreoffice-help-de
    libreoffice-help-en-us
    aptitude-doc-nl aptitude-doc-fr aptitude-doc-en
    debian-faq-nl debian-faq-fr debian-faq-de debian-faq
    lilypond-doc-html-nl"

case $pages in
'' | *[!0-9]*)
    echo "usage: ./demo.sh [PAGES]" >&2
    exit 2
    ;;
esac

nginx_pid=
crawl_pid=
build_pid=
stop_all() {
    [ -z "$build_pid" ] || kill "$build_pid" 2>/dev/null || :
    [ -z "$crawl_pid" ] || kill -9 "$crawl_pid" 2>/dev/null || :
    [ -z "$nginx_pid" ] || kill "$nginx_pid" 2>/dev/null || :
    [ -z "$nginx_pid" ] || wait "$nginx_pid" 2>/dev/null || :
    nginx_pid=
    crawl_pid=
    build_pid=
    rm -rf "$data/nginx" "$data/download"
}
interrupted() {
    trap - INT TERM EXIT
    stop_all
    rm -rf "$data/bfs" "$data/learned"
    say "interrupted: stopped everything, removed the unfinished crawls"
    exit 130
}
trap interrupted INT TERM
trap stop_all EXIT

# ---- documentation -------------------------------------------------------
fetch_documentation() {
    [ -f "$data/docs/.complete" ] && return
    say "fetching documentation packages (33 MB)"
    rm -rf "$data/docs" "$data/download"
    mkdir -p "$data/docs" "$data/download"
    [ -n "$(apt-cache show debian-faq-nl 2>/dev/null)" ] ||
        as_root apt-get update -qq
    # shellcheck disable=SC2086
    (cd "$data/download" && apt-get download -q $documentation >&2) || {
        say "cannot fetch the packages: is the Debian archive reachable?"
        exit 1
    }
    for deb in "$data"/download/*.deb; do
        say "unpacking $(basename "$deb")"
        dpkg-deb -x "$deb" "$data/docs"
    done
    rm -rf "$data/download"
    touch "$data/docs/.complete"
}

# ---- the web: one nginx server block per host ----------------------------
# site HOST ROOT PATTERN FOOTER: serve ROOT as HOST.  FOOTER is put before
# </body>, as a language switcher would be; $rest in it is what PATTERN captured.
site() {
    hosts="$hosts $1"
    cat >>"$data/nginx/nginx.conf" <<EOF
  server {
    listen 127.0.0.1:$port;
    server_name $1;
    root $2;
    index index.html index.nl.html index.fr.html index.de.html index.en.html;
    location ~ "$3" {
      sub_filter '</body>' '<hr/><p class="languages">$4</p></body>';
    }
  }
EOF
}

link() { printf '<a href="http://%s/%s">%s</a> ' "$1" "$2" "$3"; }

serve() {
    mkdir -p "$data/nginx/portal"
    hosts=
    docs=$data/docs/usr/share/doc
    help=$data/docs/usr/share/libreoffice/help
    # As root, nginx would serve as a user who may not read this folder.
    user=
    [ "$(id -u)" != 0 ] || user='user root;'
    cat >"$data/nginx/nginx.conf" <<EOF
$user
daemon off;
worker_processes 1;
pid $data/nginx/nginx.pid;
error_log $data/nginx/error.log warn;
events { worker_connections 256; }
http {
  log_format crawl '\$msec \$host "\$request" \$status \$body_bytes_sent';
  access_log $data/nginx/access.log crawl;
  client_body_temp_path $data/nginx/t1; proxy_temp_path $data/nginx/t2;
  fastcgi_temp_path $data/nginx/t3; uwsgi_temp_path $data/nginx/t4;
  scgi_temp_path $data/nginx/t5;
  server_names_hash_bucket_size 128;
  default_type text/html;
  types { text/html html; text/css css; text/javascript js; image/png png; }
  absolute_redirect off;
  server { listen 127.0.0.1:$port default_server; return 421; }
EOF
    # The same file name in each language: link the translations of a page.
    rest='^/(?<rest>.*)$'
    footer="$(link installatie.demo '$rest' Nederlands)$(link installation.demo '$rest' Français)"
    footer="$footer$(link einrichtung.demo '$rest' Deutsch)$(link setup.demo '$rest' English)"
    footer="$footer$(link www.portaal.demo '' Portaal)"
    guide=$docs/installation-guide-amd64
    site installatie.demo "$guide/nl" "$rest" "$footer"
    site installation.demo "$guide/fr" "$rest" "$footer"
    site einrichtung.demo "$guide/de" "$rest" "$footer"
    site setup.demo "$guide/en" "$rest" "$footer"

    rest='^/[^/]+/(?<rest>.*)$'
    footer="$(link kantoor.demo 'nl/$rest' Nederlands)$(link bureau.demo 'fr/$rest' Français)"
    footer="$footer$(link buero.demo 'de/$rest' Deutsch)$(link office.demo 'en-US/$rest' English)"
    for host in kantoor bureau buero office; do
        site $host.demo "$help" "$rest" "$footer"
    done

    rest='^/(?<rest>.*)$'
    footer="$(link pakketten.demo '$rest' Nederlands)$(link paquets.demo '$rest' Français)"
    footer="$footer$(link packages.demo '$rest' English)$(link vragen.demo '' FAQ)"
    site pakketten.demo "$docs/aptitude/html/nl" "$rest" "$footer"
    site paquets.demo "$docs/aptitude/html/fr" "$rest" "$footer"
    site packages.demo "$docs/aptitude/html/en" "$rest" "$footer"

    rest='^/(?<rest>[^.]*)'
    footer="$(link vragen.demo '$rest.nl.html' Nederlands)$(link questions.demo '$rest.fr.html' Français)"
    footer="$footer$(link fragen.demo '$rest.de.html' Deutsch)$(link faq.demo '$rest.en.html' English)"
    footer="$footer$(link installatie.demo index.html Handleiding)"
    faq=$docs/debian/FAQ
    site vragen.demo "$faq/nl" "$rest" "$footer"
    site questions.demo "$faq/fr" "$rest" "$footer"
    site fragen.demo "$faq/de" "$rest" "$footer"
    site faq.demo "$faq" "$rest" "$footer"
    site muziek.demo "$docs/lilypond/html/Documentation" "$rest" \
        "$(link www.portaal.demo '' Portaal)"
    portal
    site www.portaal.demo "$data/nginx/portal" '^/none$' ''
    echo '}' >>"$data/nginx/nginx.conf"

    # Debian's /usr/sbin is not in everybody's PATH.
    nginx=$(command -v nginx || echo /usr/sbin/nginx)
    "$nginx" -e "$data/nginx/error.log" -p "$data/nginx" \
        -c "$data/nginx/nginx.conf" &
    nginx_pid=$!
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ -f "$data/nginx/nginx.pid" ] && return
        kill -0 "$nginx_pid" 2>/dev/null || break
        sleep 0.3
    done
    cat "$data/nginx/error.log" >&2
    say "nginx did not start on port $port: set WINNOW_DEMO_PORT to a free one"
    exit 1
}

# A start page that links every site, in no order of language.
portal() {
    {
        echo '<!doctype html><html lang="en"><meta charset="utf-8">'
        echo '<title>Portal</title><body><h1>Documentation</h1><ul>'
        echo "<li>$(link office.demo en-US/text/swriter/main0000.html Writer)"
        echo "<li>$(link buero.demo de/text/scalc/main0000.html Calc)"
        echo "<li>$(link bureau.demo fr/text/simpress/main0000.html Impress)"
        echo "<li>$(link kantoor.demo nl/text/swriter/main0000.html Writer)"
        echo "<li>$(link setup.demo '' 'Installation guide')"
        echo "<li>$(link paquets.demo '' aptitude)"
        echo "<li>$(link fragen.demo index.de.html FAQ)"
        echo "<li>$(link muziek.demo web/index.nl.html LilyPond)"
        echo '</ul></body></html>'
    } >"$data/nginx/portal/index.html"
}

# ---- the crawls ----------------------------------------------------------
crawl() {
    rm -rf "${data:?}/$1"
    mkdir -p "$data/$1"
    for host in $hosts; do
        echo "$host 127.0.0.1:$port"
    done >"$data/$1/hosts"
    cat >"$data/$1/job.ini" <<EOF
# Made by demo.sh.  \`winnow config list\` shows every option.
[seeds]
url = http://www.portaal.demo/

[scope]
tld = demo

[limits]
pages = $pages

[politeness]
# Everything is on this machine.  Keep the preset (1 s) for the real Web.
delay_ms = 0

[frontier]
scorer = $1

[clean]
language = $language

[fetch]
hosts_file = hosts
# Few transfers at once, so that priority decides and not the order of arrival.
parallel = 2
EOF
    echo
    say "crawling for $language, scorer $1, $pages pages"
    "$winnow" crawl "$data/$1/job.ini" --dir "$data/$1/crawl" &
    crawl_pid=$!
    wait "$crawl_pid" || {
        [ $? != 130 ] || interrupted
        say "the crawl failed; its log is in $data/$1/crawl/log"
        exit 1
    }
    crawl_pid=
    "$winnow" report "$data/$1/crawl" >"$data/$1/report.txt"
}

# figure NAME SCORER: one number of the JSON report.
figure() {
    "$winnow" report "$data/$2/crawl" --json |
        sed -n 's/"curve".*//; s/.*"'"$1"'":\([0-9.e-]*\).*/\1/p'
}

# kept_after N SCORER: the documents a crawl had after N pages.
kept_after() {
    "$winnow" report "$data/$2/crawl" --json |
        sed 's/.*"curve":\[\[//; s/\]\].*//; s/\],\[/\n/g' |
        awk -F, -v most="$1" '$1 <= most { n = $2 } END { print n + 0 }'
}

curve() {
    for part in 4 2 1; do
        n=$((pages / part))
        echo "  After $n pages breadth-first had $(kept_after $n bfs) documents, learned $(kept_after $n learned)."
    done
}

factor() {
    awk -v a="$(figure kept learned)" -v b="$(figure kept bfs)" 'BEGIN {
        if (b > 0) printf "%.1f times as many documents as", a / b
        else printf "documents, and found some; none were found by" }'
}

# The first lines of a document of running text, if there is one: with long
# paragraphs, not a page of contents.
kept_text() {
    zcat "$data"/learned/crawl/corpus/*.jsonl.gz |
        sed -n 's/.*"title":"\(\([^"\\]\|\\.\)*\)","text":"\(\([^"\\]\|\\.\)*\)".*/\1\\n\\n\3/p' |
        awk '{
                text = $0
                mean = length(text) / gsub(/\\n/, "", text)
            }
            length > 600 && mean > best { best = mean; found = $0 }
            best > 150 { exit }
            END { print found }' |
        sed 's/\\n/\n/g; s/\\t/ /g; s/\\"/"/g; s/\\\\/\\/g' |
        fold -s -w 72 | sed -n '1,12s/^/    /p'
}

# What to ask --why about, and which language comes next.
next_steps() {
    case $language in
    fr) page=http://bureau.demo/fr/text/swriter/main0000.html other=nl name=Dutch ;;
    de) page=http://buero.demo/de/text/swriter/main0000.html other=nl name=Dutch ;;
    en) page=http://office.demo/en-US/text/swriter/main0000.html other=fr name=French ;;
    *) page=http://kantoor.demo/nl/text/swriter/main0000.html other=fr name=French ;;
    esac
}

# shellcheck disable=SC2086
install_packages $packages_build $packages_run
say "building winnow, nothing else (a few minutes the first time)"
build release winnow
build_pid=
fetch_documentation
rm -rf "$data/nginx"
serve
crawl bfs
crawl learned
[ "$(figure kept learned)" -gt 0 ] || {
    say "nothing was kept: see $data/learned/crawl/log/crawl.jsonl"
    exit 1
}
next_steps

cat <<EOF

                    fetched      kept  yield ratio
  bfs           $(printf '%11s %9s %12.3f' "$(figure fetched bfs)" "$(figure kept bfs)" "$(figure yield_ratio bfs)")
  learned       $(printf '%11s %9s %12.3f' "$(figure fetched learned)" "$(figure kept learned)" "$(figure yield_ratio learned)")

  With the same number of pages, the steered crawl (learned) has kept
  $(factor) breadth-first.
$(curve)

  One of the texts, as it stands in the corpus:

$(kept_text)

  The corpus:   $data/learned/crawl/corpus/
  The reports:  $data/{bfs,learned}/report.txt, .../crawl/report/report.svg

  Try next:
  1. Read a document:   zcat $data/learned/crawl/corpus/*.jsonl.gz | head -n 1
  2. Ask why a URL was fetched (or not):
       $winnow frontier $data/learned/crawl --why $page
  3. Crawl the same web for $name:   WINNOW_DEMO_LANGUAGE=$other ./demo.sh
EOF
