/* http_payload.h -- the page in an HTTP response: header, codings, body. */
#ifndef CLEAN_HTTP_PAYLOAD_H
#define CLEAN_HTTP_PAYLOAD_H

#include "base/arena.h"

struct http_payload {
    uint16_t status; /* 0: there is no HTTP header, all is body */
    struct str content_type;
    struct str x_robots_tag; /* all of them, a line each */
    struct str last_modified, location;
    struct str headers; /* all header lines as they are */
    struct str body;    /* without transfer and content codings */
    bool cut;           /* the body had more than body_max bytes */
    bool damaged;       /* a coding broke off: the body is what came before */
};

/* Take `block` apart.  Results point into `block` or the arena.  Never fails:
 * a coding that was announced but is not there is passed over, as archives
 * often keep decoded bodies under their original header. */
void http_payload_parse(struct http_payload *p, struct str block,
                        size_t body_max, struct arena *a);

/* The same of a block that has no HTTP header, whatever it begins with. */
void http_payload_alone(struct http_payload *p, struct str block,
                        size_t body_max);

#endif
