"""proxy_server.py -- a proxy on loopback that sends all names to one server: HTTP (with
tunnels), the same over TLS, or SOCKS5.  What it was asked stands in `asked`.
Standard library only.
"""
import base64
import socket
import ssl
import struct
import threading

REFUSED = b"HTTP/1.1 %s\r\n%sContent-Length: 0\r\n\r\n"


def receive(c, n):
    data = b""
    while len(data) < n:
        part = c.recv(n - len(data))
        if not part:
            raise OSError("closed")
        data += part
    return data


def head_of(c):
    """The bytes up to an empty line; b"": the client has gone."""
    head = b""
    while b"\r\n\r\n" not in head:
        part = c.recv(1)
        if not part:
            return b""
        head += part
    return head


def pump(a, b):
    try:
        while data := a.recv(65536):
            b.sendall(data)
    except OSError:
        pass
    for s in a, b:
        try:
            s.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Proxy:
    """`socks`; `tls`: (key, certificate); `login`: "user:password" that it wants;
    `denies`, `marks`: hosts that it refuses, or cannot reach and says so; `port` 0: any."""

    def __init__(self, to_port, port=0, socks=False, tls=None, login=None,
                 denies=(), marks=()):
        self.to_port, self.socks, self.login = to_port, socks, login
        self.denies, self.marks = denies, marks
        self.asked, self.connections, self.open, self.hangs = [], 0, [], False
        self.blind = False  # see lose()
        self.context = None
        if tls:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(tls[1], tls[0])
        self.listener = socket.create_server(("127.0.0.1", port), backlog=128)
        self.port = self.listener.getsockname()[1]
        self.url = "%s://localhost:%d" % (
            "socks5h" if socks else "https" if tls else "http", self.port)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        try:
            while True:
                c, _ = self.listener.accept()
                self.connections += 1
                self.open.append(c)
                threading.Thread(target=self.serve, args=(c,), daemon=True).start()
        except OSError:
            pass

    def serve(self, c):
        try:
            if self.context:
                c = self.context.wrap_socket(c, server_side=True)
                self.open.append(c)
            self.serve_socks(c) if self.socks else self.serve_http(c)
        except OSError:
            pass
        finally:
            c.close()

    def origin(self):
        return socket.create_connection(("127.0.0.1", self.to_port))

    def both_ways(self, c):
        s = self.origin()
        self.open.append(s)
        threading.Thread(target=pump, args=(s, c), daemon=True).start()
        pump(c, s)

    # ---- HTTP ----

    def refusal(self, head, host):
        want = b"Proxy-Authorization: Basic " + base64.b64encode((self.login or "").encode())
        if self.login and want not in head:
            return REFUSED % (b"407 Who are you", b"Proxy-Authenticate: Basic realm=x\r\n")
        if host in self.denies:
            return REFUSED % (b"403 No", b"X-Squid-Error: ERR_ACCESS_DENIED 0\r\n")
        if self.blind or host in self.marks or host.endswith(".invalid"):
            return REFUSED % (b"503 No", b"Proxy-Status: own; error=dns_error\r\n")
        return b""

    def serve_http(self, c):
        while head := head_of(c):
            method, target, _ = head.split(b"\r\n")[0].decode().split(" ")
            host = target.split("://")[-1].split("/")[0].rsplit(":", 1)[0]
            self.asked.append((method, target, head))
            if self.hangs:
                c.recv(1)
                return
            refusal = self.refusal(head, host)
            if refusal:
                c.sendall(refusal)
            elif method == "CONNECT":
                c.sendall(b"HTTP/1.1 200 Here\r\nVia: tunnel\r\n\r\n")
                self.both_ways(c)
                return
            else:
                self.forward(c, head, target)

    def forward(self, c, head, target):
        lines = [line for line in head.split(b"\r\n")[1:] if not line.startswith(b"Proxy-")]
        path = "/" + target.split("://")[1].partition("/")[2]
        with self.origin() as s:
            self.open.append(s)
            s.sendall(b"GET %s HTTP/1.1\r\n" % path.encode() + b"\r\n".join(lines))
            answer = head_of(s)
            if not answer:
                raise OSError("the origin has gone")
            n = [int(line.split(b":")[1]) for line in answer.split(b"\r\n")
                 if line.lower().startswith(b"content-length:")][0]
            c.sendall(answer.replace(b"\r\n", b"\r\nVia: 1.1 own\r\n", 1) + receive(s, n))

    # ---- SOCKS5: RFC 1928, 1929 ----

    def serve_socks(self, c):
        _, n = receive(c, 2)
        methods = receive(c, n)
        method = 2 if self.login else 0
        c.sendall(bytes([5, method if method in methods else 255]))
        if self.login:
            _, n = receive(c, 2)
            user = receive(c, n)
            password = receive(c, receive(c, 1)[0])
            good = user + b":" + password == self.login.encode()
            c.sendall(bytes([1, 0 if good else 1]))
            if not good:
                return
        _, _, _, kind = receive(c, 4)
        if kind == 3:
            host = receive(c, receive(c, 1)[0]).decode()
        else:
            host = socket.inet_ntop(socket.AF_INET if kind == 1 else socket.AF_INET6,
                                    receive(c, 4 if kind == 1 else 16))
        (port,) = struct.unpack(">H", receive(c, 2))
        self.asked.append(("SOCKS", "%s:%d" % (host, port), b""))
        code = (2 if host in self.denies else
                4 if self.blind or host in self.marks or host.endswith(".invalid") else 0)
        c.sendall(bytes([5, code, 0, 1]) + b"\0" * 6)
        if code == 0:
            self.both_ways(c)

    def targets(self, method):
        return [a[1] for a in self.asked if a[0] == method]

    def close(self):
        """With all of its connections, as one that is killed."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.cut()

    def lose(self):
        """It is there and reaches nobody any more."""
        self.blind = True
        self.cut()

    def cut(self):
        for s in self.open:
            try:
                s.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
