/* found.h -- host by host: what the runs of an arm collected there, and when.
 */
#ifndef LAB_FOUND_H
#define LAB_FOUND_H

#include "experiment.h"

struct found { /* of a host; means over the runs */
    double kept;
    /* Pages fetched of the whole crawl when the first document of the host was
     * kept, and when half of what it has to give was; NAN: not in every run. */
    double first, half;
};

/* By host of the web; malloc'ed, to be freed. */
struct found *found_make(const struct experiment *e,
                         const struct experiment_arm *arm);

#endif
