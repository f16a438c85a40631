import CatalogComparison
import CatalogModel
import CatalogSyntax

/// The folder `Releases` beside catalogs: a snapshot of what each release declared, as `1.2.json`.
struct SnapshotFolder {
  static let name = "Releases"
  /// Snapshots that are no longer compared with, kept so that a retirement can be reviewed and taken back.
  static let retired = "Retired"

  let path: String

  /// The folder of the catalogs that the arguments name.
  init(beside arguments: [String]) {
    let argument = arguments.first ?? CatalogFinder.defaultFolder
    guard DiskFile.kind(argument) != .folder else {
      path = argument.hasSuffix("/") ? argument + Self.name : "\(argument)/\(Self.name)"
      return
    }
    let folder = argument.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    path = folder.isEmpty ? (argument.hasPrefix("/") ? "/\(Self.name)" : Self.name) : "\(folder)/\(Self.name)"
  }

  /// The folders of all arguments, each once.
  static func all(beside arguments: [String]) -> [SnapshotFolder] {
    var seen: Set<String> = []
    let all = (arguments.isEmpty ? [CatalogFinder.defaultFolder] : arguments).map { SnapshotFolder(beside: [$0]) }
    return all.filter {
      DiskFile.kind($0.path) == .folder && seen.insert(DiskFile.resolved($0.path) ?? $0.path).inserted
    }
  }

  /// The paths of the snapshots, in the order of their versions.
  func snapshots() throws -> [String] {
    let names: [String]
    do {
      names = try DiskFile.names(in: path)
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot read the folder '\(path)': \(error.text)")
    }
    return names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
      .sorted { ReleaseVersion($0.dropLast(5)) < ReleaseVersion($1.dropLast(5)) }
      .map { "\(path)/\($0)" }
  }

  /// The path of a release's snapshot.
  func file(_ version: ReleaseVersion, isRetired: Bool = false) -> String {
    isRetired ? "\(path)/\(Self.retired)/\(version.text).json" : "\(path)/\(version.text).json"
  }

  /// The release that a file is named for; nil if its name is not that of a version.
  static func version(of path: String) -> ReleaseVersion? {
    guard let name = path.split(separator: "/").last, name.hasSuffix(".json") else { return nil }
    return ReleaseVersion(checking: String(name.dropLast(".json".count)))
  }

  static func read(_ path: String) throws(ToolFailure) -> SourceFile {
    try InputLinks.check(path)
    do {
      return SourceFile(path: path, bytes: try DiskFile.read(path, limit: SnapshotReader.maximumSize + 4))
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot read '\(path)': \(error.text)")
    }
  }
}

/// The version of a release, as its snapshot is named: `1.2`, `2.0-beta.1`.
struct ReleaseVersion: Comparable {
  let text: String

  init(_ text: some StringProtocol) { self.text = String(text) }

  /// A version that a file can be named after; nil if the text is none.
  init?(checking text: String) {
    guard text.utf8.count <= 64, text.wholeMatch(of: /[0-9]+(\.[0-9]+)*([-+][0-9A-Za-z.+-]*[0-9A-Za-z])?/) != nil
    else { return nil }
    self.text = text
  }

  private var parts: [(number: Int, text: Substring)] {
    text.split(whereSeparator: { ".-+".contains($0) }).map { (Int($0) ?? -1, $0) }
  }

  static func < (left: Self, right: Self) -> Bool {
    let (one, two) = (left.parts, right.parts)
    for (a, b) in zip(one, two) where a != b { return (a.number, a.text) < (b.number, b.text) }
    // A version with a suffix comes before the one without.
    if one.count != two.count, left.text.contains("-") != right.text.contains("-") { return left.text.contains("-") }
    return one.count < two.count
  }

  static func == (left: Self, right: Self) -> Bool { left.text == right.text }
}

/// The comparison of today's catalogs with the snapshots beside them.
enum ReleaseCheck {
  /// The findings, in the order of their places.
  ///
  /// - Parameter arguments: What the command line names. A run over single files says nothing of other catalogs.
  static func diagnostics(
    _ catalogs: [ResolvedCatalog], _ sources: [SourceFile], arguments: [String]
  ) throws -> [Diagnostic] {
    let folders = SnapshotFolder.all(beside: arguments)
    let files = try folders.flatMap { try $0.snapshots() }
    guard !files.isEmpty else { return [] }
    let today = CatalogState(catalogs, title: "today")
    let texts = SnapshotWriter.KeyTexts(today)
    let isPartial = folders.count > 1 || arguments.contains { DiskFile.kind($0) != .folder }
    // Each is read where it is compared, so that not all of them are in memory at once.
    let baselines = try files.concurrentMap { path in
      Result { () throws(ToolFailure) in try Self.baseline(path, besides: texts) }
    }.map { try $0.get() }
    let findings = ReleaseComparison(today: today, isPartial: isPartial).findings(against: baselines)
    guard !findings.isEmpty else { return [] }
    let places = FindingPlaces(today, catalogs, sources)
    return findings.map(places.diagnostic).sortedByPlace()
  }

  /// The state that a snapshot recorded; a failure names its line.
  static func baseline(_ path: String, besides today: SnapshotWriter.KeyTexts?) throws(ToolFailure) -> Baseline {
    let file = try SnapshotFolder.read(path)
    do {
      return try SnapshotReader.read(file, besides: today, version: SnapshotFolder.version(of: path)?.text)
    } catch {
      let line = error.place.map { " (line \($0.range.start.line))" } ?? ""
      throw ToolFailure(.cannotReadOrWrite, error.message + line, help: error.help)
    }
  }
}
