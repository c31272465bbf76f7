/* opt_alias.tbl.h -- names that options and their words had in an earlier
 * version; whoever writes them still means what stands beside them.
 *
 * KEY(section, old, now): the option section.old is section.now.
 * WORD(section, key, old, now): a value of that option. */
KEY(clean, furniture, ascii_art)

WORD(clean, chain, second, double_encoding)
WORD(clean, chain, furniture, ascii_art)
