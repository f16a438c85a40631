import LocalData

/// The registered keys by their names on the other device.
struct SyncIndex: Sendable {
  private let byKey: [SyncKey: AnyStorageKey]
  /// The families whose members can be received.
  let families: [StorageKeyFamily]

  init(keys: [AnyStorageKey], families: [StorageKeyFamily]) {
    byKey = Dictionary(keys.map { ($0.syncKey, $0) }, uniquingKeysWith: { $1 })
    self.families = families.filter { $0.members != nil }
  }

  var isEmpty: Bool { byKey.isEmpty && families.isEmpty }

  /// A number that differs, but for a coincidence, if other keys, schemas or cases of enums are registered. Never 0.
  var fingerprint: UInt64 {
    let names = keys.map {
      "\($0.name) \($0.domain) \($0.schema) \($0.syncPolicy) \($0.syncing?.isDecrypted ?? false) \($0.coding.cases)"
    }
    let text = (names + families.map { "\($0.name) \($0.domain)" }.sorted()).joined(separator: "\n")
    // FNV-1a: the same in every process, which `Hasher` is not.
    let sum = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return max(sum, 1)
  }

  /// Sorted by stored names.
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
