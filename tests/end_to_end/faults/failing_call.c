/* Preloaded into a process, it counts the calls that touch files below FAULT_ROOT, and lets one of
   them fail. `fault_arm` says which, and with what error; `fault_count` how many there were. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *root;
static size_t root_length;
static long count, fail_at;
static int error;
static char failed[PATH_MAX + 64];

__attribute__((constructor)) static void start(void) {
    root = getenv("FAULT_ROOT");
    root_length = root ? strlen(root) : 0;
}

void fault_arm(long at, int with) {
    count = 0;
    fail_at = at;
    error = with;
    failed[0] = 0;
}

long fault_count(void) { return count; }

const char *fault_failed(void) { return failed; }

static int fails(const char *name, const char *path) {
    if (!root || !path || strncmp(path, root, root_length)) return 0;
    if (__atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST) != fail_at) return 0;
    snprintf(failed, sizeof failed, "%s %s", name, path + root_length);
    errno = error;
    return 1;
}

static int fails_at(const char *name, int fd) {
    char link[64], path[PATH_MAX];
    if (!root) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return fails(name, path);
}

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

#define BY_FD(type, name, given, passed) \
    type name given { \
        REAL(name); \
        return fails_at(#name, fd) ? -1 : real passed; \
    }
#define BY_PATH(type, name, given, passed) \
    type name given { \
        REAL(name); \
        return fails(#name, path) ? -1 : real passed; \
    }

BY_FD(ssize_t, read, (int fd, void *data, size_t size), (fd, data, size))
BY_FD(ssize_t, pread, (int fd, void *data, size_t size, off_t at), (fd, data, size, at))
BY_FD(ssize_t, pread64, (int fd, void *data, size_t size, off64_t at), (fd, data, size, at))
BY_FD(ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size))
BY_FD(ssize_t, pwrite, (int fd, const void *data, size_t size, off_t at), (fd, data, size, at))
BY_FD(ssize_t, pwrite64, (int fd, const void *data, size_t size, off64_t at), (fd, data, size, at))
BY_FD(int, fsync, (int fd), (fd))
BY_FD(int, fdatasync, (int fd), (fd))
BY_FD(int, ftruncate, (int fd, off_t size), (fd, size))
BY_FD(int, ftruncate64, (int fd, off64_t size), (fd, size))
BY_FD(int, fstat, (int fd, struct stat *into), (fd, into))
BY_FD(int, fstat64, (int fd, struct stat64 *into), (fd, into))
BY_FD(int, fchmod, (int fd, mode_t mode), (fd, mode))
BY_PATH(int, stat, (const char *path, struct stat *into), (path, into))
BY_PATH(int, stat64, (const char *path, struct stat64 *into), (path, into))
BY_PATH(int, lstat, (const char *path, struct stat *into), (path, into))
BY_PATH(int, lstat64, (const char *path, struct stat64 *into), (path, into))
BY_PATH(int, mkdir, (const char *path, mode_t mode), (path, mode))
BY_PATH(int, chmod, (const char *path, mode_t mode), (path, mode))
BY_PATH(int, unlink, (const char *path), (path))
BY_PATH(int, rename, (const char *path, const char *to), (path, to))
BY_PATH(int, link, (const char *path, const char *to), (path, to))
BY_PATH(int, linkat, (int a, const char *path, int b, const char *to, int flags),
        (a, path, b, to, flags))

#define OPEN(name, first, pass) \
    int name(first const char *path, int flags, ...) { \
        va_list more; va_start(more, flags); \
        mode_t mode = (flags & O_CREAT) ? va_arg(more, mode_t) : 0; \
        va_end(more); \
        REAL(name); \
        return fails(#name, path) ? -1 : real(pass path, flags, mode); \
    }
#define COMMA ,
OPEN(open, , )
OPEN(open64, , )
OPEN(openat, int folder COMMA, folder COMMA)
OPEN(openat64, int folder COMMA, folder COMMA)
