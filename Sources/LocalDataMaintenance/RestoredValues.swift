import Foundation
import LocalData

/// Stores values again that were moved aside.
extension ValueAccess {
  /// Stores a value that was moved aside for its key, if its bytes decode now, and removes the copy.
  ///
  /// The value is on the disk before the copy goes, unless it is a preference on Apple's platforms, which the system writes
  /// later. If the process is killed between, the next call finds the same value, and removes the copy.
  ///
  /// - Parameter replacing: A Boolean value that indicates whether another value may be replaced.
  /// - Returns: False if the copy is not there any more.
  /// - Throws: ``StorageProblem/Code/alreadyStored`` if the key has another value, and what keeps the bytes from being opened,
  ///   decoded or stored. The copy stays then.
  func restore(
    _ copy: QuarantinedCopy, _ coding: any AnyKeyCoding, _ plan: KeyPlan, replacing: Bool
  ) async throws(StorageError) -> Bool {
    // A value that another process sets between the look at it and the change is looked at again.
    for _ in 0..<Self.attemptsToMoveAside {
      let found = try await services.run(for: plan, .write) { [services] () throws(StorageProblem) in
        try services.quarantine.stored(copy)
      }
      guard let stored = found else { return false }
      let bytes = try await opened(stored, plan) { (opened) throws(StorageProblem) in
        // Bytes with the key's schema are stored unchanged, if they can be decoded as a value.
        _ = try coding.deserializeAny(opened)
        return try coding.currentBytes(of: opened)
      }
      let seen = try await self.stored(plan)
      let isDone = if let seen { await isStored(bytes, coding.schema, as: seen, plan) } else { false }
      if seen != nil, !isDone, !replacing { throw StorageError(.alreadyStored, plan.subject) }
      let outcome = try await change(plan) { [self] (value, sealer) throws(StorageError) in
        try plan.naming(.write) { () throws(StorageProblem) in
          // The disk is needed in any case.
          try CallDeadline.requireWaiting()
          let secured = isDone ? nil : try sealer.secured(bytes)
          return try store(copy, stored, secured, over: seen, plan, in: value)
        }
      }
      if let outcome { return outcome }
    }
    throw StorageError(.busy, plan.subject)
  }

  /// Returns true if stored bytes are a value of these serialized ones.
  private func isStored(
    _ bytes: Data, _ schema: UInt32, as stored: Data, _ plan: KeyPlan
  ) async -> Bool {
    // A value that cannot be opened is another one.
    do throws(StorageError) {
      let opened = try await opened(stored, plan)
      return opened.bytes == bytes && opened.schema == schema
    } catch { return false }
  }

  /// Makes the change with the lock of the quarantine held, and removes the copy.
  ///
  /// - Parameter secured: The bytes to store; `nil` if the value is stored already.
  /// - Returns: `nil` if another value is stored than `seen`, or the copy has changed. False if the copy no longer exists.
  private func store(
    _ copy: QuarantinedCopy, _ stored: Data, _ secured: Data?, over seen: Data?, _ plan: KeyPlan,
    in value: KeyedValue
  ) throws(StorageProblem) -> Bool? {
    var outcome: Bool? = false
    try services.quarantine.update(copy, plan.attributes) { (found) throws(StorageProblem) in
      outcome = nil
      guard found == stored else { return .keep }
      var isStored = false
      try value.update { existing in
        isStored = existing == seen
        guard isStored, let secured else { return .keep }
        return .write(secured)
      }
      guard isStored else { return .keep }
      try value.store.makeDurable(plan.address.container)
      outcome = true
      return .remove
    }
    return outcome
  }
}
