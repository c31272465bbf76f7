"""consumers.py -- other people's programs, for tests that let them read what
Winnow writes: Python packages in a virtual environment, Java libraries in a
folder, both under the build folder, so they are fetched once.

A test whose programs cannot be had says so and is skipped (exit 77).
"""
import fcntl
import os
import shutil
import subprocess
import sys

QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def skip(why):
    print("skipped: " + why)
    sys.exit(77)


def once(folder, make, what):
    """make(folder), if that has not succeeded before; one process at a time."""
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    with open(folder + ".lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        complete = os.path.join(folder, "complete")
        if os.path.exists(complete):
            return
        shutil.rmtree(folder, ignore_errors=True)
        try:
            make(folder)
            open(complete, "w", encoding="ascii").close()
        except (OSError, subprocess.SubprocessError) as e:
            skip("%s cannot be had: %s" % (what, e))


def python(base, name, packages):
    """The Python of an environment with these packages of PyPI."""
    folder = os.path.join(os.path.abspath(base), name)

    def make(folder):
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder],
                       check=True, timeout=120, **QUIET)
        subprocess.run([sys.executable, "-m", "pip", "--python",
                        os.path.join(folder, "bin", "python"), "install",
                        *packages], check=True, timeout=900, **QUIET)

    once(folder, make, " ".join(packages))
    return os.path.join(folder, "bin", "python")


def java(base, name, artifact):
    """A folder with the jars of an artifact GROUP:NAME:VERSION of Maven."""
    folder = os.path.join(os.path.abspath(base), name)

    def make(folder):
        os.makedirs(folder)
        subprocess.run(["mvn", "-q", "-B",
                        "org.apache.maven.plugins:maven-dependency-plugin:"
                        "3.6.1:copy", "-Dartifact=" + artifact,
                        "-DoutputDirectory=" + folder],
                       check=True, timeout=900, cwd=folder, **QUIET)

    if shutil.which("java") is None or shutil.which("mvn") is None:
        skip("no java or no mvn for " + artifact)
    once(folder, make, artifact)
    return folder
