/* traffic.h -- how many bytes came in on a connection, as the kernel counts
 * them: headers, chunk sizes, compressed bytes and TLS records alike, whatever
 * the HTTP library makes of them.
 *
 * Belongs to the crawl loop's thread. */
#ifndef CRAWLER_TRAFFIC_H
#define CRAWLER_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct traffic; /* opaque; see crawler/fetch/traffic.c */

struct traffic_user { /* who is charged */
    uint64_t received;
};

struct traffic *traffic_new(void);    /* NULL: out of memory */
void traffic_free(struct traffic *t); /* NULL is allowed */

/* A socket was made, or is about to be closed.  False: the last one with this
 * number was closed and we were not told. */
bool traffic_opened(struct traffic *t, int fd);
void traffic_closing(struct traffic *t, int fd);
/* True, once: that has happened to it. */
bool traffic_is_gone(struct traffic *t, int fd);

/* From here on u->received grows by what comes in through the socket; *u must
 * live until it is released. */
void traffic_charge(struct traffic *t, int fd, struct traffic_user *u);
/* The connection is idle, if it is still this user's. */
void traffic_release(struct traffic *t, int fd, struct traffic_user *u);
bool traffic_is_used(const struct traffic *t, int fd);

/* Shut a connection down if it is idle, so that it is found dead and closed;
 * all that are. */
void traffic_shut(const struct traffic *t, int fd);
void traffic_shut_idle(const struct traffic *t);

/* Bring u->received of the socket's user up to date. */
void traffic_count(struct traffic *t, int fd);

/* What came in and has not been read yet. */
uint64_t traffic_unread(int fd);

#endif
