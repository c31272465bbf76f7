"""web_server.py -- an HTTP server on loopback that answers by a function and
records who asked when, and what those records say about politeness.
Standard library only.
"""
import http.server
import socket
import threading
import time

JITTER_S = 0.002


class Server:
    """answer(host, path, headers) -> (status, headers, body); requests are
    recorded as (host, path, begin, end, status, headers of the request)."""

    def __init__(self, answer, address="127.0.0.1"):
        self.requests, self.lock = [], threading.Lock()
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                begin = time.time()
                host = self.headers.get("Host", "").split(":")[0].lower()
                status, headers, body = answer(host, self.path, self.headers)
                # Recorded before the answer leaves, so that what the crawler
                # does next is always later than `end`.
                with server.lock:
                    server.requests.append((host, self.path, begin, time.time(),
                                            status, dict(self.headers)))
                try:
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    pass

            def log_message(self, *args):
                pass

        class Http(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 256
            address_family = socket.AF_INET6 if ":" in address else socket.AF_INET

            def handle_error(self, request, client_address):
                pass # a killed crawler resets its connections

        self.http = Http((address, 0), Handler)
        self.port = self.http.server_address[1]
        self.address = "%s:%d" % (address, self.port)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    def paths(self, host):
        return [r[1] for r in self.requests if r[0] == host]

    def close(self):
        self.http.shutdown()
        self.http.server_close()


def too_soon(requests, delay_s, key=lambda r: r[0]):
    """Requests that began less than `delay_s` after the end of the one before
    with the same key (the host), as lines to print."""
    last, bad = {}, []
    for r in sorted(requests, key=lambda r: r[2]):
        k = key(r)
        if k in last and r[2] - last[k] < delay_s - JITTER_S:
            bad.append("%s%s %.0f ms after the request before" % (
                r[0], r[1], 1000 * (r[2] - last[k])))
        last[k] = max(r[3], last.get(k, 0))
    return bad
