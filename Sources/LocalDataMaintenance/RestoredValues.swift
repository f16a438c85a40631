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
    var attempts = SealingAttempts(plan, services)
    // A value that another process sets between the look at it and the change is looked at again.
    for _ in 0..<Self.attemptsToMoveAside {
      guard
        let stored = try await blocking(
          plan,
          { [services] () throws(StorageProblem) in
            try services.quarantine.stored(copy)
          })
      else { return false }
      let opened = try await opened(stored, plan)
      let bytes = try await compute(plan, on: stored) { () throws(StorageProblem) in
        // Bytes with the key's schema are stored unchanged, if they can be decoded as a value.
        _ = try coding.deserializeAny(opened)
        return try coding.currentBytes(of: opened)
      }
      let seen = try await self.stored(plan)
      let isDone = if let seen { await isStored(bytes, coding.schema, as: seen, plan) } else { false }
      if seen != nil, !isDone, !replacing { throw StorageError(.alreadyStored, plan.subject) }
      let sealer = try await sealer(for: plan)
      let now = await timeOfWriting(plan)
      let change: Change = isDone ? .none : .write(try seal(bytes, plan, sealer, at: now))
      do throws(StorageError) {
        let outcome = try await store(copy, stored, change, over: seen, plan)
        if let isRestored = outcome { return isRestored }
      } catch {
        try attempts.check(error)
      }
    }
    throw StorageError(.busy, plan.subject)
  }

  /// The change of the key's value by a restoration.
  private enum Change: Sendable {
    case none
    case write(Data)
  }

  private func seal(
    _ bytes: Data, _ plan: KeyPlan, _ sealer: Sealer?, at time: Date
  ) throws(StorageError) -> Data {
    do throws(StorageProblem) { return try plan.secured(bytes, sealer, at: time) } catch {
      throw plan.error(error, .write)
    }
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
  /// - Returns: `nil` if another value is stored than `seen`, or the copy has changed. False if the copy no longer exists.
  private func store(
    _ copy: QuarantinedCopy, _ stored: Data, _ change: Change, over seen: Data?, _ plan: KeyPlan
  ) async throws(StorageError) -> Bool? {
    defer { changes.publishChange(at: plan.address) }
    return try await blocking(plan) { [self] () throws(StorageProblem) -> Bool? in
      let value = KeyedValue(plan, self)
      var outcome: Bool? = false
      try services.quarantine.update(copy, plan.attributes) { (found) throws(StorageProblem) in
        outcome = nil
        guard found == stored else { return .keep }
        var isStored = false
        try value.update { existing in
          isStored = existing == seen
          guard isStored, case .write(let bytes) = change else { return .keep }
          return .write(bytes)
        }
        guard isStored else { return .keep }
        try value.store.makeDurable(plan.address.container)
        outcome = true
        return .remove
      }
      return outcome
    }
  }

  private func blocking<Result: Sendable>(
    _ plan: KeyPlan,
    _ body: @escaping @Sendable () throws(StorageProblem) -> Result
  ) async throws(StorageError) -> Result {
    do throws(StorageProblem) { return try await services.run(body) } catch {
      throw plan.error(error, .write)
    }
  }
}
