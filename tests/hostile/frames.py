"""frames.py -- a server of HTTP/2 whose scripts send what frames they like.

Only what a script needs: frames as bytes, header blocks without compression.  What
the client says is not decoded; which host it means stands in the TLS handshake."""
import socket
import ssl
import struct
import time

from server import BadServer, Counted, few_in_flight

DATA, HEADERS, _, RESET, SETTINGS, PUSH, PING, GOAWAY, WINDOW, MORE = range(10)
END, BLOCK_END, PADDED = 1, 4, 8  # flags
PREFACE = 24                      # bytes of the client before its first frame
OK = ((":status", "200"), ("content-type", "text/html"))


def frame(kind, stream=0, body=b"", flags=0):
    return struct.pack(">I", len(body))[1:] + struct.pack(">BBI", kind, flags, stream) + body


def text(s):
    """A string of HPACK, of less than 16 KiB."""
    s = s.encode("latin-1")
    if len(s) < 127:
        return bytes([len(s)]) + s
    n = len(s) - 127
    return bytes([127, n % 128 | 128, n // 128]) + s


def block(fields):
    return b"".join(b"\0" + text(name) + text(value) for name, value in fields)


def head(stream, fields=OK, flags=BLOCK_END):
    return frame(HEADERS, stream, block(fields), flags)


def data(stream, body, flags=END):
    parts = [body[i:i + 16384] for i in range(0, len(body), 16384)] or [b""]
    return b"".join(frame(DATA, stream, p) for p in parts[:-1]) + \
        frame(DATA, stream, parts[-1], flags)


class FrameServer(BadServer):
    """scripts: {host: function(connection, stream)}, called for each request; when it
    returns False the connection is cut, without a word of TLS."""

    def __init__(self, scripts, tls):
        tls.set_alpn_protocols(["h2"])
        tls.sni_callback = lambda c, name, _: setattr(c, "asked_for", name)
        super().__init__(scripts, tls=tls)

    def serve(self, c):
        try:
            few_in_flight(c)
            c.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            c = self.tls.wrap_socket(c, server_side=True)
            self.talk(c, Counted(self, c.asked_for, c), c.makefile("rb"))
        except (OSError, ssl.SSLError):
            pass
        finally:
            c.close()

    def talk(self, c, counted, heard):
        heard.read(PREFACE)
        counted.sendall(frame(SETTINGS))
        while len(start := heard.read(9)) == 9:
            kind, flags, stream = struct.unpack(">BBI", start[3:])
            heard.read(int.from_bytes(start[:3], "big"))
            if kind == SETTINGS and not flags & 1:
                counted.sendall(frame(SETTINGS, flags=1))
            if kind != HEADERS:
                continue
            with self.lock:
                self.requests.append((c.asked_for, "?", time.time()))
            if self.scripts[c.asked_for](counted, stream) is False:
                raw = socket.socket(fileno=c.detach())
                raw.shutdown(socket.SHUT_WR)
                time.sleep(.2)  # what is on its way arrives
                raw.close()
                return
