import LocalDataSyntax
import LocalDataVocabulary

/// Checks that no inline source of a migration can be the stored name of a key that is still written. The migration
/// would move that key's value away.
struct SourceNamesRule: RunRule {
  /// The most names that are compared byte by byte.
  private static let maxComparisons = 5_000

  /// A source that is described where it is used.
  private struct Source {
    var key: DecodedKey
    var pattern: NamePattern
  }

  func check(_ run: CatalogRun, _ findings: inout Findings) {
    let sources = Self.sources(run)
    guard !sources.isEmpty else { return }
    let containers = Set(sources.map(\.pattern.container))
    let keys = run.documents.flatMap(\.keys).filter { key in
      key.hasPlace && !key.resolved.descriptor.isLegacy
        && containers.contains(StoredPlace.Container(key.resolved.descriptor.domain))
    }
    let patterns = keys.map { NamePattern($0.resolved, run.context.types) }
    var comparisons = 0
    for container in containers {
      let own = sources.filter { $0.pattern.container == container }
      let live = keys.indices.filter { patterns[$0].container == container }
      let families = live.filter { patterns[$0].isFamily }
      let familySources = own.filter(\.pattern.isFamily)
      var pairs: Set<[Int]> = []
      let ofSources = FamilyIndex(familySources.map(\.pattern))
      for position in live {
        ofSources.forEachCandidate(patterns[position]) { source in
          compare(familySources[source], keys[position], patterns[position], &comparisons, &findings)
          pairs.insert([source, position])
        }
      }
      let ofFamilies = FamilyIndex(families.map { patterns[$0] })
      var familyNumber = -1
      for source in own {
        if source.pattern.isFamily { familyNumber += 1 }
        ofFamilies.forEachCandidate(source.pattern) { family in
          let position = families[family]
          guard !source.pattern.isFamily || !pairs.contains([familyNumber, position]) else { return }
          compare(source, keys[position], patterns[position], &comparisons, &findings)
        }
      }
    }
  }

  private static func sources(_ run: CatalogRun) -> [Source] {
    run.documents.flatMap(\.keys).flatMap { key in
      (key.resolved.migration?.inlineSources ?? []).map { source in
        let pattern = NamePattern(
          source.domain, source.name, source.nameParts, source.parameters, run.context.types)
        return Source(key: key, pattern: pattern)
      }
    }
  }

  private func compare(
    _ source: Source, _ key: DecodedKey, _ pattern: NamePattern, _ comparisons: inout Int,
    _ findings: inout Findings
  ) {
    // Equal names are one place, which the decoder has compared.
    guard source.pattern.text != pattern.text, comparisons < Self.maxComparisons,
      source.pattern.skeleton.mayMeet(pattern.skeleton)
    else { return }
    comparisons += 1
    guard let name = source.pattern.automaton.meeting(pattern.automaton) else { return }
    let member = key.resolved.descriptor.member
    findings.about(source.key) {
      $0.report(
        .migrationSource,
        "the source '\(source.pattern.text)' can be the stored name of '\(member)', for example '\(name)'",
        at: source.key.body.value(of: KeyField.migration.text) ?? source.key.member,
        help: "the migration would move that value away: give '\(member)' another name or domain",
        notes: [.init("the key that is still written", at: key.member.place)])
    }
  }
}

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
    var named = Set(run.records.sources.compactMap { $0.draft.memberNode?.text })
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
