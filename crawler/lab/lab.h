/* lab.h -- what an experiment comes to, as text. */
#ifndef LAB_LAB_H
#define LAB_LAB_H

#include "experiment.h"
#include "winnow/buf.h"

/* A score foretells "kept" from here on: scores are meant as chances. */
#define LAB_LINK_CUT 0.5

void lab_json(const struct experiment *e, struct buf *out);

#endif
