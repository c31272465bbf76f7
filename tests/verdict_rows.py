"""A row of verdict.tbl.h that does not say what it teaches does not compile.

base/verdict.c is compiled with a copy of the table that has one row more: whole,
it compiles; with any of its columns missing or empty, it does not.
Usage: verdict_rows.py COMPILER ROOT"""
import pathlib
import subprocess
import sys
import tempfile

ROW = ["NEW", "99", '"new"', "REJECTED", "OTHER", "GOES_ON", '"a new one"']
MARK = "#undef VERDICT"


def compiles(compiler, root, table, folder):
    copy = folder / "base"
    copy.mkdir(exist_ok=True)
    (copy / "verdict.tbl.h").write_text(table)
    (copy / "verdict.h").write_text(
        (root / "base/verdict.h").read_text())
    return subprocess.run(
        [compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
         f"-I{folder}", f"-I{root}", f"{root}/base/verdict.c"],
        capture_output=True).returncode == 0


def main():
    compiler, root = sys.argv[1], pathlib.Path(sys.argv[2])
    table = (root / "base/verdict.tbl.h").read_text()
    assert table.count(MARK) == 1
    faults = 0
    cases = [("whole", ROW, True)]
    for i, column in enumerate(ROW):
        cases.append((f"without {column}", ROW[:i] + ROW[i + 1:], False))
        if i > 0:
            cases.append((f"empty {column}", ROW[:i] + [""] + ROW[i + 1:],
                          False))
    cases.append(("a class that is none", ROW[:4] + ["NEW"] + ROW[5:], False))
    cases.append(("a number that is taken", [ROW[0], "0"] + ROW[2:], False))
    with tempfile.TemporaryDirectory() as folder:
        for name, row, good in cases:
            more = table.replace(MARK, f"VERDICT({', '.join(row)})\n{MARK}")
            got = compiles(compiler, root, more, pathlib.Path(folder))
            if got != good:
                print(f"{name}: {'compiles' if got else 'does not compile'}")
                faults += 1
    print(f"{len(cases)} tables, {faults} faults")
    return faults > 0


if __name__ == "__main__":
    sys.exit(main())
