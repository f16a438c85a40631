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
    guard let bytes else { return try await removeForGood(AnyStorageKey(key), plan) }
    let (sealer, now) = (try await sealer(for: plan), clock.now)
    try await perform(plan) { (store) throws(StorageFault) in
      try store.write(try plan.secured(bytes, sealer, at: now), to: plan.place, plan.attributes)
    }
    // A migration removes its source next.
    if MigrationTurn.isRunning(on: self) { try await makeDurable(plan) }
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
      let mayRemove = key.migration == nil
      let update = try await perform(plan) { (store) throws(StorageFault) in
        try store.updated(plan, key.coding, opener, sealer, now, mayRemove: mayRemove, change)
      }
      switch update {
      case .written(let value): return value
      case .removal(let value, let stored):
        if try await removeForGood(stored, AnyStorageKey(key), plan) { return value }
      case .overtaken: break
      }
    }
    throw .busy(plan.subject)
  }

  /// Removes a value with its sources, where it is still the one that was seen; whether it was.
  private func removeForGood(
    _ seen: Data?, _ key: AnyStorageKey, _ plan: KeyPlan
  ) async throws(StorageError) -> Bool {
    let noted = try await noteRemoval(key, plan)
    let isRemoved = try await perform(plan) { (store) throws(StorageFault) in
      var isRemoved = false
      try store.update(plan.place, plan.attributes) { stored in
        isRemoved = stored == seen
        return isRemoved ? .remove : .keep
      }
      return isRemoved
    }
    guard isRemoved else { return false }
    if let noted { try await removeSources(noted) }
    if MigrationTurn.isRunning(on: self) { try await purge(plan) }
    return true
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
  /// One read, change and write under the store's lock.
  fileprivate func updated<Value: Sendable>(
    _ plan: KeyPlan, _ coding: KeyCoding<Value>, _ opener: Opener?, _ sealer: Sealer?, _ now: Date,
    mayRemove: Bool, _ change: (Value) -> Value
  ) throws(StorageFault) -> ValueUpdate<Value> {
    var update = ValueUpdate<Value>.overtaken
    try self.update(plan.place, plan.attributes) { (stored) throws(StorageFault) in
      // A store that lost against another process asks again: what was decided before was not written.
      update = .overtaken
      if plan.sealing != nil, let stored {
        guard let opener, opener.canOpen(try EnvelopeHeader.parse(stored)) else { return .keep }
      }
      let bytes = try stored.map { (stored) throws(StorageFault) in try plan.opened(stored, opener) }
      let value = change(try coding.deserialize(bytes))
      update = .written(value)
      guard let changed = try coding.serialize(value) else {
        if mayRemove { return .remove }
        update = .removal(value, of: stored)
        return .keep
      }
      return .write(try plan.secured(changed, sealer, at: now))
    }
    return update
  }
}

/// How far an update came in one look at what is stored.
private enum ValueUpdate<Value: Sendable>: Sendable {
  case written(Value)
  /// The new value removes what is stored, and where that may come back from has to be seen to first.
  case removal(Value, of: Data?)
  /// What is stored needs another key than was made ready.
  case overtaken
}
