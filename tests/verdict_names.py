"""Nobody decides anything by the name of a verdict: reasons and verdicts are
numbers (base/verdict.h), and their names are for people.
Usage: verdict_names.py ROOT"""
import pathlib
import re
import sys

FOLDERS = "base", "clean", "corpus", "crawler", "frontier", "proto", "shingle", "include"
COMPARES = re.compile(
    r"\b(?:str_eq|str_eq_nocase|str_cmp|str_starts|strcmp|strncmp|strcasecmp|"
    r"memcmp)\s*\(((?:[^();]|\((?:[^();]|\([^();]*\))*\))*)\)")
OF_A_VERDICT = re.compile(r"\b\w*(?:reason|verdict|reject)\w*\b(?!\()")
ALLOWED = {"base/verdict.c"}  # verdict_find()


def names_of(root):
    """Those that are no word of anything else."""
    table = (root / "base/verdict.tbl.h").read_text()
    names = re.findall(r'VERDICT\(\w+, \d+, "(\w+)"', table)
    assert len(names) > 60
    return {n for n in names if "_" in n} - {"content_type"} | {
        "kept", "challenge", "consent", "paywall", "blocked", "disallowed",
        "poison"}


def main():
    root = pathlib.Path(sys.argv[1])
    names = names_of(root)
    faults = 0
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]")):
            name = str(path.relative_to(root))
            if name in ALLOWED:
                continue
            text = re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(),
                          flags=re.S)
            for found in COMPARES.finditer(text):
                words = re.findall(r'"((?:\\.|[^"\\])*)"', found.group(1))
                code = re.sub(r'"(?:\\.|[^"\\])*"', '""', found.group(1))
                if (OF_A_VERDICT.search(code) or names & set(words) or
                        any(w.startswith("http_") for w in words)):
                    print(f"{name}: {' '.join(found.group(0).split())}")
                    faults += 1
    print(f"{faults} comparisons with the name of a verdict")
    return faults > 0


if __name__ == "__main__":
    sys.exit(main())
