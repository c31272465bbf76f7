/* format.tbl.h -- the names in output.format and the endings of their files:
 * FORMAT(name, suffix).
 *
 * Writers make the records (winnow/writer.h); the dedup service, which knows no
 * documents, tells by this which files are its job's. */
FORMAT("text", "txt")
FORMAT("xml", "xml")
FORMAT("jsonl", "jsonl")
FORMAT("vertical", "vert")
FORMAT("cwb", "vrt")
FORMAT("wet", "wet")
FORMAT("links", "links")
FORMAT("tokens", "tokens")
FORMAT("shingles", "shingles")
FORMAT("tender", "tender")
FORMAT("metrics", "metrics")
FORMAT("index", "index")
