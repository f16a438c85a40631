package import LocalDataComparison
import LocalDataModel
package import LocalDataSyntax

/// The comparison of today's catalogs with the snapshots beside them.
package struct ReleaseCheck {
  /// The findings, in the order of their places.
  package var diagnostics: [Diagnostic]
  /// The states of the releases, each once, in the order of their versions. A history is made of them.
  package private(set) var baselines: [(version: ReleaseVersion, baseline: Baseline)] = []
  /// The state of today's catalogs, or nil if there are no snapshots.
  package private(set) var today: CatalogState?
  /// The findings of the comparison with all releases.
  package private(set) var findings: [Finding] = []
  /// The names of catalogs whose changes other runs report.
  package private(set) var unread: Set<String> = []

  init(
    _ catalogs: [ResolvedCatalog], _ sources: [SourceFile], _ selection: CatalogSelection, _ checks: Checks
  ) throws {
    let all = SnapshotFolder.all(of: selection)
    let folders = all.filter(\.exists)
    let misplaced = try MisplacedReleases(all, selection).diagnostics(at: sources.first?.start)
    diagnostics = misplaced
    guard !folders.isEmpty else { return }
    let shared = try SharedCatalogs.read(besides: selection, of: checks.target, checks.project)
    let today = CatalogState(shared.catalogs + catalogs, title: "today")
    let texts = SnapshotWriter.KeyTexts(today)
    var unread: Set<String> = []
    var releases: [(version: ReleaseVersion, baseline: Baseline)] = []
    for folder in folders {
      // Each is read where it is compared, so that not all of them are in memory at once.
      let found = try folder.snapshots().concurrentMap { path in
        Result { () throws(ToolFailure) in
          (version: SnapshotFolder.order(of: path), baseline: try Self.baseline(path, besides: texts))
        }
      }.map { try $0.get() }
      for release in found {
        unread.formUnion(shared.unread(Set(release.baseline.state.catalogs.keys), in: folder, own: catalogs))
      }
      releases += found
    }
    let merged = Self.merged(releases)
    findings = ReleaseComparison(today: today, unread: unread).findings(against: merged.map(\.baseline))
    baselines = merged
    self.today = today
    self.unread = unread.union(shared.catalogs.map(\.name))
    guard !findings.isEmpty else { return }
    let places = FindingPlaces(today, shared.catalogs + catalogs, sources + shared.sources)
    diagnostics += findings.map(places.diagnostic).sortedByPlace()
  }

  /// Returns the states in the order of their versions, each release once: the snapshots of a release are in all folders of
  /// catalogs.
  private static func merged(
    _ releases: [(version: ReleaseVersion, baseline: Baseline)]
  ) -> [(version: ReleaseVersion, baseline: Baseline)] {
    var result: [(version: ReleaseVersion, baseline: Baseline)] = []
    for release in releases.sorted(by: { $0.version < $1.version }) {
      guard let last = result.indices.last, result[last].version == release.version else {
        result.append(release)
        continue
      }
      result[last].baseline.state.add(release.baseline.state)
      result[last].baseline.unchanged += release.baseline.unchanged
    }
    return result
  }

  /// The state that a snapshot recorded; a failure names its line.
  package static func baseline(_ path: String, besides today: SnapshotWriter.KeyTexts?) throws(ToolFailure) -> Baseline
  {
    let file = try SnapshotFolder.read(path)
    do {
      return try SnapshotReader.read(file, besides: today, version: SnapshotFolder.version(of: path)?.text)
    } catch {
      let line = error.place.map { " (line \($0.range.start.line))" } ?? ""
      throw ToolFailure(.cannotReadOrWrite, error.message + line, help: error.help)
    }
  }
}

extension CatalogState {
  /// Returns the state with the keys and reserved names of some catalogs, and with all types: a key can have a type of
  /// another catalog.
  package func limited(to names: Set<String>) -> CatalogState {
    var state = CatalogState(
      title: title, catalogs: catalogs.filter { names.contains($0.key) }, types: types,
      keys: keys.filter { names.contains($0.value.catalog) }, reserved: reserved.filter { names.contains($0.catalog) })
    state.databases = databases.filter { names.contains($0.value.catalog) }
    state.records = records.filter { names.contains($0.value.catalog) }
    state.unmanaged = unmanaged.filter { names.contains($0.value.catalog) }
    state.reservedRecords = reservedRecords.filter { names.contains($0.catalog) }
    return state
  }

  /// Returns the state without the declarations of some catalogs.
  package func without(_ names: Set<String>) -> CatalogState {
    guard !names.isEmpty else { return self }
    var state = CatalogState(
      title: title, catalogs: catalogs.filter { !names.contains($0.key) },
      types: types.filter { !names.contains($0.value.catalog) },
      keys: keys.filter { !names.contains($0.value.catalog) },
      reserved: reserved.filter { !names.contains($0.catalog) })
    state.databases = databases.filter { !names.contains($0.value.catalog) }
    state.records = records.filter { !names.contains($0.value.catalog) }
    state.unmanaged = unmanaged.filter { !names.contains($0.value.catalog) }
    state.reservedRecords = reservedRecords.filter { !names.contains($0.catalog) }
    return state
  }

  /// Adds the declarations of other catalogs.
  package mutating func add(_ other: CatalogState) {
    catalogs.merge(other.catalogs) { first, _ in first }
    types.merge(other.types) { first, _ in first }
    keys.merge(other.keys) { first, _ in first }
    reserved += other.reserved.filter { !reserved.contains($0) }
    databases.merge(other.databases) { first, _ in first }
    records.merge(other.records) { first, _ in first }
    unmanaged.merge(other.unmanaged) { first, _ in first }
    reservedRecords += other.reservedRecords.filter { !reservedRecords.contains($0) }
  }
}
