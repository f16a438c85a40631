import Foundation
import StorageVocabulary

/// Reads, writes, updates and removes the stored value of one key, whatever else its key does.
///
/// The caller holds the turn of the key. What may wait (a disk, a key, a prompt) is done first; what follows is one
/// uninterrupted step on the store. The functions run on the actor of their caller.
final class StoredValues: Sendable {
  let services: StorageServices
  let clock: any StorageClock

  init(_ services: StorageServices, clock: any StorageClock) {
    self.services = services
    self.clock = clock
  }

  /// Runs one step on the key's store: at once if the store need not wait, otherwise on a thread of its own.
  func perform<Result: Sendable>(
    _ plan: KeyPlan, _ operation: StorageError.Operation = .read, isolation: isolated (any Actor)? = #isolation,
    _ step: @escaping @Sendable (any ValueStore) throws(StorageFault) -> Result
  ) async throws(StorageError) -> Result {
    let store = services.store(for: plan)
    do throws(StorageFault) {
      if let prompt = store.withoutWaiting {
        // A step that is busy has done nothing, and is done again where it may wait.
        do throws(StorageFault) { return try step(prompt) } catch { guard error == .busy else { throw error } }
      }
      let session = AuthenticationSession.current
      return try await BlockingExecutor.shared.run { () throws(StorageFault) in
        try AuthenticationSession.bound(session) { () throws(StorageFault) in try step(store) }
      }
    } catch {
      throw StorageError(error, plan.subject, limit: plan.maxSize, operation)
    }
  }

  // MARK: Stored bytes

  /// Returns true if anything is stored. Never prompts.
  func isStored(_ plan: KeyPlan, isolation: isolated (any Actor)? = #isolation) async throws(StorageError) -> Bool {
    try await perform(plan) { (store) throws(StorageFault) in try store.exists(plan.place, plan.attributes) }
  }

  /// Returns the bytes as they are stored, or `nil` if there are none.
  func stored(_ plan: KeyPlan, isolation: isolated (any Actor)? = #isolation) async throws(StorageError) -> Data? {
    try await perform(plan) { (store) throws(StorageFault) in try store.read(plan.place, plan.attributes) }
  }

  /// Returns what is stored, opened with the key's own policy, or `nil` if nothing is stored.
  func openedStored(
    _ plan: KeyPlan, isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) -> OpenedValue? {
    guard let stored = try await stored(plan) else { return nil }
    return try await opened(stored, plan)
  }

  /// Opens stored bytes with the key's own policy.
  func opened(
    _ stored: Data, _ plan: KeyPlan, isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) -> OpenedValue {
    let opener = try await opener(for: stored, plan)
    return try await perform(plan) { (_) throws(StorageFault) in try plan.opened(stored, opener) }
  }

  /// Removes what is stored, if anything is.
  func removeStored(_ plan: KeyPlan, isolation: isolated (any Actor)? = #isolation) async throws(StorageError) {
    try await perform(plan, .write) { (store) throws(StorageFault) in try store.remove(plan.place, plan.attributes) }
  }

  /// Removes what is stored if it is still `seen`, and returns true if it was.
  func removeStored(
    _ seen: Data?, _ plan: KeyPlan, isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) -> Bool {
    try await perform(plan, .write) { (store) throws(StorageFault) in
      var isRemoved = false
      try store.update(plan.place, plan.attributes) { stored in
        isRemoved = stored == seen
        return isRemoved ? .remove : .keep
      }
      return isRemoved
    }
  }

  /// Removes all copies of removed values from the key's container.
  func purge(_ plan: KeyPlan, isolation: isolated (any Actor)? = #isolation) async throws(StorageError) {
    try await perform(plan, .write) { (store) throws(StorageFault) in try store.purge(plan.place.container) }
  }

  /// Makes what was written to the key's container survive a loss of power.
  func makeDurable(_ plan: KeyPlan, isolation: isolated (any Actor)? = #isolation) async throws(StorageError) {
    try await perform(plan, .write) { (store) throws(StorageFault) in try store.makeDurable(plan.place.container) }
  }

  // MARK: Keys of the encryption

  /// Returns what seals values of the key, or `nil` if they are stored plain. Creates the master key if there never was
  /// one.
  func sealer(
    for plan: KeyPlan, isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) -> Sealer? {
    guard let policy = plan.sealing else { return nil }
    do throws(StorageFault) {
      return try await services.encryption.sealer(
        for: policy, keyset: plan.keyset, keyName: plan.subject.key ?? plan.place.name)
    } catch {
      throw StorageError(error, plan.subject, limit: plan.maxSize)
    }
  }

  /// Returns what opens stored bytes of the key, or `nil` if there are none or values are stored plain.
  func opener(
    for stored: Data?, _ plan: KeyPlan, isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) -> Opener? {
    guard let policy = plan.sealing, let stored else { return nil }
    do throws(StorageFault) {
      let header = try EnvelopeHeader.parse(stored)
      return try await services.encryption.opener(
        for: policy, keyset: plan.keyset, keyName: plan.subject.key ?? plan.place.name, header: header)
    } catch {
      throw StorageError(error, plan.subject, limit: plan.maxSize)
    }
  }
}
