import LocalDataFoundation

/// A look at sources about which the log has an entry. What is stored there now is compared with what the log notes: after a
/// move or a removal, an earlier release may have written a newer value.
extension MigrationAttempt {
  /// The value of one source.
  fileprivate enum Found: Equatable {
    /// The log does not tell when it was written.
    case undated
    case newer
    /// The noted value, with the bytes if they were read.
    case restored(Data?)
    case keptAside
    /// The value that a key was about to take.
    case announced
  }

  /// Looks at the sources of a step. Returns nil if the log has no information about their values.
  mutating func lookAtNoted(_ step: ResolvedStep, _ index: Int) async throws(StorageError) -> StepState.SourceState? {
    var found: [Int: Found] = [:]
    for (position, source) in step.sources.enumerated() where !source.isInPlace {
      found[position] = try await look(at: source, notes[index][position], index)
    }
    let log = state.steps[index].log
    if found.isEmpty { return .absent }
    let isUndated = found.values.contains(.undated)
    if isUndated || found.values.contains(.newer) {
      let isPart = isPart(found, step, index)
      if !isPart, isNewest || (isUndated && [.none, .committed].contains(log)) { return nil }
      if !isQuestion || step.takesPart { self.found[index] = try await migrator.find(step, of: plan) }
      // The newer value of the source has no part for the key.
      if step.takesPart, self.found[index]?.contains(where: { $0 != nil }) == false { return .absent }
      return isPart ? .part : .newer
    }
    if log == .none || found.values.contains(.announced) { return nil }
    return try await noteRestored(found, step, index)
  }

  /// Returns true if a source has no value now, and the key's value was made of one that it had. A value that was made of no
  /// source is replaced only by all of them.
  private func isPart(_ found: [Int: Found], _ step: ResolvedStep, _ index: Int) -> Bool {
    let used = step.sources.indices.filter { position in
      guard let note = notes[index][position], note.isKnown, !signedOut.contains(candidate.id) else { return false }
      return note.entry.address == candidate.id || note.entry.steps.contains(step.id)
    }
    if used.isEmpty { return state.destination == .current && found.count < step.sources.count { !$0.isInPlace } }
    return used.contains { found[$0] == nil }
  }

  /// Returns the state of sources whose values are the noted ones.
  private mutating func noteRestored(
    _ found: [Int: Found], _ step: ResolvedStep, _ index: Int
  ) async throws(StorageError) -> StepState.SourceState {
    for (position, value) in found {
      guard case .restored(let bytes) = value else { continue }
      restored[index, default: [:]][step.sources[position].id] = .some(bytes)
    }
    guard restored[index] != nil else { return .keptAside }
    switch state.steps[index].log {
    case .committed, .removing:
      // The destination was lost before the sources were removed.
      guard state.destination != .current else { return .restored }
      if !isQuestion { self.found[index] = try await migrator.find(step, of: plan) }
      return .present
    case .completed:
      if stepEntries[index].isRemoval { state.steps[index].log = .removed }
      return .restored
    case .none, .started, .superseded, .removed: return .restored
    }
  }

  /// Returns the value of a source, or nil if it has none.
  private func look(
    at source: MigrationSource, _ note: SourceNote?, _ index: Int
  ) async throws(StorageError) -> Found? {
    guard try await migrator.values.isStored(source.plan) else { return nil }
    // A question never asks the user. A value that cannot be compared without that may be a newer one.
    guard let note, use != .exists || !source.plan.mayPrompt else { return .undated }
    if try await isStored(note.announced, at: source) == false { return .newer }
    let isRemoval = note.isRemoval || stepEntries[index].isRemoval
    if note.isLive {
      guard note.writtenAt != nil else { return .undated }
      // A value that was left may be unchanged: the entry is noted before the value is stored.
      if !note.isGone, try await isStored(note.value, at: source) == true { return .undated }
      return .newer
    }
    switch note.value {
    case .none: return note.announced == nil ? .undated : .announced
    case .unknown: return unknown(index, isRemoval)
    case .fingerprint(let fingerprint):
      guard let bytes = try await migrator.values.stored(source.plan) else { return nil }
      guard let isEqual = try await migrator.fingerprints.hasFingerprint(fingerprint, bytes, source.plan) else {
        return unknown(index, isRemoval)
      }
      if !isEqual { return .newer }
      if state.steps[index].log == .committed { return .restored(bytes) }
      if source.isShared {
        return await migrator.isSpent(source, bytes, except: candidate.id) ? .restored(bytes) : .keptAside
      }
      return note.isGone || isRemoval ? .restored(bytes) : .keptAside
    }
  }

  /// Returns true if a source has a noted value, false if it has another one, and nil if they cannot be compared.
  private func isStored(_ value: SourceNote.Value?, at source: MigrationSource) async throws(StorageError) -> Bool? {
    guard case .fingerprint(let fingerprint) = value, let bytes = try await migrator.values.stored(source.plan) else {
      return nil
    }
    return try await migrator.fingerprints.hasFingerprint(fingerprint, bytes, source.plan)
  }

  /// Returns the value of a source whose noted value is unknown.
  private func unknown(_ index: Int, _ isRemoval: Bool) -> Found {
    switch state.steps[index].log {
    case .removing, .removed: .restored(nil)
    case .committed: .undated
    case .none, .started, .superseded, .completed: isRemoval ? .restored(nil) : .keptAside
    }
  }
}
