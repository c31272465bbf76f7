/* stages.h -- the stages, by name. */
#ifndef CLEAN_STAGES_H
#define CLEAN_STAGES_H

#include "clean/chain/stage.h"

#define STAGE(name, help) extern const struct stage stage_##name;
#include "stages.tbl.h"
#undef STAGE

#endif
