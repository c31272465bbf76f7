"""checks.py -- what a scenario checks: faults are said and counted; its parts are run."""
import os
import shutil
import sys
import tempfile

failed = 0


def check(good, what):
    global failed
    if not good:
        failed += 1
        print("FAIL", what, file=sys.stderr)


def chosen(parts):
    """Those that the command line names behind the program; all if it names none."""
    names = sys.argv[2:]
    return [p for p in parts if p.__name__ in names] or parts


def run(parts, *given):
    """Call each part and say how it went; the exit status.  A part fails by check()
    or an assertion; what it returns is said beside its name."""
    for part in chosen(parts):
        before, said = failed, None
        try:
            said = part(*given)
        except AssertionError as fault:
            check(False, fault)
        print("ok  " if failed == before else "FAIL", part.__name__, said or "", flush=True)
    return failed > 0


def run_apart(parts, prefix, *given):
    """The same, each part with an empty folder as its last argument.  Folders of parts
    that failed stay."""
    base = tempfile.mkdtemp(prefix="winnow-%s-" % prefix)
    os.chmod(base, 0o755)  # for servers that go on as others
    for part in chosen(parts):
        folder, before = os.path.join(base, part.__name__), failed
        os.mkdir(folder)
        run([part], *given, folder)
        if failed == before:
            shutil.rmtree(folder)
    if failed:
        print("see " + base)
    else:
        os.rmdir(base)
    return failed > 0
