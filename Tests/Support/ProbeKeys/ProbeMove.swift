package import LocalData

/// A migration of one value, with the keys that it concerns. A word describes it to a probe:
///
/// - `preferences>keychain`, from one place to another
/// - `preferences+files>keychain`, of two parts
/// - `=encryptedFiles`, plain before, in its own place
package struct ProbeMove: Sendable, CustomStringConvertible {
  package let sources: [ProbeAddress]
  package let destination: ProbeAddress
  /// A Boolean value that indicates whether a custom migration of the app moves the value.
  package let isCustom: Bool
  /// Of the secret in each part: more than one page of a database, so that half of it would show.
  package var repetitions = 200

  package init(_ sources: [ProbeAddress], to destination: ProbeAddress, isCustom: Bool = false) {
    self.sources = sources
    self.destination = destination
    self.isCustom = isCustom
  }

  /// A move by its word.
  package init?(_ word: String) {
    isCustom = word.contains("~")
    let separator: Character = isCustom ? "~" : word.hasPrefix("=") ? "=" : ">"
    let sides = word.split(separator: separator, omittingEmptySubsequences: false)
    guard sides.count == 2, let destination = ProbeAddress(rawValue: String(sides[1])) else { return nil }
    let names = sides[0].split(separator: "+")
    sources = names.compactMap { ProbeAddress(rawValue: String($0)) }
    self.destination = destination
    guard sources.count == names.count, (word.hasPrefix("=") ? 0...0 : 1...2).contains(names.count) else { return nil }
  }

  package var description: String {
    isInPlace
      ? "=\(destination)" : sources.map(\.rawValue).joined(separator: "+") + (isCustom ? "~" : ">") + "\(destination)"
  }

  package var isInPlace: Bool { sources.isEmpty }

  /// A text that is easily found in a file.
  package static let secret = "a secret that is found easily; "

  /// Returns the values of the sources.
  package func parts(_ index: Int = 0) -> [String] {
    (0..<max(sources.count, 1)).map { part in
      "\(index), part \(part): " + String(repeating: Self.secret, count: repetitions)
    }
  }

  /// Returns the value that the destination has at the end.
  package func value(_ index: Int = 0) -> String { parts(index).joined() }

  /// The keys of its sources.
  package func sourceKeys(_ index: Int = 0) -> [StorageKey<String?>] {
    if isInPlace { return [key("value\(index)", destination.plainDomain, .none)] }
    return sources.enumerated().map { key("part\($0)_\(index)", $1.domain, $1.security) }
  }

  /// The destination as a key that migrates nothing.
  package func plainKey(_ index: Int = 0) -> StorageKey<String?> {
    key("value\(index)", destination.domain, destination.security)
  }

  /// The destination, with its migration.
  package func key(_ index: Int = 0) -> StorageKey<String?> {
    let sources = sourceKeys(index)
    return key("value\(index)", destination.domain, destination.security) { key in
      if isCustom { return AnyStorageMigration(ProbeMigration(destinationKey: key, source: sources[0])) }
      guard sources.count == 2 else {
        return AnyStorageMigration(SimpleLegacyMigration(destinationKey: key, sourceKey: .key(sources[0])))
      }
      return AnyStorageMigration(
        AggregatingMigration(destinationKey: key, sourceKeys: (sources[0], sources[1])) { ($0 ?? "-") + ($1 ?? "-") })
    }
  }

  private func key(
    _ name: String, _ domain: StorageDomain, _ security: SecurityPolicy,
    migration: (@Sendable (StorageKey<String?>) -> AnyStorageMigration)? = nil
  ) -> StorageKey<String?> {
    StorageKey<String?>(
      name: name, domain: domain, security: security, owner: "Tests", description: "A value that moves.",
      migration: migration)
  }
}

/// A custom migration, as the documentation shows one.
package struct ProbeMigration: StorageMigration {
  package let destinationKey: StorageKey<String?>
  let source: StorageKey<String?>

  package init(destinationKey: StorageKey<String?>, source: StorageKey<String?>) {
    self.destinationKey = destinationKey
    self.source = source
  }

  package func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
    try await router.exists(source)
  }

  package func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
    guard let value = try await router.get(source) else { return MigrationResult(success: true) }
    try await router.set(value, for: destinationKey)
    try await router.remove(source)
    return MigrationResult(success: true)
  }
}
