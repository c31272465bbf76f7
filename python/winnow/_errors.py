"""What can go wrong, with the words of the C library."""

from __future__ import annotations

import errno
import os
from typing import NoReturn, Optional, Union

from ._winnow import ffi, lib

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
ERROR_SIZE = 4096  # of the room for what is wrong, in bytes


class Error(Exception):
    """Anything that libwinnow refuses.  Pages never are: see Document.verdict."""


class OptionError(Error, ValueError):
    """An option that does not exist or a value that it does not take."""


class ArchiveError(Error, OSError):
    """A file that cannot be read: an archive, a network, a language profile.
    errno is what the system said, None if the file is there and is wrong; filename
    is that of an archive."""

    def __str__(self) -> str:
        return self.strerror or super().__str__()


class ArchiveNotFoundError(ArchiveError, FileNotFoundError):
    """There is no such file."""


class InternalError(Error):
    """A fault of libwinnow itself."""


class ArchiveWarning(UserWarning):
    """Records of an archive were skipped since they are broken."""


def c_text(name: str, value: object) -> bytes:
    """An argument that is text, for C, where a NUL would end it."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is text, not {value!r}")
    if "\0" in value:
        raise ValueError(f"{name} holds a NUL character: {value!r}")
    return value.encode("utf-8", "replace")


def _errno_in(text: str) -> Optional[int]:
    """Of "No such device or address", which has "No such device" in it."""
    said = [n for n in errno.errorcode if os.strerror(n) in text]
    return max(said, key=lambda n: len(os.strerror(n)), default=None)


def _archive_error(text: str, path: Optional[Path]) -> ArchiveError:
    said = _errno_in(text if path is None else text.replace(os.fsdecode(path), ""))
    kind = ArchiveNotFoundError if said == errno.ENOENT else ArchiveError
    return kind(said, text, path)


def fail(status: int, message: str = "", path: Optional[Path] = None) -> NoReturn:
    """Raise what a status of winnow/clean.h means; path: of the archive."""
    text = message or ffi.string(lib.winnow_status_text(status)).decode()
    if status in (lib.WINNOW_USAGE, lib.WINNOW_UNKNOWN):
        raise OptionError(text)
    if status == lib.WINNOW_DATA:
        raise _archive_error(text, path)
    if status == lib.WINNOW_NOMEM:
        raise MemoryError(text)
    if status == lib.WINNOW_LONG:
        raise ValueError(text)
    raise InternalError(text)
