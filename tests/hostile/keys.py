"""keys.py -- a server of TLS 1.3 that changes its keys again and again, by the
OpenSSL that Python itself uses, as its module ssl cannot."""
import ctypes

TIMES = 60000
RECORD = 27  # bytes of one change

files = []  # certificate and key


def library():
    try:
        lib = ctypes.CDLL("libssl.so.3")
    except OSError:
        return None
    for name in ("TLS_server_method", "SSL_CTX_new", "SSL_new"):
        getattr(lib, name).restype = ctypes.c_void_p
    return lib


def for_ever(c):
    """The connection `c` is asked for a page and gets new keys."""
    lib = library()
    context = ctypes.c_void_p(lib.SSL_CTX_new(ctypes.c_void_p(lib.TLS_server_method())))
    lib.SSL_CTX_use_certificate_file(context, files[0].encode(), 1)
    lib.SSL_CTX_use_PrivateKey_file(context, files[1].encode(), 1)
    c.c.setblocking(True)  # OpenSSL reads and writes as it stands
    tls = ctypes.c_void_p(lib.SSL_new(context))
    lib.SSL_set_fd(tls, c.c.fileno())
    asked = ctypes.create_string_buffer(4096)
    if lib.SSL_accept(tls) == 1 and lib.SSL_read(tls, asked, len(asked)) > 0:
        for _ in range(TIMES):
            lib.SSL_key_update(tls, 0)
            if lib.SSL_do_handshake(tls) != 1:
                break
            c.server.sends(c.host, RECORD)
    lib.SSL_free(tls)
    lib.SSL_CTX_free(context)
