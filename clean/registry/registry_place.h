/* registry_place.h -- the lines of a registry that say where text and index
 * are, and which attribute is another one in lower case, written for new
 * corpora (clean/write/writer_vertical.c) and for what is made of them later
 * (corpus/tecl).
 *
 *   VERTICAL "TEXT"                             Sketch Engine, NoSketch Engine
 *   PATH "FOLDER"
 *   HOME "FOLDER"                               Corpus Workbench
 *   ## mkdir -p 'FOLDER'                        the commands that index
 *   ## cwb-encode -d 'FOLDER' -f 'TEXT' -xsB ...
 *   ## COMMAND | cwb-encode -d 'FOLDER' -xsB ...
 *
 * Pure. */
#ifndef CLEAN_REGISTRY_PLACE_H
#define CLEAN_REGISTRY_PLACE_H

#include "base/buf.h"

/* Paths are absolute. */
struct registry_place {
    struct str text;   /* a file, or "| " and the command that prints it */
    struct str folder; /* for the index */
};

enum registry_line {
    REGISTRY_VERTICAL,
    REGISTRY_PATH,
    REGISTRY_HOME,
    REGISTRY_MKDIR,
    REGISTRY_ENCODE, /* up to -xsB; what is to be indexed follows */
};

/* Append that line, without its end. */
void registry_line(struct buf *out, enum registry_line line,
                   const struct registry_place *at);

/* Append, for (No)Sketch Engine, the attribute `name` that is `of` in lower
 * case: its simple queries ask lc and lemma_lc. */
void registry_lowercase(struct buf *out, const char *name, const char *of);

/* Append a whole registry as one of another place; all other lines as they
 * are. */
void registry_moved(struct buf *out, struct str registry,
                    const struct registry_place *at);

#endif
