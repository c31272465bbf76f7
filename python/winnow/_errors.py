"""What can go wrong, with the words of the C library."""

from __future__ import annotations

from typing import NoReturn

from ._winnow import ffi, lib


class Error(Exception):
    """Anything that libwinnow refuses.  Pages never are: see Document.verdict."""


class OptionError(Error, ValueError):
    """An option that does not exist or a value that it does not take."""


class ArchiveError(Error, OSError):
    """A file that cannot be read: an archive, a network, a language profile."""


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


def fail(status: int, message: str = "") -> NoReturn:
    """Raise what a status of winnow/clean.h means."""
    text = message or ffi.string(lib.winnow_status_text(status)).decode()
    if status in (lib.WINNOW_USAGE, lib.WINNOW_UNKNOWN):
        raise OptionError(text)
    if status == lib.WINNOW_DATA:
        raise ArchiveError(text)
    if status == lib.WINNOW_NOMEM:
        raise MemoryError(text)
    if status == lib.WINNOW_LONG:
        raise ValueError(text)
    raise InternalError(text)
