import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary

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
    /// The place in words, for example `backups (encrypted, iCloud)`.
    let destination: String
    /// The form in which the bytes arrive, for example `encrypted, without its key`.
    let form: String

    /// For example `backups (unencrypted, iCloud): encrypted, without its key`.
    var text: String { "\(destination): \(form)" }

    init(_ place: Place, _ detail: String, _ exposure: Exposure = .same, to destination: String? = nil, form: String) {
      self.place = place
      self.detail = detail
      self.exposure = exposure
      self.destination = destination ?? place.title
      self.form = form
    }
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
  init(_ key: ResolvedKey, _ facts: StoredFacts, backups: [Copy]) {
    let descriptor = key.descriptor
    serializer = Stage(title: descriptor.serializer.kind.rawValue, detail: descriptor.serializer.customName)
    protection = descriptor.security.stage
    isExposed = descriptor.security == .none && descriptor.sensitivity.needsProtection
    container = descriptor.domain.stage
    var copies = backups
    if facts.isSynchronizable { copies.append(.inICloudKeychain) }
    if descriptor.syncPolicy != .never {
      let isDecrypted = descriptor.isDecryptedForSync && descriptor.security != .none
      copies.append(isDecrypted ? .sentDecrypted : .sentAsSerialized)
    }
    if descriptor.domain.kind.isAppGroup { copies.append(.inAppGroup) }
    self.copies = copies
  }

  /// The flow of a record's plain fields, or of its encrypted fields.
  init(_ record: ResolvedRecord, in database: ResolvedDatabase, isSealed: Bool, backups: [Copy]) {
    serializer =
      isSealed ? Stage(title: "wire format", detail: "one part a row") : Stage(title: "columns", detail: "SQLite")
    protection = (isSealed ? database.sealing : .none).stage
    isExposed =
      !isSealed
      && record.fields.contains { $0.encryption == .none && record.toldSensitivity(of: $0).needsProtection }
    container = Stage(title: "database", detail: "\(database.name).db")
    copies = backups + (database.domain.kind.isAppGroup ? [.inAppGroup] : [])
  }

  /// The flow of unmanaged data.
  init(_ data: ResolvedUnmanaged, _ facts: StoredFacts, backups: [Copy]) {
    let descriptor = data.descriptor
    serializer = Stage(title: "other code", detail: "unmanaged")
    protection = descriptor.security.stage
    isExposed = descriptor.security == .none && descriptor.sensitivity.needsProtection
    let place = data.file.map { Stage(title: descriptor.domain.kind.rawValue, detail: $0.path) }
    container = place ?? descriptor.domain.stage
    var copies = backups
    if facts.isSynchronizable { copies.append(.inICloudKeychain) }
    if descriptor.domain.kind.isAppGroup { copies.append(.inAppGroup) }
    self.copies = copies
  }

  /// The flow in words, for a reader who does not see the picture.
  var words: String {
    let steps = [serializer, protection, container].map { $0.detail.isEmpty ? $0.title : "\($0.title) (\($0.detail))" }
    let places = copies.map { "\($0.place.title) (\($0.detail))" }
    return steps.joined(separator: ", then ")
      + (places.isEmpty ? "; no copies" : "; copies: " + places.joined(separator: ", "))
  }
}

extension DataFlow.Copy {
  fileprivate static let inICloudKeychain = Self(.iCloudKeychain, "encrypted end to end", form: "encrypted end to end")
  fileprivate static let sentDecrypted = Self(.watch, "sent decrypted", .weaker, form: "decrypted")
  fileprivate static let sentAsSerialized = Self(.watch, "sent as serialized", form: "as it is")
  fileprivate static let inAppGroup = Self(.appGroup, "read by all its members", form: "read by all its members")
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
    let directory = fields.directory.map { $0.text ?? $0.kind.rawValue }
    let detail = directory ?? (fields.accessGroup ?? fields.name)?.containerText ?? kind.unnamedText ?? ""
    return DataFlow.Stage(title: kind.rawValue, detail: detail)
  }
}
