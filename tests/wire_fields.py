"""Every field of a message on the wire is set by one side and read by another.

All fields in the headers made of the .proto files are marked as deprecated, and
the sources are compiled: each use is a warning that names the field's place.
What is assigned is set, anything else is read.
Usage: wire_fields.py ROOT BUILD"""
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

HEADERS = "frontier.pb-c.h", "dedup.pb-c.h"
BEGINS = re.compile(r"^struct\s+(Winnow__\w+)$")
MEMBER = re.compile(r"^(\s+[\w ]+?[ *]+)(\w+);$")
EMPTY = re.compile(r"^struct\s+(Winnow__\w+)\n\{\n  ProtobufCMessage base;\n\};",
                   re.M)
USE = re.compile(r"^[^:\n]+:(\d+):(\d+): warning: '(\w+)' is deprecated: "
                 r"([\w.]+)", re.M)
GIVEN = re.compile(r"&[\w.>\[\]-]*$") # its address: to be filled or read
SPEAKS = re.compile(r"pb-c\.h|message\.h|reply_head\.h|turns\.h")
# Calls that other programs make (PROTOCOL.md, section 5): our commands read the
# store beside the service.
OTHERS = {"Winnow__Frontier__" + f for f in (
    "Request.why", "WhyRequest.url", "Reply.stat", "Reply.why",
    "StatReply.scorer", "StatReply.totals", "StatReply.version",
    "WhyReply.text")}
CLANG = shutil.which("clang")
SET = re.compile(r"\w+(?:\.(?:data|len))?(?:\[[^\]]*\](?:\.\w+)?)*\s*"
                 r"(?:=[^=]|[-+|]=|\+\+)")


def marked(text):
    """Each field deprecated, with a mark that survives the preprocessor."""
    out = []
    message = None
    empty = set(EMPTY.findall(text)) # such a message is its case alone
    for line in text.split("\n"):
        begins = BEGINS.match(line)
        member = MEMBER.match(line)
        if begins:
            message = begins.group(1)
        elif line.startswith("}"):
            message = None
        elif message and member:
            field = member.group(2)
            if (field != "base" and not field.startswith("n_") and
                    not field.endswith("_case") and
                    not set(line.split()) & empty):
                line = (f"{member.group(1)}{field} __attribute__("
                        f'(deprecated("{message}.{field}")));')
        out.append(line)
    return "\n".join(out)


def sources(root, build):
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        folder = path.relative_to(root).parts[0] if root in path.parents else ""
        if (folder in ("frontier", "shingle") and path.suffix == ".c" and
                SPEAKS.search(path.read_text())):
            yield entry


def uses(entry, folder):
    """(field, set or read) of each use in one source, macros expanded."""
    words = [w for w in shlex.split(entry["command"])
             if w != "ccache" and not w.startswith("-W")]
    at = words.index("-o")
    del words[at:at + 2]
    words.remove("-c")
    whole = subprocess.run(
        [CLANG] + words[1:] + [f"-I{folder}", "-E", "-P"],
        cwd=entry["directory"], capture_output=True, text=True, check=True)
    path = pathlib.Path(folder, "whole.c")
    path.write_text(whole.stdout)
    run = subprocess.run(
        [CLANG, "-std=c11", "-fsyntax-only", "-Wno-everything",
         "-Wdeprecated-declarations", str(path)],
        capture_output=True, text=True, env={"LC_ALL": "C"})
    lines = whole.stdout.split("\n")
    for line, column, name, field in USE.findall(run.stderr):
        rest = lines[int(line) - 1][int(column) - 1:] + lines[int(line)].strip()
        if rest.startswith(name): # else: an initializer, by position
            before = lines[int(line) - 1][:int(column) - 1]
            if GIVEN.search(before):
                yield field, True
                yield field, False
            else:
                yield field, bool(SET.match(rest))


def main():
    root, build = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
    if not CLANG:
        print("there is no clang")
        return 77
    fields, written, read = set(), set(), set()
    with tempfile.TemporaryDirectory() as folder:
        for name in HEADERS:
            text = marked((build / "proto" / name).read_text())
            fields |= set(re.findall(r'deprecated\("([\w.]+)"\)', text))
            pathlib.Path(folder, name).write_text(text)
        for entry in sources(root, build):
            for field, is_set in uses(entry, folder):
                (written if is_set else read).add(field)
    assert len(fields) > 100 and len(read) > 50, "the messages were not found"
    faults = 0
    for which, there in (("set", written), ("read", read)):
        for field in sorted(fields - there - OTHERS):
            print(f"{field} is never {which}")
            faults += 1
    print(f"{len(fields)} fields, {faults} faults")
    return faults > 0


if __name__ == "__main__":
    sys.exit(main())
