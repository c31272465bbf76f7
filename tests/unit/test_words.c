/* test_words.c -- sentences and tokens: what ends one and what does not, by
 * language.  Method: short texts with the expected cuts written as '|'. */
#include "base/buf.h"
#include "corpus/text/sentences.h"
#include "corpus/text/tokens.h"
#include "test.h"

static struct language_words *
list_of(const char *language)
{
    struct language_words *l = NULL;

    CHECK(language_words_open(&l, str_c(language), WINNOW_DATA_DIR) == ST_OK);
    return l;
}

/* The sentences of the text without its bars are those between the bars. */
static bool
cut_flags(const char *language, const char *text, unsigned flags)
{
    struct language_words *l = list_of(language);
    struct buf plain = {0}, found = {0};
    struct sentences it;
    struct str s, expected = str_c(text);
    bool same;

    for (size_t i = 0; i < expected.n; i++)
        if (text[i] != '|')
            buf_add(&plain, text + i, 1);
    sentences_begin(&it, l, buf_view(&plain), flags);
    while (sentences_next(&it, &s))
        buf_printf(&found, "%s%.*s", buf_view(&found).n > 0 ? " |" : "",
                   STRF(s));
    same = str_eq(buf_view(&found), expected);
    if (!same)
        fprintf(stderr, "%s: %.*s\n", language, STRF(buf_view(&found)));
    buf_free(&plain);
    buf_free(&found);
    language_words_free(l);
    return same;
}

static bool
cut(const char *language, const char *text)
{
    return cut_flags(language, text, 0);
}

/* The tokens, with blanks between them and '_' before one that is glued. */
static bool
tokens_are(const char *language, const char *text, const char *expected)
{
    struct language_words *l = list_of(language);
    struct buf found = {0};
    struct token_reader it;
    struct token t;
    bool same;

    tokens_begin(&it, l, str_c(text), NULL);
    while (tokens_next(&it, &t))
        buf_printf(&found, "%s%s%.*s", buf_view(&found).n > 0 ? " " : "",
                   t.glued ? "_" : "", STRF(t.text));
    same = str_eq(buf_view(&found), str_c(expected));
    if (!same)
        fprintf(stderr, "%s: %.*s\n", language, STRF(buf_view(&found)));
    buf_free(&found);
    language_words_free(l);
    return same;
}

static void
a_stop_before_a_capital_ends_a_sentence(void)
{
    CHECK(cut("en", "This is one. |This is two! |Is it three? |Yes."));
    CHECK(cut("xx", "One is here. |Two is there."));
    CHECK(cut("en", "We paid 1,000.50 dollars. |Thanks."));
}

static void
abbreviations_do_not(void)
{
    CHECK(cut("en", "I met Dr. Smith and Mr. Jones. |They left."));
    CHECK(cut("en", "He works at Foo Inc. in Texas. |She does not."));
    CHECK(cut("en", "See No. 5 there. |He said no. |Then he left."));
    CHECK(cut("de", "Wir trafen Dr. med. Meyer in der Stadt."));
    CHECK(cut("de", "Dies kostet z. B. Geld usw. |Und ist gut."));
    CHECK(cut("nl", "Dat is bijv. Amsterdam. |De rest niet."));
    CHECK(cut("fr", "M. Dupont est ici. |Il part."));
    CHECK(cut("es", "El Sr. Pérez y la Sra. Rescia vienen. |Bien."));
    CHECK(cut("it", "Sono l'Ing. Mengozzi. |È presente l'Avv. Cassioni?"));
    CHECK(cut("sv", "Det är t.ex. Stockholm. |Han kom."));
}

static void
initials_do_not_but_a_pronoun_begins_a_sentence(void)
{
    CHECK(cut("en", "J. R. Smith lives in the U.S. Virgin Islands."));
    CHECK(cut("en", "He lives in the U.S. |He likes it."));
    CHECK(cut("en", "He left at 6 p.m. |Travelers stayed."));
    CHECK(cut("en", "He left at 6 p.m. Monday. |At 7 p.m. Eastern time."));
    CHECK(cut("en", "He came to the U.S. |Millions saw the U.S. Senate."));
    CHECK(cut("en", "Was he? |No. |I think it is No. I of Vol. I here."));
    CHECK(cut("en", "The med. staff is kind."));
    CHECK(cut("en", "Apples, pears, etc. |Germany buys them."));
}

static void
ordinals_go_on_where_a_language_has_them(void)
{
    CHECK(cut("de", "Er kam am 3. Mai 2001. |Sie auch."));
    CHECK(cut("de", "Die Abstimmung vom 12. Juni war gut."));
    CHECK(cut("de", "Die Information steht auf Seite 12. |Dort ist sie."));
    CHECK(cut("de", "Das war im 19. Jahrhundert. |Es ist lange her."));
    CHECK(
        cut("de", "Gefunden aus dem 1. - 3. Jahrhundert. |Es ist lange her."));
    CHECK(cut("de", "Es wurden 12. |- Dann nichts."));
    CHECK(cut("de", "4. ___ Susi Deutsch? |Ja."));
    CHECK(cut("de", "Es geschah 1998. |Vieles war anders."));
    CHECK(cut("en", "We saw 12. |Nobody saw more."));
    CHECK(cut("de", "1. Dies ist eine Liste."));
}

static void
a_semicolon_ends_where_a_sentence_must_begin(void)
{
    CHECK(cut("es", "Se fue en 1242; |La ciudad quedó sola; Madrid no."));
    CHECK(cut("es", "Llegó tarde; el tren ya no estaba; la Roma antigua."));
    CHECK(cut("de", "Er kam;Die Stadt lag still; Berlin auch."));
    CHECK(cut("en", "R&amp;D; see below"));
}

static void
quotes_close_behind_the_stop(void)
{
    CHECK(cut("en", "\"What is it?\" he said. |\"Nothing.\" |She left."));
    CHECK(cut("fr", "« Il est là. » |Elle part."));
    CHECK(cut("nl", ",,Dat is goed.'' |,,Ja,'' zei hij."));
    CHECK(cut("nl", "Het is zo. '' |De rest niet."));
    CHECK(cut("de", "Er sagte: „Komm her!“ |Dann ging er."));
    CHECK(cut("en", "(He left.) |Then it (!) rained."));
}

static void
ellipses_run_on_text_and_notes(void)
{
    CHECK(cut("en", "Well... perhaps not. |Or so... |Who knows."));
    CHECK(cut("en", "It is over . . . and then some."));
    CHECK(cut("en", "It is omitted . . . . |Next is not."));
    CHECK(cut("en", "He said \u201cless complex. . . .\u201d |Good."));
    CHECK(cut("en", "It was a habit. |. . . The rest was not. . . ."));
    CHECK(cut("en", "... The rest was not."));
    CHECK(cut("en", "The thing is . . . I did not mean it... I did."));
    CHECK(cut("en", "It is a file. .gz is its end."));
    CHECK(cut("en", "It was shown before.[12] |The rest was not."));
    CHECK(cut("en", "Read it at example.com or Node.js there."));
}

static void
items_of_a_list_in_one_line_are_sentences(void)
{
    CHECK(cut("en", "1) The first item |2) The second item |3) The third"));
    CHECK(cut("en", "a.) The first. |b.) The second |c.) The third"));
    CHECK(cut("en", "a. the first |b. the second |c. the third"));
    CHECK(cut("en", "1. The first. |2. The second |3. The third item"));
    CHECK(cut("en", "(1) The first |(2) The second, (3) The third"));
    CHECK(cut("de", "\u2022 Der erste |\u2022 Der zweite"));
    CHECK(cut("en", "\u20439. The ninth |\u204310. The tenth"));
    CHECK(cut("de", "1) Ein Haus |2) Zwei Hunde"));
    /* Other numbers and letters, other signs, another case, no mark first. */
    CHECK(cut("en", "1) The first item 3) The second item"));
    CHECK(cut("en", "1) The first item b) The second item"));
    CHECK(cut("en", "1) The first item 2) the second item"));
    CHECK(cut("en", "They are 1) The first item 2) The second item"));
    CHECK(cut("en", "a) red, b) green or c) blue"));
    CHECK(cut("en", "A. Smith met B. Jones"));
    CHECK(cut("de", "1. Mai bis 2. Juni"));
    CHECK(cut("en", "1) The first item costs 2) 3)"));
}

static void
numbers_of_notes_belong_to_the_sentence_before(void)
{
    CHECK(cut("en", "It was good.1 |Nobody knew.11 12 |The rest did."));
    CHECK(cut("en", "It was (1987).1,2 |According to him it was not."));
    CHECK(cut("en", "It is slow (of type 2).10 |This model is not."));
    CHECK(cut("de", "Das war gut.3 |Die anderen blieben."));
    CHECK(cut("de", "Er wohnt Hauptstr.12 Berlin und bleibt."));
    CHECK(cut("en", "See No.1 Take it from version.2 on."));
    CHECK(cut("en", "It grew by 3.14 Percent and 2.5 Times."));
}

static void
names_and_brackets_go_on_behind_their_marks(void)
{
    CHECK(cut("en", "She works at Yahoo! in the office. |Good."));
    CHECK(cut("en", "That is great! |i will come back."));
    CHECK(cut("en", "It is (he said. Then he left) over. |Good."));
    CHECK(cut("en", "It is [16: firma? 13:28] over. |Good."));
    CHECK(cut("en", "(He said so. |Then he left.) |Good."));
    CHECK(cut("en", "It is at N\u00b0. 10.2 there. |Good."));
    CHECK(cut("en", "He gave him the i.v. |It was night."));
}

#define WHOLE(language, text) CHECK(cut_flags(language, text, SENTENCES_QUOTES))
#define LONG "The long words of a man who never ends what he began to say"

static void
short_quotations_stay_whole_and_long_ones_where_it_is_asked_for(void)
{
    CHECK(cut("en", "He said \"Go. Now.\" and went. |Good."));
    CHECK(cut("en", "'Well! I shall. So it is,' said he. |It's so. |Go."));
    CHECK(cut("en", "`Go! Now!' he said. |``Go. Now.'' |Good."));
    CHECK(cut("de", "Er sagte: \u201eGeh! Bald.\u201c |Dann ging er."));
    CHECK(cut("fr", "\u00ab Il part. Elle reste. \u00bb |Bien."));
    CHECK(cut("en", "He said \"" LONG LONG LONG ". |" LONG LONG ".\" |Good."));
    WHOLE("en", "He said \"" LONG LONG LONG ". " LONG LONG ".\" |Good.");
    CHECK(cut("en", "He said \"Go. |" LONG LONG LONG LONG LONG ".\" |Good."));
}

static void
signs_that_are_not_closed_are_no_quotations(void)
{
    WHOLE("en", "He has 5\" pipes. |They're good. |The boys' toys. |Go.");
    WHOLE("en", "He said \"Go. |Now. |It is never closed.");
    WHOLE("en", "He said \"Go. |Now. |He said \"yes\" and went.");
    WHOLE("fr", "Il dit \u00ab non. |Elle dit \u00ab oui \u00bb. |Bien.");
    WHOLE("fr", "Il dit non \u00bb. |Elle dit \u00ab oui \u00bb. |Bien.");
    WHOLE("en", "He said \"yes. |No\nnever\" is what she said.");
    WHOLE("nl", "Hij is van 't dorp. |Zij zei: 'Nee. Nooit.' |Goed.");
}

static void
somebody_breaks_off_at_a_dash(void)
{
    CHECK(cut("en", "\"We tried to--\" |Then he left."));
    CHECK(cut("en", "\u201cWe tried\u2014\u201d |Then he left."));
    CHECK(cut("en", "\"We tried to--\" he said."));
    CHECK(cut("en", "It is long-\"Then\" he said -- \"Then\" (--) Then."));
}

static void
who_spoke_stands_behind_what_was_said(void)
{
    CHECK(cut("en", "Leave me! he said. |Who? cried Alice. |Good."));
    CHECK(cut("en", "Leave me! |he is here. |Who? |good."));
}

/* Without a blank the expectation cannot be written with " |". */
static void
a_stop_without_a_blank_ends_where_a_known_word_begins(void)
{
    struct language_words *l = list_of("en");
    struct sentences it;
    struct str s;

    sentences_begin(&it, l, S("That was the end.The next day he left."), 0);
    CHECK(sentences_next(&it, &s) && str_eq(s, S("That was the end.")));
    CHECK(sentences_next(&it, &s) && str_eq(s, S("The next day he left.")));
    CHECK(!sentences_next(&it, &s));
    sentences_begin(&it, l, S("On Monday.Mr. Smith paid 1,000.That is"), 0);
    CHECK(sentences_next(&it, &s) && str_eq(s, S("On Monday.")));
    CHECK(sentences_next(&it, &s) && str_eq(s, S("Mr. Smith paid 1,000.")));
    CHECK(sentences_next(&it, &s) && str_eq(s, S("That is")));
    sentences_begin(&it, l, S("Use System.The or a.The or 4.The here"), 0);
    CHECK(sentences_next(&it, &s) && !sentences_next(&it, &s));
    language_words_free(l);
}

static bool
are(const char *text, unsigned flags, struct str one, struct str two)
{
    struct language_words *l = list_of("en");
    struct sentences it;
    struct str s;
    bool same;

    sentences_begin(&it, l, str_c(text), flags);
    same = sentences_next(&it, &s) && str_eq(s, one) &&
           (two.n == 0 || (sentences_next(&it, &s) && str_eq(s, two))) &&
           !sentences_next(&it, &s);
    language_words_free(l);
    return same;
}

static void
empty_lines_and_marks_of_lists_end_a_sentence(void)
{
    CHECK(are("A heading\n\nThe text.", 0, S("A heading"), S("The text.")));
    CHECK(are("One\nline", 0, S("One\nline"), S("")));
    CHECK(are("One\nline", SENTENCES_LINES, S("One"), S("line")));
    CHECK(are("milk\n- bread", 0, S("milk"), S("- bread")));
    CHECK(are("milk\n2. bread", 0, S("milk"), S("2. bread")));
}

static void
other_scripts(void)
{
    CHECK(cut("hi", "यह एक है। |यह दो है।"));
    CHECK(cut("ar", "ما هذا؟ |هذا كتاب."));
    CHECK(cut("ru", "Он ушёл. |Она осталась."));
}

static void
nothing_is_lost_of_any_bytes(void)
{
    static const char bytes[] = "\xff\xfe. A\x80 \xe2\x82. B\xf4\x90\x80\x80!";
    struct language_words *l = list_of("en");
    struct sentences it;
    struct token_reader tokens;
    struct token t;
    struct str s;
    size_t n = 0;

    sentences_begin(&it, l, S(bytes), 0);
    while (sentences_next(&it, &s)) {
        tokens_begin(&tokens, l, s, NULL);
        while (tokens_next(&tokens, &t))
            n += t.text.n;
    }
    CHECK(n == sizeof bytes - 1 - 3); /* all but three blanks */
    language_words_free(l);
}

/* How many tokens there are in all of its sentences. */
static size_t
tokens_of_many(const char *language, const char *begin, const char *part,
               const char *end)
{
    struct language_words *l = list_of(language);
    struct buf text = {0};
    struct sentences it;
    struct token_reader tokens;
    struct token t;
    struct str s;
    size_t n = 0;

    buf_c(&text, begin);
    for (int i = 0; i < 300000; i++)
        buf_c(&text, part);
    buf_c(&text, end);
    sentences_begin(&it, l, buf_view(&text), 0);
    while (sentences_next(&it, &s)) {
        tokens_begin(&tokens, l, s, NULL);
        while (tokens_next(&tokens, &t))
            n++;
    }
    buf_free(&text);
    language_words_free(l);
    return n;
}

static size_t
sentences_of_many(const char *language, const char *piece)
{
    struct language_words *l = list_of(language);
    struct buf text = {0};
    struct sentences it;
    struct str s;
    size_t n = 0;

    for (size_t i = 0; i < 2000000; i++)
        buf_c(&text, piece);
    sentences_begin(&it, l, buf_view(&text), 0);
    while (sentences_next(&it, &s))
        n++;
    buf_free(&text);
    language_words_free(l);
    return n;
}

/* What has to be looked at again at each place would take hours. */
static void
long_rows_come_to_an_end(void)
{
    CHECK(sentences_of_many("en", "-") == 1);
    CHECK(sentences_of_many("en", "\xe2\x80\x94") == 1);
    CHECK(tokens_of_many("fr", "", "d'", "a") == 300001);
    CHECK(tokens_of_many("en", "", "1,", "1a") > 1000);
    CHECK(tokens_of_many("en", "Ende.", " .", "x") > 1);
    CHECK(tokens_of_many("en", "http://x", ")))))", "") == 1500001);
}

static void
punctuation_stands_alone(void)
{
    CHECK(tokens_are("xx", "Yes, (he said) no!", "Yes _, ( _he said _) no _!"));
    CHECK(tokens_are("en", "Wait... what?! -- ok", "Wait _... what _?! -- ok"));
    CHECK(tokens_are("nl", ",,Goed,'' zei hij.", ",, _Goed _, _'' zei hij _."));
    CHECK(tokens_are("en", "It costs $5.50, or 1,000%.",
                     "It costs $ _5.50 _, or 1,000 _% _."));
}

/* U+200D (joiner), U+200C (non-joiner), U+200B (zero width space). */
#define ZWJ "\xe2\x80\x8d"
#define ZWNJ "\xe2\x80\x8c"
#define ZWSP "\xe2\x80\x8b"

static void
what_shows_nothing_is_no_token_and_cuts_no_word(void)
{
    CHECK(tokens_are("ml", "അവന്" ZWJ " വന്നു.", "അവന്" ZWJ " വന്നു _."));
    CHECK(tokens_are("hi", "क्" ZWJ "या", "क्" ZWJ "या"));
    CHECK(tokens_are("fa", "می" ZWNJ " خانه" ZWNJ "ها" ZWNJ ".",
                     "می خانه" ZWNJ "ها _."));
    CHECK(tokens_are("fa", "می" ZWNJ ZWNJ "خواهم", "می" ZWNJ ZWNJ "خواهم"));
    CHECK(tokens_are("th", "ไทย" ZWSP "ดี", "ไ _ท _ย _ดี"));
    CHECK(tokens_are("en", "\xe2\x80\x8e(12)\xe2\x80\x8f!", "( _12 _) _!"));
    CHECK(tokens_are("en", "be" ZWSP "fore\xc2\xad x", "be" ZWSP "fore x"));
    CHECK(tokens_are("ja", "葛\xf3\xa0\x84\x80", "葛\xf3\xa0\x84\x80"));
    CHECK(cut("ml", "അവന്" ZWJ "."));
    CHECK(are("One." ZWSP " Two." ZWNJ, 0, S("One."), S("Two.")));
}

static void
clitics_are_cut_off(void)
{
    CHECK(tokens_are("en", "I don't think he's John's.",
                     "I do _n't think he _'s John _'s _."));
    CHECK(tokens_are("fr", "L'homme qu'on a-t-il vu aujourd'hui ?",
                     "L' _homme qu' _on a _-t-il vu aujourd'hui ?"));
    CHECK(tokens_are("it", "dell'arte e un po' d'acqua",
                     "dell' _arte e un po' d' _acqua"));
    CHECK(tokens_are("nl", "'s Ochtends logo's maken",
                     "'s Ochtends logo's maken"));
}

static void
abbreviations_keep_their_stop(void)
{
    CHECK(tokens_are("en", "Dr. Smith of the U.S. left.",
                     "Dr. Smith of the U.S. left _."));
    CHECK(tokens_are("de", "z.B. am 3. Mai usw.", "z.B. am 3. Mai usw."));
    CHECK(tokens_are("en", "He said no.", "He said no _."));
}

static void
addresses_and_emoji_are_whole(void)
{
    CHECK(tokens_are("en", "See http://a.example/b?c=d. Or me@b.example!",
                     "See http://a.example/b?c=d _. Or me@b.example _!"));
    CHECK(tokens_are("en", "(www.b.example) #tag @name :-)",
                     "( _www.b.example _) #tag @name :-)"));
    CHECK(tokens_are("en", "👍🏽👨‍👩‍👧ok 🇩🇪",
                     "👍🏽 _👨‍👩‍👧 _ok 🇩🇪"));
}

static void
urls_end_at_punctuation_of_other_scripts(void)
{
    CHECK(tokens_are("zh", "（http://a.cn/b），http://a.cn/中文。",
                     "（ _http://a.cn/b _） _， _http://a.cn/中文 _。"));
    CHECK(tokens_are("ja", "http://a.jp/ジョン・レノン。",
                     "http://a.jp/ジョン・レノン _。"));
    CHECK(tokens_are("ja", "「http://a.jp」", "「 _http://a.jp _」"));
    CHECK(tokens_are("en", "‘http://a.b/c’ «www.a.org»…",
                     "‘ _http://a.b/c _’ « _www.a.org _» _…"));
}

static void
contractions_say_what_they_stand_for(void)
{
    struct language_words *l = list_of("de");

    CHECK(str_eq(language_words_contraction(l, S("Im")), S("in dem")));
    CHECK(language_words_contraction(l, S("Haus")).n == 0);
    language_words_free(l);
}

static void
a_list_says_which_line_is_wrong(void)
{
    struct language_words *l = list_of("xx");
    unsigned line = 0;

    CHECK(language_words_read(l, S("# fine\nnever: foo bar\n"), &line) ==
          ST_OK);
    CHECK(language_words_flags(l, S("FOO")) == WORD_NEVER);
    CHECK(language_words_read(l, S("never: x\nnonsense\n"), &line) ==
          ST_INVALID);
    CHECK(line == 2);
    CHECK(language_words_read(l, S("traits: nonsense\n"), &line) == ST_INVALID);
    language_words_free(l);
}

static const struct test tests[] = {
    TEST(a_stop_before_a_capital_ends_a_sentence),
    TEST(abbreviations_do_not),
    TEST(initials_do_not_but_a_pronoun_begins_a_sentence),
    TEST(ordinals_go_on_where_a_language_has_them),
    TEST(a_semicolon_ends_where_a_sentence_must_begin),
    TEST(quotes_close_behind_the_stop),
    TEST(ellipses_run_on_text_and_notes),
    TEST(items_of_a_list_in_one_line_are_sentences),
    TEST(numbers_of_notes_belong_to_the_sentence_before),
    TEST(names_and_brackets_go_on_behind_their_marks),
    TEST(short_quotations_stay_whole_and_long_ones_where_it_is_asked_for),
    TEST(signs_that_are_not_closed_are_no_quotations),
    TEST(somebody_breaks_off_at_a_dash),
    TEST(who_spoke_stands_behind_what_was_said),
    TEST(a_stop_without_a_blank_ends_where_a_known_word_begins),
    TEST(empty_lines_and_marks_of_lists_end_a_sentence),
    TEST(other_scripts),
    TEST(nothing_is_lost_of_any_bytes),
    TEST(long_rows_come_to_an_end),
    TEST(punctuation_stands_alone),
    TEST(what_shows_nothing_is_no_token_and_cuts_no_word),
    TEST(clitics_are_cut_off),
    TEST(abbreviations_keep_their_stop),
    TEST(addresses_and_emoji_are_whole),
    TEST(urls_end_at_punctuation_of_other_scripts),
    TEST(contractions_say_what_they_stand_for),
    TEST(a_list_says_which_line_is_wrong),
    {0}};

int
main(int argc, char **argv)
{
    return test_main(tests, argc, argv);
}
