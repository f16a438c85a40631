import Foundation
import StorageVocabulary

/// The same with values instead of bytes.
extension StoredValues {
  /// Returns the value of a key: its default, or the error of its absence, if nothing is stored.
  func value<Value>(
    _ coding: KeyCoding<Value>, _ plan: KeyPlan, isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) -> Value {
    let stored = try await stored(plan)
    let opener = try await opener(for: stored, plan)
    return try await perform(plan) { (_) throws(StorageFault) in
      try coding.deserialize(try stored.map { (stored) throws(StorageFault) in try plan.opened(stored, opener) })
    }
  }

  /// Stores serialized bytes.
  func store(
    _ bytes: Data, _ plan: KeyPlan, isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) {
    let (sealer, now) = (try await sealer(for: plan), clock.now)
    try await perform(plan, .write) { (store) throws(StorageFault) in
      try store.write(try plan.secured(bytes, sealer, at: now), to: plan.place, plan.attributes)
    }
  }

  /// Reads, changes and writes a value with no other writer between.
  ///
  /// - Parameter mayRemove: False if a value that means absence must not be removed here, because the caller has to
  ///   see to its sources first.
  func update<Value: Sendable, Failure: Error>(
    _ coding: KeyCoding<Value>, _ plan: KeyPlan, mayRemove: Bool, isolation: isolated (any Actor)? = #isolation,
    _ change: @escaping @Sendable (inout Value) throws(Failure) -> Void
  ) async throws(StorageError) -> ValueUpdate<Value, Failure> {
    let sealer = try await sealer(for: plan)
    // Between a look at the stored header and the update another process may seal under another key: look again then.
    for _ in 0..<8 {
      let seen = plan.sealing == nil ? nil : try await stored(plan)
      let (opener, now) = (try await opener(for: seen, plan), clock.now)
      let update = try await perform(plan, .write) { (store) throws(StorageFault) in
        try store.updated(plan, coding, opener, sealer, now, mayRemove: mayRemove, change)
      }
      if let update { return update }
    }
    throw .busy(plan.subject)
  }
}

/// What an update came to.
enum ValueUpdate<Value: Sendable, Failure: Error>: Sendable {
  case written(Value)
  /// The value means absence and what is stored has to be removed by the caller, if it is still these bytes.
  case removal(Value, of: Data?)
  /// The change threw, and nothing was written.
  case abandoned(Failure)
}

extension ValueStore {
  /// One read, change and write under the store's lock; `nil` if what is stored needs another key than was made ready.
  fileprivate func updated<Value: Sendable, Failure: Error>(
    _ plan: KeyPlan, _ coding: KeyCoding<Value>, _ opener: Opener?, _ sealer: Sealer?, _ now: Date,
    mayRemove: Bool, _ change: (inout Value) throws(Failure) -> Void
  ) throws(StorageFault) -> ValueUpdate<Value, Failure>? {
    var update: ValueUpdate<Value, Failure>?
    try self.update(plan.place, plan.attributes) { (stored) throws(StorageFault) in
      // A store that lost against another process asks again: what was decided before was not written.
      update = nil
      if plan.sealing != nil, let stored {
        guard let opener, opener.canOpen(try EnvelopeHeader.parse(stored)) else { return .keep }
      }
      let opened = try stored.map { (stored) throws(StorageFault) in try plan.opened(stored, opener) }
      var value = try coding.deserialize(opened)
      do throws(Failure) { try change(&value) } catch {
        update = .abandoned(error)
        return .keep
      }
      guard let bytes = try coding.serialize(value) else {
        update = mayRemove ? .written(value) : .removal(value, of: stored)
        return mayRemove ? .remove : .keep
      }
      update = .written(value)
      return .write(try plan.secured(bytes, sealer, at: now))
    }
    return update
  }
}
