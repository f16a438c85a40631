public import LocalData

/// Functions that examine, clean up and repair what is stored, besides the everyday verbs.
///
/// ```swift
/// import LocalData
/// import LocalDataMaintenance
///
/// let maintenance = router.maintenance
/// ```
///
/// The functions have no time limit, but each wait ends after the configured timeout. If a wait for a container times out, the
/// function does not wait for this container again until it can be used.
public struct Maintenance: Sendable {
  package let router: StorageRouter

  /// Returns the waits of a function that has no time limit.
  func waits() -> CallWaits { CallWaits(router.timeout, of: .step) }

  /// Runs a step on another thread. Its error names no key.
  func blocking<Result: Sendable>(
    _ operation: StorageError.Operation = .write, _ body: @escaping @Sendable () throws(StorageProblem) -> Result
  ) async throws(StorageError) -> Result {
    do throws(StorageProblem) { return try await router.values(for: nil).services.run(body) } catch {
      throw StorageError(error, .init(key: nil, domain: nil), operation)
    }
  }
}

extension Maintenance.Progress {
  /// Counts one thing more as done, and reports the progress.
  mutating func advance(_ report: (Self) -> Void) {
    completed += 1
    report(self)
  }
}

extension StorageRouter {
  /// Functions that examine, clean up and repair what is stored, besides the everyday verbs.
  public nonisolated var maintenance: Maintenance { Maintenance(router: self) }
}
