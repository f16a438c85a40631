import LocalDataFoundation
import LocalDataStores

/// Plain forms that are no longer accepted where a value is encrypted in place.
///
/// The migration log is a plain file, and anyone who can write the value's file can also delete or cut the log. So an item of the
/// keychain retires a plain form besides the log: without its log, plain bytes over an encrypted value are refused too. Values in
/// the keychain need no such item, because the keychain authenticates what it contains.
struct FormRetirement: Sendable {
  let values: ValueAccess

  /// Notes that the plain forms of a move's steps are no longer accepted. The log has an entry before that.
  func retire(_ move: UnfinishedMigration) async throws(StorageError) {
    let candidate = move.candidate
    let ids = Set((move.entries + move.resumed).flatMap(\.steps))
    for step in candidate.steps where step.rule == .inPlace && ids.contains(step.id) {
      guard let form = step.id.form, candidate.plan.guards(form) else { continue }
      try await withVault(candidate.plan) { (vault, keyset) throws(StorageProblem) in
        try vault.retire(retiredName(form, candidate.id), keyset)
      }
    }
  }

  /// Returns true if the keychain notes that a form is no longer accepted at the address of a plan.
  func isRetired(_ form: StoredForm, at plan: KeyPlan) async throws(StorageError) -> Bool {
    guard plan.guards(form) else { return false }
    return try await withVault(plan) { (vault, keyset) throws(StorageProblem) in
      try vault.isRetired(retiredName(form, AddressID(plan)), keyset)
    }
  }

  /// Accepts the plain form of a key again, because the key is about to be written in it. The log has no entry of the write before
  /// that: after such an entry, the next write would not accept the form.
  ///
  /// - Returns: False if the keychain cannot be used now. The value is stored all the same, and the release that encrypts it refuses
  ///   it until the next write.
  func accept(of candidate: MigrationCandidate, _ ledger: MigrationLedger) async -> Bool {
    guard candidate.plan.sealing == nil, candidate.form.isPlain, candidate.plan.address.container.store != .keychain,
      ledger.hasRetired(candidate.form, at: candidate.id)
    else { return true }
    do throws(StorageError) {
      try await withVault(candidate.plan) { (vault, keyset) throws(StorageProblem) in
        try vault.accept(retiredName(candidate.form, candidate.id), keyset)
      }
      return true
    } catch { return false }
  }

  private func withVault<Result: Sendable>(
    _ plan: KeyPlan,
    _ body: @escaping @Sendable (KeysetVault, KeysetID) throws(StorageProblem) -> Result
  ) async throws(StorageError) -> Result {
    let vault = values.services.encryption.vault
    let keyset = plan.keyset
    return try await values.services.run(for: plan) { () throws(StorageProblem) in try body(vault, keyset) }
  }
}

private func retiredName(_ form: StoredForm, _ address: AddressID) -> String { "\(address).\(form)" }

extension KeyPlan {
  /// Returns true if a form of the key's value is less protected than the key's own, and somebody who can write files could
  /// store it.
  fileprivate func guards(_ form: StoredForm) -> Bool {
    sealing != nil && form.isPlain && address.container.store != .keychain
  }
}
