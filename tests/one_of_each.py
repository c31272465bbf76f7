#!/usr/bin/env python3
"""one_of_each.py -- what the program has once is used, not written again.

usage: one_of_each.py SOURCE
       one_of_each.py --planted      a second one in a small tree is found

Each row: how a second one would look, who has the first, what to use instead.
Exit: 0 nothing was found, 1 something.
"""
import fnmatch
import os
import re
import sys
import tempfile

PROGRAM = ("base/", "clean/", "corpus/", "crawler/", "frontier/", "include/",
           "proto/", "shingle/")
ROWS = (
    (r"\b(?:ENOSPC|EDQUOT|EFBIG)\b",
     "base/disk_full.c base/fd_io.c base/pages/db.c",
     "disk_full() of base/disk_full.h"),
    (r"\bpwrite\s*\(", "base/fd_io.c base/pages/hold.c crawler/loop/working.c",
     "fd_write_at() of base/fd_io.h"),
    (r"\bmdb_(?:env|txn|put|get|del|cursor)\w*\s*\(", "base/pages/*",
     "base/pages/db.h"),
    (r"\b(?:read|pread|write)\([^;]*;\s*while \(\w+ < 0 && errno == EINTR\)", "base/fd_io.c",
     "fd_read() of base/fd_io.h"),
    (r"\? EXIT_USAGE : EXIT_FAILED", "base/exit_code.h",
     "command_exit() of base/exit_code.h"),
    (r"\b\w*said\w*_ms\b", "base/reminder.*", "reminder_due() of base/reminder.h"),
    (r"\b(\w+) = \(\1 \+ 1\) & ", "base/hashmap.*", "base/hashmap.h, base/tag_table.h"),
    (r"\bsigwait\w*\s*\(", "base/thread.c shingle/command/cmd_publish.c",
     "thread_await_end() of base/thread.h"),
)


def files_of(source):
    for folder, folders, names in os.walk(source):
        folders[:] = [f for f in folders if f not in (".git", "build")]
        for name in names:
            path = os.path.relpath(os.path.join(folder, name), source)
            if name.endswith((".c", ".h")) and path.startswith(PROGRAM):
                yield path


def faults(source):
    used = set()
    for path in sorted(files_of(source)):
        with open(os.path.join(source, path), encoding="utf-8",
                  errors="replace") as file:
            text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"),
                          file.read(), flags=re.S)
        for pattern, owners, instead in ROWS:
            for m in re.finditer(pattern, text):
                owner = [o for o in owners.split() if fnmatch.fnmatch(path, o)]
                used.update((pattern, o) for o in owner)
                if not owner:
                    line = text.count("\n", 0, m.start()) + 1
                    yield f"{path}:{line}: {m[0]}: use {instead}"
    for pattern, owners, _ in ROWS:
        for owner in owners.split():
            if (pattern, owner) not in used and os.path.exists(
                    os.path.join(source, "base")) and not PLANTING:
                yield f"one_of_each.py: {owner} has no {pattern}"


PLANTING = "--planted" in sys.argv


def planted():
    with tempfile.TemporaryDirectory() as tree:
        os.makedirs(os.path.join(tree, "clean"))
        with open(os.path.join(tree, "clean/a.c"), "w", encoding="utf-8") as file:
            file.write("/* ENOSPC is fine here */\nint a(int e)\n{\n"
                       "    return e == ENOSPC;\n}\n")
        found = list(faults(tree))
    print("\n".join(found))
    return 0 if found == ["clean/a.c:4: ENOSPC: use disk_full() of "
                          "base/disk_full.h"] else 1


def main():
    if PLANTING:
        return planted()
    found = list(faults(sys.argv[1]))
    print("\n".join(found))
    return 1 if found else 0


sys.exit(main())
