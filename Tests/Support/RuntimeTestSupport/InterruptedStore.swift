package import Foundation
package import LocalData
import LocalDataFoundation

/// A store that runs something before its first update.
package final class InterruptedStore: ForwardingStore {
  package let base: any ValueStore
  private let isDone = Lock(false)
  private let body: @Sendable () async throws -> Void

  package init(base: any ValueStore, _ body: @escaping @Sendable () async throws -> Void) {
    (self.base, self.body) = (base, body)
  }

  package func update(
    _ address: StorageAddress, _ attributes: StorageAttributes,
    _ change: (Data?) throws(StorageProblem) -> StorageChange
  ) throws(StorageProblem) {
    try CallDeadline.requireWaiting()
    let isFirst = isDone.withLock { isDone in
      defer { isDone = true }
      return !isDone
    }
    if isFirst {
      let end = DispatchSemaphore(value: 0)
      let body = body
      Task.detached {
        try await body()
        end.signal()
      }
      end.wait()
    }
    try base.update(address, attributes, change)
  }
}
