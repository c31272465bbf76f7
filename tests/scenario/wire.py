"""wire.py -- what a stranger needs to talk to the services (proto/PROTOCOL.md):
frames, and protobuf by hand.  Standard library only.
"""
import socket
import struct


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, value):
    """A number, or bytes (a string, a message)."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def fixed64(number, value):
    return varint(number << 3 | 1) + struct.pack("<Q", value)


def fields(message):
    """{number: [values]} of a message; nested ones stay bytes."""
    out, at = {}, 0

    def number():
        nonlocal at
        n = shift = 0
        while True:
            byte = message[at]
            at += 1
            n |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return n

    while at < len(message):
        key = number()
        if key & 7 == 0:
            value = number()
        elif key & 7 == 2:
            n = number()
            value, at = message[at:at + n], at + n
        else:
            n = 8 if key & 7 == 1 else 4
            value, at = message[at:at + n], at + n
        out.setdefault(key >> 3, []).append(value)
    return out


def frame(message, number=1):
    return b"wnw2" + struct.pack(">II", len(message), number) + message


HELLO = frame(b"\0\3\0\3", 0)


def read_exactly(s, n):
    got = b""
    while len(got) < n:
        more = s.recv(n - len(got))
        if not more:
            raise ConnectionError("closed after %d of %d bytes" % (len(got), n))
        got += more
    return got


def receive(s):
    """(number, message)"""
    head = read_exactly(s, 12)
    if head[:4] != b"wnw2":
        raise ConnectionError("not a frame: %r" % head)
    length, number = struct.unpack(">II", head[4:])
    return number, read_exactly(s, length)


def greet(s):
    """The hello; what the other side says to it."""
    s.sendall(HELLO)
    number, message = receive(s)
    if number != 0 or message[:4] != b"\0\3\0\3":
        raise ConnectionError("refused: %r" % message)
    return message[4:]


def ask(s, message, number=1):
    """One call over a connection that was greeted."""
    s.sendall(frame(message, number))
    got, reply = receive(s)
    if got != number:
        raise ConnectionError("the answer to %d for %d" % (got, number))
    return reply


# ---- dedup ----

OK, BAD = 0, 3


def document(number, suffix, text=b"text\n"):
    """A put of one document."""
    record = field(1, suffix) + field(2, text)
    doc = (field(1, "%032x" % number) + field(2, "http://stranger/%d" % number)
           + fixed64(3, number) + fixed64(4, number) + field(7, len(text))
           + field(9, record))
    return field(1, field(2, doc))


STAT = field(2, b"")


def code(reply):
    return fields(reply).get(1, [0])[0]


def text(reply):
    return fields(reply).get(2, [b""])[0].decode()
