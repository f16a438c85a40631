import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let unusedLegacyKey = Rule(
    "unused-legacy-key", .migrations, .warning, "A legacy key is the source of a migration.",
    why: "Nothing reads a legacy key but a migration, so its value is lost to the app.",
    bad: .keys(
      "oldNote: {type: String, legacy: true, description: What the user wrote before version 2.}\n"
        + "note: {type: String, description: What the user wrote.}"),
    good: .keys(
      "oldNote: {type: String, legacy: true, description: What the user wrote before version 2.}\n"
        + "note: {type: String, migration: {from: oldNote}, description: What the user wrote.}"))
}

/// Checks that a migration names each legacy key. If the run has a custom migration, it may read any of them, and nothing
/// is checked.
struct UnusedLegacyKeyRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    let legacy = run.documents.flatMap(\.keys).filter {
      $0.resolved.descriptor.isLegacy && $0.isSound(KeyFieldSet(.legacy))
    }
    guard !legacy.isEmpty, let named = Self.namedSources(run) else { return }
    for key in legacy where !named.contains(key.resolved.descriptor.member) {
      let member = key.resolved.descriptor.member
      findings.about(key) {
        $0.report(
          .unusedLegacyKey, "no migration reads the legacy key '\(member)', so its value is never used",
          at: key.member,
          help: "write `migration: {from: \(member)}` at the key that replaces it; if its value is given up, remove "
            + "the key and reserve its name: `reserved: [{name: \"\(key.resolved.descriptor.name)\", domain: …}]`")
      }
    }
  }

  /// Returns the members that migrations name as sources, or nil if a migration is custom or has findings.
  private static func namedSources(_ run: CatalogRun) -> Set<String>? {
    var named: Set<String> = []
    for key in run.documents.flatMap(\.keys) where key.migrationNode != nil {
      guard let migration = key.resolved.migration else { return nil }
      for step in migration.steps {
        let sources: [ResolvedMigration.Source]
        switch step.action {
        case .move(let source), .transform(let source, _): sources = [source]
        case .aggregate(let all, _): sources = all
        case .secureInPlace: sources = []
        case .custom: return nil
        }
        for case .declared(let source) in sources { named.insert(source.member) }
      }
    }
    return named
  }
}
