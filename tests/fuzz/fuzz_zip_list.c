/* fuzz_zip_list.c -- whatever a directory says, members lie inside of the file.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "clean/archive/zip_list.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct arena *a = arena_new();
    struct zip_list list;
    int fd = memfd_create("zip", 0);

    MUST(fd >= 0 && write(fd, data, n) == (ssize_t)n);
    if (zip_list_read(&list, fd, a) == ST_OK)
        for (size_t i = 0; i < list.n; i++)
            MUST(list.member[i].at <= n &&
                 list.member[i].n <= n - list.member[i].at);
    close(fd);
    arena_free(a);
    return 0;
}
