import Foundation
import StorageVocabulary

/// What migrations and sync use of ``StoredValues``.
extension StorageRouter {
  func ready(for plan: KeyPlan?) -> StorageServices { values(for: plan).services }
  func store(for plan: KeyPlan) -> any ValueStore { ready(for: plan).store(for: plan) }

  func perform<Result: Sendable>(
    _ plan: KeyPlan, _ operation: StorageError.Operation = .read,
    _ step: @escaping @Sendable (any ValueStore) throws(StorageFault) -> Result
  ) async throws(StorageError) -> Result {
    try await values(for: plan).perform(plan, operation, step)
  }

  func isStored(_ plan: KeyPlan) async throws(StorageError) -> Bool { try await values(for: plan).isStored(plan) }
  func stored(_ plan: KeyPlan) async throws(StorageError) -> Data? { try await values(for: plan).stored(plan) }
  func openedStored(_ plan: KeyPlan) async throws(StorageError) -> OpenedValue? {
    try await values(for: plan).openedStored(plan)
  }
  func opened(_ stored: Data, _ plan: KeyPlan) async throws(StorageError) -> OpenedValue {
    try await values(for: plan).opened(stored, plan)
  }
  func removeStored(_ plan: KeyPlan) async throws(StorageError) { try await values(for: plan).removeStored(plan) }
  func purge(_ plan: KeyPlan) async throws(StorageError) { try await values(for: plan).purge(plan) }
  func makeDurable(_ plan: KeyPlan) async throws(StorageError) { try await values(for: plan).makeDurable(plan) }
  func sealer(for plan: KeyPlan) async throws(StorageError) -> Sealer? { try await values(for: plan).sealer(for: plan) }
  func opener(for stored: Data?, _ plan: KeyPlan) async throws(StorageError) -> Opener? {
    try await values(for: plan).opener(for: stored, plan)
  }
}
