"""Archives and other sources of bytes, page by page."""

from __future__ import annotations

import os
import stat
import threading
from typing import Any, Callable, Iterator, Optional, Protocol, Tuple, Union

from ._errors import ERROR_SIZE, Path, fail
from ._winnow import ffi, lib


class Readable(Protocol):
    """A file that is open for bytes, or anything else with such a read()."""

    def read(self, size: int, /) -> bytes: ...


File = Union[Path, Readable]

_Read = Callable[[int], Any]
_raised = threading.local()  # error: what a read() raised in this thread


def _keep(kind: Any, error: BaseException, traceback: Any) -> None:
    _raised.error = error


def _take(read: Any, to: Any, n: int) -> int:
    """What a reader calls for bytes of a stream."""
    data = ffi.from_handle(read)(n)
    try:
        given = ffi.from_buffer(data)
    except TypeError:
        raise TypeError(
            f"read() of the file gave {data!r:.40}, not bytes: is it open for "
            "text, or not blocking?") from None
    if len(given) > n:
        raise ValueError(f"read({n}) of the file gave {len(given)} bytes")
    ffi.memmove(to, given, len(given))
    return len(given)


ffi.def_extern("winnow_python_read", error=-1, onerror=_keep)(_take)


class _Descriptor:
    """Standard input, a FIFO, a terminal: what may not come for a while.  While
    Python reads it, signals are answered: Ctrl-C ends it."""

    def __init__(self, path: bytes) -> None:
        self._path = path
        self._fd = self._own = -1
        self._fd = 0 if path == b"-" else os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        self._own = -1 if path == b"-" else self._fd

    def read(self, size: int) -> bytes:
        try:
            return os.read(self._fd, size)
        except OSError as e:  # a terminal that is gone
            path = os.fsdecode(self._path)
            fail(lib.WINNOW_DATA, f'file={path} read="{e.strerror}"', path)

    def __del__(self) -> None:
        if self._own >= 0:
            os.close(self._own)


def _waits(path: bytes) -> bool:
    mode = os.stat(0 if path == b"-" else path).st_mode
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _read_of(file: File, name: bytes) -> Optional[_Read]:
    """The read() of a source; None: the C library opens the path itself."""
    if not isinstance(file, (str, bytes, os.PathLike)):
        return file.read
    try:
        return _Descriptor(name).read if _waits(name) else None
    except OSError:  # the C library says what is wrong
        return None


def _name_of(file: File) -> bytes:
    """What records and messages call it; "-" is any that has no name."""
    if not isinstance(file, (str, bytes, os.PathLike)):
        if not callable(getattr(file, "read", None)):
            raise TypeError("file is a path or a file that is open for bytes, not "
                            f"{file!r}")
        name = getattr(file, "name", None)
        if not isinstance(name, (str, bytes)) or not name:
            return b"-"
    else:
        name = file
    found = os.fsencode(name)
    if b"\0" in found:
        raise ValueError(f"path holds a NUL character: {name!r}")
    return found


class Reader:
    """struct winnow_reader of a file; belongs to one thread at a time."""

    def __init__(self, file: File, page_max: int) -> None:
        name = _name_of(file)
        self._path: Path = file if isinstance(file, (str, bytes, os.PathLike)) else (
            os.fsdecode(name))
        read = _read_of(file, name)
        self._handle = None if read is None else ffi.new_handle(read)
        error = ffi.new("char[]", ERROR_SIZE)
        out = ffi.new("struct winnow_reader **")
        if self._handle is None:
            status = lib.winnow_reader_open(out, name, page_max, error, ERROR_SIZE)
        else:
            status = _reading(
                lib.winnow_reader_open_stream, out, lib.winnow_python_read,
                self._handle, name, page_max, error, ERROR_SIZE)
        if status != lib.WINNOW_OK:
            fail(status, ffi.string(error).decode("utf-8", "replace"), self._path)
        self._reader = ffi.gc(out[0], lib.winnow_reader_close)
        self._process = os.getpid()

    def captures(self) -> Iterator[Any]:
        """Each struct winnow_capture *, which stands until the next one."""
        capture = ffi.new("const struct winnow_capture **")
        while True:
            if os.getpid() != self._process:  # one place in one file, for both
                raise RuntimeError("a forked process reads on what its parent reads: "
                                   "call read() in the process that reads")
            status = _reading(lib.winnow_reader_next, self._reader, capture)
            if status == lib.WINNOW_END:
                return
            if status != lib.WINNOW_OK:
                fail(status, self._said()[1], self._path)
            yield capture[0]

    def complaint(self) -> str:
        """Of all that was read: what was broken, or is no archive of pages; or ""."""
        faults, text = self._said()
        if faults == 0:
            return text
        records = "record was" if faults == 1 else "records were"
        return f"{faults} broken {records} skipped or cut: {text}"

    def _said(self) -> Tuple[int, str]:
        """How much was broken, and what was said of it."""
        said = ffi.new("const char **")
        faults = lib.winnow_reader_faults(self._reader, said)
        return faults, ffi.string(said[0]).decode("utf-8", "replace").strip()


def _reading(call: Callable[..., int], *args: Any) -> int:
    """What a function of C returns that may call read(); or what that raised."""
    _raised.error = None  # one may be left that Ctrl-C was faster than
    status = call(*args)
    error, _raised.error = _raised.error, None
    if error is not None:
        raise error
    return status
