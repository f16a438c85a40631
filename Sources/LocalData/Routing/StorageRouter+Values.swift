import Foundation
import StorageVocabulary

/// The verbs on one key that has its turn. Keys are made ready first, since that may wait; what follows is one
/// uninterrupted step.
extension StorageRouter {
  func value<Value>(of key: StorageKey<Value>, _ plan: KeyPlan) async throws(StorageError) -> Value {
    let stored = try await perform(plan) { (store) throws(StorageFault) in
      try store.read(plan.place, plan.attributes)
    }
    let opener = try await opener(for: stored, plan)
    return try await perform(plan) { (_) throws(StorageFault) in
      try key.coding.deserialize(try stored.map { (stored) throws(StorageFault) in try plan.opened(stored, opener) })
    }
  }

  func store<Value>(_ value: Value, for key: StorageKey<Value>, _ plan: KeyPlan) async throws(StorageError) {
    let bytes = try await perform(plan) { (_) throws(StorageFault) in try key.coding.serialize(value) }
    guard let bytes else {
      return try await perform(plan) { (store) throws(StorageFault) in
        try store.remove(plan.place, plan.attributes)
      }
    }
    let (sealer, now) = (try await sealer(for: plan), clock.now)
    try await perform(plan) { (store) throws(StorageFault) in
      try store.write(try plan.secured(bytes, sealer, at: now), to: plan.place, plan.attributes)
    }
  }

  func change<Value>(
    _ key: StorageKey<Value>, _ plan: KeyPlan, _ change: @escaping @Sendable (Value) -> Value
  ) async throws(StorageError) -> Value {
    let sealer = try await sealer(for: plan)
    // Between a look at the stored header and the update another process may seal under another key: look again then.
    for _ in 0..<8 {
      let seen =
        plan.sealing == nil
        ? nil
        : try await perform(plan) { (store) throws(StorageFault) in try store.read(plan.place, plan.attributes) }
      let (opener, now) = (try await opener(for: seen, plan), clock.now)
      let written: Value? = try await perform(plan) { (store) throws(StorageFault) in
        try store.updated(plan, key.coding, opener, sealer, now, change)
      }
      if let written { return written }
    }
    throw .busy(plan.subject)
  }

  func sealer(for plan: KeyPlan) async throws(StorageError) -> Sealer? {
    guard let policy = plan.sealing else { return nil }
    do throws(StorageFault) {
      return try await ready(for: plan).encryption.sealer(
        for: policy, keyset: plan.keyset, keyName: plan.subject.key ?? plan.place.name)
    } catch {
      throw StorageError(error, plan.subject, limit: plan.maxSize)
    }
  }

  func opener(for stored: Data?, _ plan: KeyPlan) async throws(StorageError) -> Opener? {
    guard let policy = plan.sealing, let stored else { return nil }
    do throws(StorageFault) {
      let header = try EnvelopeHeader.parse(stored)
      return try await ready(for: plan).encryption.opener(
        for: policy, keyset: plan.keyset, keyName: plan.subject.key ?? plan.place.name, header: header)
    } catch {
      throw StorageError(error, plan.subject, limit: plan.maxSize)
    }
  }
}

extension ValueStore {
  /// One read, change and write under the store's lock; `nil` where what is stored needs another key than `opener` has.
  fileprivate func updated<Value: Sendable>(
    _ plan: KeyPlan, _ coding: KeyCoding<Value>, _ opener: Opener?, _ sealer: Sealer?, _ now: Date,
    _ change: (Value) -> Value
  ) throws(StorageFault) -> Value? {
    var written: Value?
    try update(plan.place, plan.attributes) { (stored) throws(StorageFault) in
      // A store that lost against another process asks again: what was decided before was not written.
      written = nil
      if plan.sealing != nil, let stored {
        guard let opener, opener.canOpen(try EnvelopeHeader.parse(stored)) else { return .keep }
      }
      let bytes = try stored.map { (stored) throws(StorageFault) in try plan.opened(stored, opener) }
      let value = change(try coding.deserialize(bytes))
      written = value
      guard let changed = try coding.serialize(value) else { return .remove }
      return .write(try plan.secured(changed, sealer, at: now))
    }
    return written
  }
}
