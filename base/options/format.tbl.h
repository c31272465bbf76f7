/* format.tbl.h -- the formats of output.format and the endings of their files.
 *
 * OUTPUT_FORMATS(FIRST, FORMAT) makes FIRST(name, suffix) FORMAT(name, suffix)
 * ... .  Writers make the records (clean/write/writer.h: writer_NAME); the
 * dedup service, which knows no documents, tells by this which files are its
 * job's.  OUTPUT_FORMATS_N: how many there are.
 */
#define FORMAT_ONE(name, suffix) +1
#define OUTPUT_FORMATS_N (0 OUTPUT_FORMATS(FORMAT_ONE, FORMAT_ONE))
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
