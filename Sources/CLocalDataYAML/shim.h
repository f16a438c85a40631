#ifndef LOCAL_DATA_YAML_H
#define LOCAL_DATA_YAML_H

#include <yaml.h>

#ifdef __linux__
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

// Asks the kernel to back memory with pages of 2 MiB. Only whole pages inside the range are asked for.
static inline void local_data_prefer_large_pages(void *start, size_t count) {
#ifdef MADV_HUGEPAGE
  const uintptr_t page = (uintptr_t)2 << 20;
  const uintptr_t from = ((uintptr_t)start + page - 1) & ~(page - 1);
  const uintptr_t to = ((uintptr_t)start + count) & ~(page - 1);
  // Advice: if the kernel declines it, the memory is as it was.
  if (from < to) (void)madvise((void *)from, to - from, MADV_HUGEPAGE);
#endif
}
#endif

#endif
