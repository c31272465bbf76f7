/* stage.tbl.h -- the stages of the cleaning chain, in order, and what each
 * does. clean.chain, whose preset this is, chooses from them.
 *
 * CLEAN_STAGES(FIRST, STAGE) makes FIRST(name, help) STAGE(name, help) ... .
 * Normalise and duplicates stand before tokens so that tokens, badness, digest
 * and shingles all see the text that will be written. */
#define CLEAN_STAGES(FIRST, STAGE)                                             \
    FIRST(size,                                                                \
          "reject what is too small or large (clean.bytes_min, bytes_max)")    \
    STAGE(type, "reject what is of another type (clean.content_types)")        \
    STAGE(charset, "bytes to UTF-8")                                           \
    STAGE(mojibake, "text encoded twice: undo it (clean.mojibake)")            \
    STAGE(strip, "markup to blocks, counts, anchors and outlinks")             \
    STAGE(interstitial,                                                        \
          "reject challenges, consent walls, paywalls, block pages")           \
    STAGE(links, "drop outlinks that are not wanted (clean.links)")            \
    STAGE(metadata, "title, author, dates and the like, robots")               \
    STAGE(geo, "country, region and city of the server (clean.geo)")           \
    STAGE(double_encoding,                                                     \
          "decode what was encoded twice, stray control characters")           \
    STAGE(boilerplate, "classify every block: text or boilerplate")            \
    STAGE(override,                                                            \
          "blocks that are boilerplate anyway (clean.boilerplate_regex)")      \
    STAGE(ascii_art, "drawn lines: take them out (clean.ascii_art)")           \
    STAGE(cleanse, "tags, addresses, hashtags: replace them (clean.cleanse)")  \
    STAGE(pipe, "through a program of the operator (clean.pipe)")              \
    STAGE(replace, "replacements of the operator (clean.replacements)")        \
    STAGE(spelling, "British or American (clean.english)")                     \
    STAGE(normalise, "composed characters, no invisible ones")                 \
    STAGE(duplicates, "drop blocks that repeat an earlier one")                \
    STAGE(title, "reject what has no title (clean.find_title=require)")        \
    STAGE(tokens, "split the kept blocks into words")                          \
    STAGE(badness, "score the page by its frequent words")                     \
    STAGE(filter, "reject what is empty, short, foreign or bad")               \
    STAGE(sentences,                                                           \
          "what earlier documents had (clean.known_sentences)")                \
    STAGE(shingles, "digest and fingerprint of the clean text")                \
    STAGE(seen, "reject what an earlier document was equal to")
