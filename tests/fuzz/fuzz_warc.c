/* Archives made of anything: reading ends, records lie inside the file and one
 * behind the other, blocks keep their bound. */
#define ARCHIVE_FORMAT WARC_FORMAT_WARC
#include "fuzz_archive.h"
