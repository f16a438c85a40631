#if canImport(Darwin)
  import os

  /// A value that threads share, held for a few instructions at a time.
  package struct Lock<Value: Sendable>: Sendable {
    private let lock: OSAllocatedUnfairLock<Value>

    package init(_ value: Value) { lock = OSAllocatedUnfairLock(initialState: value) }

    package func withLock<Result: Sendable, Failure: Error>(
      _ body: @Sendable (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      let result: Swift.Result<Result, Failure> = lock.withLock { value in
        do throws(Failure) { return .success(try body(&value)) } catch { return .failure(error) }
      }
      return try result.get()
    }
  }
#elseif LOCALDATA_LOCK_NSLOCK
  internal import SmallFoundation

  /// A value that threads share. ThreadSanitizer understands this lock, but not `Mutex`; see `Tests/Support/sanitize`.
  ///
  /// `@unchecked Sendable`: `value` is used only while `lock` is locked.
  package final class Lock<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    package init(_ value: Value) { self.value = value }

    package func withLock<Result: Sendable, Failure: Error>(
      _ body: @Sendable (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      lock.lock()
      defer { lock.unlock() }
      return try body(&value)
    }
  }
#else
  import Synchronization

  /// A value that threads share, held for a few instructions at a time.
  package final class Lock<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    package init(_ value: Value) { mutex = Mutex(value) }

    package func withLock<Result: Sendable, Failure: Error>(
      _ body: @Sendable (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try mutex.withLock { (value) throws(Failure) -> sending Result in try body(&value) }
    }
  }
#endif

/// A description does not contain the value: it would be read without the lock.
extension Lock: CustomStringConvertible, CustomReflectable {
  package var description: String { "Lock" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
