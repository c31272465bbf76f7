"""suite.py -- raw replies of curl's own tests and bodies in broken codings: each
ends, in an outcome that fits."""
import json
import os

from behaviour import HTML, theme

# curl's exit codes for what is no page: weird reply, partial, empty, broken
REFUSED = (8, 18, 52, 56, 61)
# The charset sniffed from a body that was not decoded may make it no HTML.
ENDS = "FETCHED | FAILED | RETRY | REDIRECT"
CODED = {"ok": "FETCHED | RETRY bad_encoding", "error": "RETRY | FAILED | FETCHED empty",
         "abort": "FAILED bomb | FETCHED | RETRY bad_encoding"}


def add_all(folder):
    add = theme("curl")
    with open(os.path.join(folder, "curl_cases.jsonl"), encoding="utf-8") as f:
        rows = [json.loads(line) for line in f]
    for i, row in enumerate(rows):
        if "%" in row["reply_latin1"]:  # variables of its own server
            continue
        add("curl_%d" % i, "FAILED | RETRY" if row["curl_exit"] in REFUSED else ENDS,
            row["reply_latin1"].encode("latin-1"), group="suite", requests=20)
    add = theme("codings")
    with open(os.path.join(folder, "encodings/cases.json"), encoding="utf-8") as f:
        cases = json.load(f)["cases"]
    for case in cases:
        with open(os.path.join(folder, "encodings", case["file"]), "rb") as f:
            body = f.read()
        coding = (case["content_encoding"] or "identity").encode("latin-1")
        add("coded_" + case["file"].split(".")[0].lower(), CODED.get(case["want"], ENDS),
            HTML + b"Content-Encoding: %s\r\nContent-Length: %d\r\n\r\n" % (
                coding, len(body)) + body, group="suite")
