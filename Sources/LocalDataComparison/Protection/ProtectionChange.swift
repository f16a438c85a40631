package import LocalDataModel
import LocalDataVocabulary

/// In what a value is protected less than before, in words.
package struct ProtectionChange {
  let old: DeclaredKey
  let new: DeclaredKey

  package init(from old: DeclaredKey, to new: DeclaredKey) {
    self.old = old
    self.new = new
  }

  /// The fields that decide how well a value is protected.
  package static let fields: [ResolvedField] = [
    .domain, .domainSynchronizable, .domainDirectory, .security, .accessibility, .accessControl, .algorithm,
    .keyDerivation, .iterations, .keySource, .backup, .protection, .sync,
  ]

  /// Downgrades of what is stored.
  var atRest: [String] {
    let before = Protection(old.domain, old.security, isBackedUp: old.isBackedUp)
    let now = Protection(new.domain, new.security, isBackedUp: new.isBackedUp)
    var words = now.downgrades(from: before).map(\.words)
    if case .keychain(let oldAccessibility, let oldControl) = old.security,
      case .keychain(let accessibility, let control) = new.security
    {
      if words.isEmpty, ProtectionOrder.accessibility.isWeaker(accessibility, than: oldAccessibility) {
        words.append("accessibility \(accessibility) after \(oldAccessibility)")
      }
      if control != nil, let reason = ProtectionOrder.accessControl.reason(control, weakerThan: oldControl) {
        words.append("weaker access control, since \(reason)")
      }
    }
    if case .encrypted(let before) = old.security, case .encrypted(let now) = new.security,
      case .pbkdf2(let iterations) = before.keyDerivation
    {
      switch now.keyDerivation {
      case .hkdf: words.append("derived by HKDF after PBKDF2")
      case .pbkdf2(let fewer) where fewer < iterations: words.append("\(fewer) iterations after \(iterations)")
      case .pbkdf2: break
      }
    }
    if let now = new.fileProtection, let before = old.fileProtection, now.strength < before.strength {
      words.append("protection \(now) after \(before)")
    }
    if new[.domainSynchronizable] == .flag(true), old[.domainSynchronizable] != .flag(true) {
      words.append("synchronized by iCloud Keychain")
    }
    return words
  }

  /// All downgrades, also of what is sent.
  package var all: [String] {
    new[.sync] != .absent && old[.sync] == .absent && new.security != .none ? atRest + ["sent decrypted"] : atRest
  }

  /// The fields that give a key the protection back that another one has.
  static func restoring(_ old: DeclaredKey, _ new: DeclaredKey) -> [FieldValue.Entry] {
    var fields: [FieldValue.Entry] = []
    if old.security != new.security { fields.append(.init("security", CatalogText.complete(old.security))) }
    if old.isBackedUp != new.isBackedUp { fields.append(.init("backup", .flag(old.isBackedUp))) }
    if let before = old.fileProtection, let now = new.fileProtection, before != now {
      fields.append(.init("protection", .text(before.rawValue)))
    }
    if old.domain != new.domain { fields.append(.init("domain", FieldValue(old.domain))) }
    return fields
  }
}

extension DeclaredKey {
  /// The protection of the file that the key chooses, or nil if it chooses none.
  fileprivate var fileProtection: StorageFileProtection? {
    guard domain.kind.hasFileProtection else { return nil }
    return self[.protection].text.flatMap(StorageFileProtection.init(rawValue:)) ?? .untilFirstUnlock
  }
}

extension StorageFileProtection {
  /// A larger number for a stronger protection.
  fileprivate var strength: Int {
    switch self {
    case .complete: 3
    case .completeUnlessOpen: 2
    case .untilFirstUnlock: 1
    case .none: 0
    }
  }
}
