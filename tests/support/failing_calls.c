/* Lets the n-th system call that writes beneath one folder fail, as a full or dying disk would.

   Test only: preloaded into a program of ours, which says through arm() what shall fail. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum mode { OFF, FULL, ONCE, READ_ONLY }; /* as in failing_calls.py */
enum need { ROOM, ANY };                  /* what a call asks of the disk */

static char root[PATH_MAX];
static atomic_int mode = OFF, counted, nth;

void arm(const char *folder, int how, int n) {
  mode = OFF;
  snprintf(root, sizeof root, "%s", folder);
  nth = n;
  counted = 0;
  mode = how;
}

int disarm(void) {
  mode = OFF;
  return counted;
}

static int is_beneath(int folder, const char *path) {
  char link[64], found[PATH_MAX];
  if (path == NULL || (path[0] != '/' && folder != AT_FDCWD)) {
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, found, sizeof found - 1);
    found[length < 0 ? 0 : length] = 0;
    path = found;
  }
  return strncmp(path, root, strlen(root)) == 0;
}

static int fails(int folder, const char *path, enum need need) {
  static const int errors[] = {0, ENOSPC, EIO, EROFS};
  int how = mode;
  if (how == OFF || (how == FULL && need != ROOM) || !is_beneath(folder, path)) return 0;
  int number = ++counted;
  if (how == ONCE ? number != nth : number < nth) return 0;
  errno = errors[how];
  return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define WRAP(result, name, parameters, given, folder, path, need) \
  result name parameters { return fails(folder, path, need) ? -1 : NEXT(name) given; }

WRAP(ssize_t, write, (int fd, const void *data, size_t n), (fd, data, n), fd, NULL, ROOM)
WRAP(ssize_t, pwrite, (int fd, const void *d, size_t n, off_t at), (fd, d, n, at), fd, NULL, ROOM)
WRAP(ssize_t, pwrite64, (int fd, const void *d, size_t n, off64_t at), (fd, d, n, at), fd, NULL,
     ROOM)
WRAP(int, fsync, (int fd), (fd), fd, NULL, ANY)
WRAP(int, fdatasync, (int fd), (fd), fd, NULL, ANY)
WRAP(int, ftruncate, (int fd, off_t n), (fd, n), fd, NULL, ANY)
WRAP(int, ftruncate64, (int fd, off64_t n), (fd, n), fd, NULL, ANY)
WRAP(int, mkdir, (const char *path, mode_t bits), (path, bits), AT_FDCWD, path, ROOM)
WRAP(int, link, (const char *old, const char *new), (old, new), AT_FDCWD, new, ROOM)
WRAP(int, linkat, (int a, const char *old, int b, const char *new, int how), (a, old, b, new, how),
     b, new, ROOM)
WRAP(int, rename, (const char *old, const char *new), (old, new), AT_FDCWD, new, ANY)
WRAP(int, unlink, (const char *path), (path), AT_FDCWD, path, ANY)
WRAP(int, unlinkat, (int fd, const char *path, int how), (fd, path, how), fd, path, ANY)
WRAP(int, rmdir, (const char *path), (path), AT_FDCWD, path, ANY)

#define WRAP_ROOM(name) /* a full disk says so */                                       \
  int name(const char *path, struct name *found) {                                      \
    int status = NEXT_ROOM(name)(path, found);                                          \
    if (mode == FULL && counted >= nth && is_beneath(AT_FDCWD, path)) found->f_bavail = 0; \
    return status;                                                                      \
  }
#define NEXT_ROOM(name) ((int (*)(const char *, struct name *))dlsym(RTLD_NEXT, #name))
WRAP_ROOM(statvfs)
WRAP_ROOM(statvfs64)

static int is_refused(int folder, const char *path, int how) {
  struct stat there;
  if (how & O_CREAT)
    return fails(folder, path, fstatat(folder, path, &there, 0) == 0 ? ANY : ROOM);
  return mode == READ_ONLY && (how & O_ACCMODE) != O_RDONLY && fails(folder, path, ANY);
}

#define WRAP_OPEN(name, parameters, given, folder)                          \
  int name parameters {                                                     \
    va_list more;                                                           \
    va_start(more, how);                                                    \
    mode_t bits = how & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;   \
    va_end(more);                                                           \
    return is_refused(folder, path, how) ? -1 : NEXT(name) given;           \
  }

WRAP_OPEN(open, (const char *path, int how, ...), (path, how, bits), AT_FDCWD)
WRAP_OPEN(open64, (const char *path, int how, ...), (path, how, bits), AT_FDCWD)
WRAP_OPEN(openat, (int fd, const char *path, int how, ...), (fd, path, how, bits), fd)
WRAP_OPEN(openat64, (int fd, const char *path, int how, ...), (fd, path, how, bits), fd)
