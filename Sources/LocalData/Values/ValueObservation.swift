import LocalDataStores

/// The signal that the value of one key may have changed. Signals that were not waited for become one.
final class ChangeSignal: Sendable {
  private let continuation: AsyncStream<Void>.Continuation
  private let stream: AsyncStream<Void>

  init() { (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

  func send() { continuation.yield() }

  /// The signals, for one listener. They end when the task of the listener is cancelled.
  var signals: AsyncStream<Void> { stream }

  deinit { continuation.finish() }
}

extension ValueAccess {
  /// Calls `body` after each change in a key's container, by this process or another one, until the result is released.
  ///
  /// - Parameters:
  ///   - plan: The key, or any key of the container.
  ///   - name: The stored name whose changes are awaited from other processes, or `nil` for all of the container.
  ///   - body: Called with the name of the value, or with `nil` if it may be any of the container.
  func observe(
    _ plan: KeyPlan, _ name: String?, _ body: @escaping ChangeHub.Body
  ) throws(StorageError) -> [any Sendable] {
    [changes.listen(to: plan.address.container, body)] + (try watch(plan, name))
  }

  /// Notifies listeners of changes by other processes, until the result is released.
  func watch(_ plan: KeyPlan, _ name: String?) throws(StorageError) -> [any Sendable] {
    let container = plan.address.container
    let watch = try plan.naming { () throws(StorageProblem) in
      try services.base(for: container).watch(container, name) { [changes] in changes.publishChange(in: container) }
    }
    return watch.map { [$0] } ?? []
  }
}
