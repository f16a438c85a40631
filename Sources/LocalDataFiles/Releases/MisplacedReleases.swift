import LocalDataModel
import LocalDataSyntax

/// Releases of the package that a run compares nothing with, because they are not beside its catalogs.
///
/// Without a finding, a change that loses values would be built without a check.
struct MisplacedReleases {
  /// Snapshots beside no catalog.
  private var lost: [String] = []
  /// Snapshots beside other catalogs of the package, if the run has none.
  private var ofOthers: [String] = []
  /// The folder of the run's catalogs.
  private let catalogs: String

  /// - Parameters:
  ///   - folders: The folders of the run's catalogs.
  ///   - selection: The selected catalogs.
  init(_ folders: [SnapshotFolder], _ selection: CatalogSelection) throws {
    catalogs = folders.first?.catalogs ?? CatalogFinder.defaultFolder
    var seen = Set(folders.compactMap { DiskFile.resolved($0.path) })
    for path in selection.releases where seen.insert(DiskFile.resolved(path) ?? path).inserted {
      try add(SnapshotFolder(besideFile: path))
    }
    guard !folders.contains(where: \.exists) else {
      // The others are compared with by runs of their own.
      ofOthers = []
      return
    }
    guard let root = try PackageLayout.root(of: catalogs) else { return }
    for folder in try Self.candidates(root, catalogs) where seen.insert(DiskFile.resolved(folder.path) ?? "").inserted {
      try add(folder)
    }
  }

  private mutating func add(_ folder: SnapshotFolder) throws {
    guard try folder.hasSnapshots else { return }
    if try !CatalogFinder.catalogs(in: folder.catalogs).isEmpty {
      ofOthers.append(folder.path)
    } else {
      lost.append(folder.path)
    }
  }

  /// Returns the places in a package at which releases could be: the folders above the catalogs, the folders of catalogs of
  /// the usual layouts, and the folders that these are in.
  private static func candidates(_ root: AbsolutePath, _ catalogs: String) throws -> [SnapshotFolder] {
    var folders: [AbsolutePath] = []
    var place = AbsolutePath(resolving: catalogs) ?? root
    while place.isIn(root), place != root {
      place = place.parent
      folders.append(place)
    }
    for folder in try PackageLayout.folders(in: root.text + "/") {
      guard let found = AbsolutePath(resolving: folder) else { continue }
      folders += [found, found.parent]
    }
    guard let working = AbsolutePath(resolving: ".") else { return [] }
    return folders.map { folder in
      SnapshotFolder(in: folder == working ? "." : folder.isIn(working) ? folder.relative(to: working) : folder.text)
    }.filter(\.exists)
  }

  package func diagnostics(at place: SourcePlace?) -> [Diagnostic] {
    let destination = SnapshotFolder(in: catalogs).path
    return lost.map { path in
      Diagnostic(
        rule: Rule.releasesElsewhere.id, severity: Rule.releasesElsewhere.severity,
        "the releases in '\(path)' are beside no catalog, and nothing is compared with them", at: place,
        help: "move them beside the catalogs that they describe, for example to '\(destination)'", notes: [])
    }
      + ofOthers.prefix(1).map { path in
        Diagnostic(
          rule: Rule.releasesMissing.id, severity: Rule.releasesMissing.severity,
          "the package has releases in '\(path)', and none for these catalogs", at: place,
          help: "record all catalogs with `local-data release`, without a path; if these were moved, move their "
            + "releases to '\(destination)'", notes: [])
      }
  }
}
