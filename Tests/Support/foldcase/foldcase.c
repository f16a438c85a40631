// LD_PRELOAD shim: a disk that ignores the case of names, as most Macs have. A name that does not exist is the one that
// differs from it in case only, if there is one. A file that is replaced keeps the spelling of its name; a file that is
// renamed to another spelling gets the new one.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) static __typeof__(name) *real; if (!real) real = dlsym(RTLD_NEXT, #name)

static const char *folded(int folder, const char *path, char *result) {
  int before = errno;
  const char *found = path;
  if (faccessat(folder, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0) {
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
    int (*open_real)() = dlsym(RTLD_NEXT, "openat");
    int descriptor = open_real(folder, parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = descriptor < 0 ? NULL : fdopendir(descriptor);
    for (struct dirent *entry; stream && (entry = readdir(stream));)
      if (strcasecmp(entry->d_name, name) == 0) {
        snprintf(result, PATH_MAX, "%s%s", slash ? parent : "", entry->d_name);
        found = result;
        break;
      }
    if (stream) closedir(stream);
  }
  errno = before;
  return found;
}

#define MODE mode_t mode = 0; if (flags & O_CREAT) { va_list list; va_start(list, flags); mode = va_arg(list, mode_t); va_end(list); }
#define OPEN(name) int name(const char *path, int flags, ...) { MODE char result[PATH_MAX]; \
  static int (*real)(); if (!real) real = dlsym(RTLD_NEXT, #name); return real(folded(AT_FDCWD, path, result), flags, mode); }
#define OPENAT(name) int name(int folder, const char *path, int flags, ...) { MODE char result[PATH_MAX]; \
  static int (*real)(); if (!real) real = dlsym(RTLD_NEXT, #name); return real(folder, folded(folder, path, result), flags, mode); }
OPEN(open) OPEN(open64) OPENAT(openat) OPENAT(openat64)

int stat(const char *path, struct stat *status) { REAL(stat); char result[PATH_MAX]; return real(folded(AT_FDCWD, path, result), status); }
int lstat(const char *path, struct stat *status) { REAL(lstat); char result[PATH_MAX]; return real(folded(AT_FDCWD, path, result), status); }
int fstatat(int folder, const char *path, struct stat *status, int flags) {
  REAL(fstatat);
  char result[PATH_MAX];
  return real(folder, folded(folder, path, result), status, flags);
}
int unlink(const char *path) { REAL(unlink); char result[PATH_MAX]; return real(folded(AT_FDCWD, path, result)); }
int unlinkat(int folder, const char *path, int flags) {
  REAL(unlinkat);
  char result[PATH_MAX];
  return real(folder, folded(folder, path, result), flags);
}
int renameat(int folder, const char *path, int other, const char *name) {
  REAL(renameat);
  char from[PATH_MAX], to[PATH_MAX];
  const char *source = folded(folder, path, from), *destination = folded(other, name, to);
  return real(folder, source, other, strcmp(source, destination) == 0 ? name : destination);
}
int rename(const char *path, const char *name) { return renameat(AT_FDCWD, path, AT_FDCWD, name); }
