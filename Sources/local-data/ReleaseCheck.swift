import CatalogComparison
import CatalogModel
import CatalogSyntax

/// The comparison of today's catalogs with the snapshots beside them.
enum ReleaseCheck {
  /// Returns the findings, in the order of their places.
  static func diagnostics(
    _ catalogs: [ResolvedCatalog], _ sources: [SourceFile], _ selection: CatalogSelection
  ) throws -> [Diagnostic] {
    let all = SnapshotFolder.all(of: selection)
    let folders = all.filter(\.exists)
    let misplaced = try MisplacedReleases(all, selection).diagnostics(at: sources.first?.start)
    guard !folders.isEmpty else { return misplaced }
    let today = CatalogState(catalogs, title: "today")
    let texts = SnapshotWriter.KeyTexts(today)
    var findings: [Finding] = []
    for folder in folders { findings += try Self.findings(of: folder, today, texts, selection) }
    guard !findings.isEmpty else { return misplaced }
    let places = FindingPlaces(today, catalogs, sources)
    return misplaced + findings.map(places.diagnostic).sortedByPlace()
  }

  private static func findings(
    of folder: SnapshotFolder, _ today: CatalogState, _ texts: SnapshotWriter.KeyTexts, _ selection: CatalogSelection
  ) throws -> [Finding] {
    let files = try folder.snapshots()
    guard !files.isEmpty else { return [] }
    // A run over single files says nothing of the other catalogs beside them.
    let isPartial = try !folder.catalogs(notIn: selection).isEmpty
    // Each is read where it is compared, so that not all of them are in memory at once.
    let baselines = try files.concurrentMap { path in
      Result { () throws(ToolFailure) in try baseline(path, besides: texts) }
    }.map { try $0.get() }
    return ReleaseComparison(today: today, isPartial: isPartial).findings(against: baselines)
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
