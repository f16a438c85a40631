import Foundation
import StorageVocabulary

/// In-place steps: the value of the key's own address, stored in an older form.
///
/// The form is read from the header of the stored bytes. It says whether the bytes are plain, or with which algorithm,
/// derivation and kind of key source they are encrypted. Only where several accepted forms have the same header, the
/// identifier of the key decides, and at last the identity that the value is bound to. A form is accepted if a step lists
/// it and the log has not retired it.
extension Migrator {
  /// Returns the step that accepts the stored bytes, or nil if the key itself reads them, or nobody does.
  func olderForm(
    of stored: Data, _ candidate: MigrationCandidate, _ state: MigrationState,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) -> Int? {
    let form: HeaderForm
    do throws(StorageFault) { form = try HeaderForm(stored) } catch {
      // The key's own read says what is wrong with them.
      return nil
    }
    let steps = candidate.steps.indices.filter { index in
      guard candidate.rules[index] == .inPlace, state.steps[index].log != .completed else { return false }
      return candidate.steps[index].sources.first.map { form.fits($0.plan) } ?? false
    }
    guard let first = steps.first(where: { form.matches(candidate.source(of: $0)) }) ?? steps.first else { return nil }
    guard form.fits(candidate.plan) else { return try await resolve(steps, startingAt: first, stored, candidate) }
    if form == .plain { return steps.first { candidate.hasOtherAttributes(than: candidate.source(of: $0)) } }
    let (isOwn, isOlder) = (form.matches(candidate.plan), form.matches(candidate.source(of: first)))
    if isOwn != isOlder { return isOwn ? nil : try await opens(stored, first, candidate) ? first : nil }
    // Key sources of one kind, or domains of one address: the header does not tell them apart.
    let others = steps.filter { candidate.differs(from: candidate.source(of: $0)) }
    guard !others.isEmpty else { return nil }
    do throws(StorageError) {
      _ = try await values.opened(stored, candidate.plan)
      return nil
    } catch {
      switch error {
      case .authenticationFailed, .keyMaterialMissing, .corrupted:
        for index in others where try await opens(stored, index, candidate) { return index }
        return nil
      default: throw error
      }
    }
  }

  /// Returns the step of several whose key opens the bytes.
  private func resolve(
    _ steps: [Int], startingAt first: Int, _ stored: Data, _ candidate: MigrationCandidate,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) -> Int? {
    guard steps.count > 1 else { return first }
    for index in [first] + steps.filter({ $0 != first }) where try await opens(stored, index, candidate) {
      return index
    }
    return first
  }

  /// Returns true if the key that the header names is the step's, and the value is bound to the step's identity.
  private func opens(
    _ stored: Data, _ index: Int, _ candidate: MigrationCandidate, isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) -> Bool {
    do throws(StorageError) {
      _ = try await values.opened(stored, candidate.source(of: index))
      return true
    } catch {
      switch error {
      case .authenticationFailed, .keyMaterialMissing, .corrupted: return false
      default: throw error
      }
    }
  }

  /// Stores a value instead of the bytes that were seen. Returns false if something else is stored now.
  func swap(
    _ seen: Data, for value: any Sendable, _ candidate: MigrationCandidate,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(StorageError) -> Bool {
    let (plan, coding) = (candidate.plan, candidate.key.coding)
    let (sealer, now) = (try await values.sealer(for: plan), values.clock.now)
    return try await values.perform(plan) { (store) throws(StorageFault) in
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

/// The form of stored bytes, as far as their header tells.
private enum HeaderForm: Equatable {
  case plain
  case encrypted(EncryptionAlgorithm, KeyDerivation.Kind, EnvelopeHeader.Source)

  init(_ stored: Data) throws(StorageFault) {
    guard EnvelopeHeader.begins(stored), let seal = try EnvelopeHeader.parse(stored).seal else {
      self = .plain
      return
    }
    self = .encrypted(seal.algorithm, seal.stretch == nil ? .hkdf : .pbkdf2, seal.source)
  }

  /// Returns true if a plan's policy can open bytes of this form: a policy opens every algorithm and derivation of its
  /// key source.
  func fits(_ plan: KeyPlan) -> Bool {
    switch (self, plan.sealing) {
    case (.plain, nil): true
    case (.encrypted(_, _, let source), let policy?): source == policy.keySource.inHeader
    default: false
    }
  }

  /// Returns true if a plan's policy writes this form.
  func matches(_ plan: KeyPlan) -> Bool {
    switch (self, plan.sealing) {
    case (.plain, nil): true
    case (.encrypted(let algorithm, let derivation, let source), let policy?):
      algorithm == policy.algorithm && derivation == policy.keyDerivation.kind && source == policy.keySource.inHeader
    default: false
    }
  }
}

extension KeySource {
  fileprivate var inHeader: EnvelopeHeader.Source {
    switch self {
    case .masterKey: .masterKey
    case .external: .external
    }
  }
}

extension MigrationCandidate {
  /// The address of an in-place step, with the policy that it accepts.
  fileprivate func source(of step: Int) -> KeyPlan { steps[step].sources.first?.plan ?? plan }

  /// Returns true if a plain value has other conditions of the keychain than the key asks for. The store cannot tell
  /// those of a stored value: they are set once, and the log remembers that.
  fileprivate func hasOtherAttributes(than source: KeyPlan) -> Bool {
    source.attributes.accessibility != plan.attributes.accessibility
      || source.attributes.accessControl != plan.attributes.accessControl
  }

  /// Returns true if a source is encrypted under another key source, or bound to another identity.
  fileprivate func differs(from source: KeyPlan) -> Bool {
    source.sealing?.keySource != plan.sealing?.keySource || source.identity.domain != plan.identity.domain
  }
}
