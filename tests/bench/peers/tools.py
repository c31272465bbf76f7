"""The extractors that peers.py compares, each from its own package registry: how
it is installed, and the command that runs it over pages."""
import functools
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..", "..")
PYTHON = {"trafilatura": "trafilatura", "justext": "jusText",
          "resiliparse": "resiliparse", "readability": "readability-lxml",
          "newspaper": "newspaper4k"}
NODE = {"defuddle": "defuddle", "readability_js": "@mozilla/readability"}
OTHERS = {"go_trafilatura": "go-trafilatura", "rs_trafilatura": "rs-trafilatura"}
LABELS = {**PYTHON, **NODE, **OTHERS, "winnow": "Winnow",
          "winnow_whole": "Winnow, all as objects"}
NEEDS = {**dict.fromkeys(NODE, "npm"), "go_trafilatura": "go",
         "rs_trafilatura": "cargo"}
GO_MODULE = "github.com/markusmobius/go-trafilatura"
CRATE_VERSION = "0.2.2"


def default():
    """Those whose tools of building are here; the others are named."""
    missing = {t: n for t, n in NEEDS.items() if not shutil.which(n)}
    for tool, needs in missing.items():
        print("%s is left out: no %s" % (LABELS[tool], needs), file=sys.stderr)
    return ["winnow", *(t for t in LABELS
                        if not t.startswith("winnow") and t not in missing)]


def run(folder, *command, **more):
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL,
                   **more)


def once(folder, make):
    """Make a folder, unless an earlier run did."""
    if not os.path.exists(os.path.join(folder, "complete")):
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        make(folder)
        open(os.path.join(folder, "complete"), "w").close()
    return folder


def make_python(folder):
    run(folder, sys.executable, "-m", "venv", ".")
    pip = ("bin/python3", "-m", "pip", "install", "-q")
    run(folder, *pip, "-U", "pip")  # old ones fail
    run(folder, *pip, *PYTHON.values(), "lxml_html_clean", "cffi")


def python_of(work):
    """The Python of an environment with all peers."""
    return os.path.join(once(os.path.join(work, "python"), make_python), "bin",
                        "python3")


@functools.lru_cache(None)
def python_with_winnow(work):
    """The same, with this tree's package: building it takes a while."""
    python = python_of(work)
    run(ROOT, python, "-m", "pip", "install", "-q", "--force-reinstall",
        "--no-deps", os.path.join(ROOT, "python"))
    return python


def make_node(folder):
    run(folder, "npm", "init", "-y")
    run(folder, "npm", "install", "--no-audit", "--no-fund", *NODE.values(),
        "jsdom", "linkedom", "html-encoding-sniffer")


def make_go(folder):
    shutil.copy(os.path.join(HERE, "extract.go"), os.path.join(folder, "main.go"))
    run(folder, "go", "mod", "init", "extract")
    run(folder, "go", "get", GO_MODULE)
    run(folder, "go", "mod", "tidy")
    run(folder, "go", "build", "-o", "extract", ".")


def make_rust(folder):
    run(folder, "cargo", "init", "--quiet", "--name", "extract", ".")
    shutil.copy(os.path.join(HERE, "extract.rs"),
                os.path.join(folder, "src", "main.rs"))
    run(folder, "cargo", "add", "--quiet", "rs-trafilatura@=" + CRATE_VERSION,
        "libc", "serde_json", "chrono")
    run(folder, "cargo", "build", "--quiet", "--release",
        env={**os.environ, "PEER_VERSION": CRATE_VERSION})


def command(tool, work):
    """What takes PAGES NAMES OUT, and prints seconds, version, failures."""
    if tool in NODE:
        folder = once(os.path.join(work, "node"), make_node)
        shutil.copy(os.path.join(HERE, "extract.mjs"), folder)
        return ["node", os.path.join(folder, "extract.mjs"), tool]
    if tool == "go_trafilatura":
        return [os.path.join(once(os.path.join(work, "go"), make_go), "extract")]
    if tool == "rs_trafilatura":
        return [os.path.join(once(os.path.join(work, "rust"), make_rust),
                             "target", "release", "extract")]
    python = python_with_winnow if tool.startswith("winnow") else python_of
    return [python(work), os.path.join(HERE, "extract.py"), tool]
