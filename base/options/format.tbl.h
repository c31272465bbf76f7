/* format.tbl.h -- the formats of output.format and the endings of their files.
 *
 * OUTPUT_FORMATS(FIRST, FORMAT) makes FIRST(name, suffix) FORMAT(name, suffix)
 * ... .  Writers make the records (clean/write/writer.h: writer_NAME); the
 * dedup service, which knows no documents, tells by this which files are its
 * job's.
 */
#define OUTPUT_FORMATS(FIRST, FORMAT)                                          \
    FIRST(text, "txt")                                                         \
    FORMAT(xml, "xml")                                                         \
    FORMAT(jsonl, "jsonl")                                                     \
    FORMAT(markdown, "md")                                                     \
    FORMAT(tei, "tei")                                                         \
    FORMAT(vertical, "vert")                                                   \
    FORMAT(cwb, "vrt")                                                         \
    FORMAT(wet, "wet")                                                         \
    FORMAT(links, "links")                                                     \
    FORMAT(tokens, "tokens")                                                   \
    FORMAT(shingles, "shingles")                                               \
    FORMAT(tender, "tender")                                                   \
    FORMAT(metrics, "metrics")                                                 \
    FORMAT(index, "index")                                                     \
    FORMAT(page, "page")                                                       \
    FORMAT(tarc, "tarc")
