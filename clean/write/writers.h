/* writers.h -- the formats, for their table. */
#ifndef CLEAN_WRITERS_H
#define CLEAN_WRITERS_H

#include "base/options/format.tbl.h"
#include "writer.h"

#define FORMAT(name, suffix) extern const struct writer writer_##name;
OUTPUT_FORMATS(FORMAT, FORMAT)
#undef FORMAT

#endif
