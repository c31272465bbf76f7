/* fuzz_warc_restore.c -- a revisit without the capture that it refers to names
 * none, and if it becomes a response it ends with the payload. */
#include "clean/archive/warc_restore.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct str text = str_n((const char *)data, n), line, rest;
    struct str payload = warc_payload(text);
    struct buf out = {0};

    MUST(payload.n == 0 ||
         (payload.p >= text.p && payload.p + payload.n == text.p + n));
    if (warc_restore(&out, text, S("a payload"))) {
        rest = buf_view(&out);
        MUST(str_ends(rest, S("a payload")) ||
             str_has(rest, S("/server-not-modified\r\n")));
        while (str_cut(&rest, '\n', &line) && line.n > 1)
            MUST(!str_starts_nocase(line, S("WARC-Refers-To")));
    } else {
        MUST(out.n == 0);
    }
    buf_free(&out);
    return 0;
}
