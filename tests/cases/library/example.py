"""Clean one page: python3 example.py page.html"""
import ctypes
import json
import os
import sys

winnow = ctypes.CDLL(os.environ.get("LIBWINNOW", "libwinnow.so.0"))
for name in "winnow_cleaner_close", "winnow_page_free":
    getattr(winnow, name).argtypes = [ctypes.c_void_p]
winnow.winnow_page_text.restype = ctypes.c_char_p
winnow.winnow_page_text.argtypes = [ctypes.c_void_p, ctypes.c_void_p]

cleaner, page = ctypes.c_void_p(), ctypes.c_void_p()
error = ctypes.create_string_buffer(512)
options = (ctypes.c_char_p * 2)(b"clean.language=nl", None)
if winnow.winnow_cleaner_open(ctypes.byref(cleaner), options, error, 512):
    sys.exit(error.value.decode())

with open(sys.argv[1], "rb") as f:
    html = f.read()
winnow.winnow_clean(cleaner, html, ctypes.c_size_t(len(html)),
                    b"http://a.example/", None, None, ctypes.byref(page))
print(winnow.winnow_page_text(page, None).decode(), end="")

record, size = ctypes.c_char_p(), ctypes.c_size_t()
winnow.winnow_page_record(page, b"jsonl", ctypes.byref(record),
                          ctypes.byref(size))
print(json.loads(record.value)["badness"])
winnow.winnow_page_free(page)
winnow.winnow_cleaner_close(cleaner)
