#include "base/status.h"

const char *
status_name(enum status st)
{
    switch (st) {
    case ST_OK: return "ok";
    case ST_NONE: return "none";
    case ST_NOMEM: return "out of memory";
    case ST_INVALID: return "invalid input";
    case ST_LIMIT: return "limit reached";
    case ST_IO: return "input/output error";
    case ST_FULL: return "no space left";
    case ST_STORE: return "store error";
    case ST_TIMEOUT: return "timed out";
    case ST_BUSY: return "busy";
    case ST_USAGE: return "wrong usage";
    case ST_STOPPED: return "stopped";
    }
    return "unknown";
}
