// LD_PRELOAD recorder: appends to the file POWERCUT_TRACE each change of a file or of a name below the folder
// POWERCUT_ROOT, and each sync, of all threads and of all processes that share the trace, in the order in which they happen.
//
// A change and its entry are made under one lock, a mutex in the process and a lock of the trace between processes, so that a
// sync covers exactly the changes before it. A file is known by its inode, a name by the inode of its folder. Closing a file
// changes nothing, and the shared memory of a database ("-shm") outlives no cut, so neither is recorded.
//
// POWERCUT_KILL=N ends the process with SIGKILL after its Nth entry. A program that calls powercut_mark("text"), which it
// finds with dlsym, adds a mark. The format of the entries is read by Tests/LocalDataProcessTests/PowerCut/CutTrace.swift.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { CREATE = 1, WRITE, TRUNCATE, MODE, SYNC, RENAME, LINK, UNLINK, MARK };

struct entry {
  uint32_t kind, mode;
  uint64_t node, other;
  int64_t offset;
  uint32_t name, newName;  // the numbers of bytes of what follows, in this order
  uint64_t data;
};

static char root[PATH_MAX];
static size_t rootLength;
static int trace = -1, killAt = 0, count = 0;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void start(void) {
  char *folder = getenv("POWERCUT_ROOT"), *path = getenv("POWERCUT_TRACE"), *end = getenv("POWERCUT_KILL");
  if (!folder || !path || !realpath(folder, root)) return;
  rootLength = strlen(root);
  if (end) killAt = atoi(end);
  trace = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void lock(void) {
  pthread_mutex_lock(&mutex);
  while (flock(trace, LOCK_EX) < 0 && errno == EINTR) {}
}

static void unlock(void) {
  int code = errno;
  flock(trace, LOCK_UN);
  pthread_mutex_unlock(&mutex);
  errno = code;
}

static void add(struct entry e, const char *name, const char *newName, const struct iovec *data, int parts) {
  struct iovec all[3 + 64];
  if (parts > 64) abort();
  e.name = name ? strlen(name) : 0;
  e.newName = newName ? strlen(newName) : 0;
  all[0] = (struct iovec){&e, sizeof e};
  all[1] = (struct iovec){(void *)name, e.name};
  all[2] = (struct iovec){(void *)newName, e.newName};
  // A write may have ended early.
  uint64_t rest = e.data;
  for (int i = 0; i < parts; i++) {
    size_t length = data[i].iov_len < rest ? data[i].iov_len : rest;
    all[3 + i] = (struct iovec){data[i].iov_base, length};
    rest -= length;
  }
  size_t size = sizeof e + e.name + e.newName + e.data;
  if (syscall(SYS_writev, trace, all, 3 + parts) != (long)size) abort();
  if (e.kind != MARK && ++count == killAt) {
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;) pause();
  }
}

void powercut_mark(const char *text) {
  if (trace < 0) return;
  lock();
  add((struct entry){.kind = MARK}, text, 0, 0, 0);
  unlock();
}

// MARK: Files

static int isBelow(const char *path) {
  return trace >= 0 && !strncmp(path, root, rootLength) && (path[rootLength] == '/' || !path[rootLength]);
}

static int isShared(const char *path) {
  size_t length = strlen(path);
  return length >= 4 && !strcmp(path + length - 4, "-shm");
}

static int pathOf(int fd, char *path) {
  char name[64];
  snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(name, path, PATH_MAX - 1);
  if (length < 0) return 0;
  path[length] = 0;
  char *gone = strstr(path, " (deleted)");
  if (gone) *gone = 0;
  return 1;
}

// Whether calls on a descriptor are recorded.
static int counts(int fd) {
  char path[PATH_MAX];
  int code = errno, yes = trace >= 0 && pathOf(fd, path) && isBelow(path) && !isShared(path);
  errno = code;
  return yes;
}

static struct stat statusOf(int fd) {
  struct stat status = {0};
  int code = errno;
  fstat(fd, &status);
  errno = code;
  return status;
}

// MARK: Names

struct place {
  uint64_t folder;
  char path[PATH_MAX * 2];
  const char *name;
};

// Finds the folder of a name; 0 if it is not below the root.
static int find(int at, const char *name, struct place *place) {
  if (trace < 0 || !name || !*name) return 0;
  int code = errno, found = 0;
  char base[PATH_MAX] = "";
  struct stat status;
  if (name[0] != '/' && !(at == AT_FDCWD ? getcwd(base, sizeof base) != 0 : pathOf(at, base))) goto end;
  snprintf(place->path, sizeof place->path, "%s%s%s", base, name[0] == '/' ? "" : "/", name);
  size_t length = strlen(place->path);
  while (length > 1 && place->path[length - 1] == '/') place->path[--length] = 0;
  char *slash = strrchr(place->path, '/');
  if (!slash || !isBelow(place->path) || isShared(place->path) || strlen(place->path) == rootLength) goto end;
  *slash = 0;
  found = stat(place->path, &status) == 0;
  place->folder = status.st_ino;
  *slash = '/';
  place->name = slash + 1;
end:
  errno = code;
  return found;
}

static int exists(struct place *place, struct stat *status) {
  int code = errno, yes = lstat(place->path, status) == 0;
  errno = code;
  return yes;
}

static void addNew(struct place *place) {
  struct stat status;
  if (!exists(place, &status)) return;
  add((struct entry){.kind = CREATE, .mode = status.st_mode, .node = place->folder, .other = status.st_ino}, place->name, 0,
      0, 0);
}

#define REAL(name) \
  static __typeof__(name) *real; \
  if (!real) real = dlsym(RTLD_NEXT, #name)

// Opens that may create a file or empty it.
#define OPEN(NAME, PARAMETERS, AT, PATH, CALL) \
  int NAME PARAMETERS { \
    va_list list; \
    va_start(list, flags); \
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0; \
    va_end(list); \
    REAL(NAME); \
    struct place place; \
    struct stat old; \
    if (!(flags & (O_CREAT | O_TRUNC)) || !find(AT, PATH, &place)) return CALL; \
    lock(); \
    int was = exists(&place, &old), fd = CALL; \
    if (fd >= 0 && !was) addNew(&place); \
    if (fd >= 0 && was && flags & O_TRUNC) \
      add((struct entry){.kind = TRUNCATE, .node = old.st_ino, .offset = 0}, 0, 0, 0, 0); \
    unlock(); \
    return fd; \
  }
OPEN(open, (const char *path, int flags, ...), AT_FDCWD, path, real(path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD, path, real(path, flags, mode))
OPEN(openat, (int at, const char *path, int flags, ...), at, path, real(at, path, flags, mode))
OPEN(openat64, (int at, const char *path, int flags, ...), at, path, real(at, path, flags, mode))

#define TEMPORARY(NAME, PARAMETERS, CALL) \
  int NAME PARAMETERS { \
    REAL(NAME); \
    struct place place; \
    if (trace < 0) return CALL; \
    lock(); \
    int fd = CALL; \
    if (fd >= 0 && find(AT_FDCWD, path, &place)) addNew(&place); \
    unlock(); \
    return fd; \
  }
TEMPORARY(mkstemp, (char *path), real(path))
TEMPORARY(mkostemp, (char *path, int flags), real(path, flags))

// Changes of names. BEFORE runs under the lock before the call, RECORD after it succeeded.
#define CHANGE(NAME, PARAMETERS, CALL, COUNTS, BEFORE, RECORD) \
  int NAME PARAMETERS { \
    REAL(NAME); \
    struct place place, newPlace; \
    struct stat status; \
    if (!(COUNTS)) return CALL; \
    lock(); \
    BEFORE; \
    int result = CALL; \
    if (result == 0) { RECORD; } \
    unlock(); \
    return result; \
  }

#define RENAMED \
  add((struct entry){.kind = RENAME, .node = place.folder, .other = newPlace.folder}, place.name, newPlace.name, 0, 0)
#define RENAMES(A, FROM, B, TO) find(A, FROM, &place) && find(B, TO, &newPlace)
CHANGE(rename, (const char *from, const char *to), real(from, to), RENAMES(AT_FDCWD, from, AT_FDCWD, to), , RENAMED)
CHANGE(renameat, (int a, const char *from, int b, const char *to), real(a, from, b, to), RENAMES(a, from, b, to), , RENAMED)
CHANGE(renameat2, (int a, const char *from, int b, const char *to, unsigned flags), real(a, from, b, to, flags),
       RENAMES(a, from, b, to), if (flags & RENAME_EXCHANGE) abort(), RENAMED)

#define LINKED \
  add((struct entry){.kind = LINK, .node = newPlace.folder, .other = status.st_ino}, 0, newPlace.name, 0, 0)
CHANGE(link, (const char *from, const char *to), real(from, to), RENAMES(AT_FDCWD, from, AT_FDCWD, to),
       exists(&place, &status), LINKED)
CHANGE(linkat, (int a, const char *from, int b, const char *to, int flags), real(a, from, b, to, flags),
       RENAMES(a, from, b, to), exists(&place, &status), LINKED)

#define REMOVED add((struct entry){.kind = UNLINK, .node = place.folder}, place.name, 0, 0, 0)
CHANGE(unlink, (const char *path), real(path), find(AT_FDCWD, path, &place), , REMOVED)
CHANGE(rmdir, (const char *path), real(path), find(AT_FDCWD, path, &place), , REMOVED)
CHANGE(remove, (const char *path), real(path), find(AT_FDCWD, path, &place), , REMOVED)
CHANGE(unlinkat, (int at, const char *path, int flags), real(at, path, flags), find(at, path, &place), , REMOVED)

CHANGE(mkdir, (const char *path, mode_t mode), real(path, mode), find(AT_FDCWD, path, &place), , addNew(&place))
CHANGE(mkdirat, (int at, const char *path, mode_t mode), real(at, path, mode), find(at, path, &place), , addNew(&place))

#define MODE_SET \
  if (exists(&place, &status)) add((struct entry){.kind = MODE, .node = status.st_ino, .mode = status.st_mode}, 0, 0, 0, 0)
CHANGE(chmod, (const char *path, mode_t mode), real(path, mode), find(AT_FDCWD, path, &place), , MODE_SET)
CHANGE(fchmodat, (int at, const char *path, mode_t mode, int flags), real(at, path, mode, flags), find(at, path, &place), ,
       MODE_SET)

// MARK: Contents

// The changes of an open file. NODE is its inode.
#define NODE (statusOf(fd).st_ino)
#define CONTENT(NAME, PARAMETERS, CALL, RECORD) \
  int NAME PARAMETERS { \
    REAL(NAME); \
    if (!counts(fd)) return CALL; \
    lock(); \
    int result = CALL; \
    if (result == 0) { RECORD; } \
    unlock(); \
    return result; \
  }

CONTENT(fchmod, (int fd, mode_t mode), real(fd, mode),
        add((struct entry){.kind = MODE, .node = NODE, .mode = statusOf(fd).st_mode}, 0, 0, 0, 0))
#define SYNCED add((struct entry){.kind = SYNC, .node = NODE}, 0, 0, 0, 0)
CONTENT(fsync, (int fd), real(fd), SYNCED)
CONTENT(fdatasync, (int fd), real(fd), SYNCED)
// The length after the call, because an allocation may keep it.
#define LENGTH add((struct entry){.kind = TRUNCATE, .node = NODE, .offset = statusOf(fd).st_size}, 0, 0, 0, 0)
CONTENT(ftruncate, (int fd, off_t length), real(fd, length), LENGTH)
CONTENT(ftruncate64, (int fd, off64_t length), real(fd, length), LENGTH)
CONTENT(posix_fallocate, (int fd, off_t offset, off_t length), real(fd, offset, length), LENGTH)
CONTENT(posix_fallocate64, (int fd, off64_t offset, off64_t length), real(fd, offset, length), LENGTH)
CONTENT(fallocate, (int fd, int mode, off_t offset, off_t length), real(fd, mode, offset, length), LENGTH)
CONTENT(fallocate64, (int fd, int mode, off64_t offset, off64_t length), real(fd, mode, offset, length), LENGTH)

#define WRITES(NAME, PARAMETERS, CALL, OFFSET, DATA, PARTS) \
  ssize_t NAME PARAMETERS { \
    REAL(NAME); \
    if (!counts(fd)) return CALL; \
    lock(); \
    ssize_t result = CALL; \
    if (result > 0) \
      add((struct entry){.kind = WRITE, .node = NODE, .offset = OFFSET, .data = result}, 0, 0, DATA, PARTS); \
    unlock(); \
    return result; \
  }
#define ONE (&(struct iovec){(void *)bytes, length})
// Where the position is after the write, also of a file that is only appended to.
#define POSITION (lseek(fd, 0, SEEK_CUR) - result)
WRITES(write, (int fd, const void *bytes, size_t length), real(fd, bytes, length), POSITION, ONE, 1)
WRITES(pwrite, (int fd, const void *bytes, size_t length, off_t offset), real(fd, bytes, length, offset), offset, ONE, 1)
WRITES(pwrite64, (int fd, const void *bytes, size_t length, off64_t offset), real(fd, bytes, length, offset), offset, ONE, 1)
WRITES(writev, (int fd, const struct iovec *parts, int n), real(fd, parts, n), POSITION, parts, n)
WRITES(pwritev, (int fd, const struct iovec *parts, int n, off_t offset), real(fd, parts, n, offset), offset, parts, n)
WRITES(pwritev64, (int fd, const struct iovec *parts, int n, off64_t offset), real(fd, parts, n, offset), offset, parts, n)
