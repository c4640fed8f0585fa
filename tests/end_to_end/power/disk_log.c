/* Preloaded into a process, it logs every change of files below POWER_ROOT to the file POWER_LOG:
   writes with their bytes, truncations, syncs, and what happens to names. The log is what a disk was
   asked to do, in order; `disk.py` decides what of it a power failure leaves.

   A record: op (1 byte), inode, offset, length of the data, lengths of two paths (8 bytes each, in
   the machine's order), then both paths and the data. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *root;
static size_t root_length;
static int log_fd = -1;

__attribute__((constructor)) static void start(void) {
    const char *path = getenv("POWER_LOG");
    root = getenv("POWER_ROOT");
    if (path && root) {
        root_length = strlen(root);
        log_fd = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    }
}

static int inside(const char *path) {
    return log_fd >= 0 && path && strncmp(path, root, root_length) == 0;
}

static int path_of(int fd, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, PATH_MAX - 1);
    if (size < 0) return 0;
    path[size] = 0;
    return inside(path);
}

static void record(char op, uint64_t inode, uint64_t offset, const char *one, const char *two,
                   const void *data, uint64_t size) {
    uint64_t numbers[5] = {inode, offset, size, one ? strlen(one) : 0, two ? strlen(two) : 0};
    struct iovec parts[5] = {{&op, 1}, {numbers, sizeof numbers}, {(void *)one, numbers[3]},
                             {(void *)two, numbers[4]}, {(void *)data, data ? size : 0}};
    syscall(SYS_writev, log_fd, parts, 5);
}

static uint64_t inode_of(int fd) {
    struct stat found;
    return fstat(fd, &found) == 0 ? found.st_ino : 0;
}

static void wrote(int fd, const void *data, ssize_t size, off_t offset) {
    char path[PATH_MAX];
    if (size > 0 && fd != log_fd && path_of(fd, path))
        record('W', inode_of(fd), offset, path, 0, data, size);
}

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *data, size_t size) {
    REAL(write);
    ssize_t done = real(fd, data, size);
    if (done > 0 && fd > 2 && fd != log_fd) wrote(fd, data, done, lseek(fd, 0, SEEK_CUR) - done);
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) {
    REAL(pwrite);
    ssize_t done = real(fd, data, size, offset);
    wrote(fd, data, done, offset);
    return done;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) {
    REAL(pwrite64);
    ssize_t done = real(fd, data, size, offset);
    wrote(fd, data, done, offset);
    return done;
}

static void cut(int fd, off_t size) {
    char path[PATH_MAX];
    if (path_of(fd, path)) record('T', inode_of(fd), size, path, 0, 0, 0);
}

int ftruncate(int fd, off_t size) {
    REAL(ftruncate);
    int result = real(fd, size);
    if (result == 0) cut(fd, size);
    return result;
}

int ftruncate64(int fd, off64_t size) {
    REAL(ftruncate64);
    int result = real(fd, size);
    if (result == 0) cut(fd, size);
    return result;
}

static void synced(int fd) {
    char path[PATH_MAX];
    if (path_of(fd, path)) record('S', inode_of(fd), 0, path, 0, 0, 0);
}

int fsync(int fd) {
    REAL(fsync);
    int result = real(fd);
    if (result == 0) synced(fd);
    return result;
}

int fdatasync(int fd) {
    REAL(fdatasync);
    int result = real(fd);
    if (result == 0) synced(fd);
    return result;
}

static int opened(int fd, const char *path, int flags, int was_there) {
    if (fd < 0 || !inside(path)) return fd;
    if ((flags & O_CREAT) && !was_there) record('N', inode_of(fd), 0, path, 0, 0, 0);
    if ((flags & O_TRUNC) && was_there) record('T', inode_of(fd), 0, path, 0, 0, 0);
    return fd;
}

#define OPEN(name, first, pass) \
    int name(first const char *path, int flags, ...) { \
        va_list more; va_start(more, flags); \
        mode_t mode = (flags & O_CREAT) ? va_arg(more, mode_t) : 0; \
        va_end(more); \
        REAL(name); \
        struct stat found; \
        int was_there = inside(path) && stat(path, &found) == 0; \
        return opened(real(pass path, flags, mode), path, flags, was_there); \
    }
#define COMMA ,
OPEN(open, , )
OPEN(open64, , )
OPEN(openat, int folder COMMA, folder COMMA)
OPEN(openat64, int folder COMMA, folder COMMA)

static uint64_t inode_at(const char *path) {
    struct stat found;
    return lstat(path, &found) == 0 ? found.st_ino : 0;
}

int link(const char *from, const char *to) {
    REAL(link);
    int result = real(from, to);
    if (result == 0 && inside(to)) record('N', inode_at(to), 0, to, 0, 0, 0);
    return result;
}

int linkat(int a, const char *from, int b, const char *to, int flags) {
    REAL(linkat);
    int result = real(a, from, b, to, flags);
    if (result == 0 && inside(to)) record('N', inode_at(to), 0, to, 0, 0, 0);
    return result;
}

int rename(const char *from, const char *to) {
    REAL(rename);
    int result = real(from, to);
    if (result == 0 && inside(to)) record('R', inode_at(to), 0, from, to, 0, 0);
    return result;
}

int unlink(const char *path) {
    REAL(unlink);
    int result = real(path);
    if (result == 0 && inside(path)) record('U', 0, 0, path, 0, 0, 0);
    return result;
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    int result = real(path, mode);
    if (result == 0 && inside(path)) record('M', 0, 0, path, 0, 0, 0);
    return result;
}
