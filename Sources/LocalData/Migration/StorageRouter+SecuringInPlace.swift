import Foundation
import StorageVocabulary

/// A source in the key's own place: the bytes are secured anew where they are, by compare and swap. Nothing is stored
/// beside them, and nothing removed.
extension StorageRouter {
  /// How a move's source is secured, where it lies in the key's own place.
  func samePlace(_ move: ValueMove, _ candidate: MigrationCandidate) async throws(StorageError) -> KeyPlan? {
    for key in move.sources {
      let source = try await sourcePlan(of: key)
      if source.isInPlace(of: candidate.plan) { return source }
    }
    return nil
  }

  /// Whether what is stored opens with the source's policy alone.
  func isSecuredOtherwise(
    _ source: KeyPlan, _ key: AnyStorageKey, _ candidate: MigrationCandidate
  ) async throws(StorageError) -> Bool {
    guard let stored = try await stored(candidate.plan) else { return false }
    return try await valueSecuredOtherwise(stored, key, source, candidate) != nil
  }

  /// Secures what is stored as the key asks, where a step says how it was secured before.
  func secureInPlace(_ candidate: MigrationCandidate) async throws(StorageError) -> CommittedMove? {
    for case .move(let move) in candidate.steps.map(\.action) {
      guard let place = try await samePlace(move, candidate) else { continue }
      if let secured = try await secureInPlace(place, move, candidate) { return secured }
    }
    return nil
  }

  private func secureInPlace(
    _ source: KeyPlan, _ move: ValueMove, _ candidate: MigrationCandidate
  ) async throws(StorageError) -> CommittedMove? {
    guard move.sources.count == 1, let key = move.sources.first else { return nil }
    let plan = candidate.plan
    // Between the look and the swap somebody else may write: look again then.
    for _ in 0..<8 {
      guard let seen = try await stored(plan) else { return nil }
      guard let value = try await valueSecuredOtherwise(seen, key, source, candidate) else {
        // It is secured as it should be, and stays so: from now on nothing else is accepted.
        return CommittedMove(
          candidate: candidate, removals: [], entry: entry(candidate, sources: [], .unneeded, .committed))
      }
      let converted = try converted(move, [FoundSource(plan: source, value: value)], candidate)
      if try await swap(seen, for: converted, candidate) {
        let entry = entry(candidate, sources: [source], .securedInPlace, .committed)
        return CommittedMove(candidate: candidate, removals: [], entry: entry)
      }
    }
    throw .busy(plan.subject)
  }

  /// The value of bytes that open with the source's policy alone; `nil` where they open as the key asks.
  ///
  /// Where neither opens them, the error is the key's own, unless a key is missing: that is what helps then.
  private func valueSecuredOtherwise(
    _ stored: Data, _ key: AnyStorageKey, _ source: KeyPlan, _ candidate: MigrationCandidate
  ) async throws(StorageError) -> (any Sendable)? {
    let own: StorageError
    do throws(StorageError) {
      _ = try await opened(stored, candidate.plan)
      return nil
    } catch {
      guard error.isOfAnotherPolicy else { throw error }
      own = error
    }
    do throws(StorageError) {
      let opened = try await opened(stored, source)
      let value = try await perform(source) { (_) throws(StorageFault) in try key.coding.deserializeAny(opened) }
      return value
    } catch {
      if case .keyMaterialMissing = own { throw own }
      switch error {
      case .corrupted, .authenticationFailed, .cannotDecode: throw own
      default: throw error
      }
    }
  }

  private func swap(
    _ seen: Data, for value: any Sendable, _ candidate: MigrationCandidate
  ) async throws(StorageError) -> Bool {
    let (plan, coding) = (candidate.plan, candidate.key.coding)
    let (sealer, now) = (try await sealer(for: plan), clock.now)
    return try await perform(plan) { (store) throws(StorageFault) in
      guard let bytes = try coding.serializeAny(value) else { throw .cannotEncode }
      let secured = try plan.secured(bytes, sealer, at: now)
      var isSwapped = false
      try store.update(plan.place, plan.attributes) { stored in
        isSwapped = stored == seen
        return isSwapped ? .write(secured) : .keep
      }
      return isSwapped
    }
  }
}

extension StorageError {
  /// Whether bytes that failed so may have been secured under another policy.
  fileprivate var isOfAnotherPolicy: Bool {
    switch self {
    case .corrupted, .authenticationFailed, .keyMaterialMissing: true
    default: false
    }
  }
}
