# The binding that python/bind.py makes of winnow/clean.h.
from typing import Any

ffi: Any
lib: Any
