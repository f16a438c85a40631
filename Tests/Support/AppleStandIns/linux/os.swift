// OSAllocatedUnfairLock with its own signatures, over a mutex of the system.
import Glibc

public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  private final class Box {
    var state: State
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    init(_ state: State) {
      self.state = state
      var attributes = pthread_mutexattr_t()
      pthread_mutexattr_init(&attributes)
      // As there, taking it twice is an error that ends the process.
      pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
      pthread_mutex_init(mutex, &attributes)
    }
    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }
  }
  private let box: Box
  public init(uncheckedState initialState: State) { box = Box(initialState) }
  public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
    guard pthread_mutex_lock(box.mutex) == 0 else {
      fatalError("BUG IN CLIENT OF LIBPLATFORM: Trying to recursively lock an os_unfair_lock")
    }
    defer { pthread_mutex_unlock(box.mutex) }
    return try body(&box.state)
  }
  public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R {
    try withLockUnchecked(body)
  }
}
extension OSAllocatedUnfairLock where State: Sendable {
  public init(initialState: State) { self.init(uncheckedState: initialState) }
}
