import LocalDataFoundation
import LocalDataStores

/// The waits of a call that uses many values, one after another.
///
/// A step is the use of one value, or of what several values share. Each has a deadline for its waits. The time in which the
/// steps work does not count, so that a call does not fail because it has much to do.
///
///     let waits = CallWaits(timeout, of: .call)
///     for plan in plans { try await waits.step(on: .container(plan.address.container)) { try await remove(plan) } }
package final class CallWaits: Sendable {
  package enum Scope: Sendable {
    /// All steps together wait at most for the timeout. After that, a step fails if it would have to wait.
    case call
    /// A step waits for as long as the timeout. If steps on a resource have failed after they waited that long together, the
    /// next ones do not wait for it, until one of them succeeds.
    case step
  }

  /// A resource that other processes may have locked. All of its values wait for these processes.
  package enum Resource: Hashable, Sendable {
    case container(StorageContainer)
    /// The log of migrations, the history of versions and the keys of the app or of a group.
    case keyset(KeysetID)
  }

  private let timeout: Duration
  private let scope: Scope
  /// The rest of the timeout, if steps have waited.
  private let rests = Lock<[Resource?: Duration]>([:])

  package init(_ timeout: Duration, of scope: Scope) {
    self.timeout = timeout
    self.scope = scope
  }

  /// Runs a step with a deadline for its waits.
  ///
  /// - Parameter resource: The resource that the step may have to wait for. It has no effect if all steps share the timeout.
  package func step<Result, Failure: Error>(
    on resource: Resource? = nil,
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let resource = scope == .call ? nil : resource
    let deadline = CallDeadline(patience: rests.withLock { $0[resource] } ?? timeout, of: .waits)
    do throws(Failure) {
      let result = try await deadline.bound(body)
      if scope == .call { spend(deadline.waited, on: resource) } else { rests.withLock { $0[resource] = nil } }
      return result
    } catch {
      spend(deadline.waited, on: resource)
      throw error
    }
  }

  private func spend(_ time: Duration, on resource: Resource?) {
    guard time > .zero else { return }
    rests.withLock { [timeout] rests in rests[resource] = max((rests[resource] ?? timeout) - time, .zero) }
  }
}
