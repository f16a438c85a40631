import CatalogModel
import StorageAudit
import StorageVocabulary

/// The way of a stored value from the app to its container, and the places to which copies of it go.
///
/// Many keys have the same flow, so that one picture serves all of them.
struct DataFlow: Hashable {
  /// A step of the way.
  struct Stage: Hashable {
    let title: String
    let detail: String
  }

  /// A copy of the stored bytes outside of the container.
  struct Copy: Hashable {
    let place: Place
    let detail: String
    /// The protection of the copy.
    let exposure: Exposure
  }

  /// The places to which copies go, in the order of a picture.
  enum Place: String, CaseIterable {
    case backup, iCloudKeychain, watch, appGroup

    var title: String {
      switch self {
      case .backup: "device backup"
      case .iCloudKeychain: "iCloud Keychain"
      case .watch: "paired device"
      case .appGroup: "app group"
      }
    }
  }

  /// The protection of a copy in comparison with that of the stored value.
  enum Exposure: Hashable {
    case same
    /// The copy is there, and the key that opens it is not.
    case unreadable
    /// The copy is protected less than the stored value.
    case weaker
  }

  let serializer: Stage
  let protection: Stage
  /// A Boolean value that indicates whether a value that needs protection is stored as it is.
  let isExposed: Bool
  let container: Stage
  let copies: [Copy]
}

extension DataFlow {
  /// The flow of a key's value.
  init(_ key: ResolvedKey) {
    let descriptor = key.descriptor
    serializer = Stage(title: descriptor.serializer.kind.rawValue, detail: descriptor.serializer.customName)
    protection = descriptor.security.stage
    isExposed = descriptor.security == .none && descriptor.sensitivity.needsProtection
    container = descriptor.domain.stage
    var copies = Self.backupCopies(of: key.storedFacts)
    if case .keychain(_, _, true) = descriptor.domain {
      copies.append(Copy(place: .iCloudKeychain, detail: "encrypted end to end", exposure: .same))
    }
    if descriptor.syncPolicy != .never {
      let isDecrypted = descriptor.isDecryptedForSync && descriptor.security != .none
      copies.append(
        Copy(
          place: .watch, detail: isDecrypted ? "sent decrypted" : "sent as serialized",
          exposure: isDecrypted ? .weaker : .same))
    }
    if descriptor.domain.kind.isAppGroup {
      copies.append(Copy(place: .appGroup, detail: "read by all its members", exposure: .same))
    }
    self.copies = copies
  }

  /// The flow of a record's plain fields, or of its encrypted fields.
  init(_ record: ResolvedRecord, in database: ResolvedDatabase, isSealed: Bool) {
    serializer =
      isSealed ? Stage(title: "wire format", detail: "one part a row") : Stage(title: "columns", detail: "SQLite")
    protection = (isSealed ? database.sealing : .none).stage
    isExposed =
      !isSealed && record.fields.contains { $0.encryption == .none && $0.sensitivity.needsProtection }
    container = Stage(title: "database", detail: "\(database.name).db")
    let facts = isSealed ? database.sealedFacts : database.storedFacts
    copies =
      Self.backupCopies(of: facts)
      + (database.domain.kind.isAppGroup
        ? [Copy(place: .appGroup, detail: "read by all its members", exposure: .same)] : [])
  }

  /// Returns the copies in backups, by what a new device can do with them.
  private static func backupCopies(of facts: StoredFacts) -> [Copy] {
    let all: [(event: StorageEvent, name: String)] = [
      (.encryptedBackup, "encrypted"), (.unencryptedBackup, "unencrypted"), (.iCloudRestore, "iCloud"),
    ]
    // After the other restores, such an item comes from iCloud Keychain and not from the backup.
    let events = facts.isSynchronizable ? Array(all.prefix(1)) : all
    func names(_ outcomes: Set<Fate.Outcome>) -> String {
      events.filter { outcomes.contains(FateTable.fate(of: facts, at: $0.event).outcome) }.map(\.name)
        .joined(separator: ", ")
    }
    let readable = names([.kept, .asksUser, .mayBeLost, .cannotBeReadNow])
    let unreadable = names([.cannotBeOpened])
    let unknown = names([.notDecidable])
    return [
      readable.isEmpty ? nil : Copy(place: .backup, detail: readable, exposure: .same),
      unreadable.isEmpty ? nil : Copy(place: .backup, detail: "\(unreadable): no key", exposure: .unreadable),
      unknown.isEmpty ? nil : Copy(place: .backup, detail: "\(unknown): depends", exposure: .unreadable),
    ].compactMap { $0 }
  }

  /// The flow in words, for a reader who does not see the picture.
  var words: String {
    let steps = [serializer, protection, container].map { $0.detail.isEmpty ? $0.title : "\($0.title) (\($0.detail))" }
    let places = copies.map { "\($0.place.title) (\($0.detail))" }
    return steps.joined(separator: ", then ")
      + (places.isEmpty ? "; no copies" : "; copies: " + places.joined(separator: ", "))
  }
}

extension Sensitivity {
  /// A Boolean value that indicates whether a value without protection is marked in pictures.
  var needsProtection: Bool {
    switch self {
    case .public, .internal: false
    case .personal, .health, .financial, .credential: true
    }
  }
}

extension SerializerKind {
  fileprivate var customName: String { if case .custom(let name) = self { name } else { "" } }
}

extension SecurityPolicy {
  fileprivate var stage: DataFlow.Stage {
    switch self {
    case .none: DataFlow.Stage(title: "not encrypted", detail: "stored as serialized")
    case .keychain(let accessibility, nil): DataFlow.Stage(title: "by the keychain", detail: accessibility.rawValue)
    case .keychain(let accessibility, let control?):
      DataFlow.Stage(title: "by the keychain, \(control.rawValue)", detail: accessibility.rawValue)
    case .encrypted(let policy):
      DataFlow.Stage(
        title: policy.algorithm == .aes256GCM ? "AES-256-GCM" : "ChaCha20-Poly1305",
        detail: policy.keySource == .masterKey ? "under the master key" : "under a key of the app")
    }
  }
}

extension StorageDomain {
  fileprivate var stage: DataFlow.Stage {
    let fields = fields
    let directory = fields.directory.map { $0.customPath ?? $0.kind.rawValue }
    let detail = directory ?? fields.accessGroup ?? fields.name ?? kind.unnamedText ?? ""
    return DataFlow.Stage(title: kind.rawValue, detail: detail)
  }
}
