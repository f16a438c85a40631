#if os(Linux)
  /// The lock of this name in Foundation.
  ///
  /// `@unchecked Sendable`: the only property is a constant pointer. Any thread may call the functions of pthread on a mutex, and the
  /// memory is freed with the last reference to the lock.
  package final class NSLock: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    package init() { pthread_mutex_init(mutex, nil) }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    package func lock() { pthread_mutex_lock(mutex) }

    package func unlock() { pthread_mutex_unlock(mutex) }

    package func `try`() -> Bool { pthread_mutex_trylock(mutex) == 0 }

    package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
      lock()
      defer { unlock() }
      return try body()
    }
  }
#endif
