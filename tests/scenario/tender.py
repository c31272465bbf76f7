#!/usr/bin/env python3
"""`winnow tender` beside a naive model, and texrex's own where it is installed.

usage: tender.py WINNOW

Fingerprints are made here: clusters of copies that share most hashes, chains a~b~c
whose ends share nothing, unrelated documents, phrases that very many share.  What
tender removes has to be what a quadratic model removes, by both rules, in every
order of the input, with every number of threads, with next to no memory, in parts,
and after being killed or out of space in any stage.  Bad input is refused or
counted by name.  WINNOW_TEXREX_BIN: a folder with texrex's tender.
"""
import collections
import fcntl
import glob
import gzip
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

WINNOW = os.path.abspath(sys.argv[1])
failed = 0
rng = random.Random(7)


def check(ok, what):
    global failed
    if not ok:
        failed += 1
        print("FAILED:", what, file=sys.stderr)


def identifier():
    return "%032x%04x" % (rng.getrandbits(128), rng.getrandbits(16))


def made_corpus(groups=60, values=100):
    """[(id, size, values)]: position i of `values` is the hash of function i."""
    docs = []

    def fresh():
        return [rng.getrandbits(63) for _ in range(values)]

    def copy_of(v, share):
        return [x if rng.random() < share else rng.getrandbits(63) for x in v]

    for _ in range(groups):
        kind = rng.randrange(4)
        first = fresh()
        members = [first]
        if kind == 1:      # copies
            members += [copy_of(first, rng.choice([.02, .06, .3, .75, .8, .85, .95, 1]))
                        for _ in range(rng.randrange(1, 8))]
        elif kind == 2:    # a chain: each shares a good part with the next one only
            for i in range(5):
                nxt = fresh()
                lo, hi = (0, 82) if i % 2 else (18, 100)
                nxt[lo:hi] = members[-1][lo:hi]
                if i % 2 == 0:
                    nxt[40:60] = [rng.getrandbits(63) for _ in range(20)]
                members.append(nxt)
        for m in members:
            docs.append((identifier(), rng.choice([500, 800, 800, rng.randrange(10 ** 5)]), m))
    phrase = [rng.getrandbits(63) for _ in range(3)]
    for d in docs[::2]:    # hashes that `max` documents have
        d[2][0:3] = phrase
    return docs


def lines_of(docs):
    return ["%020d %s %010d\n" % (h, i, s) for i, s, v in docs for h in v]


def better(a, b):
    return (-a[1], a[0]) < (-b[1], b[0])


def model(docs, limit, most, rule="stars"):
    """Ids that go, and the pairs; what texrex's manual says, quadratically."""
    count = collections.Counter()
    for _, _, v in docs:
        count.update(set(v))
    full = {h for h, n in count.items() if n >= most}
    ordered = sorted(docs, key=lambda d: (-d[1], d[0]))
    sets = [set(d[2]) - full for d in ordered]
    kept, gone, pairs = [], {}, {}
    for i, d in enumerate(ordered):
        near = [(len(sets[k] & sets[i]), -k) for k in range(i)]
        for n, k in near:
            if n >= limit:
                pairs[d[0], ordered[-k][0]] = n
        centres = [(n, k) for n, k in near if n >= limit and (rule == "pairs" or -k in kept)]
        if centres:
            gone[d[0]] = ordered[-max(centres)[1]][0]
        else:
            kept.append(i)
    return gone, pairs


def write(path, text, how=open):
    with how(path, "wt") as f:
        f.writelines(text)


def tender(folder, *args, code=0, limit_bytes=None, wait=True):
    def bound():
        if limit_bytes is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes))
    p = subprocess.Popen([WINNOW, "tender", *args], cwd=folder, stderr=subprocess.PIPE,
                         text=True, preexec_fn=bound)
    if not wait:
        return p
    err = p.communicate(timeout=120)[1]
    check(p.returncode == code, "tender %s: exit %d\n%s" % (" ".join(args), p.returncode, err))
    return err


def listed(folder, prefix, what="03.blacklist"):
    [path] = glob.glob("%s/%s_*.%s" % (folder, prefix, what)) or [None]
    if path is None:
        return None
    with open(path) as f:
        return f.read().splitlines()


def results(folder, prefix, *args, **kw):
    for old in glob.glob("%s/%s_*" % (folder, prefix)):
        os.remove(old)
    err = tender(folder, "-o", prefix, *args, **kw)
    return listed(folder, prefix), err


def same_as_the_model(folder):
    docs = made_corpus()
    lines = lines_of(docs)
    write(folder + "/all.tender", lines)
    for limit, most, rule in (5, 200, "stars"), (5, 40, "stars"), (80, 200, "stars"), \
                             (5, 40, "pairs"), (1, 10, "pairs"):
        gone, pairs = model(docs, limit, most, rule)
        check(len(gone) > 5, "the model removes something")
        got, _ = results(folder, "black", "-i", "all.tender", "-l", str(limit), "-m", str(most),
                         "--rule", rule, "-f")
        check(set(got) == set(gone) and len(got) == len(gone),
              "limit %d max %d %s: %s" % (limit, most, rule, set(got) ^ set(gone)))
        clusters = [l.split() for l in listed(folder, "black", "03.clusters")]
        check({a: b for a, b, _ in clusters} == gone, "clusters of limit %d" % limit)
        full = {(a, b): int(n) for a, b, n in
                (l.split() for l in listed(folder, "black", "03.blacklist-full"))}
        check(full == pairs, "pairs of limit %d" % limit)
        if rule == "stars":
            for a, b, n in clusters:
                check(int(n) >= limit and pairs[a, b] == int(n) and b not in gone,
                      "%s went for %s, which stays" % (a, b))


def order_threads_and_memory_do_not_matter(folder):
    docs = made_corpus()
    expected = list(model(docs, 5, 200)[0])
    variants = [("-t", "3"), ("--memory", "8M", "-s", "50", "-d", "20"), ("-t", "2", "-s", "7"),
                ("-g",)]
    first = None
    for n, extra in enumerate(variants):
        rng.shuffle(docs)
        lines = lines_of(docs)
        if n == 1:
            rng.shuffle(lines)     # the lines of a document apart
        if n == 2:
            lines.sort()
        half = len(lines) // 2
        write(folder + "/a.tender", lines[:half], gzip.open)
        write(folder + "/b.tender", lines[half:])
        got, _ = results(folder, "o%d" % n, "-i", "?.tender", *extra) if "-g" not in extra else \
            (None, tender(folder, "-o", "o3", "-i", "?.tender", "-g"))
        if got is None:
            [path] = glob.glob(folder + "/o3_*.03.blacklist.gz")
            with gzip.open(path, "rt") as f:
                got = f.read().splitlines()
        first = first or got
        check(got == first and set(got) == set(expected), "variant %s" % (extra,))
    # The same file twice is the same documents.
    shutil.copy(folder + "/b.tender", folder + "/c.tender")
    got, _ = results(folder, "o", "-i", "?.tender")
    check(got == first, "a file that is there twice")
    write(folder + "/a.tender", sorted(lines_of(docs)))
    for name in "bc":
        os.remove("%s/%s.tender" % (folder, name))
    if shutil.which("zstd"):
        subprocess.run(["zstd", "-q", "--rm", "a.tender"], cwd=folder, check=True)
    got, _ = results(folder, "o", "-i", "a.tender*", "--presort")
    check(got == first, "presorted input")


def cycles(folder):
    """Runs over parts, then one over everything that goes on with their lists, give
    what one run over everything gives; also where a star's centre goes later."""
    docs = made_corpus(80)
    rng.shuffle(docs)
    third = len(docs) // 3
    parts = [docs[:third], docs[third:2 * third], docs[2 * third:]]
    for n, part in enumerate(parts):
        write("%s/part%d.tender" % (folder, n), lines_of(part))
        tender(folder, "-i", "part%d.tender" % n, "-o", "black%d" % n, "-l", "60")
    expected, _ = results(folder, "once", "-i", "part*.tender", "-l", "60")
    tender(folder, "-i", "part*.tender", "-o", "blackall", "-l", "60",
           "-b", "black[0-2]_*.03.blacklist")
    count = collections.Counter()
    for path in glob.glob(folder + "/black*_*.03.blacklist"):
        for line in open(path).read().split():
            count[line.lstrip("!")] += -1 if line.startswith("!") else 1
    check({i for i, n in count.items() if n > 0} == set(expected),
          "parts, then all: %s" % ({i for i, n in count.items() if n > 0} ^ set(expected)))
    check(any(n == 0 for n in count.values()), "something was taken back")
    # A list that is not ours leaves its documents out altogether.
    foreign = [d[0] for d in docs[::5]]
    write(folder + "/foreign", [i + "\n" for i in foreign])
    got, _ = results(folder, "without", "-i", "part*.tender", "-l", "60", "-b", "foreign")
    rest = [d for d in docs if d[0] not in set(foreign)]
    check(set(got) == set(model(rest, 60, 200)[0]), "without the documents of a foreign list")


def goes_on(folder):
    docs = made_corpus(60)
    # enough work for each stage to be met by a kill, and more pairs than hashes
    docs += [(identifier(), 700, [rng.getrandbits(15) for _ in range(100)]) for _ in range(1500)]
    write(folder + "/all.tender", lines_of(docs))
    expected, _ = results(folder, "once", "-i", "all.tender", "-l", "2")
    resumed = 0
    for stage in 1, 2, 3:
        for _ in range(5):
            shutil.rmtree(folder + "/k.tender", ignore_errors=True)
            for old in glob.glob(folder + "/k_*"):
                os.remove(old)
            p = tender(folder, "-i", "all.tender", "-o", "k", "-l", "2", wait=False)
            while p.poll() is None:
                try:
                    with open(folder + "/k.tender/state") as f:
                        if "\nstage %d" % stage in f.read():
                            break
                except OSError:
                    pass
            p.send_signal(signal.SIGKILL)
            p.communicate()
            # with its lists in place it was over but for tidying up
            met = p.returncode == -signal.SIGKILL and listed(folder, "k") is None
            if met:
                break
        if not met:
            continue
        got, err = results(folder, "k", "-i", "all.tender", "-l", "2")
        went = re.search(r"goes_on_after_stage=(\d)", err)
        check(went and int(went.group(1)) >= stage, "killed in stage %d: %s" % (stage, err))
        check(got == expected, "killed after stage %d" % stage)
        check(not os.path.exists(folder + "/k.tender"), "the folder is gone")
        resumed += 1
    check(resumed >= 2, "%d runs went on" % resumed)
    # Out of space in a later stage, then there is space.
    keys = sum(len(d[2]) for d in docs) * 12
    err = tender(folder, "-i", "all.tender", "-o", "full", "-l", "2", code=1,
                 limit_bytes=keys + 10000)
    check("(ulimit -f): raise it" in err, "out of space: " + err)
    got, err = results(folder, "full", "-i", "all.tender", "-l", "2")
    check(got == expected and "goes_on_after_stage=1" in err, "went on with space: " + err)
    # A crawl has replaced a document meanwhile: what was read has it still.
    os.makedirs(folder + "/crawl/corpus")
    os.makedirs(folder + "/crawl/replaced")
    os.symlink(folder + "/all.tender", folder + "/crawl/corpus/all.tender")
    replaced = ["-i", "crawl/corpus/all.tender", "-o", "late", "-l", "2"]
    tender(folder, *replaced, code=1, limit_bytes=keys + 10000)
    write(folder + "/crawl/replaced/part-000001.ids", ["%s %s 0.9\n" % (docs[0][0], docs[1][0])])
    err = tender(folder, *replaced, code=2)
    check("--restart" in err, "replaced meanwhile: " + err)
    got, err = results(folder, "late", "--restart", *replaced[:2], *replaced[4:])
    check(docs[0][0] not in got, "replaced meanwhile")
    # A state that is garbled or cut: said, and the run begins anew.
    for damage in b"winnow tender\nrun \xff\xfe\n", b"", b"\0" * 300:
        tender(folder, "-i", "all.tender", "-o", "full", "-l", "2", code=1,
               limit_bytes=keys + 10000)
        with open(folder + "/full.tender/state", "wb") as f:
            f.write(damage)
        got, err = results(folder, "full", "-i", "all.tender", "-l", "2")
        check("full.tender/state" in err and "begins anew" in err, "a damaged state: " + err)
        check(got == expected, "after a damaged state")
    # Another run's folder is not touched.
    tender(folder, "-i", "all.tender", "-o", "full", "-l", "2", code=1, limit_bytes=keys + 10000)
    err = tender(folder, "-i", "all.tender", "-o", "full", "-l", "3", code=2)
    check("--restart" in err, err)
    tender(folder, "-i", "all.tender", "-o", "full", "-l", "3", "--restart")


def fingerprints(docs):
    """The lines of format shingles of documents of 32-bit values."""
    return ["%s\t%d\t500\t%s\n" % (i, s, "".join("%08x" % x for x in v)) for i, s, v in docs]


def by_near(folder):
    docs = [(i, s, [x & 0xffffffff for x in v]) for i, s, v in made_corpus(200)]
    placed = [(i, s, [(k, x) for k, x in enumerate(v)]) for i, s, v in docs]
    write(folder + "/all.shingles", fingerprints(docs))
    for near in .8, .5:
        gone, pairs = model(placed, round(100 * near), 10 ** 9)
        got, _ = results(folder, "near", "-i", "all.shingles", "--near", str(near), "-m", "50")
        found = {a: (b, float(j)) for a, b, j in
                 (l.split() for l in listed(folder, "near", "03.clusters"))}
        check(set(found) == set(gone), "near %s: %s" % (near, set(found) ^ set(gone)))
        for a, (b, j) in found.items():
            check(pairs.get((a, b)) == round(100 * j) and j >= near and b not in found,
                  "%s went for %s" % (a, b))
    first, _ = results(folder, "near", "-i", "all.shingles")
    rng.shuffle(docs)
    write(folder + "/all.shingles", fingerprints(docs), gzip.open)
    got, _ = results(folder, "near", "-i", "all.shingles", "-t", "4", "--memory", "8M")
    check(got == first, "another order, four threads")
    # 900 copies of one page: all but one go, though every band has too many.
    page = docs[0][2]
    copies = [(identifier(), 1000 + n, page) for n in range(900)]
    write(folder + "/copies.shingles", fingerprints(copies))
    got, _ = results(folder, "many", "-i", "copies.shingles")
    check(len(got) == 899 and copies[-1][0] not in got, "%d of 900 copies" % len(got))
    # More fingerprints than are held at once, and more than memory, so that the files go
    # past the page cache: of each two the smaller one goes, of those that share 79 of 100
    # values none.
    twos, goes = [], set()
    for n in range(5000):
        values, shared = [rng.getrandbits(32) for _ in range(100)], rng.choice((79, 81, 95))
        lesser = identifier()
        twos += [(identifier(), 9000 + n, values),
                 (lesser, 1 + n, values[:shared] + [rng.getrandbits(32) for _ in range(100 - shared)])]
        if shared >= 80:
            goes.add(lesser)
    rng.shuffle(twos)
    write(folder + "/twos.shingles", fingerprints(twos))
    check(os.path.getsize(folder + "/twos.shingles") > 8 << 20, "they fit into memory")
    got, _ = results(folder, "twos", "-i", "twos.shingles", "--memory", "8M")
    check(set(got) == goes and len(got) == len(goes), "of twos: %d, not %d" % (len(got), len(goes)))


def an_earlier_corpus_stays(folder):
    """Half of a corpus is an earlier one: none of it goes, though it resembles itself and
    is of small documents; of the rest all that resembles any of it does, and one that it has."""
    docs = [(i, s, [x & 0xffffffff for x in v]) for i, s, v in made_corpus(200)]
    rng.shuffle(docs)
    old = [(i, s % 100 + 1, v) for i, s, v in docs[::2]]
    new = [(i, s + 100, v) for i, s, v in docs[1::2]] + [(old[0][0], 7, old[0][2])]
    write(folder + "/old.shingles", fingerprints(old), gzip.open)
    write(folder + "/new.shingles", fingerprints(new))

    def near(a, b):
        return sum(x == y for x, y in zip(a[2], b[2])) >= 80

    gone, kept = {old[0][0]}, []
    for doc in sorted(new[:-1], key=lambda d: (-d[1], d[0])):
        if any(near(doc, other) for other in old + kept):
            gone.add(doc[0])
        else:
            kept.append(doc)
    for more in [], ["-t", "3", "--memory", "8M"]:
        got, _ = results(folder, "late", "-i", "new.shingles", "--against", "old.shingles", *more)
        check(got is not None and sorted(got) == sorted(gone), "%d gone, not %d" % (len(got or ()), len(gone)))
    found = [l.split() for l in listed(folder, "late", "03.clusters")]
    stay = {d[0] for d in old} | {d[0] for d in kept}
    check({a for a, _, _ in found} == gone and all(b in stay for _, b, _ in found), "clusters")
    write(folder + "/hashes", lines_of([(identifier(), 9, [1, 2, 3])]))
    err = tender(folder, "-i", "hashes", "--against", "hashes", "-o", "late", code=2)
    check("--against takes fingerprints" in err, err)


def ids_that_are_counted(folder):
    """Of ids that begin alike, and documents of one size, the smaller id stays; in no more
    time than others take."""
    ids = ["00000000-0000-0000-0000-%012d" % i for i in range(60000)]
    value = [rng.getrandbits(32) for _ in range(8)]
    rng.shuffle(ids)
    write(folder + "/all.shingles", fingerprints(
        [(i, 1000, value if i.endswith("7") else [rng.getrandbits(32) for _ in value])
         for i in ids]))
    began = time.time()
    got, _ = results(folder, "counted", "-i", "all.shingles", "--near", ".9")
    check(got == sorted(i for i in ids if i.endswith("7"))[1:], "%d ids" % len(got))
    check(time.time() - began < 6, "%.1f s" % (time.time() - began))


def bad_input(folder):
    docs = made_corpus(10)
    lines = lines_of(docs)
    write(folder + "/good.tender", lines)
    whole = gzip.compress("".join(lines).encode())
    with open(folder + "/cut.tender.gz", "wb") as f:
        f.write(whole[:len(whole) // 2])
    err = tender(folder, "-i", "cut.tender.gz", "-o", "x", code=1)
    check("cut.tender.gz" in err and "incomplete" in err, "a cut file: " + err)
    shutil.rmtree(folder + "/x.tender", ignore_errors=True)
    write(folder + "/wrong.tender", lines[:500] + ["0123 wrong columns\n", lines[0][:-3] + "\n"]
          + lines[500:])
    got, err = results(folder, "x", "-i", "wrong.tender", code=3)
    check("lines_rejected=2" in err and "wrong columns" in err, "wrong columns: " + err)
    check(set(got) == set(model(docs, 5, 200)[0]), "the other lines count")
    write(folder + "/marked.tender", ["\ufeff"] + lines)
    _, err = results(folder, "x", "-i", "marked.tender")
    check("hashes=%d " % len(lines) in err and "lines_rejected=0" in err, "a mark: " + err)
    write(folder + "/text", ["no fingerprints\n"] * 3)
    err = tender(folder, "-i", "text", "-o", "y", code=1)
    check("is a hash or a fingerprint" in err, err)
    shutil.rmtree(folder + "/y.tender", ignore_errors=True)
    write(folder + "/unsorted", sorted(lines)[::-1])
    err = tender(folder, "-i", "unsorted", "-o", "y", "-p", code=1)
    check("not sorted" in err, err)
    shutil.rmtree(folder + "/y.tender", ignore_errors=True)
    values = [(i, s, [x & 0xffffffff for x in v]) for i, s, v in docs]
    write(folder + "/k100.shingles", fingerprints(values))
    write(folder + "/k64.shingles", fingerprints([(i, s, v[:64]) for i, s, v in values]))
    for pattern in "k*.shingles", "{k100.shingles,good.tender}":
        err = tender(folder, "-i", pattern, "-o", "z", "--near", ".8", code=2)
        check("family" in err or "--limit" in err, "another family: " + err)
        shutil.rmtree(folder + "/z.tender", ignore_errors=True)
    lines = fingerprints(values)
    for n in 8, 16:  # what is left looks like a shorter fingerprint
        write(folder + "/cut.shingles", lines[:-1] + [lines[-1].rstrip("\n")[:-n]])
        _, err = results(folder, "z", "-i", "cut.shingles", "--near", ".8", code=3)
        check("lines_rejected=1" in err and "cut: the file ends" in err, "a cut line: " + err)
    # Two at once: the second one leaves the folder of the first one alone.
    os.makedirs(folder + "/two.tender")
    with open(folder + "/two.tender/lock", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        err = tender(folder, "-i", "good.tender", "-o", "two", "--restart", code=2)
        check("two.tender is in use" in err, "two writers: " + err)
        check(os.listdir(folder + "/two.tender") == ["lock"], "the folder is left alone")
    got, _ = results(folder, "two", "-i", "good.tender")
    check(set(got) == set(model(docs, 5, 200)[0]) and not os.path.exists(folder + "/two.tender"),
          "after the first one")
    err = tender(folder, "-i", "good.tender", "-o", "z", "-b", "text", code=2)
    check("no id of a document" in err, err)
    for wrong in ["-i", "none.*"], ["-i", "good.tender", "-l", "0"], \
            ["-i", "good.tender", "--near", ".8", "-l", "5"], \
            ["-i", "good.tender", "--memory", "many"]:
        tender(folder, "-o", "z", *wrong, code=2)


def both_forms(folder):
    """Texrex's lines and fingerprints go together by count: both name documents by their numbers."""
    docs = made_corpus()
    hashes = [(i, s, [x & 0xffffffff for x in v]) for i, s, v in docs]
    write(folder + "/one.tender", lines_of(docs[::2]))
    write(folder + "/other.shingles", fingerprints(hashes[1::2]))
    separate = [results(folder, "alone", "-i", name, "-l", "5", "-m", "200")[0]
                for name in ("one.tender", "other.shingles")]
    check(all(separate), "each form alone removes something")
    for threads in "1", "3":
        got, _ = results(folder, "both", "-i", "one.tender", "-i", "other.shingles", "-l", "5", "-m", "200",
                         "-t", threads)
        check(sorted(got) == sorted(separate[0] + separate[1]), "both forms in one run")
    # A document's lines stand anywhere, with other sizes: the largest is its own.
    lines = ["%020d %s %010d\n" % (h, i, s + (h % 3)) for i, s, v in docs for h in v]
    rng.shuffle(lines)
    sizes = collections.defaultdict(int)
    for line in lines:
        sizes[line[21:57]] = max(sizes[line[21:57]], int(line[58:]))
    write(folder + "/sizes.tender", lines)
    got, _ = results(folder, "largest", "-i", "sizes.tender", "-l", "5", "-m", "200")
    check(set(got) == set(model([(i, sizes[i], v) for i, _, v in docs], 5, 200)[0]), "several sizes of one document")


def names_of_flags(folder):
    """Every flag by its long name does what its letter does; so does a link named tender."""
    docs = made_corpus()
    write(folder + "/all.tender", sorted(lines_of(docs)))
    write(folder + "/foreign", [d[0] + "\n" for d in docs[::7]])
    expected, _ = results(folder, "short", "-i", "all.tender", "-b", "foreign", "-l", "7", "-m", "60", "-t", "2",
                          "-s", "500", "-d", "300", "-p", "-f", "-z", "/no/gzip")
    full = listed(folder, "short", "03.blacklist-full")
    check(len(expected) > 5 and set(expected) == set(model([d for n, d in enumerate(docs) if n % 7], 7, 60)[0]),
          "a black list, a limit and a maximum")
    values = ["--limit", "7", "--max", "60", "--threads", "2", "--size", "500", "--ddsize", "300"]
    for black, n in ("--black", 1), ("--blacklist", 2):
        tender(folder, "--input", "all.tender", "--output", "long%d" % n, black, "foreign", *values,
               "--presort", "--full", "--gzbin", "/no/gzip")
        check(listed(folder, "long%d" % n) == expected, "long names")
        check(listed(folder, "long%d" % n, "03.blacklist-full") == full, "--full")
    tender(folder, "--input", "all.tender", "--output", "packed", "--black", "foreign", *values, "--gzip")
    [path] = glob.glob(folder + "/packed_*.03.blacklist.gz")
    with gzip.open(path, "rt") as f:
        check(f.read().splitlines() == expected, "--gzip")
    os.symlink(WINNOW, folder + "/tender")
    subprocess.run([folder + "/tender", "-i", "all.tender", "-o", "link", "-b", "foreign", *values], cwd=folder,
                   check=True, stderr=subprocess.DEVNULL)
    check(listed(folder, "link") == expected, "a link named tender")
    p = subprocess.run([WINNOW, "tender", "-h"], capture_output=True, text=True)
    check(p.returncode == 0 and "--ddsize" in p.stdout, "-h")


def beside_texrex(folder):
    programs = os.environ.get("WINNOW_TEXREX_BIN")
    if not programs:
        print("skipped: texrex's tender (WINNOW_TEXREX_BIN)")
        return
    docs = made_corpus(120)
    write(folder + "/all.tender", lines_of(docs))
    for limit, most in (5, 200), (30, 50):
        subprocess.run([programs + "/tender", "-i", "all.tender", "-o", "theirs", "-l", str(limit),
                        "-m", str(most), "-f"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        theirs, pairs = listed(folder, "theirs"), listed(folder, "theirs", "03.blacklist-full")
        got, _ = results(folder, "ours", "-i", "all.tender", "-l", str(limit), "-m", str(most),
                         "--rule", "pairs", "-f")
        ours = listed(folder, "ours", "03.blacklist-full")
        # texrex's never looks at the last pair that it has made.
        lost = set(ours) - set(pairs)
        check(set(pairs) <= set(ours) and len(lost) <= 1, "pairs: %s" % (set(ours) ^ set(pairs)))
        check(set(theirs) <= set(got) and len(set(got) - set(theirs)) <= len(lost),
              "blacklists: %s" % (set(got) ^ set(theirs)))
        for old in glob.glob(folder + "/theirs_*"):
            os.remove(old)


def main():
    for case in same_as_the_model, order_threads_and_memory_do_not_matter, cycles, goes_on, \
            by_near, an_earlier_corpus_stays, ids_that_are_counted, bad_input, both_forms, names_of_flags, \
            beside_texrex:
        began = time.time()
        with tempfile.TemporaryDirectory(prefix="winnow-tender-") as folder:
            case(folder)
        print("%s: %.1f s" % (case.__name__, time.time() - began))
    sys.exit(failed != 0)


main()
