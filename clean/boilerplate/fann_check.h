/* fann_check.h -- is the text of a FANN file one that libfann may be given?
 *
 * libfann's loader takes sizes and indices as they stand: a file can make it
 * allocate anything, and its networks read and write beyond their neurons.  So
 * the text is held against the grammar that fann_save() writes, before.  Pure.
 */
#ifndef CLEAN_FANN_CHECK_H
#define CLEAN_FANN_CHECK_H

#include "base/buf.h"
#include "base/str.h"

#define FANN_LAYERS_MAX                                                        \
    256u                     /* each neuron that cascade training adds is one  \
                              */
#define FANN_WIDTH_MAX 4096u /* neurons in a layer, without its bias */

/* NULL: *sound is the text as libfann 2.2 reads it, with the two lines that
 * files of FANN 2.1 lack.  Else what is wrong; static storage. */
const char *fann_check(struct str text, struct buf *sound);

#endif
