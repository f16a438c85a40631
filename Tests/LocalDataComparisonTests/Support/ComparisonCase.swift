import LocalDataComparison
import LocalDataModel
import LocalDataSyntax
import Foundation
import TestSupport
import Testing

/// A golden case: the catalogs of releases, those of today, and the findings that they must have.
struct ComparisonCase: CustomTestStringConvertible, Sendable {
  let folder: URL

  var testDescription: String { folder.lastPathComponent }

  static var all: [ComparisonCase] {
    get throws { try GoldenFolder.cases(beside: #filePath).map(ComparisonCase.init) }
  }

  var want: URL { folder.appendingPathComponent("want.txt") }

  /// The releases by their versions, and today's catalog last.
  var catalogs: [(name: String, bytes: [UInt8])] {
    get throws {
      try GoldenFolder.catalogs(in: folder).map { (String($0.name.dropLast(".yaml".count)), $0.bytes) }
    }
  }
}

/// A catalog of a test, resolved, and its comparison with releases.
struct Today {
  let source: SourceFile
  private(set) var resolved: [ResolvedCatalog]
  private(set) var state: CatalogState
  /// A Boolean value that indicates whether each key has a custom migration besides its own, also in releases.
  private var isMigrated = false

  init(_ bytes: [UInt8], path: String = "today.yaml") throws {
    source = SourceFile(path: path, bytes: bytes)
    resolved = try Self.resolve(source)
    state = CatalogState(resolved, title: "today")
  }

  init(_ text: String) throws { try self.init(Array(text.utf8)) }

  /// The catalog, and releases that it is compared with, with a custom migration at each key.
  var withCustomMigrations: Today {
    var today = self
    today.isMigrated = true
    for catalog in today.resolved.indices { today.resolved[catalog].addCustomMigrations() }
    today.state = CatalogState(today.resolved, title: state.title)
    return today
  }

  static func resolve(_ source: SourceFile) throws -> [ResolvedCatalog] {
    let (tree, syntax) = CatalogReader.read(source)
    let (catalogs, findings) = CatalogResolver.resolve(
      [try #require(tree, "\(source.path): \(syntax.map(\.message))")])
    let errors = findings.filter { $0.severity == .error }
    try #require(
      errors.isEmpty, "\(source.path): \(errors.map { "\($0.place?.range.start.line ?? 0): \($0.message)" })")
    return catalogs
  }

  /// The findings against releases.
  func findings(_ releases: [(name: String, bytes: [UInt8])]) throws -> [Finding] {
    ReleaseComparison(today: state).findings(against: try baselines(releases))
  }

  /// Releases, each written as a snapshot and read again.
  func baselines(_ releases: [(name: String, bytes: [UInt8])]) throws -> [Baseline] {
    let texts = SnapshotWriter.KeyTexts(state)
    return try releases.map { release in
      let plain = try Today(release.bytes, path: release.name)
      let released = isMigrated ? plain.withCustomMigrations : plain
      let json = SnapshotWriter.write(released.state, release: release.name)
      return try SnapshotReader.read(
        SourceFile(path: "\(release.name).json", bytes: Array(json.utf8)), besides: texts)
    }
  }

  func diagnostics(_ findings: [Finding]) -> [Diagnostic] {
    let places = FindingPlaces(state, resolved, [source])
    return findings.map(places.diagnostic).sortedByPlace()
  }

  func text(_ findings: [Finding]) -> String {
    diagnostics(findings).map { diagnostic in
      let place = diagnostic.place.map { "\($0.range.start.line):\($0.range.start.column)" } ?? "-"
      let head = "\(place): \(diagnostic.severity): \(diagnostic.message) [\(diagnostic.rule)]\n"
      let help = diagnostic.help.map { "  help: \($0)\n" } ?? ""
      return head + help + diagnostic.notes.map { "  note: \($0.message)\n" }.joined()
    }.joined()
  }
}

extension ResolvedCatalog {
  /// Adds a custom migration to each key that is no source of others, after the steps that it has.
  fileprivate mutating func addCustomMigrations() {
    let step = ResolvedMigration.Step(
      line: 1, action: .custom(SwiftName("ReleasedMigration")), condition: nil, onConflict: .keep)
    keys = keys.map { $0.descriptor.isLegacy ? $0 : $0.adding(step) }
  }
}

extension ResolvedKey {
  fileprivate func adding(_ step: ResolvedMigration.Step) -> ResolvedKey {
    ResolvedKey(
      line: line, catalog: catalog, access: access, type: type, defaultValue: defaultValue, descriptor: descriptor,
      parameters: parameters, nameParts: nameParts, customSerializer: customSerializer,
      migration: ResolvedMigration(steps: (migration?.steps ?? []) + [step]), deprecation: deprecation,
      privacy: privacy, review: review, upgrades: upgrades, watchRepresentation: watchRepresentation, reads: reads,
      valid: valid)
  }
}
