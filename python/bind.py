"""Make the binding's C source: python bind.py CLEAN_H OUT_C

What is bound is what the public header declares: it is read here, not repeated.
"""
import re
import sys

import cffi


def declarations(header: str) -> str:
    """The header without what cffi's parser has no use for."""
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", header, flags=re.S)
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return "\n".join(line for line in text.splitlines()
                     if not line.startswith("#"))


# Ours: what a reader reads a Python object by; see winnow/_reader.py.
CALLED_BY_C = """
extern "Python" ptrdiff_t winnow_python_read(void *self, void *to, size_t n);
"""


def main() -> None:
    path, out = sys.argv[1:]
    with open(path, encoding="utf-8") as f:
        header = f.read()
    ffi = cffi.FFI()
    ffi.cdef(declarations(header) + CALLED_BY_C)
    ffi.set_source("winnow._winnow", "#include <winnow/clean.h>",
                   py_limited_api=True)
    ffi.emit_c_code(out)


main()
