/* fault.h -- how a visit can go wrong, once: its name in logs and reports, and
 * whether it passes.
 *
 * FAILED is for good; RETRY goes back to the frontier, which counts the tries;
 * REFUSED never contacted the host; RETURNED was not tried. */
#ifndef CRAWLER_FAULT_H
#define CRAWLER_FAULT_H

#define FAULT_TABLE(X)                                                         \
    X(NONE, "", DONE, "the server answered")                                   \
    X(OUT_OF_SCOPE, "out_of_scope", REFUSED, "scope does not admit the URL")   \
    X(DISALLOWED, "disallowed", REFUSED, "robots.txt disallows the URL")       \
    X(PRIVATE_ADDRESS, "private_address", REFUSED,                             \
      "the host's addresses are private and not in fetch.allow_private")       \
    X(NO_CONTACT, "no_contact", REFUSED,                                       \
      "fetch.user_agent holds no contact URL")                                 \
    X(BAD_URL, "bad_url", FAILED, "the URL cannot be used")                    \
    X(NO_SUCH_HOST, "no_such_host", RETRY, "the name does not exist")          \
    X(DNS, "dns", RETRY, "no resolver answered")                               \
    X(CONNECT, "connect", RETRY, "the connection was refused or failed")       \
    X(CONNECT_TIMEOUT, "connect_timeout", RETRY, "connecting took too long")   \
    X(TIMEOUT, "timeout", RETRY, "the transfer took longer than timeout_ms")   \
    X(TOO_SLOW, "too_slow", RETRY,                                             \
      "slower than low_speed_bytes a second, or in the way of others")         \
    X(FIRST_BYTE, "no_first_byte", RETRY,                                      \
      "no line of an answer within first_byte_ms")                             \
    X(TLS, "tls", RETRY, "the TLS handshake failed")                           \
    X(TLS_VERIFY, "tls_verify", FAILED, "the TLS certificate is not valid")    \
    X(EMPTY_REPLY, "empty_reply", RETRY, "closed without an answer")           \
    X(BROKEN, "broken_connection", RETRY, "the connection broke")              \
    X(PARTIAL, "partial_body", RETRY, "closed before the end of the body")     \
    X(ENCODING, "bad_encoding", RETRY, "the content encoding is broken")       \
    X(GARBAGE, "garbage", FAILED, "the answer is not HTTP")                    \
    X(HEADER_SIZE, "header_too_large", FAILED, "over fetch.header_max")        \
    X(NOT_HTML, "not_html", FAILED, "neither HTML nor XHTML")                  \
    X(BOMB, "bomb", FAILED, "inflates over body_max from next to nothing")     \
    X(TOO_MUCH, "too_many_bytes", FAILED,                                      \
      "more came in than body_max, header_max and slack")                      \
    X(OTHER, "other", RETRY, "anything else the HTTP library reports")         \
    X(NO_FILES, "no_files", RETURNED, "not tried: too many open files")        \
    X(RETURNED, "returned", RETURNED, "not tried: the crawl is ending")

enum fault {
#define X(id, name, fate, help) FAULT_##id,
    FAULT_TABLE(X)
#undef X
        FAULT_N
};

enum fate { FATE_DONE, FATE_REFUSED, FATE_FAILED, FATE_RETRY, FATE_RETURNED };

const char *fault_name(enum fault f); /* static */
enum fate fault_fate(enum fault f);

#endif
