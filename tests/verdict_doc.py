"""PROTOCOL.md lists the verdicts as verdict.tbl.h declares them.
Usage: verdict_doc.py ROOT [--write]"""
import pathlib
import re
import sys

BEGIN, END = "<!-- verdicts -->\n", "<!-- end of verdicts -->\n"
ROW = re.compile(r'^VERDICT\((\w+), (\d+), "(\w+)", (\w+), (\w+),\s*(\w+),\s*'
                 r'"([^"]*)"\)', re.M)


def table(root):
    text = (root / "base/verdict.tbl.h").read_text()
    rows = ROW.findall(text)
    assert len(rows) == len(re.findall(r"^VERDICT\(", text, re.M))
    out = "| number | name | kind | counts as | host | |\n|--:|---|---|---|---|---|\n"
    for _, number, name, kind, teaches, host, phrase in rows:
        out += "| %s | `%s` | %s | %s | %s | %s |\n" % (
            number, name, kind.lower().replace("_", " "),
            "–" if teaches == "NONE" else teaches.lower(),
            "holds" if host == "HOLDS" else "", phrase)
    return out


def main():
    root = pathlib.Path(sys.argv[1])
    path = root / "proto/PROTOCOL.md"
    text = path.read_text()
    before, rest = text.split(BEGIN)
    there, behind = rest.split(END)
    want = table(root)
    if there == want:
        return 0
    if sys.argv[2:] == ["--write"]:
        path.write_text(before + BEGIN + want + END + behind)
        return 0
    print("PROTOCOL.md lists other verdicts than verdict.tbl.h: run "
          "tests/verdict_doc.py . --write")
    return 1


if __name__ == "__main__":
    sys.exit(main())
