import LocalDataDocuments
import LocalDataModel
import LocalDataSyntax
import Foundation
import LocalDataVocabulary
import Testing

/// Catalogs and manifests for tests of what is written for the App Store.
enum Manifests {
  /// The catalogs of a text in YAML.
  static func catalogs(_ text: String) throws -> [ResolvedCatalog] {
    let (tree, diagnostics) = CatalogReader.read(SourceFile(path: "Test.yaml", bytes: Array(text.utf8)))
    let found = CatalogResolver.resolve([try #require(tree, "\(diagnostics.map(\.message))")])
    try #require(found.diagnostics.allSatisfy { $0.severity != .error }, "\(found.diagnostics.map(\.message))")
    return found.catalogs
  }

  /// A key in each domain; two of them collect data.
  static let everything = [
    Samples.catalog(keys: [
      key("own", .userDefaults(), .init(isCollected: true, dataType: .name, purposes: [.appFunctionality])),
      key("shared", .appGroupUserDefaults(identifier: "group.com.example")),
      key(
        "file", .fileSystem(directory: .documents),
        .init(isCollected: true, isLinked: true, dataType: .photosOrVideos, purposes: [.analytics, .other])),
      key("item", .keychain()),
    ])
  ]

  static func key(
    _ member: String, _ domain: StorageDomain, _ privacy: ResolvedPrivacy? = nil, security: SecurityPolicy = .none
  ) -> ResolvedKey {
    ResolvedKey(
      line: 1, access: .public, type: .scalar(.string), defaultValue: nil,
      descriptor: StorageKeyDescriptor(
        member: member, name: member, valueType: "String", domain: domain, security: security, owner: "Tests",
        description: "A value that a test stores."), privacy: privacy)
  }

  static func list(_ text: String) throws(PropertyListFailure) -> PropertyList {
    try PropertyListReader.read(SourceFile(path: "App.plist", bytes: Array(text.utf8)))
  }

  /// The findings as lines: place, severity if it is no error, and message.
  static func text(_ findings: [Diagnostic]) -> [String] {
    findings.map { finding in
      let start = finding.place?.range.start
      let severity = finding.severity == .error ? "" : "\(finding.severity.rawValue): "
      return "\(start?.line ?? 0):\(start?.column ?? 0) \(severity)\(finding.message)"
    }
  }

  /// The text with the declared entries, after it was read back by Foundation.
  static func merged(_ text: String, _ catalogs: [ResolvedCatalog]) throws -> String {
    let merged = try ManifestComparison(try list(text), with: catalogs).merged
    let object = try PropertyListSerialization.propertyList(from: Data(merged), format: nil)
    try #require(object is [String: Any])
    let result = String(decoding: merged, as: UTF8.self)
    // Nothing that the tool can write is missing now, and a second run changes nothing.
    let again = try ManifestComparison(try list(result), with: catalogs)
    #expect(again.findings.allSatisfy { $0.severity == .warning }, "\(Self.text(again.findings))")
    #expect(again.merged == merged)
    return result
  }
}
