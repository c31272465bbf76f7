"""server.py -- servers that behave badly, each in a scripted way.

BadServer answers HTTP over raw sockets: a *script* (chosen by the Host header)
gets the connection and the path and does what it likes with it.  DnsServer is a
resolver with a table of answers; Listener gives raw connections.  All on
loopback; standard library only.
"""
import socket
import ssl
import struct
import threading
import time


def reply(body, kind="text/html", status="200 OK", headers=()):
    if isinstance(body, str):
        body = body.encode()
    head = ["HTTP/1.1 " + status, "Content-Type: " + kind,
            "Content-Length: %d" % len(body), "Connection: close"]
    return "\r\n".join(head + list(headers)).encode() + b"\r\n\r\n" + body


def few_in_flight(c):
    """So that what was sent was, nearly, taken: the kernel would keep megabytes."""
    c.settimeout(60)
    c.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 17)


class BadServer:
    """scripts: {host: function(connection, path)}.  A script that is not there
    for /robots.txt answers 404, unless its name is in `own_robots`."""

    def __init__(self, scripts, own_robots=(), tls=None):
        self.scripts, self.own_robots = scripts, set(own_robots)
        self.requests = []  # (host, path, time)
        self.sent = {}      # host -> bytes that left
        self.lock = threading.Lock()
        self.closing = False
        self.tls = tls
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.listen(1024)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def sends(self, host, n):
        with self.lock:
            self.sent[host] = self.sent.get(host, 0) + n

    def accept(self):
        while not self.closing:
            try:
                c, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(c,), daemon=True).start()

    def serve(self, c):
        try:
            few_in_flight(c)
            if self.tls:
                c = self.tls.wrap_socket(c, server_side=True)
            head = b""
            while b"\r\n\r\n" not in head:
                more = c.recv(65536)
                if not more:
                    return
                head += more
                if head[0] == 0x16:  # a TLS handshake
                    c.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                    return
            lines = head.decode("latin-1").split("\r\n")
            path = lines[0].split(" ")[1]
            host = [x[5:].strip() for x in lines if x.lower().startswith("host:")][0]
            host = host.split(":")[0]
            with self.lock:
                self.requests.append((host, path, time.time()))
            if path == "/robots.txt" and host not in self.own_robots:
                c.sendall(reply("no", status="404 Not Found"))
            elif host in self.scripts:
                self.scripts[host](Counted(self, host, c), path)
            else:
                c.sendall(reply("who?", status="404 Not Found"))
        except (OSError, IndexError, ssl.SSLError):
            pass
        finally:
            try:
                c.close()
            except OSError:
                pass

    def paths(self, host):
        with self.lock:
            return [p for h, p, _ in self.requests if h == host and p != "/robots.txt"]

    def times(self, host):
        with self.lock:
            return [t for h, p, t in self.requests if h == host and p != "/robots.txt"]

    def close(self):
        self.closing = True
        self.socket.close()


class Counted:
    """A connection that counts what was sent to it."""

    def __init__(self, server, host, c):
        self.server, self.host, self.c = server, host, c

    def sendall(self, data):
        view = memoryview(data)
        while view:
            n = self.c.send(view[:65536])
            self.server.sends(self.host, n)
            view = view[n:]

    def wait(self):
        """Until the peer has gone."""
        while self.c.recv(4096):
            pass

    def reset(self):
        """Close with a RST."""
        self.c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.c.close()


class Listener:
    """Gives every connection to serve(connection), which may do what it likes
    before anything was asked; counts what it sends under `host`."""

    def __init__(self, server, host, serve):
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.socket.getsockname()[1]
        self.server, self.host, self.serve = server, host, serve
        self.connections = 0
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                c, _ = self.socket.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self.run, args=(c,), daemon=True).start()

    def run(self, c):
        few_in_flight(c)
        try:
            self.serve(Counted(self.server, self.host, c))
        except (OSError, ssl.SSLError):
            pass
        finally:
            c.close()

    def close(self):
        self.socket.close()


class DnsServer:
    """A resolver: {name: answer}.  An answer is an address, "" (there is no such
    name), None (silence), or a function(id, question, kind) that gives the whole
    reply or None.  Only A questions get an address."""

    def __init__(self, names):
        self.names = names
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                q, peer = self.socket.recvfrom(4096)
            except OSError:
                return
            at, labels = 12, []
            while q[at]:
                labels.append(q[at + 1:at + 1 + q[at]].decode("latin-1"))
                at += q[at] + 1
            kind = struct.unpack(">H", q[at + 1:at + 3])[0]
            question = q[12:at + 5]
            answer = self.names.get(".".join(labels).lower(), "")
            if callable(answer):
                packet = answer(q[:2], question, kind)
            elif answer is None:
                packet = None
            else:
                packet = dns_reply(q[:2], question, kind, [answer] if answer else [],
                                   code=0 if answer else 3)
            if packet is not None:
                self.socket.sendto(packet, peer)

    def close(self):
        self.socket.close()


def dns_reply(number, question, kind, addresses, code=0, ttl=4, flags=0x8180):
    """Addresses as text; those of the other kind than asked for are left out."""
    records = b""
    n = 0
    for a in addresses:
        wire = socket.inet_pton(socket.AF_INET6 if ":" in a else socket.AF_INET, a)
        if (kind == 28) == (len(wire) == 16):
            n += 1
            records += b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, ttl, len(wire)) + wire
    return number + struct.pack(">HHHHH", flags | code, 1, n, 0, 0) + question + records
