/* charset_impl.h -- what the files of charset share, and nobody else.
 *
 * charset.c          the decision
 * charset_label.c    names, labels, Content-Type
 * charset_prescan.c  <meta> and the XML declaration
 * charset_convert.c  bytes to UTF-8 with a given encoding
 * charset_mixed.c    pieces in another encoding
 * charset_letters.c  the encoding of undeclared text, by its letters
 * charset_icu.c      the only caller of ICU's converters and detector */
#ifndef CLEAN_CHARSET_IMPL_H
#define CLEAN_CHARSET_IMPL_H

#include "charset.h"

/* charset_label.c: the code points of bytes 0x80.., NULL when `name` is no
 * single-byte encoding; 0xFFFD where a byte means nothing. */
const uint16_t *charset_single(const char *name);

/* charset_mixed.c: UTF-8 in which pieces of single-byte text, read as encoding
 * `name`, are UTF-8 as well; s itself when there are none. */
struct str charset_mend(struct arena *a, struct str s, const char *name);

/* charset_letters.c: the single-byte encoding in which the letters of the text
 * (tags stripped) are most usual; *sure: they are as usual as in text, else it
 * is some other kind of encoding. */
const char *charset_by_letters(struct str text, bool *sure);

/* charset_icu.c: decode with ICU's converter `icu_name`. */
enum status charset_icu_convert(struct str *utf8, struct arena *a,
                                struct str bytes, const char *icu_name);

/* charset_icu.c: the WHATWG name of what the text (tags stripped) seems to be,
 * NULL when there is no idea. */
const char *charset_icu_guess(struct str text);

#endif
