package import LocalDataFoundation
import LocalDataStores

/// Finds out the default keychain access group before an address is resolved. A key that names this group and a key that names
/// no group have the same address: registration refuses them as duplicates, and a migration from one to the other moves
/// nothing.
extension DefaultAccessGroup {
  /// Stores the name of the group in a setup, before an address in a domain is resolved.
  package func learn(
    for domain: StorageDomain, _ subject: StorageError.Subject, _ setup: Lock<RouterSetup>
  ) async throws(StorageError) {
    guard domain.kind == .keychain, setup.withLock({ $0.defaultAccessGroup == nil }) else { return }
    let name: String
    do throws(StorageProblem) {
      name = try await BlockingExecutor.shared.run { () throws(StorageProblem) in try self.name() }
    } catch {
      throw StorageError(error, subject)
    }
    try setup.withLock { (setup) throws(StorageError) in try setup.adopt(defaultAccessGroup: name) }
  }

  /// Stores the name of the group in a setup, if the keychain can answer now. Blocks on the keychain once in a process.
  func learnIfPossible(_ setup: Lock<RouterSetup>) throws(StorageError) {
    guard setup.withLock({ $0.defaultAccessGroup == nil }) else { return }
    let name: String
    do throws(StorageProblem) { name = try self.name() } catch { return }
    try setup.withLock { (setup) throws(StorageError) in try setup.adopt(defaultAccessGroup: name) }
  }
}
