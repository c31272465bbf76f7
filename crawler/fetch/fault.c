/* fault.c -- the rows of fault.h as data. */
#include "fault.h"

#include <assert.h>

static const struct {
    const char *name;
    enum fate fate;
} table[] = {
#define X(id, name, fate, help) {name, FATE_##fate},
    FAULT_TABLE(X)
#undef X
};

const char *
fault_name(enum fault f)
{
    assert(f < FAULT_N);
    return table[f].name;
}

enum fate
fault_fate(enum fault f)
{
    assert(f < FAULT_N);
    return table[f].fate;
}
