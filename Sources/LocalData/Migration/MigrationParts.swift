import LocalDataFoundation
import LocalDataStores

/// Sources of which several keys take a part. Such a source is removed when the log has, for each part that is found in its
/// bytes, an entry of the key about these bytes. No single entry decides it, so that a process that is killed at any call, or
/// that knows only some of the keys, leaves the source to the others.
extension Migrator {
  /// Returns true if a source may be removed: if no other key has a part in its bytes that the log does not have as taken. A
  /// source that cannot be examined now stays.
  ///
  /// A value with parts of many keys takes long, and keeps no other call from the router.
  ///
  /// - Parameter isImported: True if records were made from its elements. Otherwise such a source stays for the import.
  @concurrent func isSpent(
    _ source: MigrationSource, _ bytes: Data?, except id: AddressID, isImported: Bool = false
  ) async -> Bool {
    if source.key.options.isImported, !isImported { return false }
    guard source.isShared else { return true }
    guard let bytes else { return false }
    do throws(StorageError) {
      let ledger = try await ledger(of: source.plan)
      for (part, values) in try await parts(of: source, bytes) where part.availability.includes(setting.platform) {
        let name = FamilyName(part.family.name).member(values) ?? ""
        let address = AddressID(try await sourcePlan(AnyStorageKey(member: name, of: part.family)))
        if address == id { continue }
        // The key has its part, or was removed.
        guard let note = ledger.note(of: source.id, for: [address], parts: [address]), !note.isLive,
          note.entry.phase == .completed, note.entry.event?.outcome != .conflictKept,
          case .fingerprint(let fingerprint) = note.value,
          try await fingerprints.hasFingerprint(fingerprint, bytes, source.plan) == true
        else { return false }
      }
      return true
    } catch { return false }
  }

  /// Returns the members of a family that have a part in the value of a legacy key.
  func members(of family: StorageKeyFamily, in key: AnyStorageKey) async throws(StorageError) -> [AnyStorageKey] {
    let own = MigrationSource(key: key, plan: try await sourcePlan(key), isInPlace: false)
    let source = await own.with(forms(of: own, key.migration?().steps ?? []))
    guard let bytes = try await values.stored(source.plan) else { return [] }
    return try await parts(of: source, bytes).compactMap { part, values in
      part.family.name == family.name && part.family.domain == family.domain ? family.migration?.member(values) : nil
    }
  }

  /// Returns the parts that are found in the bytes of a source, each with the parameters of a member.
  private func parts(
    of source: MigrationSource, _ bytes: Data
  ) async throws(StorageError) -> [(part: StorageSourcePart, values: [String: String])] {
    let opened = try await values.opened(bytes, try await form(of: bytes, in: source).plan)
    do {
      return try source.key.options.parts.flatMap { part in
        try part.members(in: opened.bytes, of: source.key).map { (part, $0) }
      }
    } catch { throw source.plan.error(.cannotDecode) }
  }
}

extension AnyStorageKey {
  /// A Boolean value that indicates whether several keys can take parts of the value.
  var isShared: Bool { !options.parts.isEmpty }
}

extension MigrationSource {
  var isShared: Bool { key.isShared }
}
