import LocalDataFoundation
import LocalDataStores

/// One use of the stored value of a key, on the calling thread. Every verb reads and changes values with it.
///
/// A function that would have to wait in a call that must not wait throws ``StorageProblem/busy`` and changes nothing. If a
/// function does not have the key of the stored bytes, it says so: the caller gets the key, and runs the function again.
struct ValueStep<Value: Sendable>: Sendable {
  let coding: KeyCoding<Value>
  let plan: KeyPlan
  let values: ValueAccess

  /// The result of a read.
  enum Read: Sendable {
    /// The value, and the bytes that are stored now: none if they were moved aside.
    case value(Value, stored: Data?)
    case needsKey(of: Data)
  }

  /// Returns the stored value, or what absence means. Applies the key's policy to bytes that are no value of the key.
  ///
  /// - Parameters:
  ///   - attributes: The attributes of the plan, of which the caller may have changed those of reads.
  ///   - known: The stored bytes, if the caller has read them.
  func read(_ opener: Opener?, _ attributes: StorageAttributes, known: Data?? = nil) throws(StorageError) -> Read {
    var known = known
    return try movingAside(.read) { () throws(StorageProblem) in
      let stored = if let known { known } else { try values.storedNow(plan, attributes) }
      // After bytes were moved aside, others may be stored.
      known = nil
      if CallDeadline.mustNotWait, stored?.count ?? 0 > attributes.maxPromptSize { throw .busy }
      switch try plan.decoded(stored, opener, coding) {
      case .value(let value): return .done(.value(value, stored: stored))
      case .unused(let value):
        values.log.report(.useDefault, plan.subject, stored)
        return .done(.value(value, stored: stored))
      case .needsKey(let stored): return .done(.needsKey(of: stored))
      case .corrupt(let stored): return .corrupt(stored)
      }
    }
  }

  /// The result of an attempt to use stored bytes.
  enum Attempt<Result> {
    case done(Result)
    /// The bytes are no value of the key, and are to be moved aside before the next attempt.
    case corrupt(Data)
  }

  /// Returns the result of `attempt`, which is repeated after bytes were moved aside.
  ///
  /// - Parameter operation: The operation that an error of `attempt` names.
  func movingAside<Result>(
    _ operation: StorageError.Operation, _ attempt: () throws(StorageProblem) -> Attempt<Result>
  ) throws(StorageError) -> Result {
    var moved: Data?
    for _ in 0..<ValueAccess.attemptsToMoveAside {
      switch try plan.naming(operation, attempt) {
      case .done(let result): return result
      case .corrupt(let stored):
        if CallDeadline.mustNotWait { throw StorageError(.busy, plan.subject) }
        // The removal had no effect.
        if stored == moved { throw StorageError(.cannotDecode, plan.subject) }
        try values.moveAside(stored, plan)
        moved = stored
      }
    }
    throw StorageError(.busy, plan.subject)
  }
}

/// Reads that may wait.
extension ValueStep {
  /// Returns the value of a key. If no value is stored, returns the default or throws the error for an absent value.
  func value() async throws(StorageError) -> Value { try await waitingRead().value }

  /// Returns the value, and the bytes that are stored now: none if they were moved aside.
  ///
  /// - Parameter known: The stored bytes, if the caller has read them.
  func waitingRead(known: Data?? = nil) async throws(StorageError) -> (value: Value, stored: Data?) {
    var known = known
    var opener = values.knownOpener(plan)
    for _ in 0..<ValueAccess.attemptsToMoveAside {
      let read = try await values.run { [known, opener] () throws(StorageError) in
        if known == nil { try plan.naming { () throws(StorageProblem) in try values.prepareState(plan) } }
        return try self.read(opener, plan.attributes, known: known)
      }
      switch read {
      case .value(let value, let stored): return (value, stored)
      case .needsKey(let stored):
        opener = try await values.opener(for: stored, plan)
        known = .some(stored)
      }
    }
    throw StorageError(.busy, plan.subject)
  }
}

/// The result of an update.
enum ValueUpdate<Value: Sendable, Failure: Error>: Sendable {
  case written(Value)
  /// The value means absence, and the caller has to remove the stored value with its sources, if it is still these bytes.
  case removal(Value, of: Data?)
  /// The change threw an error, and no value was written.
  case abandoned(Failure)
}

/// Changes of a value that depend on the stored one.
extension ValueStep {
  /// Reads, changes and writes a value. No other writer can change the value in between.
  func update<Failure: Error>(
    _ change: @escaping @Sendable (inout Value) throws(Failure) -> Void
  ) async throws(StorageError) -> ValueUpdate<Value, Failure> {
    // Between a look at the stored header and the update another process may seal under another key: look again then.
    for _ in 0..<ValueAccess.attemptsToMoveAside {
      let seen = plan.sealing == nil ? nil : try await values.stored(plan)
      let opener = try await values.opener(for: seen, plan)
      // The functions that change threads would be slower with a generic result. One thread at a time uses the variable:
      // `change` runs its steps one after the other, and returns after the last one has ended.
      nonisolated(unsafe) var result: ValueUpdate<Value, Failure>?
      try await values.change(plan) { (value, sealer) throws(StorageError) in
        result = try self.updated(value, opener, sealer, change)
      }
      if let result { return result }
    }
    throw StorageError(.busy, plan.subject)
  }

  /// Reads, changes and writes a value under the store's lock. Returns `nil` if the stored bytes need another key.
  private func updated<Failure: Error>(
    _ stored: KeyedValue, _ opener: Opener?, _ sealer: ValueSealer,
    _ change: (inout Value) throws(Failure) -> Void
  ) throws(StorageError) -> ValueUpdate<Value, Failure>? {
    try movingAside(.write) { () throws(StorageProblem) in
      var attempt = Attempt<ValueUpdate<Value, Failure>?>.done(nil)
      var unused: Data?
      try stored.update { (bytes) throws(StorageProblem) in
        // If another process has written meanwhile, the store calls this again: the earlier decision was not written.
        attempt = .done(nil)
        unused = nil
        var value: Value
        switch try plan.decoded(bytes, opener, coding) {
        case .value(let found): value = found
        case .unused(let instead):
          value = instead
          unused = bytes
        case .needsKey: return .keep
        case .corrupt(let bytes):
          attempt = .corrupt(bytes)
          return .keep
        }
        do throws(Failure) { try change(&value) } catch {
          attempt = .done(.abandoned(error))
          return .keep
        }
        guard let serialized = try coding.serialize(value) else {
          attempt = .done(.removal(value, of: bytes))
          return .keep
        }
        attempt = .done(.written(value))
        return .write(try sealer.secured(serialized))
      }
      if let unused { values.log.report(.useDefault, plan.subject, unused) }
      return attempt
    }
  }
}

/// Stored bytes from the point of view of a key.
enum DecodedValue<Value: Sendable>: Sendable {
  case value(Value)
  /// The key's default. The bytes are no value of the key, and stay until the next write.
  case unused(Value)
  /// The bytes are no value of the key, and are to be moved aside.
  case corrupt(Data)
  /// The bytes are sealed with another key than those of the opener.
  case needsKey(Data)
}

extension CorruptionPolicy {
  /// A Boolean value that indicates whether a read has a result for bytes that are no value.
  var hasResult: Bool { self == .useDefault || self == .quarantine }
}

extension KeyPlan {
  /// Returns the value of stored bytes, or what absence means.
  ///
  /// Bytes are corrupt if the serializer of their schema does not decode them, or if the envelope of a plain value is
  /// damaged. With `useDefault`, a newer case of an enum is corrupt too. Everything else is an error with every policy: what fails
  /// authentication, a newer schema or format, a value that is too large, and an upgrade of the app that throws, whose bytes are
  /// a value of an earlier schema.
  func decoded<Value>(
    _ stored: Data?, _ opener: Opener?, _ coding: KeyCoding<Value>
  ) throws(StorageProblem) -> DecodedValue<Value> {
    guard let stored else { return .value(try coding.deserialize(nil)) }
    if sealing != nil, opener == nil { return .needsKey(stored) }
    let opened: OpenedValue
    do throws(StorageProblem) { opened = try self.opened(stored, opener) } catch {
      // This is asked after an error only, because it takes another look at the header.
      if let opener, !opener.canOpen(try EnvelopeHeader.parse(stored)) { return .needsKey(stored) }
      // A sealed envelope that cannot be opened may be a value that another policy reads.
      guard onCorruption.hasResult, error == .corrupted, sealing == nil, !EnvelopeHeader.saysSealed(stored) else {
        throw error
      }
      return try corrupt(stored, coding)
    }
    do throws(StorageProblem) { return .value(try coding.deserialize(opened)) } catch {
      if onCorruption == .skipElements, error == .newerValue, let known = coding.knownElements(of: opened) {
        return .value(known)
      }
      let isCorrupt =
        [.cannotDecode, .corrupted].contains(error) || error == .newerValue && onCorruption == .useDefault
      guard onCorruption.hasResult, isCorrupt else { throw error }
      return try corrupt(stored, coding)
    }
  }

  private func corrupt<Value>(
    _ stored: Data, _ coding: KeyCoding<Value>
  ) throws(StorageProblem) -> DecodedValue<Value> {
    onCorruption == .useDefault ? .unused(try coding.deserialize(nil)) : .corrupt(stored)
  }
}
