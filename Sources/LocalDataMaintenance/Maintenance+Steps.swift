import LocalData

extension Maintenance {
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
