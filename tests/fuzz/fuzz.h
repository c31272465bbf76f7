/* fuzz.h -- what every target is: a function that is handed any bytes, and ends
 * in abort() when something does not hold. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define MUST(c)                                                                \
    do {                                                                       \
        if (!(c))                                                              \
            abort();                                                           \
    } while (0)

#endif
