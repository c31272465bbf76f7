"""texrex_tools.py -- tender and tecl of texrex as strict readers: what they take
by column is taken by column here, and what they would warn of is a fault.

tender reads shingle lines of exactly 68 bytes: hash in columns 1-20, document in
22-57, its bytes in 59-68; two documents that share at least `limit` hashes are
near-duplicates and the smaller one goes on the blacklist.  tecl reads XML line by
line: a document begins where a line begins with `<doc url=`, its id are the 36
characters behind the first ` id="`, and it ends with a line `</doc>`.
"""
import collections
import glob
import itertools
import os
import subprocess

ID, LINE = 36, 68


def tender(lines, limit=5, overlap_max=200):
    """Lines of a shingle file -> ids of documents to be removed."""
    by_hash, size = collections.defaultdict(list), {}
    for line in lines:
        line = line.rstrip("\n")
        if len(line.encode()) != LINE or line[20] != " " or line[21 + ID] != " ":
            raise AssertionError("tender refuses the line " + repr(line))
        number, document, length = line[:20], line[21:21 + ID], line[22 + ID:]
        if not (number + length).isdigit() or " " in document:
            raise AssertionError("columns of " + repr(line))
        if size.setdefault(document, length) != length:
            raise AssertionError("two documents are called " + document)
        by_hash[number].append(document)
    shared = collections.Counter()
    for documents in by_hash.values():
        if len(documents) < overlap_max:
            shared.update(itertools.combinations(sorted(documents), 2))
    return {min(pair, key=lambda d: (size[d], d)) for pair, n in shared.items()
            if n >= limit}


def tecl(lines, blacklist):
    """The lines that are left of an XML file."""
    inside, removed, left = False, False, []
    for line in lines:
        if line.startswith("<doc url="):
            if inside:
                raise AssertionError("a document within a document")
            at = line.index(' id="') + 5
            if line[at + ID] != '"':
                raise AssertionError("no id of %d characters in %s" % (ID, line))
            inside, removed = True, line[at:at + ID] in blacklist
        if not removed:
            left.append(line)
        if line.startswith("</doc>"):
            if not inside:
                raise AssertionError("an end without a beginning")
            inside = removed = False
    if inside:
        raise AssertionError("the last document does not end")
    return left


def run_programs(folder_of_programs, folder):
    """The real ones on corpus.tender and corpus.xml: (blacklist, documents kept)."""
    def run(name, *args):
        subprocess.run([os.path.join(folder_of_programs, name), *args], cwd=folder,
                       check=True, stdout=subprocess.DEVNULL, timeout=60)
    run("tender", "-i", "corpus.tender", "-o", "black")
    [blacklist] = glob.glob(folder + "/black*.03.blacklist")
    run("tecl", "-i", "corpus.xml", "-b", os.path.basename(blacklist), "-o", "left")
    [left] = glob.glob(folder + "/left*.xml")
    with open(blacklist) as f:
        ids = set(f.read().split())
    with open(left) as f:
        return ids, sum(line.startswith("<doc ") for line in f)
