import LocalDataFoundation

/// A Boolean value that each thread has for itself. It is false in a new thread.
struct ThreadMark: Sendable {
  /// `nil` if the process has no key left. Then no thread is marked, and a call waits on the thread where it is made.
  private let key: pthread_key_t?

  init() {
    var key = pthread_key_t()
    self.key = pthread_key_create(&key, nil) == 0 ? key : nil
  }

  /// The value of the current thread.
  var isSet: Bool {
    get { key.map { pthread_getspecific($0) != nil } ?? false }
    nonmutating set {
      if let key { pthread_setspecific(key, newValue ? UnsafeRawPointer(bitPattern: 1) : nil) }
    }
  }
}
