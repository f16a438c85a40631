// swift-format-ignore-file
@_exported import Darwin

@available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
@frozen public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  @usableFromInline init() { fatalError() }
  public init(uncheckedState initialState: State) { fatalError() }
  public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R { fatalError() }
  public func withLock<R: Sendable>(_ body: @Sendable (inout State) throws -> R) rethrows -> R { fatalError() }
}
@available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
extension OSAllocatedUnfairLock where State == Void {
  public func withLock<R: Sendable>(_ body: @Sendable () throws -> R) rethrows -> R { fatalError() }
  @available(*, noasync) public func lock() {}
  @available(*, noasync) public func unlock() {}
}
@available(macOS 13.0, iOS 16.0, watchOS 9.0, tvOS 16.0, *)
extension OSAllocatedUnfairLock where State: Sendable {
  public init(initialState: State) { fatalError() }
}
