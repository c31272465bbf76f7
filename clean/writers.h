/* writers.h -- the formats, for their table. */
#ifndef CLEAN_WRITERS_H
#define CLEAN_WRITERS_H

#include "winnow/writer.h"

extern const struct writer writer_text, writer_xml, writer_jsonl;

#endif
