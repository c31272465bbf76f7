/* writers.h -- the formats, for their table. */
#ifndef CLEAN_WRITERS_H
#define CLEAN_WRITERS_H

#include "winnow/writer.h"

extern const struct writer writer_text, writer_xml, writer_jsonl,
    writer_vertical, writer_cwb, writer_wet, writer_links, writer_tokens,
    writer_shingles, writer_tender, writer_metrics, writer_index;

#endif
