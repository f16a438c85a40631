import LocalDataFoundation
import LocalDataStores

/// Stored bytes from the point of view of a key.
enum DecodedValue<Value: Sendable>: Sendable {
  case value(Value)
  /// The bytes are no value of the key, and its policy is another than to throw.
  case corrupt(Data)
}

extension CorruptionPolicy {
  /// A Boolean value that indicates whether a read has a result for bytes that are no value.
  var hasResult: Bool { self == .useDefault || self == .quarantine }
}

extension KeyPlan {
  /// Returns the value of stored bytes, or what absence means.
  ///
  /// Bytes are corrupt if the serializer of their schema does not decode them, or if the envelope of a plain value is
  /// damaged. With `useDefault`, a newer case of an enum is one of them. Everything else is an error with every policy: what fails authentication, a newer schema or format, a value
  /// that is too large, and an upgrade of the app that throws, whose bytes are a value of an earlier schema.
  func decoded<Value>(
    _ stored: Data?, _ opener: Opener?, _ coding: KeyCoding<Value>
  ) throws(StorageProblem) -> DecodedValue<Value> {
    guard let stored else { return .value(try coding.deserialize(nil)) }
    let opened: OpenedValue
    do throws(StorageProblem) { opened = try self.opened(stored, opener) } catch {
      // A sealed envelope that cannot be opened may be a value that another policy reads.
      guard onCorruption.hasResult, error == .corrupted, sealing == nil, !EnvelopeHeader.saysSealed(stored) else {
        throw error
      }
      return .corrupt(stored)
    }
    do throws(StorageProblem) { return .value(try coding.deserialize(opened)) } catch {
      if onCorruption == .skipElements, error == .newerValue, let known = coding.knownElements(of: opened) {
        return .value(known)
      }
      let isCorrupt =
        [.cannotDecode, .corrupted].contains(error) || error == .newerValue && onCorruption == .useDefault
      guard onCorruption.hasResult, isCorrupt else { throw error }
      return .corrupt(stored)
    }
  }
}

/// Applies the policies of keys to stored bytes that cannot be decoded.
extension ValueAccess {
  /// The number of attempts while other processes keep writing the bytes. After that, the call throws `busy`.
  package static let attemptsToMoveAside = 8

  /// Returns the value of stored bytes, and the bytes that are stored now: none if they were moved aside.
  func found<Value>(
    _ coding: KeyCoding<Value>, _ plan: KeyPlan, in stored: Data?
  ) async throws(StorageError) -> (value: Value, stored: Data?) {
    var stored = stored
    for _ in 0..<Self.attemptsToMoveAside {
      let opener = try await opener(for: stored, plan)
      let decoded = try await compute(plan, on: stored) { [stored] () throws(StorageProblem) in
        try plan.decoded(stored, opener, coding)
      }
      switch decoded {
      case .value(let value): return (value, stored)
      case .corrupt(let bytes):
        if plan.onCorruption == .useDefault { return (try defaultValue(coding, plan, insteadOf: bytes), bytes) }
        try await moveAside(bytes, plan)
        stored = try await self.stored(plan)
        // The removal had no effect.
        if stored == bytes { throw StorageError(.cannotDecode, plan.subject) }
      }
    }
    throw StorageError(.busy, plan.subject)
  }

  /// Returns the default of a key, and logs which bytes are no value.
  func defaultValue<Value>(
    _ coding: KeyCoding<Value>, _ plan: KeyPlan, insteadOf stored: Data
  ) throws(StorageError) -> Value {
    log.report(.useDefault, plan.subject, stored)
    return try plan.naming { () throws(StorageProblem) in try coding.deserialize(nil) }
  }

  /// Moves stored bytes that cannot be decoded aside, unless other bytes are stored now.
  func moveAside(
    _ stored: Data, _ plan: KeyPlan
  ) async throws(StorageError) {
    try await services.run { [self] () throws(StorageError) in try moveAsideNow(stored, plan) }
  }

  /// Moves the bytes like ``moveAside(_:_:)``, on the calling thread, which may have to wait.
  func moveAsideNow(_ stored: Data, _ plan: KeyPlan) throws(StorageError) {
    let start = ContinuousClock.now
    defer { changes.publishChange(at: plan.address) }
    do throws(StorageProblem) {
      let isMoved = try services.quarantine.move(stored, from: KeyedValue(plan, self))
      if isMoved { log.report(.quarantine, plan.subject, stored, .now - start) }
    } catch {
      let error = plan.error(error, .write)
      log.report(.quarantine, plan.subject, stored, .now - start, error)
      throw error
    }
  }

  /// Removes the values that were moved aside from a key's address.
  package func removeQuarantined(_ plan: KeyPlan)
    async throws(StorageError)
  {
    try await services.run(for: plan, .write) { [services] () throws(StorageProblem) in
      try services.quarantine.remove(from: plan.address)
    }
  }
}
