import Foundation
import StorageVocabulary

/// What lies at the place of a plan, whatever the type of its value.
extension StorageRouter {
  func store(for plan: KeyPlan) -> any ValueStore { ready(for: plan).store(for: plan) }

  /// Whether anything is stored. Never prompts.
  func isStored(_ plan: KeyPlan) async throws(StorageError) -> Bool {
    try await perform(plan) { (store) throws(StorageFault) in try store.exists(plan.place, plan.attributes) }
  }

  /// The bytes as they are stored.
  func stored(_ plan: KeyPlan) async throws(StorageError) -> Data? {
    try await perform(plan) { (store) throws(StorageFault) in try store.read(plan.place, plan.attributes) }
  }

  /// What is stored, opened with the plan's own policy.
  func openedStored(_ plan: KeyPlan) async throws(StorageError) -> OpenedValue? {
    guard let stored = try await stored(plan) else { return nil }
    return try await opened(stored, plan)
  }

  /// Stored bytes, opened with the plan's own policy.
  func opened(_ stored: Data, _ plan: KeyPlan) async throws(StorageError) -> OpenedValue {
    let opener = try await opener(for: stored, plan)
    return try await perform(plan) { (_) throws(StorageFault) in try plan.opened(stored, opener) }
  }

  func removeStored(_ plan: KeyPlan) async throws(StorageError) {
    try await perform(plan) { (store) throws(StorageFault) in try store.remove(plan.place, plan.attributes) }
  }

  /// Leaves no copy of what was removed from the plan's container.
  func purge(_ plan: KeyPlan) async throws(StorageError) {
    try await perform(plan) { (store) throws(StorageFault) in try store.purge(plan.place.container) }
  }

  /// Makes what was written to the plan's container survive a loss of power.
  func makeDurable(_ plan: KeyPlan) async throws(StorageError) {
    try await perform(plan) { (store) throws(StorageFault) in try store.makeDurable(plan.place.container) }
  }
}
