"""zstd_read.py -- the frames of a .warc.zst file, by libzstd alone: the IIPC's
"Zstandard Compression for WARC Files 1.0" has its records in frames of their own,
behind a dictionary in a skippable frame.
"""
import ctypes
import ctypes.util
import struct

DICTIONARY = 0x184D2A5D
CHECKSUM = 4 # a bit of the byte behind the magic number

zstd = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
for name in ("ZSTD_findFrameCompressedSize", "ZSTD_decompress_usingDict"):
    getattr(zstd, name).restype = ctypes.c_size_t
for name in ("ZSTD_getDictID_fromDict", "ZSTD_getDictID_fromFrame"):
    getattr(zstd, name).restype = ctypes.c_uint
zstd.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
zstd.ZSTD_createDCtx.restype = ctypes.c_void_p
CONTEXT = ctypes.c_void_p(zstd.ZSTD_createDCtx())


def size(data, at):
    window = data[at:at + (1 << 20)] # of the whole file it would be slow
    n = zstd.ZSTD_findFrameCompressedSize(window, ctypes.c_size_t(len(window)))
    if n > len(window):
        n = zstd.ZSTD_findFrameCompressedSize(data[at:], ctypes.c_size_t(len(data) - at))
    return n


def unpack(frame, dictionary):
    n = zstd.ZSTD_getFrameContentSize(frame, ctypes.c_size_t(len(frame)))
    if n > 1 << 30:
        raise ValueError("a frame does not say its size")
    room = ctypes.create_string_buffer(n or 1)
    got = zstd.ZSTD_decompress_usingDict(
        CONTEXT, room, ctypes.c_size_t(n), frame, ctypes.c_size_t(len(frame)),
        dictionary, ctypes.c_size_t(len(dictionary)))
    if got != n:
        raise ValueError("a frame is damaged")
    return room.raw[:n]


def frames(path):
    """(dictionary, [(offset, length, text)]) as the specification has it."""
    with open(path, "rb") as f:
        data = f.read()
    at, dictionary, found = 0, b"", []
    magic, n = struct.unpack("<II", data[:8])
    if magic == DICTIONARY:
        at, dictionary = 8 + n, unpack(data[8:8 + n], b"")
    dict_id = zstd.ZSTD_getDictID_fromDict(
        dictionary, ctypes.c_size_t(len(dictionary))) if dictionary else 0
    while at < len(data):
        n = size(data, at)
        if n > len(data) - at:
            raise ValueError("no frame at %d" % at)
        frame = data[at:at + n]
        if not frame[4] & CHECKSUM:
            raise ValueError("a frame without a checksum")
        if zstd.ZSTD_getDictID_fromFrame(frame, ctypes.c_size_t(n)) != dict_id:
            raise ValueError("a frame does not name the dictionary")
        found.append((at, n, unpack(frame, dictionary)))
        at += n
    return dictionary, found


def text(path):
    return b"".join(t for _, _, t in frames(path)[1])
