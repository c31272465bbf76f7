/* convert_wire.h -- what a converter and its process say to each other, over a
 * socket pair: a request and the document, an answer and the page.  Both are
 * one program of one machine, so structs go as they are. */
#ifndef CLEAN_CONVERT_CONVERT_WIRE_H
#define CLEAN_CONVERT_CONVERT_WIRE_H

#include <stdint.h>

#define CONVERT_MAGIC 0x77636f6eu
#define CONVERT_WHY_MAX 120u
#define CONVERT_HTML_MAX ((size_t)64 << 20)

struct convert_request {
    uint32_t magic, kind; /* enum convert_kind */
    uint32_t seconds, memory_mib, sandbox;
    uint32_t unused;
    uint64_t document_n; /* bytes that follow */
};

enum convert_end {
    CONVERT_DONE,
    CONVERT_CANNOT, /* broken, encrypted */
    CONVERT_LACKS,  /* the program is not installed */
    CONVERT_FAILED, /* crashed, or over a limit */
    CONVERT_STARVED /* no process or file to be had: no fault of the document */
};

struct convert_answer {
    uint32_t magic, end; /* enum convert_end */
    uint64_t cpu_us;     /* of the processes that were made for it */
    uint64_t html_n;     /* bytes that follow */
    char why[CONVERT_WHY_MAX];
};

/* How programs are confined. */
enum convert_sandbox { CONVERT_BWRAP, CONVERT_SECCOMP };

#endif
