package import LocalDataVocabulary

/// The wording of the vocabulary in audits. The text and the Markdown audit share it.
extension StorageDomain {
  package var auditText: String {
    let fields = fields
    let name =
      fields.suite.map { "suite \($0.containerText)" } ?? fields.identifier.map { "group \($0.containerText)" }
      ?? fields.service.map { $0.isEmpty ? "no service" : "service \($0.containerText)" }
    let parts = [
      kind.rawValue, name ?? kind.unnamedText, fields.accessGroup.map { "access group \($0.containerText)" },
      fields.synchronizable == true ? "synchronizable" : nil, fields.directory?.auditText,
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }
}

extension StorageDomain.Kind {
  /// The suite, app group or service of a domain that names none.
  package var unnamedText: String? {
    if isAppGroup { return "the configured group" }
    return switch store {
    case .preferences: "the app's own"
    case .keychain: "the configured service"
    case .files: nil
    }
  }
}

extension FileDirectory {
  fileprivate var auditText: String {
    switch self {
    case .custom(let path): "applicationSupport/\(path)"
    case .exact(let folder): "\(folder.rawValue), at this path"
    case .documents, .applicationSupport, .caches: kind.rawValue
    }
  }
}

extension SecurityPolicy {
  package var auditText: String {
    switch self {
    case .none: "none, stored as it is"
    case .keychain(let accessibility, nil): "keychain, \(accessibility.rawValue), no access control"
    case .keychain(let accessibility, let accessControl?):
      "keychain, \(accessibility.rawValue), access control \(accessControl.rawValue)"
    case .recommended: Self.recommendedText
    case .encrypted(let policy): "encrypted, \(policy.auditText)"
    }
  }

  private static let recommendedText = "recommended, \(EncryptionPolicy().auditText)"
}

extension SecurityPolicy.EncryptionPolicy {
  fileprivate var auditText: String { "\(algorithm.auditText), \(keyDerivation.auditText) from \(keySource.auditText)" }
}

extension EncryptionAlgorithm {
  fileprivate var auditText: String {
    switch self {
    case .aes256GCM: "AES-256-GCM"
    case .chaCha20Poly1305: "ChaCha20-Poly1305"
    }
  }
}

extension KeyDerivation {
  fileprivate var auditText: String {
    switch self {
    case .hkdf: "key derived by HKDF"
    case .pbkdf2(let iterations): "key derived by PBKDF2 (\(iterations) iterations) and HKDF"
    }
  }
}

extension KeySource {
  fileprivate var auditText: String {
    switch self {
    case .masterKey: "the master key"
    case .external(let source): "the app's key material \(source.id)"
    }
  }
}

extension SerializerKind {
  package var auditText: String {
    if case .custom(let name) = self { "custom, \(name)" } else { kind.rawValue }
  }
}

extension DateForm {
  package var auditText: String {
    switch self {
    case .secondsSince1970: "seconds since 1970"
    case .millisecondsSince1970: "milliseconds since 1970"
    case .secondsSince2001: "seconds since 2001"
    case .iso8601: "ISO 8601, in whole seconds"
    }
  }
}

extension Retention {
  package var auditText: String { "\(periodText) (\(AuditWording.execution))" }

  package var periodText: String {
    switch self {
    case .maxAge(let seconds): "\(Self.text(seconds: seconds)) after the last write"
    case .untilRelaunch: "until the app is launched again"
    case .untilReinstall: "until the app is installed again"
    }
  }
}

extension CorruptionPolicy {
  fileprivate var words: String {
    switch self {
    case .throw: "reading it is an error"
    case .useDefault: "the default is used, and the stored bytes stay until the next write"
    case .quarantine: "the stored bytes are moved aside, and the value is absent"
    case .skipElements: "elements that are unknown are left out, and the next write drops them"
    }
  }

  package var auditText: String { "\(rawValue), \(words)" }
}

extension StorageReservedName {
  /// Describes what happens to a value that is still stored under the name.
  package var leftoversText: String { deletesLeftovers ? AuditWording.cleanup : "kept" }
}

enum AuditWording {
  /// The occasions on which a value is removed whose retention has ended.
  static let execution = "removed when read and by maintenance.sweep()"
  /// The occasion on which the value of a reserved name is removed.
  static let cleanup = "deleted by maintenance.sweep()"

  /// Returns a default in words: `computed, Region.current` for `{swift: Region.current}`, and other values as they are.
  static func defaultText(_ value: String) -> String {
    let prefix = "{swift: "
    return value.hasPrefix(prefix) ? "computed, \(value.dropFirst(prefix.count).dropLast())" : value
  }
}

extension PlatformAvailability {
  package var auditText: String {
    switch self {
    case .all: "all"
    case .phoneOnly: "phoneOnly, everywhere but on watchOS"
    case .watchOnly: "watchOnly"
    case .phoneWithWatchSync: "phoneWithWatchSync"
    }
  }
}

extension SyncPolicy {
  package var auditText: String {
    switch self {
    case .never: "never"
    case .manual: "manual, when the app asks"
    case .automaticSmall: "automaticSmall, on every set of a small value"
    }
  }
}
