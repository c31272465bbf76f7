/* test_machine.c -- aim: the limits of a container count, those of cgroup v1
 * and v2, of the group itself and of those above it.  Method: /proc and /sys
 * made in a folder. */
#include "base/machine.h"

#include <sched.h>

#include "folder.h"

static void
make(const char *path, const char *text)
{
    char part[256];

    for (const char *p = path; (p = strchr(p, '/')) != NULL; p++) {
        snprintf(part, sizeof part, "%.*s", (int)(p - path), path);
        (void)mkdir(in_folder(part), 0777);
    }
    folder_put(path, str_c(text));
}

static bool
limits_are(uint64_t processors, uint64_t memory)
{
    struct machine_limits l = machine_limits(folder);

    return l.processors == processors && l.memory == memory;
}

static void
without_groups_there_is_no_limit(void)
{
    folder_open();
    CHECK(limits_are(UINT64_MAX, UINT64_MAX));
    make("proc/self/cgroup", "garbage\n0::\n::\n1:name=systemd:/\n");
    CHECK(limits_are(UINT64_MAX, UINT64_MAX));
    make("sys/fs/cgroup/cpu.max", "max 100000\n");
    make("sys/fs/cgroup/memory.max", "max\n");
    make("proc/self/cgroup", "0::/\n");
    CHECK(limits_are(UINT64_MAX, UINT64_MAX));
    folder_close();
}

static void
the_least_limit_up_to_the_mount_counts(void)
{
    folder_open();
    make("proc/self/cgroup", "0::/winnow.slice/crawl\n");
    make("sys/fs/cgroup/winnow.slice/crawl/cpu.max", "250000 100000\n");
    make("sys/fs/cgroup/winnow.slice/crawl/memory.max", "max\n");
    make("sys/fs/cgroup/winnow.slice/memory.max", "536870912\n");
    make("sys/fs/cgroup/memory.max", "1073741824\n");
    CHECK(limits_are(3, 536870912));
    make("sys/fs/cgroup/winnow.slice/cpu.max", "50000 100000\n");
    CHECK(limits_are(1, 536870912));
    make("proc/self/cgroup", "0::/not/mounted/here\n"); /* in a container */
    CHECK(limits_are(UINT64_MAX, 1073741824));
    folder_close();
}

static void
v1_has_a_mount_for_each_controller(void)
{
    folder_open();
    make("proc/self/cgroup", "4:memory:/docker/1\n1:cpu,cpuacct:/docker/1\n");
    make("sys/fs/cgroup/memory/docker/1/memory.limit_in_bytes", "1000\n");
    make("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    make("sys/fs/cgroup/cpu/docker/1/cpu.cfs_quota_us", "-1\n");
    make("sys/fs/cgroup/cpu/docker/1/cpu.cfs_period_us", "100000\n");
    CHECK(limits_are(UINT64_MAX, 1000));
    make("sys/fs/cgroup/cpu/docker/1/cpu.cfs_quota_us", "200001\n");
    CHECK(limits_are(3, 1000));
    folder_close();
}

static void
the_affinity_counts(void)
{
    cpu_set_t before, one;

    CHECK(sched_getaffinity(0, sizeof before, &before) == 0);
    CPU_ZERO(&one);
    for (size_t i = 0; CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &before))
            CPU_SET(i, &one);
    CHECK(sched_setaffinity(0, sizeof one, &one) == 0);
    CHECK(machine_processors() == 1);
    CHECK(sched_setaffinity(0, sizeof before, &before) == 0);
    CHECK(machine_processors() >= 1 && machine_memory() > 0);
}

static void
a_cache_keeps_to_half_of_the_memory(void)
{
    CHECK(machine_cache_bytes(1) == 1 << 20);
    CHECK(machine_cache_bytes((uint64_t)1 << 40) == machine_memory() / 2);
}

int
main(int argc, char **argv)
{
    static const struct test table[] = {
        TEST(without_groups_there_is_no_limit),
        TEST(the_least_limit_up_to_the_mount_counts),
        TEST(v1_has_a_mount_for_each_controller),
        TEST(the_affinity_counts),
        TEST(a_cache_keeps_to_half_of_the_memory),
        {0},
    };

    return test_main(table, argc, argv);
}
