import LocalDataFoundation
import LocalDataStores

/// In-place steps: the value of the key's own address, stored in an older form.
///
/// The form is read from the header of the stored bytes. It contains whether the bytes are plain, or with which algorithm,
/// derivation and kind of key source they are encrypted. Only where several accepted forms have the same header, the
/// identifier of the key decides, and at last the identity that the value is bound to. A form is accepted if a step lists it
/// and the log has not retired it.
extension Migrator {
  /// Returns the step that accepts the stored bytes, or nil if the key itself reads them, or no step does.
  func olderForm(
    of stored: Data, _ candidate: MigrationCandidate, _ state: MigrationState
  ) async throws(StorageError) -> Int? {
    let steps = candidate.steps.indices.filter { index in
      candidate.rules[index] == .inPlace && state.steps[index].log != .completed
        && candidate.steps[index].sources.first != nil
    }
    let plans = steps.compactMap { candidate.steps[$0].sources.first?.plan }
    guard let index = try await choice.form(of: stored, candidate.plan, plans) else { return nil }
    // The log may be lost, and with it the entry.
    if let form = candidate.steps[steps[index]].id.form, try await retirement.isRetired(form, at: candidate.plan) {
      return nil
    }
    return steps[index]
  }

  /// Prepares the log for a value that a migration is about to store at an address that was emptied, or in a form that was
  /// retired. If the process is killed after it has stored the value, a later release can read it, and does not take it for a
  /// value that the user has changed.
  func prepareStore(of candidate: MigrationCandidate) async throws(StorageError) {
    let ledger = try await ledger(of: candidate.plan)
    // A leftover must remain one until it is replaced.
    if ledger.isSpent(candidate.id, candidate.form), !ledger.isLeftover(candidate.id),
      await retirement.accept(of: candidate, ledger)
    {
      try await note([entry(candidate, [], .completed, nil)], of: candidate)
    }
  }

  /// Stores a value instead of the bytes that were seen. Returns false if something else is stored now.
  func swap(_ seen: Data, for value: any Sendable, _ candidate: MigrationCandidate) async throws(StorageError) -> Bool {
    try await prepareStore(of: candidate)
    var plan = candidate.plan.migrating(.sameValue)
    plan.meter = candidate.meter
    let coding = candidate.key.coding
    let time = await values.timeOfWriting(plan, movedFrom: [(seen, plan)])
    return try await values.change(plan, at: time) { [plan] (stored, sealer) throws(StorageError) in
      try plan.naming(.write) { () throws(StorageProblem) in
        guard let bytes = try coding.serializeAny(value) else { throw .cannotEncode }
        return try stored.replace(seen, with: try sealer.secured(bytes))
      }
    }
  }
}

/// The choice between the policies that stored bytes may have been written with.
struct FormChoice: Sendable {
  let values: ValueAccess

  /// Returns the one of several older policies that stored bytes are to be read with, or nil for the current one.
  func form(of stored: Data, _ current: KeyPlan, _ older: [KeyPlan]) async throws(StorageError) -> Int? {
    let form: HeaderForm
    do throws(StorageProblem) { form = try HeaderForm(stored) } catch {
      // The read with the current policy throws the right error.
      return nil
    }
    let fitting = older.indices.filter { form.fits(older[$0]) }
    guard let first = fitting.first(where: { form.matches(older[$0]) }) ?? fitting.first else { return nil }
    guard form.fits(current) else {
      if fitting.count == 1 { return first }
      return try await opening(stored, [first] + fitting.filter { $0 != first }, older) ?? first
    }
    if form == .plain { return fitting.first { older[$0].hasOtherConditions(than: current) } }
    if form.matches(older[first]), !form.matches(current) { return try await opening(stored, [first], older) }
    if form.matches(current), !form.matches(older[first]) { return nil }
    // Key sources of one kind, or two domains of one address: the header is the same.
    let others = fitting.filter { older[$0].isBoundOtherwise(than: current) }
    if others.isEmpty { return nil }
    if try await opens(stored, current) { return nil }
    return try await opening(stored, others, older)
  }

  /// Returns the first policy whose key is named by the header, and that opens the bytes.
  private func opening(_ stored: Data, _ indices: [Int], _ older: [KeyPlan]) async throws(StorageError) -> Int? {
    for index in indices where try await opens(stored, older[index]) { return index }
    return nil
  }

  /// Returns true if the header names the key of a policy, and the value is bound to the identity of the policy's key.
  private func opens(_ stored: Data, _ plan: KeyPlan) async throws(StorageError) -> Bool {
    do throws(StorageError) {
      _ = try await values.opened(stored, plan)
      return true
    } catch {
      switch error.code {
      case .authenticationFailed, .keyMaterialMissing, .corrupted: return false
      default: throw error
      }
    }
  }
}

/// The form of stored bytes, as far as their header contains it.
private enum HeaderForm: Equatable {
  case plain
  case encrypted(EncryptionAlgorithm, KeyDerivation.Kind, EnvelopeHeader.Source)

  init(_ stored: Data) throws(StorageProblem) {
    guard EnvelopeHeader.begins(stored), let seal = try EnvelopeHeader.parse(stored).seal else {
      self = .plain
      return
    }
    self = .encrypted(seal.algorithm, seal.stretch == nil ? .hkdf : .pbkdf2, seal.source)
  }

  /// Returns true if a plan's policy can open bytes of this form: a policy opens every algorithm and derivation of its
  /// key source.
  func fits(_ plan: KeyPlan) -> Bool {
    switch (self, plan.sealing) {
    case (.plain, nil): true
    case (.encrypted(_, _, let source), let policy?): source == policy.keySource.inHeader
    default: false
    }
  }

  /// Returns true if a plan's policy writes this form.
  func matches(_ plan: KeyPlan) -> Bool {
    switch (self, plan.sealing) {
    case (.plain, nil): true
    case (.encrypted(let algorithm, let derivation, let source), let policy?):
      algorithm == policy.algorithm && derivation == policy.keyDerivation.kind && source == policy.keySource.inHeader
    default: false
    }
  }
}

extension KeySource {
  fileprivate var inHeader: EnvelopeHeader.Source {
    switch self {
    case .masterKey: .masterKey
    case .external: .external
    }
  }
}

extension KeyPlan {
  /// Returns true if a plain value of the keychain has other conditions. The store cannot return the conditions of a stored
  /// value: they are set once, and the log remembers that.
  fileprivate func hasOtherConditions(than other: KeyPlan) -> Bool {
    attributes.accessibility != other.attributes.accessibility
      || attributes.accessControl != other.attributes.accessControl
  }

  /// Returns true if a value is encrypted under another key source, or bound to another identity.
  fileprivate func isBoundOtherwise(than other: KeyPlan) -> Bool {
    sealing?.keySource != other.sealing?.keySource || domain != other.domain
  }
}
