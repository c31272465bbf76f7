/* rights.h -- what a page and its site say about use of their texts: text and
 * data mining, training, search.
 *
 * Read are TDMRep (tdm-reservation, tdm-policy), AIPREF (Content-Usage),
 * Content-Signal, and noai, noml and the like in robots directives: of the HTTP
 * header, of <meta>, and of robots.txt and tdmrep.json as far as the caller
 * brings them.  Where signals contradict, the stricter one counts; but TDMRep's
 * of a page supersede those of its header, and these its host's. */
#ifndef CLEAN_RIGHTS_H
#define CLEAN_RIGHTS_H

#include "clean/chain/document.h"

enum rights_use {
    RIGHTS_ALL,      /* any automated processing */
    RIGHTS_TDM,      /* text and data mining */
    RIGHTS_TRAIN,    /* training of models */
    RIGHTS_AI_INPUT, /* as input of a model: grounding, answers */
    RIGHTS_SEARCH,   /* an index of a search engine */
    RIGHTS_USES_N
};

/* Of each use: nothing is said, it is allowed, it is reserved. */
struct rights {
    char use[RIGHTS_USES_N]; /* 0, 'y', 'n' */
};

/* A line of HTTP header or robots.txt, or a <meta>: does it speak of rights,
 * and what does it say?  target: path and query of the page, for lines that
 * hold for a part of a site; agent: whom robots directives name when they mean
 * us.  Pure. */
bool rights_signal(struct rights *r, struct str name, struct str value,
                   struct str target, struct str agent);

/* As a job wants it (clean.rights): record, research, training,
 * none-reserved.  True: the page is not for that. */
bool rights_reserved(const struct rights *r, struct str purpose);

/* Fill meta.rights and meta.rights_signals; reject the document when it is
 * reserved for the purpose. */
void metadata_rights(struct document *d, struct str purpose);

#endif
