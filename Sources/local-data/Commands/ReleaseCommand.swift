import LocalDataDocuments
import LocalDataFiles
import ArgumentParser
import LocalDataComparison
import LocalDataModel
import LocalDataSyntax

/// `release`: a snapshot of the catalogs as they are released.
struct ReleaseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "release",
    abstract: "Record what the catalogs declare, so that later runs protect what this release stores.",
    discussion: """
      Writes <version>.json into the folder Releases beside the catalogs, in each folder of catalogs. Commit the files. From then on 'validate' and \
      'generate' compare the catalogs with every snapshot in the folder. With --retire, the snapshot moves to the folder \
      Retired, and is no longer compared with.
      """)

  @Argument(help: "The version, for example 1.2.")
  var version: String

  @OptionGroup var catalogs: CatalogArguments

  @Flag(help: "Stop comparing with the snapshot of this version: no user updates from it any more.")
  var retire = false

  @Option(help: "The form of findings, on standard error.")
  var diagnostics = FindingsFormat.text

  func validate() throws {
    guard ReleaseVersion(checking: version) != nil else {
      throw ValidationError(
        "'\(SafeText.escaped(version))' is not a version. Write numbers with points, for example 1.2 or 2.0-beta.1.")
    }
  }

  func run() throws {
    let version = ReleaseVersion(version)
    if retire { return try retire(version) }
    let targets = try catalogs.resolved(diagnostics: diagnostics, againstReleases: true)
    let snapshots = try Self.snapshots(of: targets)
    for (folder, state) in snapshots { try checkCanWrite(Self.bytes(of: state, version), version, in: folder) }
    for (folder, state) in snapshots { try write(Self.bytes(of: state, version), version, in: folder) }
  }

  private static func bytes(of state: CatalogState, _ version: ReleaseVersion) -> [UInt8] {
    Array(SnapshotWriter.write(state, release: version.text).utf8)
  }

  /// Returns what the snapshot in each folder of catalogs records. Catalogs in one folder can be those of several targets.
  private static func snapshots(of targets: [ResolvedTarget]) throws -> [(folder: SnapshotFolder, state: CatalogState)]
  {
    var result: [(folder: SnapshotFolder, state: CatalogState)] = []
    for target in targets {
      for folder in SnapshotFolder.all(of: target.selection) {
        let names = Set(target.catalogs.filter { folder.describes($0.path) }.map(\.name))
        guard !names.isEmpty else { continue }
        try checkIsWhole(folder, targets)
        let state = CatalogState(target.catalogs, title: "").limited(to: names)
        if let index = result.firstIndex(where: { $0.folder.describes(folder.path) }) {
          result[index].state.add(state)
        } else {
          result.append((folder, state))
        }
      }
    }
    return result
  }

  /// Throws if a catalog in a folder is part of no target, unless the project excludes it: it would have no release.
  private static func checkIsWhole(_ folder: SnapshotFolder, _ targets: [ResolvedTarget]) throws {
    let excluded = targets.flatMap(\.target.exclude).compactMap(AbsolutePath.init(resolving:))
    let left = targets.reduce(try folder.catalogs(notIn: CatalogSelection())) { left, target in
      left.filter { path in DiskFile.identityIfKnown(path).map { !target.selection.identities.contains($0) } ?? false }
    }.filter { path in
      guard let place = AbsolutePath(resolving: path) else { return true }
      return !excluded.contains(where: place.isIn)
    }
    guard let first = left.first else { return }
    throw ToolFailure(
      .wrongUse, "a release records all catalogs of '\(folder.catalogs)', and '\(first)' is not part of the run",
      help: "name the folder instead of its files")
  }

  private func checkCanWrite(_ bytes: [UInt8], _ version: ReleaseVersion, in folder: SnapshotFolder) throws {
    let path = folder.file(version)
    if DiskFile.kind(folder.file(version, isRetired: true)) != nil {
      throw ToolFailure(
        .wrongUse, "release \(version.text) is retired", help: "choose a version that was not released yet")
    }
    if DiskFile.kind(path) != nil, try SnapshotFolder.read(path).bytes.withLineFeeds != bytes {
      throw ToolFailure(
        .wrongUse, "'\(path)' records other catalogs: a release does not change",
        help: "choose a new version; if \(version.text) was never released, remove the file first")
    }
  }

  private func write(_ bytes: [UInt8], _ version: ReleaseVersion, in folder: SnapshotFolder) throws {
    let path = folder.file(version)
    guard DiskFile.kind(path) == nil else {
      return try Terminal.write("'\(SafeText.escaped(path))' is up to date\n")
    }
    let parent = try CheckedPath(folder.path)
    do {
      try DiskFile.makeFolder(parent)
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot create the folder '\(folder.path)': \(error.text)")
    }
    try DocumentFile.write(bytes, to: path)
    try Terminal.write("wrote '\(SafeText.escaped(path))'; commit it\n")
  }

  /// Retires the snapshots of a version in all folders of catalogs.
  private func retire(_ version: ReleaseVersion) throws {
    let targets = try catalogs.targets(of: catalogs.checks().project)
    let folders = try targets.flatMap { SnapshotFolder.all(of: try catalogs.selection(of: $0)) }
    let recorded = folders.filter { DiskFile.kind($0.file(version)) == .file }
    if recorded.isEmpty, folders.contains(where: { DiskFile.kind($0.file(version, isRetired: true)) == .file }) {
      return try Terminal.write("release \(version.text) is retired already\n")
    }
    guard !recorded.isEmpty else {
      let path = folders.first?.path ?? SnapshotFolder.name
      throw ToolFailure(
        .wrongUse, "there is no snapshot '\(path)/\(version.text).json'",
        help: folders.contains(where: \.exists)
          ? "the recorded releases are named in '\(path)'" : "no release is recorded")
    }
    for folder in recorded { try retire(version, in: folder) }
  }

  private func retire(_ version: ReleaseVersion, in folder: SnapshotFolder) throws {
    let path = folder.file(version)
    let destination = folder.file(version, isRetired: true)
    guard DiskFile.kind(destination) == nil else {
      throw ToolFailure(.wrongUse, "'\(destination)' is there already", help: "remove one of the two snapshots")
    }
    let old = try CheckedPath(path)
    let new = try CheckedPath(destination)
    do {
      try DiskFile.makeFolder(new.parts.folder)
      try DiskFile.move(old, to: new)
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot move '\(path)': \(error.text)")
    }
    try Terminal.write(
      "moved '\(SafeText.escaped(path))' to '\(SafeText.escaped(destination))'; commit both\n")
  }
}
