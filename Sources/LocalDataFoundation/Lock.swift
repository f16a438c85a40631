// The lock is public, because the compiler inlines a public function into other modules, but no package function. LocalData
// does not re-export this module.

#if canImport(Darwin)
  public import os

  /// A value that threads share, held for a few instructions at a time.
  public struct Lock<Value: Sendable>: Sendable {
    @usableFromInline let lock: OSAllocatedUnfairLock<Value>

    @inlinable public init(_ value: Value) { lock = OSAllocatedUnfairLock(initialState: value) }

    @inlinable public func withLock<Result: Sendable, Failure: Error>(
      _ body: @Sendable (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      let result: Swift.Result<Result, Failure> = lock.withLock { value in
        do throws(Failure) { return .success(try body(&value)) } catch { return .failure(error) }
      }
      return try result.get()
    }
  }
#elseif LOCALDATA_LOCK_NSLOCK
  /// A value that threads share. ThreadSanitizer understands this lock, but not `Mutex`; see `Tests/Support/sanitize`.
  ///
  /// `@unchecked Sendable`: `value` is used only while `lock` is locked.
  public final class Lock<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    public init(_ value: Value) { self.value = value }

    public func withLock<Result: Sendable, Failure: Error>(
      _ body: @Sendable (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      lock.lock()
      defer { lock.unlock() }
      return try body(&value)
    }
  }
#else
  public import Synchronization

  /// A value that threads share, held for a few instructions at a time.
  public final class Lock<Value: Sendable>: Sendable {
    @usableFromInline let mutex: Mutex<Value>

    @inlinable public init(_ value: Value) { mutex = Mutex(value) }

    @inlinable public func withLock<Result: Sendable, Failure: Error>(
      _ body: @Sendable (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
      try mutex.withLock { (value) throws(Failure) -> sending Result in try body(&value) }
    }
  }
#endif

/// A description does not contain the value: it would be read without the lock.
extension Lock: CustomStringConvertible, CustomReflectable {
  public var description: String { "Lock" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
