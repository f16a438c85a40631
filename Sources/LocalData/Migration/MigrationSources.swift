import LocalDataFoundation
import LocalDataStores

/// Reading and comparing the sources of a step, and storing their value at the destination.
extension Migrator {
  /// Returns the stored values of a step's sources, in their order, opened with their own policies.
  ///
  /// - Parameter destination: The plan of the key, which errors of a source name too.
  func find(_ step: ResolvedStep, of destination: KeyPlan) async throws(StorageError) -> [FoundSource?] {
    var found: [FoundSource?] = []
    for source in step.sources {
      // No value is moved from the key's own address.
      guard !source.isInPlace, let bytes = try await values.stored(source.plan.asSource(of: destination)) else {
        found.append(nil)
        continue
      }
      // The forms of one address differ only in how the bytes are secured.
      let form = try await form(of: bytes, in: source)
      let value = try await value(of: bytes, source.key, form.plan.asSource(of: destination))
      // A field that is absent.
      if let value = value as? any OptionalValue, value.isNil {
        found.append(nil)
        continue
      }
      found.append(FoundSource(source: source, bytes: bytes, value: value))
    }
    return found
  }

  /// Returns the form in which a source is stored: its own, or one that its own migration accepts and has not retired.
  func form(of bytes: Data, in source: MigrationSource) async throws(StorageError) -> MigrationForm {
    let own = MigrationForm(key: source.key, plan: source.plan)
    guard !source.forms.isEmpty else { return own }
    let ledger = try await ledger(of: source.plan)
    let forms = source.forms.filter { ledger.stepEntry(of: .inPlace($0.form), at: source.id).phase != .completed }
    guard let index = try await choice.form(of: bytes, source.plan, forms.map(\.plan)) else { return own }
    return try await retirement.isRetired(forms[index].form, at: source.plan) ? own : forms[index]
  }

  /// Returns the value of stored bytes, opened and decoded with a key's own policies.
  func value(of bytes: Data, _ key: AnyStorageKey, _ plan: KeyPlan) async throws(StorageError) -> any Sendable {
    try await values.opened(bytes, plan) { (opened) throws(StorageProblem) in try key.coding.deserializeAny(opened) }
  }

  /// Returns the destination's value for the values of the sources.
  func converted(_ move: ValueMove, _ found: [FoundSource?], _ plan: KeyPlan) throws(StorageError) -> any Sendable {
    do { return try move.convert(found.map { $0?.value }) } catch {
      throw StorageError(.migrationFailed, plan.subject, underlyingError: error)
    }
  }

  /// Returns true if the stored value is a given one.
  func isStored(_ value: any Sendable, _ candidate: MigrationCandidate) async throws(StorageError) -> Bool {
    let plan = candidate.plan
    let coding = candidate.key.coding
    guard let bytes = try await values.stored(plan) else { return false }
    return try await values.opened(bytes, plan) { (stored) throws(StorageProblem) in
      if stored.schema == coding.schema, try coding.serializeAny(value) == stored.bytes { return true }
      // A set, for example, is serialized in any order.
      return isEqual(try coding.deserializeAny(stored), value)
    }
  }

  /// Stores bytes at the destination if `seen` is stored there. If `seen` is nil, stores them if no value is stored.
  ///
  /// - Parameter isValid: Asked with the lock of the value held. Another process that removes the value notes that
  ///   before.
  /// - Returns: True if the bytes were stored.
  func store(
    _ bytes: Data, of sources: [FoundSource?], instead seen: Data?, _ candidate: MigrationCandidate,
    isValid: @escaping @Sendable (MigrationLedger) -> Bool
  ) async throws(StorageError) -> Bool {
    let write = MigrationWrite.earlierValue(from: sources.map { $0?.migrated })
    var plan = candidate.plan.migrating(write)
    plan.meter = candidate.meter
    try await prepareStore(of: candidate)
    let time = await values.timeOfWriting(plan, movedFrom: sources.compactMap { $0 }.map { ($0.bytes, $0.source.plan) })
    let log = try log(of: plan)
    return try await values.change(plan, at: time) { [plan] (value, sealer) throws(StorageError) in
      try plan.naming(.write) { () throws(StorageProblem) in
        let secured = try sealer.secured(bytes)
        return try value.update(ifStored: seen) { () throws(StorageProblem) in
          isValid(try log.ledger()) ? .write(secured) : .keep
        }
      }
    }
  }

  /// Returns true if the moved value may be removed from a source only at the next launch of the app, because of the store of
  /// the source or of the destination.
  func waits(for source: KeyPlan, movedTo destination: KeyPlan) -> Bool {
    [source, destination].contains { values.services.base(for: $0.address.container).removesAtNextLaunch }
  }
}

extension FoundSource {
  fileprivate var migrated: MigratedSource { MigratedSource(key: source.key, plan: source.plan, stored: bytes) }
}

extension KeyPlan {
  /// A copy whose errors name the key as a source of another key's migration.
  fileprivate func asSource(of destination: KeyPlan) -> KeyPlan {
    var plan = self
    plan.sourceOf = destination.subject.key
    return plan
  }
}

/// Returns true if two values are equal, as far as their type can be compared.
private func isEqual(_ left: any Sendable, _ right: any Sendable) -> Bool {
  func compare<Value: Equatable>(_ left: Value) -> Bool { right as? Value == left }
  guard let left = left as? any Equatable else { return false }
  return compare(left)
}
