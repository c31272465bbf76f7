/* charset_icu.c -- ICU's converters and its charset detector; their errors and
 * lifetimes end here.
 *
 * A converter is opened per call: 0.3 to 0.5 us, its data is cached by ICU.
 * Detection costs half a millisecond a kilobyte (it runs about thirty
 * recognisers over up to 8,000 bytes), so it comes last and sees little. */
#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>
#include <unicode/ucsdet.h>

#include "base/log.h"
#include "charset_impl.h"

/* Below this (of 100) the detector only names what fits least badly. */
#define CONFIDENCE_MIN 10

/* ICU's own substitution writes U+001A for some single bytes. */
static void
substitute(const void *context, UConverterToUnicodeArgs *args,
           const char *units, int32_t n, UConverterCallbackReason reason,
           UErrorCode *rc)
{
    static const UChar replacement = 0xfffd;

    (void)context, (void)units, (void)n;
    if (reason > UCNV_IRREGULAR)
        return;
    *rc = U_ZERO_ERROR;
    ucnv_cbToUWriteUChars(args, &replacement, 1, 0, rc);
}

enum status
charset_icu_convert(struct str *utf8, struct arena *a, struct str bytes,
                    const char *icu_name)
{
    /* One byte gives at most U+FFFD or a half-width katakana: three bytes.
     * ISO-2022-JP may end in the middle of something. */
    size_t room = 3 * bytes.n + 16;
    const char *in = bytes.p;
    char *out = arena_raw(a, room), *at = out; /* before ICU has anything */
    UErrorCode rc = U_ZERO_ERROR;
    UConverter *from = ucnv_open(icu_name, &rc);
    UConverter *to = ucnv_open("UTF-8", &rc);
    UChar pivot[1024], *pivot_in = pivot, *pivot_out = pivot;

    if (U_SUCCESS(rc))
        ucnv_setToUCallBack(from, substitute, NULL, NULL, NULL, &rc);
    if (U_SUCCESS(rc))
        ucnv_convertEx(to, from, &at, out + room, &in, bytes.p + bytes.n, pivot,
                       &pivot_in, &pivot_out, pivot + 1024, 1, 1, &rc);
    ucnv_close(to);
    ucnv_close(from);
    if (U_FAILURE(rc)) {
        log_error("charset", "icu converter=%s error=%s", icu_name,
                  u_errorName(rc));
        return ST_INVALID;
    }
    *utf8 = str_n(out, (size_t)(at - out));
    return ST_OK;
}

const char *
charset_icu_guess(struct str text)
{
    UErrorCode rc = U_ZERO_ERROR;
    UCharsetDetector *detector = ucsdet_open(&rc);
    const UCharsetMatch *match = NULL;
    const char *name = NULL;

    if (U_SUCCESS(rc))
        ucsdet_setText(detector, text.p, (int32_t)text.n, &rc);
    if (U_SUCCESS(rc))
        match = ucsdet_detect(detector, &rc);
    if (U_SUCCESS(rc) && match != NULL &&
        ucsdet_getConfidence(match, &rc) >= CONFIDENCE_MIN)
        name = ucsdet_getName(match, &rc);
    if (U_FAILURE(rc))
        name = NULL;
    name = name ? charset_name(str_c(name)) : NULL;
    ucsdet_close(detector);
    return name;
}
