/* Writes down, in order, what a program does to the files beneath one folder.

   Preloaded into a test program: FILE_JOURNAL_ROOT is the folder (its real path), FILE_JOURNAL the
   file that the journal goes to. Every call is made first and, where it succeeded, noted with its
   data; one lock around both keeps the order of several threads. A record is a head of five
   numbers (kind, first, second, and the lengths of two texts) and those two texts.

   What is written through a mapping is not seen: SQLite maps only its -shm files here. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MARK, CREATE, FOLDER, WRITE, CUT, SYNC, RENAME, LINK, UNLINK };
enum { MOST_HANDLES = 4096 };

#define REAL(name) __typeof__(&name) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define BEGIN pthread_mutex_lock(&lock)
#define END pthread_mutex_unlock(&lock)

struct place {
    uint64_t folder;           /* inode of the folder, 0 where the path is not beneath the root */
    uint64_t node;             /* inode of what lies there, 0 for nothing */
    char name[NAME_MAX + 1];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int journal = -1;
static uint64_t nodes[MOST_HANDLES];  /* what each handle has open; 0 for what is not beneath */

static void set_down(const void *data, size_t length) {
    REAL(write);
    for (const char *next = data; length > 0;) {
        ssize_t n = real(journal, next, length);
        if (n <= 0) abort();
        next += n;
        length -= (size_t)n;
    }
}

static void note(uint64_t kind, uint64_t first, uint64_t second, const void *one, size_t n_one,
                 const void *two, size_t n_two) {
    if (journal < 0) {
        REAL(open);
        journal = real(getenv("FILE_JOURNAL"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (journal < 0) abort();
    }
    uint64_t head[5] = {kind, first, second, n_one, n_two};
    set_down(head, sizeof head);
    set_down(one, n_one);
    set_down(two, n_two);
}

static struct place place_of(int at, const char *path) {
    static char whole[2 * PATH_MAX], folder[2 * PATH_MAX];
    struct place found = {0};
    struct stat status;
    const char *root = getenv("FILE_JOURNAL_ROOT");
    int spare = errno;
    if (path[0] == '/') {
        snprintf(whole, sizeof whole, "%s", path);
    } else {
        char start[PATH_MAX] = "", handle[64];
        snprintf(handle, sizeof handle, "/proc/self/fd/%d", at);
        ssize_t n = at == AT_FDCWD ? -1 : readlink(handle, start, sizeof start - 1);
        if (n > 0) start[n] = 0;
        else if (!getcwd(start, sizeof start)) start[0] = 0;
        snprintf(whole, sizeof whole, "%s/%s", start, path);
    }
    size_t length = strlen(whole);
    while (length > 1 && whole[length - 1] == '/') whole[--length] = 0;
    if (!strncmp(whole, root, strlen(root)) && whole[strlen(root)] == '/') {
        const char *name = strrchr(whole, '/') + 1;
        snprintf(folder, sizeof folder, "%.*s", (int)(name - 1 - whole), whole);
        snprintf(found.name, sizeof found.name, "%s", name);
        if (!stat(folder, &status)) found.folder = status.st_ino;
        if (!lstat(whole, &status)) found.node = status.st_ino;
    }
    errno = spare;
    return found;
}

static uint64_t node_of(int handle) {
    return handle >= 0 && handle < MOST_HANDLES ? nodes[handle] : 0;
}

static int opened(int handle, int flags, struct place before) {
    struct stat status;
    if (handle >= MOST_HANDLES) abort();
    if (handle < 0) return handle;
    nodes[handle] = 0;
    const char *root = getenv("FILE_JOURNAL_ROOT");
    struct stat top;
    if (!before.folder) {  /* the root itself may be opened, to be synced */
        if (fstat(handle, &status) || stat(root, &top) || status.st_ino != top.st_ino) return handle;
    } else if (fstat(handle, &status)) {
        return handle;
    }
    nodes[handle] = status.st_ino;
    if (!before.folder) return handle;
    if (!before.node)
        note(CREATE, before.folder, status.st_ino, before.name, strlen(before.name), "", 0);
    else if (flags & O_TRUNC)
        note(CUT, status.st_ino, 0, "", 0, "", 0);
    return handle;
}

static int open_at(int at, const char *path, int flags, mode_t mode) {
    REAL(openat);
    BEGIN;
    struct place before = place_of(at, path);
    int handle = opened(real(at, path, flags, mode), flags, before);
    END;
    return handle;
}

#define MODE_OF(flags)                               \
    mode_t mode = 0;                                 \
    if ((flags) & (O_CREAT | __O_TMPFILE)) {         \
        va_list rest;                                \
        va_start(rest, flags);                       \
        mode = va_arg(rest, mode_t);                 \
        va_end(rest);                                \
    }

int open(const char *path, int flags, ...) {
    MODE_OF(flags)
    return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    MODE_OF(flags)
    return open_at(AT_FDCWD, path, flags | O_LARGEFILE, mode);
}

int openat(int at, const char *path, int flags, ...) {
    MODE_OF(flags)
    return open_at(at, path, flags, mode);
}

int openat64(int at, const char *path, int flags, ...) {
    MODE_OF(flags)
    return open_at(at, path, flags | O_LARGEFILE, mode);
}

int close(int handle) {
    REAL(close);
    BEGIN;
    if (handle >= 0 && handle < MOST_HANDLES) nodes[handle] = 0;
    int result = real(handle);
    END;
    return result;
}

ssize_t write(int handle, const void *data, size_t length) {
    REAL(write);
    if (!node_of(handle)) return real(handle, data, length);
    BEGIN;
    ssize_t n = real(handle, data, length);
    if (n > 0) {
        uint64_t from = (uint64_t)(lseek(handle, 0, SEEK_CUR) - n);
        note(WRITE, node_of(handle), from, data, (size_t)n, "", 0);
    }
    END;
    return n;
}

static ssize_t write_at(int handle, const void *data, size_t length, off_t from) {
    REAL(pwrite);
    if (!node_of(handle)) return real(handle, data, length, from);
    BEGIN;
    ssize_t n = real(handle, data, length, from);
    if (n > 0) note(WRITE, node_of(handle), (uint64_t)from, data, (size_t)n, "", 0);
    END;
    return n;
}

ssize_t pwrite(int handle, const void *data, size_t length, off_t from) {
    return write_at(handle, data, length, from);
}

ssize_t pwrite64(int handle, const void *data, size_t length, off_t from) {
    return write_at(handle, data, length, from);
}

static int cut(int handle, off_t length) {
    REAL(ftruncate);
    BEGIN;
    int result = real(handle, length);
    if (!result && node_of(handle)) note(CUT, node_of(handle), (uint64_t)length, "", 0, "", 0);
    END;
    return result;
}

int ftruncate(int handle, off_t length) { return cut(handle, length); }

int ftruncate64(int handle, off_t length) { return cut(handle, length); }

/* Copies within the kernel show no data: whoever wants one is sent back to write. */
ssize_t sendfile(int to, int from, off_t *start, size_t length) {
    REAL(sendfile);
    if (!node_of(to)) return real(to, from, start, length);
    errno = ENOSYS;
    return -1;
}

ssize_t sendfile64(int to, int from, off_t *start, size_t length) {
    return sendfile(to, from, start, length);
}

static int synced(int result, int handle) {
    if (!result && node_of(handle)) note(SYNC, node_of(handle), 0, "", 0, "", 0);
    return result;
}

int fsync(int handle) {
    REAL(fsync);
    BEGIN;
    int result = synced(real(handle), handle);
    END;
    return result;
}

int fdatasync(int handle) {
    REAL(fdatasync);
    BEGIN;
    int result = synced(real(handle), handle);
    END;
    return result;
}

int mkdirat(int at, const char *path, mode_t mode) {
    REAL(mkdirat);
    BEGIN;
    int result = real(at, path, mode);
    struct place made = place_of(at, path);
    if (!result && made.folder)
        note(FOLDER, made.folder, made.node, made.name, strlen(made.name), "", 0);
    END;
    return result;
}

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int unlinkat(int at, const char *path, int flags) {
    REAL(unlinkat);
    BEGIN;
    struct place before = place_of(at, path);
    int result = real(at, path, flags);
    if (!result && before.folder)
        note(UNLINK, before.folder, 0, before.name, strlen(before.name), "", 0);
    END;
    return result;
}

int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }

int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

static int moved(int result, uint64_t kind, struct place old, struct place new) {
    if (!result && (!old.folder != !new.folder)) abort(); /* nothing crosses the root's border */
    if (!result && old.folder)
        note(kind, old.folder, new.folder, old.name, strlen(old.name), new.name, strlen(new.name));
    return result;
}

int renameat(int at, const char *old, int to, const char *new) {
    REAL(renameat);
    BEGIN;
    struct place from = place_of(at, old), under = place_of(to, new);
    int result = moved(real(at, old, to, new), RENAME, from, under);
    END;
    return result;
}

int rename(const char *old, const char *new) { return renameat(AT_FDCWD, old, AT_FDCWD, new); }

int linkat(int at, const char *old, int to, const char *new, int flags) {
    REAL(linkat);
    BEGIN;
    struct place from = place_of(at, old), under = place_of(to, new);
    int result = moved(real(at, old, to, new, flags), LINK, from, under);
    END;
    return result;
}

int link(const char *old, const char *new) { return linkat(AT_FDCWD, old, AT_FDCWD, new, 0); }

void file_journal_mark(const char *text) {
    BEGIN;
    note(MARK, 0, 0, text, strlen(text), "", 0);
    END;
}
