import LocalDataComparison
import LocalDataModel
package import LocalDataSyntax

/// The folder `Releases` in a folder of catalogs: a snapshot of what each release declared, as `1.2.json`.
///
/// This is the rule for where releases are, for every verb and plugin: **The snapshots of a catalog are in the folder
/// `Releases` beside its file.** It makes no difference which path a run is given: the file, its folder, a target or a
/// package.
package struct SnapshotFolder {
  package static let name = CatalogFinder.releases
  /// Snapshots that are no longer compared with, kept so that a retirement can be reviewed and taken back.
  package static let retired = "Retired"

  /// The folder of the catalogs that the snapshots describe.
  package let catalogs: String

  package var path: String {
    catalogs == "." ? Self.name : catalogs == "/" ? "/\(Self.name)" : "\(catalogs)/\(Self.name)"
  }

  package var exists: Bool { DiskFile.kind(path) == .folder }

  init(in catalogs: String) { self.catalogs = catalogs }

  /// The folder that a catalog's file is in.
  init(besideFile file: String) {
    let parent = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    catalogs = parent.isEmpty ? (file.hasPrefix("/") ? "/" : ".") : parent
  }

  /// Returns the folders of the selected catalogs, each once, and those in searched folders named Catalogs whose catalogs are
  /// all gone.
  package static func all(of selection: CatalogSelection) -> [SnapshotFolder] {
    let files = selection.paths + [selection.input?.path].compactMap { $0 }
    let left = selection.releases.map(SnapshotFolder.init(besideFile:)).filter { folder in
      CatalogFinder.isNamedCatalogs(folder.catalogs)
    }
    var seen: Set<String> = []
    return (files.map(SnapshotFolder.init(besideFile:)) + left).filter { folder in
      seen.insert(DiskFile.resolved(folder.catalogs) ?? folder.catalogs).inserted
    }
  }

  /// Returns true if the snapshots describe a catalog.
  package func describes(_ path: String) -> Bool {
    let other = SnapshotFolder(besideFile: path).catalogs
    return other == catalogs || DiskFile.resolved(other) == DiskFile.resolved(catalogs)
  }

  /// Returns the catalogs beside the snapshots that are not part of a run.
  package func catalogs(notIn selection: CatalogSelection) throws -> [String] {
    try CatalogFinder.catalogs(in: catalogs).filter { path in
      DiskFile.identityIfKnown(path).map { !selection.identities.contains($0) } ?? false
    }
  }

  /// Returns a Boolean value that indicates whether the folder has a snapshot of a release.
  var hasSnapshots: Bool {
    get throws {
      guard exists else { return false }
      return try snapshots().contains { path in
        guard Self.version(of: path) != nil else { return false }
        return String(decoding: try Self.read(path).bytes.prefix(200), as: UTF8.self).contains("\"release\":")
      }
    }
  }

  /// The paths of the snapshots, in the order of their versions.
  package func snapshots() throws -> [String] {
    try CatalogFinder.names(in: path).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
      .map { "\(path)/\($0)" }.sorted { Self.order(of: $0) < Self.order(of: $1) }
  }

  /// The position of a snapshot in the order of releases.
  package static func order(of path: String) -> ReleaseVersion {
    ReleaseVersion((path.split(separator: "/").last ?? "").dropLast(".json".count))
  }

  /// The path of a release's snapshot.
  package func file(_ version: ReleaseVersion, isRetired: Bool = false) -> String {
    isRetired ? "\(path)/\(Self.retired)/\(version.text).json" : "\(path)/\(version.text).json"
  }

  /// The release that a file is named for; nil if its name is not that of a version.
  package static func version(of path: String) -> ReleaseVersion? {
    guard let name = path.split(separator: "/").last, name.hasSuffix(".json") else { return nil }
    return ReleaseVersion(checking: String(name.dropLast(".json".count)))
  }

  package static func read(_ path: String) throws(ToolFailure) -> SourceFile {
    let checked = try CheckedPath(path)
    do {
      return SourceFile(path: path, bytes: try DiskFile.read(checked, limit: SnapshotReader.maximumSize + 4))
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot read '\(path)': \(error.text)")
    }
  }
}

/// The version of a release, as its snapshot is named: `1.2`, `2.0-beta.1`.
package struct ReleaseVersion: Comparable {
  package let text: String

  package init(_ text: some StringProtocol) { self.text = String(text) }

  /// A version that a file can be named after; nil if the text is none.
  package init?(checking text: String) {
    guard text.utf8.count <= 64, text.wholeMatch(of: /[0-9]+(\.[0-9]+)*([-+][0-9A-Za-z.+-]*[0-9A-Za-z])?/) != nil
    else { return nil }
    self.text = text
  }

  private var parts: [(number: Int, text: Substring)] {
    text.split(whereSeparator: { ".-+".contains($0) }).map { (Int($0) ?? -1, $0) }
  }

  package static func < (left: Self, right: Self) -> Bool {
    let one = left.parts
    let two = right.parts
    for (a, b) in zip(one, two) where a != b { return (a.number, a.text) < (b.number, b.text) }
    // A version with a suffix comes before the one without.
    if one.count != two.count, left.text.contains("-") != right.text.contains("-") { return left.text.contains("-") }
    return one.count < two.count
  }

  package static func == (left: Self, right: Self) -> Bool { left.text == right.text }
}
