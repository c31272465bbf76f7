/* Aim: tokens and character references are those of the specification.
 * Method: the html5lib tokenizer cases and the list of named references from
 * the shared data. */
#include <json-c/json.h>

#include "base/buf.h"
#include "clean/markup/entity.h"
#include "clean/markup/tokenizer.h"
#include "test.h"

#define SUITE "data/suites/html5lib/tokenizer"

/* --- html5lib ------------------------------------------------------------ */

struct tokens {
    json_object *list;
    struct buf text;
};

static json_object *
json_of(struct str s)
{
    return json_object_new_string_len(s.p, (int)s.n);
}

static json_object *
add(struct tokens *t, const char *kind)
{
    json_object *token = json_object_new_array();

    if (t->text.n > 0) {
        json_object *text = json_object_new_array();

        json_object_array_add(text, json_object_new_string("Character"));
        json_object_array_add(text, json_of(buf_view(&t->text)));
        json_object_array_add(t->list, text);
        buf_clear(&t->text);
    }
    json_object_array_add(token, json_object_new_string(kind));
    json_object_array_add(t->list, token);
    return token;
}

static void
suite_text(void *self, struct str s)
{
    buf_str(&((struct tokens *)self)->text, s);
}

static void
suite_start(void *self, const struct tag_token *tag)
{
    json_object *token = add(self, "StartTag"), *o = json_object_new_object();

    for (uint32_t i = 0; i < tag->attributes_n; i++) {
        char key[256];

        snprintf(key, sizeof key, "%.*s", STRF(tag->attributes[i].name));
        json_object_object_add(o, key, json_of(tag->attributes[i].value));
    }
    json_object_array_add(token, json_of(tag->name));
    json_object_array_add(token, o);
    if (tag->self_closing)
        json_object_array_add(token, json_object_new_boolean(1));
}

static void
suite_end(void *self, const struct tag_token *tag)
{
    json_object_array_add(add(self, "EndTag"), json_of(tag->name));
}

static void
suite_comment(void *self, struct str s)
{
    json_object_array_add(add(self, "Comment"), json_of(s));
}

static void
suite_doctype(void *self, struct str name, const struct str *public_id,
              const struct str *system_id, bool quirks)
{
    json_object *token = add(self, "DOCTYPE");

    json_object_array_add(token, name.p ? json_of(name) : NULL);
    json_object_array_add(token, public_id ? json_of(*public_id) : NULL);
    json_object_array_add(token, system_id ? json_of(*system_id) : NULL);
    json_object_array_add(token, json_object_new_boolean(!quirks));
}

/* The string of a JSON value with \uHHHH undone once more when `escaped`.
 * False: it holds a lone surrogate, which UTF-8 cannot. */
static bool
unescape(struct buf *out, json_object *value, bool escaped)
{
    const char *p = json_object_get_string(value);
    size_t n = (size_t)json_object_get_string_len(value);
    unsigned high = 0, c;
    char hex[5] = {0};

    buf_clear(out);
    for (size_t i = 0; i < n; i++) {
        if (!escaped || p[i] != '\\' || i + 5 >= n || p[i + 1] != 'u') {
            if (high)
                return false;
            buf_char(out, p[i]);
            continue;
        }
        memcpy(hex, p + i + 2, 4);
        c = (unsigned)strtoul(hex, NULL, 16);
        i += 5;
        if ((c >= 0xdc00 && c < 0xe000) != (high != 0))
            return false;
        if (c >= 0xd800 && c < 0xdc00) {
            high = c;
            continue;
        }
        if (high)
            c = 0x10000 + ((high - 0xd800) << 10) + (c - 0xdc00);
        high = 0;
        buf_utf8(out, c);
    }
    return high == 0;
}

/* A copy of an expected value with all strings unescaped. */
static json_object *
expected(json_object *value, bool escaped)
{
    json_object *copy;
    struct buf b = {0};

    switch (json_object_get_type(value)) {
    case json_type_array:
        copy = json_object_new_array();
        for (size_t i = 0; i < json_object_array_length(value); i++)
            json_object_array_add(
                copy, expected(json_object_array_get_idx(value, i), escaped));
        return copy;
    case json_type_object:
        copy = json_object_new_object();
        json_object_object_foreach(value, key, member)
        {
            json_object *name = json_object_new_string(key);

            if (unescape(&b, name, escaped)) {
                buf_char(&b, '\0');
                json_object_object_add(copy, b.p, expected(member, escaped));
            }
            json_object_put(name);
        }
        break;
    case json_type_string:
        copy = unescape(&b, value, escaped) ? json_of(buf_view(&b)) : NULL;
        break;
    default: return json_object_get(value);
    }
    buf_free(&b);
    return copy;
}

static enum tokenizer_state
state_named(const char *name)
{
    static const char *const names[] = {
        "Data state",        "RCDATA state",    "RAWTEXT state",
        "Script data state", "PLAINTEXT state", "CDATA section state"};

    for (int i = 0; i < 6; i++)
        if (strcmp(name, names[i]) == 0)
            return (enum tokenizer_state)i;
    fprintf(stderr, "unknown state %s\n", name);
    exit(1);
}

static json_object *
tokens_of(struct tokenizer *t, struct str input, enum tokenizer_state state,
          struct str last)
{
    struct tokens tokens = {.list = json_object_new_array()};
    struct token_sink sink = {.self = &tokens,
                              .text = suite_text,
                              .start_tag = suite_start,
                              .end_tag = suite_end,
                              .comment = suite_comment,
                              .doctype = suite_doctype};
    char *copy = malloc(input.n ? input.n : 1);
    json_object *end;

    memcpy(copy, input.p, input.n);
    tokenizer_run_from(t, str_n(copy, input.n), &sink, state, last);
    end = add(&tokens, "end");
    (void)end;
    json_object_array_del_idx(tokens.list,
                              json_object_array_length(tokens.list) - 1, 1);
    buf_free(&tokens.text);
    free(copy);
    return tokens.list;
}

static unsigned suite_run, suite_passed, suite_surrogates;

static void
suite_case(struct tokenizer *t, json_object *test)
{
    json_object *v, *states = NULL;
    bool escaped = json_object_object_get_ex(test, "doubleEscaped", &v) &&
                   json_object_get_boolean(v);
    const char *last = json_object_object_get_ex(test, "lastStartTag", &v)
                           ? json_object_get_string(v)
                           : "";
    struct buf input = {0};
    json_object *want;
    size_t n = 1;

    if (!unescape(&input, json_object_object_get(test, "input"), escaped)) {
        suite_surrogates++;
        buf_free(&input);
        return;
    }
    want = expected(json_object_object_get(test, "output"), escaped);
    if (json_object_object_get_ex(test, "initialStates", &states))
        n = json_object_array_length(states);
    for (size_t i = 0; i < n; i++) {
        const char *name =
            states
                ? json_object_get_string(json_object_array_get_idx(states, i))
                : "Data state";
        json_object *got =
            tokens_of(t, buf_view(&input), state_named(name), str_c(last));

        suite_run++;
        if (json_object_equal(got, want)) {
            suite_passed++;
        } else {
            test_failed++;
            fprintf(stderr, "%s (%s)\n  input %.*s\n  got   %s\n  want  %s\n",
                    json_object_get_string(
                        json_object_object_get(test, "description")),
                    name, STRF(buf_view(&input)), json_object_get_string(got),
                    json_object_get_string(want));
        }
        json_object_put(got);
    }
    json_object_put(want);
    buf_free(&input);
}

static void
html5lib_tokenizer_cases_pass(void)
{
    static const char *const files[] = {"contentModelFlags",
                                        "domjs",
                                        "entities",
                                        "escapeFlag",
                                        "namedEntities",
                                        "numericEntities",
                                        "pendingSpecChanges",
                                        "test1",
                                        "test2",
                                        "test3",
                                        "test4",
                                        "unicodeChars",
                                        "unicodeCharsProblematic"};
    struct tokenizer *t = tokenizer_new();

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char sub[128];
        const char *path;
        json_object *root, *tests;

        snprintf(sub, sizeof sub, SUITE "/%s.test", files[i]);
        if ((path = test_shared(sub)) == NULL) {
            printf("no %s\n", sub);
            test_failed++;
            continue;
        }
        root = json_object_from_file(path);
        tests = json_object_object_get(root, "tests");
        CHECK(tests != NULL);
        for (size_t k = 0; k < json_object_array_length(tests); k++)
            suite_case(t, json_object_array_get_idx(tests, k));
        json_object_put(root);
    }
    printf("html5lib tokenizer: %u of %u passed; %u skipped (a lone surrogate "
           "in the input: no UTF-8)\n",
           suite_passed, suite_run, suite_surrogates);
    tokenizer_free(t);
}

/* --- Named references ------------------------------------------------------
 */

static void
every_named_reference_decodes(void)
{
    const char *path = test_shared("data/suites/entities/entities.json");
    json_object *root;
    unsigned n = 0;

    CHECK(path != NULL);
    if (path == NULL)
        return;
    root = json_object_from_file(path);
    json_object_object_foreach(root, name, value)
    {
        json_object *text = json_object_object_get(value, "characters");
        struct entity_text got;
        struct buf b = {0};

        n++;
        CHECK(entity_decode(&got, str_c(name), false) == strlen(name));
        CHECK(str_eq(str_n(got.p, got.n), str_c(json_object_get_string(text))));
        buf_printf(&b, "%sz", name); /* something behind it changes nothing, */
        if (name[strlen(name) - 1] == ';') { /* unless it makes a longer name */
            CHECK(entity_decode(&got, buf_view(&b), true) == strlen(name));
            CHECK(str_eq(str_n(got.p, got.n),
                         str_c(json_object_get_string(text))));
        } else {
            CHECK(entity_decode(&got, buf_view(&b), true) == 0);
        }
        buf_free(&b);
    }
    CHECK(n == 2231);
    printf("named references: %u\n", n);
    json_object_put(root);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        SUITE_TEST(every_named_reference_decodes,
                   "data/suites/entities/entities.json"),
        SUITE_TEST(html5lib_tokenizer_cases_pass, SUITE "/test1.test"),
        {0},
    };

    return test_main(table, argc, argv);
}
