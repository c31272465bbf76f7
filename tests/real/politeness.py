"""politeness.py -- counts politeness violations in an nginx access log.

The log's lines begin with `$msec $host "$request" $status` (as serve.py and
demo.sh write them).  A violation is a request to a host sooner than `delay`
after the one before, or a request for a URL that the host's robots.txt
disallows for our product token.

usage: politeness.py ACCESS_LOG SITES_DIR DELAY_MS [TOKEN]
Standard library only; robots.txt is parsed here on purpose (longest match,
`*` and `$`, RFC 9309), independent of the crawler's own parser.
"""
import os
import re
import sys

# nginx stamps a line with a clock of whole milliseconds that it reads once per
# turn of its event loop, so two stamps can be 1 ms nearer than the requests.
STAMP_ERROR_MS = 1


def parse_log(path):
    line_re = re.compile(r'^(\d+\.\d+) (\S+) "(\S+) (\S+) [^"]*" (\d+)')
    for line in open(path, encoding="utf-8", errors="replace"):
        m = line_re.match(line)
        if m:
            yield (round(float(m[1]) * 1000), m[2].lower(), m[4], int(m[5]))


def rules_of(text, token):
    groups, agents, rules, open_group = [], [], [], False
    for line in text.splitlines():
        line = line.split("#", 1)[0].strip()
        key, colon, value = line.partition(":")
        key, value = key.strip().lower(), value.strip()
        if not colon:
            continue
        if key == "user-agent":
            if not open_group:
                agents, rules = [], []
                groups.append((agents, rules))
                open_group = True
            agents.append(value.lower())
        elif key in ("allow", "disallow"):
            open_group = False
            if groups and value:
                rules.append((key == "allow", value))
    mine = [r for a, r in groups if token.lower() in a]
    chosen = mine or [r for a, r in groups if "*" in a]
    return [rule for r in chosen for rule in r]


def allowed(rules, path):
    best = (-1, True)
    for allow, pattern in rules:
        end = pattern.endswith("$")
        body = pattern[:-1] if end else pattern
        regex = ".*".join(re.escape(p) for p in body.split("*"))
        if re.match(regex + ("$" if end else ""), path):
            best = max(best, (len(pattern), allow))
    return best[1]


def check(log, sites, delay_ms, token="winnow"):
    last, robots = {}, {}
    result = {"requests": 0, "hosts": 0, "too_soon": 0, "disallowed": 0,
              "least_gap_ms": None, "examples": []}
    for at, host, path, _status in sorted(parse_log(log), key=lambda r: r[0]):
        result["requests"] += 1
        if host in last:
            gap = at - last[host]
            if result["least_gap_ms"] is None or gap < result["least_gap_ms"]:
                result["least_gap_ms"] = gap
            if gap < delay_ms - STAMP_ERROR_MS:
                result["too_soon"] += 1
                result["examples"].append("%s %s after %d ms" % (host, path, gap))
        last[host] = at
        if host not in robots:
            try:
                with open(os.path.join(sites, host, "robots.txt"),
                          encoding="utf-8", errors="replace") as f:
                    robots[host] = rules_of(f.read(), token)
            except OSError:
                robots[host] = []
        if path != "/robots.txt" and not allowed(robots[host], path):
            result["disallowed"] += 1
            result["examples"].append("%s %s is disallowed" % (host, path))
    result["hosts"] = len(last)
    return result


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    r = check(sys.argv[1], sys.argv[2], int(sys.argv[3]), *sys.argv[4:5])
    print("%(requests)d requests to %(hosts)d hosts: %(too_soon)d too soon "
          "(least gap %(least_gap_ms)s ms), %(disallowed)d disallowed" % r)
    for example in r["examples"][:20]:
        print("  " + example)
    sys.exit(1 if r["too_soon"] or r["disallowed"] else 0)
