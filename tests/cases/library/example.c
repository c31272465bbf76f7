/* Clean one page: cc example.c $(pkg-config --cflags --libs winnow) */
#include <stdio.h>
#include <winnow/clean.h>

int
main(int argc, char **argv)
{
    static char page_bytes[1 << 22], error[512];
    const char *options[] = {"clean.language=nl", NULL};
    const struct winnow_summary *about;
    const struct winnow_block *block;
    struct winnow_cleaner *cleaner;
    struct winnow_page *page;
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : stdin;
    size_t n = f ? fread(page_bytes, 1, sizeof page_bytes, f) : 0;

    if (winnow_cleaner_open(&cleaner, options, error, sizeof error) !=
            WINNOW_OK ||
        winnow_clean(cleaner, page_bytes, n, "http://a.example/", NULL, NULL,
                     &page) != WINNOW_OK)
        return fprintf(stderr, "%s\n", error), 1;
    about = winnow_page_summary(page);
    printf("%s, badness %.1f, %zu links %s\n", about->language, about->badness,
           about->links_n, about->reject);
    for (size_t i = 0; (block = winnow_page_block(page, i)) != NULL; i++)
        printf("%.2f %s %s\n", block->boilerplate, block->kept ? "+" : "-",
               block->text);
    winnow_page_free(page);
    winnow_cleaner_close(cleaner);
    return 0;
}
