#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// A Boolean value that each thread has for itself. It is false in a new thread.
struct ThreadMark: Sendable {
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    guard pthread_key_create(&key, nil) == 0 else {
      // A system has hundreds of keys for each process. Without one, a call on the main thread could wait for a disk.
      fatalError("the process has no key for the data of threads left")
    }
    self.key = key
  }

  /// The value of the current thread.
  var isSet: Bool {
    get { pthread_getspecific(key) != nil }
    nonmutating set { pthread_setspecific(key, newValue ? UnsafeRawPointer(bitPattern: 1) : nil) }
  }
}
