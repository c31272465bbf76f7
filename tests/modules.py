#!/usr/bin/env python3
"""modules.py -- is the program cut as its CMakeLists say?

usage: modules.py BUILD SOURCE [--table FILE] [--figures]
       modules.py --planted      faults planted in a small program are found

A module is what module() in base/winnow.cmake makes: sources, the headers that
others may include, the modules it may call (BUILD/modules.txt lists them).  Who
calls whom is read from the object files with nm, who includes whom from the
sources.  Found are

  call     a module calls another one that is not among its USES, nor among
           theirs
  circle   modules that call each other in a circle, with the symbols
  files    a circle of more than three files inside a module, with the symbols
  folders  folders whose files call each other in a circle, with the symbols
  include  a file includes a header that its module may not.  Most of these do
           not compile; here it is said why, and what lies in the same folder is
           told apart
  open     modules of a folder that see the whole tree (WHOLE_TREE)

The table (tests/modules.tbl) excuses what is there for a reason; a row that
excuses nothing any more is a fault itself.  --figures prints what there is, as
a line for each figure.  Exit: 0 nothing was found, 1 something, 77 no build.
"""
import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

FILES_MAX = 3  # files of a module that may call each other in a circle
SHOWN = 6      # symbols of a call that are printed


class Module:
    def __init__(self, line):
        name, folder, sources, headers, uses, sees = line.split("|")
        self.name, self.folder, self.sees_all = name, folder, sees == "all"
        self.sources = [os.path.normpath(os.path.join(folder, s))
                        for s in sources.split(";") if not os.path.isabs(s)]
        self.headers = {os.path.normpath(os.path.join(folder, h))
                        for h in headers.split(";") if h}
        self.uses = [u[4:] for u in uses.split(";") if u.startswith("mod_")]


def modules_of(build):
    with open(os.path.join(build, "modules.txt"), encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file if not line.startswith("#")]
    return {m.name: m for m in map(Module, lines)}


def objects_of(build, modules):
    """Of each source its object file, if it has been built."""
    out = {}
    for m in modules.values():
        for source in m.sources:
            below = os.path.relpath(source, m.folder)
            path = os.path.join(build, m.folder, "CMakeFiles",
                                f"mod_{m.name}.dir", below + ".o")
            if os.path.exists(path):
                out[source] = path
    return out


def calls_of(objects):
    """{source: {source: {symbols}}}: who uses what of whom."""
    by_object = {path: source for source, path in objects.items()}
    run = subprocess.run(["nm", "-A", "--no-sort", *by_object],
                         capture_output=True, text=True, check=True)
    defined, wanted = {}, collections.defaultdict(set)
    for line in run.stdout.splitlines():
        path, rest = line.split(":", 1)
        *_, kind, symbol = rest.split()
        if kind == "U":
            wanted[by_object[path]].add(symbol)
        elif kind in "TDBRVWGC":
            defined.setdefault(symbol, by_object[path])
    calls = {source: collections.defaultdict(set) for source in objects}
    for source, symbols in wanted.items():
        for symbol in symbols:
            of = defined.get(symbol)
            if of is not None and of != source:
                calls[source][of].add(symbol)
    return calls


def between(calls, owner):
    """The same between modules."""
    out = collections.defaultdict(lambda: collections.defaultdict(set))
    for source, targets in calls.items():
        for target, symbols in targets.items():
            if owner[source] != owner[target]:
                out[owner[source]][owner[target]] |= symbols
    return out


def circles(graph):
    """Strongly connected components of more than one node (Tarjan 1972), the
    largest first."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for next_ in graph.get(node, ()):
            if next_ not in index:
                visit(next_)
                low[node] = min(low[node], low[next_])
            elif next_ in stack:
                low[node] = min(low[node], index[next_])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    sys.setrecursionlimit(10000)
    for node in sorted(graph):
        if node not in index:
            visit(node)
    return sorted(found, key=lambda c: (-len(c), c))


def arrows(graph, nodes):
    """What makes a circle, for people."""
    for a in nodes:
        for b in nodes:
            symbols = sorted(graph.get(a, {}).get(b, ()))
            if symbols:
                more = len(symbols) - SHOWN
                yield (f"    {a} -> {b}: {' '.join(symbols[:SHOWN])}"
                       + (f" and {more} more" if more > 0 else ""))


def reached(modules, name):
    out, todo = set(), [name]
    while todo:
        for used in modules[todo.pop()].uses:
            if used in modules and used not in out:
                out.add(used)
                todo.append(used)
    return out


def undeclared(modules, graph):
    for a in sorted(graph):
        may = reached(modules, a)
        for b in sorted(graph[a]):
            if b not in may:
                yield (f"call {a} {b}",
                       f"module {a} calls {b}, which is not in its USES",
                       arrows(graph, [a, b]))


def module_circles(modules, graph):
    """By what is called, and by what is declared."""
    declared = {m.name: {u: {"(USES)"} for u in m.uses if u in modules}
                for m in modules.values()}
    both = {name: {**declared[name], **graph.get(name, {})} for name in modules}
    for circle in circles(both):
        yield ("circle " + " ".join(circle),
               f"{len(circle)} modules call each other in a circle",
               arrows(both, circle))


def file_circles(calls, owner):
    inside = {a: {b: s for b, s in to.items() if owner[a] == owner[b]}
              for a, to in calls.items()}
    for circle in circles(inside):
        if len(circle) > FILES_MAX:
            yield (f"files {owner[circle[0]]}",
                   f"{len(circle)} files of module {owner[circle[0]]} call each "
                   "other in a circle", arrows(inside, circle))


def folder_circles(calls):
    folders = between(calls, {source: os.path.dirname(source) for source in calls})
    for circle in circles(folders):
        yield ("folders " + " ".join(circle),
               f"{len(circle)} folders call each other in a circle",
               arrows(folders, circle))


def quoted(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return re.findall(r'^\s*#\s*include\s+"([^"]+)"', file.read(), re.M)


def whole_tree(modules):
    """Folders whose modules have no include roots yet."""
    for folder in sorted({m.folder.split("/")[0] for m in modules.values()
                          if m.sees_all}):
        names = [m.name for m in modules.values()
                 if m.sees_all and m.folder.split("/")[0] == folder]
        yield (f"open {folder}",
               f"{len(names)} modules in {folder}/ may include everything "
               f"(WHOLE_TREE): {' '.join(names)}", ())


def includes(source_dir, modules):
    """What the compiler cannot tell: headers of another module in the same
    folder; and why an include that does not compile does not."""
    given = {h: m for m in modules.values() for h in m.headers}
    for m in sorted(modules.values(), key=lambda m: m.name):
        may = reached(modules, m.name) | {m.name}
        own = {os.path.dirname(source) for source in m.sources}
        for file in m.sources if not m.sees_all else ():
            for name in quoted(os.path.join(source_dir, file)):
                near = os.path.normpath(os.path.join(os.path.dirname(file), name))
                header = near if os.path.exists(
                    os.path.join(source_dir, near)) else name
                if header in given:
                    if given[header].name in may:
                        continue
                    why = (f"of module {given[header].name}, which is not in the "
                           f"USES of {m.name}")
                elif (not os.path.exists(os.path.join(source_dir, header)) or
                      os.path.dirname(header) in own):
                    continue # winnow/x.h, a library's; its own
                else:
                    why = "which is private: no module has it in its HEADERS"
                yield (f"include {m.name} {header}",
                       f"{file} includes {header}, {why}", ())


def excuses(path):
    """{what: [reason, line, used]}"""
    out = {}
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            what, colon, reason = line.partition(":")
            if not colon or len(reason.split()) < 3:
                sys.exit(f"{path}:{number}: a row is WHAT: REASON, in words")
            out[" ".join(what.split())] = [reason.strip(), number, False]
    return out


def figures(modules, calls, graph, owner, excused):
    strict = [m for m in modules.values() if not m.sees_all]
    inside = circles({a: {b: 1 for b in to if owner[a] == owner[b]}
                      for a, to in calls.items()})
    print(f"modules {len(modules)}")
    print(f"modules with a private include root {len(strict)}")
    print(f"  not yet: {' '.join(sorted(set(modules) - {m.name for m in strict}))}")
    print(f"files {len(calls)}")
    print(f"calls between modules {sum(len(to) for to in graph.values())}")
    print(f"calls between files {sum(len(to) for to in calls.values())}")
    print("largest circle of modules "
          f"{max(map(len, circles(graph)), default=0)}")
    print(f"circles of files inside modules {len(inside)}, "
          f"the largest of {max(map(len, inside), default=0)}")
    print(f"excused {excused}")


# A program in which all is wrong that can be: a and b call each other, d calls a
# without saying so and includes what is private, five files of c go round.
PLANTED = {
    "a/a.c": '#include "b/b.h"\nint a(void) { return b(); }\n',
    "b/b.c": "int a(void);\nint b(void) { return a(); }\n",
    "b/b.h": "int b(void);\n",
    "b/inside.h": "int b(void);\n",
    "d/d.c": '#include "b/inside.h"\nint a(void);\nint d(void) { return a(); }\n',
    **{f"c/c{i}.c": f"int c{(i + 1) % 5}(void);\nint c{i}(void) "
                    f"{{ return c{(i + 1) % 5}(); }}\n" for i in range(5)},
}
PLANTED_MODULES = """a|a|a.c||mod_b|modules
b|b|b.c|b.h||modules
c|c|c0.c;c1.c;c2.c;c3.c;c4.c|||modules
d|d|d.c|||all
e|d|e.c||mod_b|modules
"""
PLANTED_FOUND = {"call b a", "call d a", "circle a b", "files c", "folders a b",
                 "open d", "include e b/inside.h"}


def planted():
    files = {**PLANTED, "d/e.c": '#include "b/inside.h"\nint e;\n'}
    with tempfile.TemporaryDirectory() as tmp:
        for path, text in files.items():
            os.makedirs(os.path.join(tmp, os.path.dirname(path)), exist_ok=True)
            with open(os.path.join(tmp, path), "w", encoding="utf-8") as file:
                file.write(text)
        with open(os.path.join(tmp, "modules.txt"), "w", encoding="utf-8") as file:
            file.write(PLANTED_MODULES)
        modules = modules_of(tmp)
        for m in modules.values():
            for source in m.sources:
                out = os.path.join(tmp, m.folder, "CMakeFiles", f"mod_{m.name}.dir")
                os.makedirs(out, exist_ok=True)
                subprocess.run(["cc", "-I", tmp, "-c", os.path.join(tmp, source), "-o",
                                os.path.join(out, os.path.basename(source) + ".o")],
                               check=True)
        found = {what for what, _, _ in faults_of(modules, tmp, tmp)[0]}
    for what in sorted(found ^ PLANTED_FOUND):
        print("not found:" if what in PLANTED_FOUND else "not planted:", what)
    return 0 if found == PLANTED_FOUND else 1


def faults_of(modules, build, source):
    """[(what, text, arrows)], and who calls whom: of files, of modules."""
    owner = {s: m.name for m in modules.values() for s in m.sources}
    calls = calls_of(objects_of(build, modules))
    graph = between(calls, owner)
    return [*undeclared(modules, graph), *module_circles(modules, graph),
            *file_circles(calls, owner), *folder_circles(calls),
            *whole_tree(modules), *includes(source, modules)], calls, graph, owner


def main():
    p = argparse.ArgumentParser()
    p.add_argument("build", nargs="?")
    p.add_argument("source", nargs="?")
    p.add_argument("--planted", action="store_true")
    p.add_argument("--table")
    p.add_argument("--figures", action="store_true")
    args = p.parse_args()
    if shutil.which("nm") is None:
        print("skipped: no nm")
        return 77
    if args.planted:
        return planted()
    if args.source is None:
        p.error("BUILD and SOURCE")
    modules = modules_of(args.build)
    sources = sum(len(m.sources) for m in modules.values())
    built = len(objects_of(args.build, modules))
    if built < sources:
        print(f"skipped: {sources - built} of {sources} sources are not built")
        return 77
    faults, calls, graph, owner = faults_of(modules, args.build, args.source)
    table = excuses(args.table) if args.table else {}
    bad = 0
    for what, text, arrows_ in faults:
        if what in table:
            table[what][2] = True
            continue
        bad += 1
        print(f"{text}\n    (in the table: {what}: REASON)")
        for arrow in arrows_:
            print(arrow)
    for what, (_, number, used) in table.items():
        if not used:
            bad += 1
            print(f"{args.table}:{number}: excuses nothing any more: {what}")
    if args.figures:
        figures(modules, calls, graph, owner, len(table))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
