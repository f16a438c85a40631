import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let largeValueInPreferences = Rule(
    "large-value-in-preferences", .protection, .warning, "A value in preferences has a `maxSize` of at most 4 KiB.",
    why:
      "The system reads all preferences of an app into memory when it starts, and writes the whole file on a change.",
    bad: .keys("avatar: {type: Data, maxSize: 65536, description: The picture that the user chose.}"),
    good: .keys(
      "avatar: {type: Data, domain: {fileSystem: {directory: documents}}, maxSize: 65536, "
        + "description: The picture that the user chose.}"))
}

/// Checks that no key asks for much space in preferences. Keys that do not write `maxSize` are not reported: most
/// of them are small.
struct LargeValueInPreferencesRule: KeyRule {
  /// A page of memory. A hundred such values still start as fast as a file of half a megabyte is read.
  static let most = 4_096

  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.own.contains(.maxSize), key.resolved.descriptor.maxSize > Self.most, !key.resolved.descriptor.isLegacy,
      key.isSound(KeyFieldSet(.maxSize, .domain, .legacy))
    else { return }
    switch key.resolved.descriptor.domain.kind {
    case .userDefaults, .appGroupUserDefaults: break
    case .keychain, .fileSystem, .encryptedFileSystem, .appGroupFileSystem: return
    }
    findings.report(
      .largeValueInPreferences, "a value of up to \(key.resolved.descriptor.maxSize) bytes is large for preferences",
      at: key.node(of: .maxSize, defaults: defaults),
      help: "store it in a file, for example with `domain: {fileSystem: {directory: applicationSupport}}`")
  }
}
