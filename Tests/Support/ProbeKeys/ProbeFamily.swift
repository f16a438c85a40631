@_spi(Generated) package import LocalData

/// A family whose members move, as a catalog's generated code declares one.
///
/// - `preferences>keychain`, from one place to another, under another name
/// - `=encryptedFiles`, plain before, at their own addresses
package struct ProbeFamily: Sendable, CustomStringConvertible {
  package let source: ProbeAddress?
  package let destination: ProbeAddress

  /// The parameters of the members that are stored: some of them are escaped in names, one makes a long one.
  package static let parameters = ["a", "A/b", "é_%", String(repeating: "Long ", count: 60)]

  /// A family by its word.
  package init?(_ word: String) {
    let sides = word.split(separator: word.hasPrefix("=") ? "=" : ">", omittingEmptySubsequences: false)
    guard sides.count == 2, let destination = ProbeAddress(rawValue: String(sides[1])) else { return nil }
    source = ProbeAddress(rawValue: String(sides[0]))
    self.destination = destination
    guard source != nil || sides[0].isEmpty else { return nil }
  }

  package var description: String { (source.map { "\($0)>" } ?? "=") + "\(destination)" }

  /// The value of a member.
  package func value(_ parameter: String) -> String { "the value of \(parameter)" }

  /// The family that the members are moved from.
  private var old: StorageKeyFamily {
    guard let source else {
      return StorageKeyFamily(name: "text_{name}", domain: destination.plainDomain, security: .none)
    }
    return StorageKeyFamily(name: "old-{name}.txt", domain: source.domain, security: source.security)
  }

  /// The family, without its migration.
  private var plain: StorageKeyFamily {
    StorageKeyFamily(name: "text_{name}", domain: destination.domain, security: destination.security)
  }

  /// The family, with its migration.
  package var family: StorageKeyFamily {
    plain.migrating(from: [old]) { key(try $0.value(of: "name")) }
  }

  package func sourceKey(_ parameter: String) -> StorageKey<String?> {
    source == nil ? StorageKey(old, "text_\(parameter)", .json) : StorageKey(old, "old-\(parameter).txt", .json)
  }

  /// A member as a key that migrates nothing.
  package func plainKey(_ parameter: String) -> StorageKey<String?> { StorageKey(plain, "text_\(parameter)", .json) }

  /// A member, with its migration.
  package func key(_ parameter: String) -> StorageKey<String?> {
    plainKey(parameter).migrating { key in
      AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(sourceKey(parameter))))
    }
  }
}
