/* status.h -- the one result code of every fallible call.
 *
 * A fault is logged once, where it is first understood; callers pass the code
 * on.  Bugs are asserts.  Malformed input from the Web is never a fault: it is
 * data, a rejection with a reason, or ST_INVALID where a call says so. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

enum status {
    ST_OK = 0,
    ST_NONE,    /* nothing there (yet); not a fault */
    ST_NOMEM,   /* out of memory */
    ST_INVALID, /* the input cannot be used */
    ST_LIMIT,   /* a stated bound was reached */
    ST_IO,      /* a file or socket failed */
    ST_FULL,    /* no space left on the device: pause, then try again */
    ST_STORE,   /* the LMDB store failed */
    ST_TIMEOUT, /* a deadline passed or a peer is absent: try again */
    ST_BUSY,    /* the peer asks to be asked again later */
    ST_USAGE,   /* the operator's options are wrong (already reported) */
    ST_STOPPED  /* the program is being shut down */
};

/* A short English name, never NULL; static storage. */
const char *status_name(enum status st);

#endif
