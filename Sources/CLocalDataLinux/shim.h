// Calls of Linux that have no function in every C library. They never wait for a disk.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

// Opens a file for reading, if the kernel knows the whole path already and no part of it is a link. Otherwise it returns -1
// and sets errno, to EAGAIN if a disk would have to be asked, or to ENOSYS on a kernel older than 5.12.
static inline int localdata_open_cached(const char *path, int flags) {
#ifdef SYS_openat2
  struct { uint64_t flags, mode, resolve; } how = {(uint64_t)flags, 0, 0x04 /* NO_SYMLINKS */ | 0x20 /* CACHED */};
  return (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
#else
  errno = ENOSYS;
  return -1;
#endif
}

// Reads bytes at an offset that are in memory already. If none are, it returns -1 and sets errno to EAGAIN.
static inline ssize_t localdata_read_cached(int file, void *buffer, size_t count, off_t offset) {
#ifdef SYS_preadv2
  struct iovec part = {buffer, count};
  return syscall(
      SYS_preadv2, (long)file, &part, 1L, (long)offset, (long)((uint64_t)offset >> 16 >> 16), 0x08L /* RWF_NOWAIT */);
#else
  errno = ENOSYS;
  return -1;
#endif
}
