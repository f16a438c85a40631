import StorageVocabulary

/// The default keychain access group. A key that names it and a key that names no group have one address: they are
/// refused as duplicates, and a migration from one to the other moves nothing.
extension StorageRouter {
  /// Learns the group before the address of a keychain key is worked out.
  func learnAccessGroup(for key: AnyStorageKey) async throws(StorageError) {
    try await learnAccessGroup(for: key.domain, key.subject)
  }

  /// Learns the group before an address in a domain is worked out.
  func learnAccessGroup(for domain: StorageDomain, _ subject: StorageError.Subject) async throws(StorageError) {
    guard let accessGroup, domain.kind == .keychain, setup.withLock({ $0.defaultAccessGroup == nil }) else { return }
    let name: String
    do throws(StorageFault) {
      name = try await BlockingExecutor.shared.run { () throws(StorageFault) in try accessGroup.name() }
    } catch {
      throw StorageError(error, subject, limit: 0)
    }
    try setup.withLock { (setup) throws(StorageError) in try setup.adopt(defaultAccessGroup: name) }
  }

  /// Learns the group if the keychain can answer now. Blocks on the keychain once in a process.
  nonisolated func learnAccessGroupIfPossible() throws(StorageError) {
    guard let accessGroup, setup.withLock({ $0.defaultAccessGroup == nil }) else { return }
    let name: String
    do throws(StorageFault) { name = try accessGroup.name() } catch { return }
    try setup.withLock { (setup) throws(StorageError) in try setup.adopt(defaultAccessGroup: name) }
  }
}
