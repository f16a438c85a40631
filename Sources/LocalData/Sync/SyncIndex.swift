import StorageVocabulary

/// The registered keys by what they are called on the other device.
struct SyncIndex: Sendable {
  private let byKey: [SyncKey: AnyStorageKey]
  /// Those whose members can be received.
  let families: [StorageKeyFamily]

  init(_ registry: KeyRegistry) {
    byKey = Dictionary(registry.listed.flatMap(\.keys).map { ($0.syncKey, $0) }, uniquingKeysWith: { $1 })
    families = registry.listed.flatMap(\.families).filter { $0.members != nil }
  }

  /// In the order of their stored names.
  var keys: [AnyStorageKey] {
    byKey.values.sorted { ($0.name, $0.domain.kind.rawValue) < ($1.name, $1.domain.kind.rawValue) }
  }

  /// The registered key, or the member of a registered family.
  subscript(key: SyncKey) -> AnyStorageKey? {
    if let found = byKey[key] { return found }
    for family in families {
      if let member = Self.member(key, of: family) { return member }
    }
    return nil
  }

  /// The member of a family that a name means.
  static func member(_ key: SyncKey, of family: StorageKeyFamily) -> AnyStorageKey? {
    guard family.domain == key.domain, FamilyName(family.name).matches(key.name) else { return nil }
    return family.members?(key.name)
  }
}
