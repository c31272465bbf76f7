"""cpu_table.py -- what a program's CPU went into, by module, from samples of perf.

A sample counts for the module of the innermost frame that is the program's own: a
memcpy() for whoever called it, where the call chain can be followed that far, else
for its library.  What the kernel does is told by the system call or fault that asked
for it.  Standard library only; needs perf and addr2line.
"""
import collections
import os
import re
import subprocess

FREQUENCY = 999
FRAME = re.compile(r"\s+([0-9a-f]+) (.*) \((.*)\)$")
THREAD = re.compile(r"^(.*\S)\s+(\d+)\s*$")


def record(command, data):
    """The command, sampled into the file `data`."""
    return ["perf", "record", "-q", "-o", data, "-e", "cpu-clock", "-F", str(FREQUENCY),
            "-g", "--", *command]


def samples_of(data):
    """(thread, [(address, symbol, object)...]) of each sample, innermost first."""
    said = subprocess.run(["perf", "script", "-i", data, "-F", "comm,tid,ip,sym,dso"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
    thread, frames = None, []
    for line in said.stdout.decode("utf-8", "replace").splitlines() + [""]:
        if not line:
            if thread is not None:
                yield thread, frames
            thread, frames = None, []
        elif thread is None:
            thread = THREAD.match(line).group(1).strip()
        elif FRAME.match(line):
            frames.append(FRAME.match(line).groups())


def files_of(program, addresses):
    """Of each address the source file it was compiled from."""
    if not addresses:
        return {}
    said = subprocess.run(["addr2line", "-e", program], text=True, check=True,
                          input="\n".join(addresses), stdout=subprocess.PIPE)
    return dict(zip(addresses, (line.split(":")[0] for line in said.stdout.splitlines())))


def kernel_work(frames):
    """What the kernel was asked for."""
    for _, symbol, where in frames:
        if "kernel" not in where:
            break
        if symbol.startswith("__x64_sys_"):
            return symbol[len("__x64_sys_"):]
        if symbol.startswith("asm_exc_"):
            return "page fault"
        if symbol.startswith(("asm_sysvec", "asm_common_interrupt")):
            return "interrupt"
    return "other"


def folder_of(path, root):
    folder = os.path.relpath(os.path.dirname(path), root) if path.startswith("/") else ""
    return "" if folder.startswith("..") else folder


def module_of(frames, program, files, root):
    if not frames:
        return "?"
    if "kernel" in frames[0][2]:
        return "kernel: " + kernel_work(frames)
    library = os.path.basename(frames[0][2])
    if not library.startswith(("libc.so", "libm.so", os.path.basename(program))):
        return re.sub(r"\.so.*", "", library)
    for address, _, where in frames:
        if where == program and folder_of(files[address], root):
            return folder_of(files[address], root)
    return re.sub(r"\.so.*", "", library)


def table(data, program, root):
    """Seconds of CPU by (thread, module)."""
    program, root = os.path.realpath(program), os.path.realpath(root)
    samples = list(samples_of(data))
    files = files_of(program, sorted({a for _, frames in samples for a, _, where in frames
                                      if where == program}))
    out = collections.Counter()
    for thread, frames in samples:
        out[thread, module_of(frames, program, files, root)] += 1 / FREQUENCY
    return out


if __name__ == "__main__":
    import sys
    all_ = table(sys.argv[1], sys.argv[2], sys.argv[3])
    n = float(sys.argv[4]) if len(sys.argv) > 4 else sum(all_.values()) * 10
    for part, least in ((0, 0), (1, .003), (None, .003)):
        sums = collections.Counter()
        for key, s in all_.items():
            sums[key if part is None else key[part]] += s
        for k, s in sums.most_common(60):
            if s * 1000 / n >= least:
                print("%-50s %6.3f" % (k, s * 1000 / n))
        print("= %.3f" % (sum(sums.values()) * 1000 / n))
