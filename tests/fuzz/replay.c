/* replay.c -- runs a fuzz target over files: fuzz_NAME FILE-OR-FOLDER...
 *
 * With libFuzzer (preset `fuzz`) the target is explored; without it the
 * committed corpus is replayed, which is what the ordinary test run does. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static size_t replayed;

static void
replay_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data = NULL;
    size_t n = 0, got;

    if (f == NULL) {
        perror(path);
        exit(1);
    }
    do { /* an exact-size heap copy lets ASan see reads past the end */
        data = realloc(data, n + 65536);
        if (data == NULL)
            abort();
        got = fread(data + n, 1, 65536, f);
        n += got;
    } while (got > 0);
    fclose(f);
    data = realloc(data, n ? n : 1);
    LLVMFuzzerTestOneInput(data, n);
    free(data);
    replayed++;
}

static void
replay(const char *path)
{
    struct stat sb;
    struct dirent *entry;
    char child[4096];
    DIR *dir;

    if (stat(path, &sb) != 0) {
        perror(path);
        exit(1);
    }
    if (!S_ISDIR(sb.st_mode)) {
        replay_file(path);
        return;
    }
    if ((dir = opendir(path)) == NULL) {
        perror(path);
        exit(1);
    }
    while ((entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
        replay(child);
    }
    closedir(dir);
}

int
main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        replay(argv[i]);
    printf("%zu inputs replayed\n", replayed);
    return replayed == 0; /* an empty corpus proves nothing */
}
