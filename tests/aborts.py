"""Nothing outside of main() ends the process: no abort(), exit() or _exit() in
the folders of the library and of the services.  Usage: aborts.py ROOT"""
import pathlib
import re
import sys

FOLDERS = "base", "clean", "corpus", "crawler", "frontier", "proto", "shingle"
CALL = re.compile(r"\b(abort|exit|_exit|_Exit|quick_exit)\s*\(")
# What may: the last resort of a program without a handler; a second Ctrl-C; a
# child of fork(); a store's page that the disk does not give,
# in a signal handler, LMDB's assertions, and a store whose first page
# could not be written, which only the next process can open; main() itself.
ALLOWED = {
    "base/memory.c": {"abort"},
    "clean/command/cmd_clean.c": {"_exit"},
    "clean/convert/confine.c": {"_exit"},
    "clean/convert/service.c": {"_exit"},
    "clean/repair/pipe_filter.c": {"_exit"},
    "corpus/job/document_read.c": {"_exit"},
    "corpus/job/local.c": {"_exit"},
    "corpus/job/pipe_batch.c": {"_exit"},
    "crawler/loop/loop.c": {"_exit"},
    "crawler/main/main.c": {"_exit"},
    "shingle/command/cmd_publish.c": {"_exit"},
    "base/pages/db.c": {"_exit"},
    "base/pages/guard.c": {"_exit"},
    "base/pages/verify.c": {"_exit"},
}


def code_of(text):
    """Without comments and strings."""
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"', '""', text,
                  flags=re.S)


def main():
    root = pathlib.Path(sys.argv[1])
    faults = 0
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]")):
            name = str(path.relative_to(root))
            for found in CALL.finditer(code_of(path.read_text())):
                if found.group(1) in ALLOWED.get(name, ()):
                    continue
                print(f"{name}: {found.group(1)}()")
                faults += 1
    return 1 if faults else 0


sys.exit(main())
