import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary

/// The values that a declaration stores with one protection: the value of a key, or the plain or the encrypted fields of a
/// record.
struct AuditedPart: Sendable {
  /// A key, or a field of a record.
  struct Value: Sendable {
    let name: String
    let sensitivity: Sensitivity
  }

  /// The protections that a reviewer tells apart.
  enum Protection: String, Sendable, CaseIterable {
    case none, keychain, encrypted
  }

  /// The name in the table and in the matrix, for example `Visit, encrypted fields`.
  let name: String
  let values: [Value]
  let storage: AuditedStorage
  /// A Boolean value that indicates whether only earlier releases stored the value.
  let isLegacy: Bool

  var protection: Protection { storage.protection }
  var flow: DataFlow { storage.flow }
  var strength: Int { storage.strength }

  /// The most sensitive one of the values.
  var sensitivity: Sensitivity { values.map(\.sensitivity).max(by: Sensitivity.isBelow) ?? .internal }

  /// The sensitivities of the values, each once, the most sensitive one first. For example `health, internal`.
  var sensitivityText: String {
    guard values.count > 1 else { return sensitivity.rawValue }
    let all = Set(values.map(\.sensitivity))
    return Sensitivity.allCases.reversed().filter(all.contains).map(\.rawValue).joined(separator: ", ")
  }
}

extension AuditedPart {
  init(_ key: ResolvedKey, _ storages: inout AuditedStorages) {
    name = key.descriptor.member
    values = [Value(name: key.descriptor.member, sensitivity: key.descriptor.sensitivity)]
    storage = storages.storage(of: key)
    isLegacy = key.descriptor.isLegacy
  }

  /// Returns the plain fields of a record and, if there are any, its encrypted fields.
  static func all(
    of record: ResolvedRecord, in database: ResolvedDatabase, _ storages: inout AuditedStorages
  ) -> [AuditedPart] {
    let plain = AuditedPart(record, in: database, isSealed: false, &storages)
    guard !record.sealedFields.isEmpty else { return [plain] }
    return [plain, AuditedPart(record, in: database, isSealed: true, &storages)]
  }

  private init(
    _ record: ResolvedRecord, in database: ResolvedDatabase, isSealed: Bool, _ storages: inout AuditedStorages
  ) {
    name = isSealed ? "\(record.name), encrypted fields" : record.name
    values = record.fields.filter { ($0.encryption != .none) == isSealed }.map {
      Value(name: "\(record.name).\($0.name)", sensitivity: record.toldSensitivity(of: $0))
    }
    let facts = isSealed ? database.sealedFacts : database.storedFacts
    let protection = isSealed ? Protection.encrypted : .none
    storage = AuditedStorage(
      DataFlow(record, in: database, isSealed: isSealed, backups: storages.backups(of: facts)), protection,
      strength: facts.strength, place: "database \(database.member)",
      securedText: database.securityText(of: protection))
    isLegacy = false
  }
}

extension SecurityPolicy.Kind {
  var protection: AuditedPart.Protection {
    switch self {
    case .none: .none
    case .keychain: .keychain
    case .recommended, .encrypted: .encrypted
    }
  }
}

extension Sensitivity {
  /// Returns true if the first one is less sensitive than the second one.
  static func isBelow(_ left: Sensitivity, _ right: Sensitivity) -> Bool { left.rank < right.rank }

  /// The position in the order from the least to the most sensitive.
  private var rank: Int {
    switch self {
    case .public: 0
    case .internal: 1
    case .personal: 2
    case .health: 3
    case .financial: 4
    case .credential: 5
    }
  }

  /// A Boolean value that indicates whether a value without protection is marked.
  var needsProtection: Bool {
    switch self {
    case .public, .internal: false
    case .personal, .health, .financial, .credential: true
    }
  }
}

// MARK: - The order of protections

extension StoredFacts {
  /// A number that is larger if the value is protected better: by when it can be read, by who is asked, and by where it goes.
  var strength: Int {
    if seal == .none, accessibility == nil { return isReadableWhileLocked ? 0 : 1 }
    let container = accessibility ?? (isReadableWhileLocked ? .afterFirstUnlock : .whenUnlocked)
    var strength = 10 * container.strictness + (accessControl == nil ? 0 : 5)
    var staysHere = accessibility?.isThisDeviceOnly ?? false
    if case .masterKey(let key) = seal {
      strength = 10 * max(container.strictness, key.strictness)
      staysHere = key.isThisDeviceOnly
    }
    if staysHere { strength += 2 }
    if isSynchronizable || isInGroupKeychain { strength -= 1 }
    return strength
  }
}

extension KeychainAccessibility {
  /// 1 if it can always be read, to 4 if it needs a passcode.
  fileprivate var strictness: Int {
    switch self {
    case .always, .alwaysThisDeviceOnly: 1
    case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: 2
    case .whenUnlocked, .whenUnlockedThisDeviceOnly: 3
    case .whenPasscodeSetThisDeviceOnly: 4
    }
  }
}

extension StoredFacts {
  /// A Boolean value that indicates whether the file can be read while the device is locked.
  fileprivate var isReadableWhileLocked: Bool { [.untilFirstUnlock, .none].contains(fileProtection) }
}
