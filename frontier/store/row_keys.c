/* row_keys.c -- see row_keys.h. */
#include "row_keys.h"

#include "base/log.h"

enum status
row_keys_read(enum row_keys *out, struct tables *t)
{
    struct str value;
    enum status st = tables_get(t, TABLE_META, ROW_KEYS_META, &value);

    *out = ROW_KEYS_NEW;
    if (st == ST_OK) {
        if (value.n != 1 || (unsigned char)value.p[0] >= ROW_KEYS_N) {
            log_error("frontier", "table=meta key=keys error=garbled");
            return ST_STORE;
        }
        *out = (enum row_keys)value.p[0];
        return ST_OK;
    }
    if (st != ST_NONE)
        return st;
    /* Stores of before have no such row; each that was begun has a scorer. */
    st = tables_get(t, TABLE_META, S("scorer"), &value);
    if (st == ST_OK)
        *out = ROW_KEYS_SESSIONS;
    return st == ST_NONE ? ST_OK : st;
}

enum status
row_keys_write(struct tables *t, enum row_keys keys)
{
    const char byte = (char)keys;

    return tables_put(t, TABLE_META, ROW_KEYS_META, str_n(&byte, 1));
}
