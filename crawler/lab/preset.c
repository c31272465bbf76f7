/* preset.c -- which presets there are. */
#include "preset.h"

const struct preset *const preset_table[] = {&preset_seeds, &preset_cyclic,
                                             &preset_links, NULL};
