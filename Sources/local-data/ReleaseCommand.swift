import ArgumentParser
import CatalogComparison
import CatalogSyntax

/// `release`: a snapshot of the catalogs as they are released.
struct ReleaseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "release",
    abstract: "Record what the catalogs declare, so that later runs protect what this release stores.",
    discussion: """
      Writes <version>.json into the folder Releases beside the catalogs. Commit the file. From then on 'validate' and \
      'generate' compare the catalogs with every snapshot in the folder. With --retire, the snapshot moves to the folder \
      Retired, and is no longer compared with.
      """)

  @Argument(help: "The version, for example 1.2.")
  var version: String

  @OptionGroup var catalogs: CatalogArguments

  @Flag(help: "Stop comparing with the snapshot of this version: no user updates from it any more.")
  var retire = false

  @Option(help: "The form of findings, on standard error.")
  var diagnostics = DiagnosticRenderer.Format.text

  func validate() throws {
    guard ReleaseVersion(checking: version) != nil else {
      throw ValidationError(
        "'\(SafeText.escaped(version))' is not a version. Write numbers with points, for example 1.2 or 2.0-beta.1.")
    }
  }

  func run() throws {
    let version = ReleaseVersion(version)
    let folder = SnapshotFolder(beside: catalogs.paths)
    if retire { return try self.retire(version, in: folder) }
    let resolved = try catalogs.resolved(diagnostics: diagnostics, againstReleases: true)
    let text = SnapshotWriter.write(CatalogState(resolved, title: ""), release: version.text)
    try write(Array(text.utf8), version, in: folder)
  }

  private func write(_ bytes: [UInt8], _ version: ReleaseVersion, in folder: SnapshotFolder) throws {
    let path = folder.file(version)
    if DiskFile.kind(folder.file(version, isRetired: true)) != nil {
      throw ToolFailure(
        .wrongUse, "release \(version.text) is retired", help: "choose a version that was not released yet")
    }
    if DiskFile.kind(path) != nil {
      if try SnapshotFolder.read(path).bytes == bytes {
        return try Terminal.write("'\(SafeText.escaped(path))' is up to date\n")
      }
      throw ToolFailure(
        .wrongUse, "'\(path)' records other catalogs: a release does not change",
        help: "choose a new version; if \(version.text) was never released, remove the file first")
    }
    do {
      try DiskFile.makeFolder(folder.path)
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot create the folder '\(folder.path)': \(error.text)")
    }
    try DocumentFile.write(bytes, to: path)
    try Terminal.write("wrote '\(SafeText.escaped(path))'; commit it\n")
  }

  private func retire(_ version: ReleaseVersion, in folder: SnapshotFolder) throws {
    let (path, destination) = (folder.file(version), folder.file(version, isRetired: true))
    guard DiskFile.kind(path) == .file else {
      if DiskFile.kind(destination) == .file {
        return try Terminal.write("release \(version.text) is retired already\n")
      }
      let known = try DiskFile.kind(folder.path) == .folder ? folder.snapshots() : []
      throw ToolFailure(
        .wrongUse, "there is no snapshot '\(path)'",
        help: known.isEmpty ? "no release is recorded" : "the recorded releases are named in '\(folder.path)'")
    }
    guard DiskFile.kind(destination) == nil else {
      throw ToolFailure(.wrongUse, "'\(destination)' is there already", help: "remove one of the two snapshots")
    }
    do {
      try DiskFile.makeFolder("\(folder.path)/\(SnapshotFolder.retired)")
      try DocumentFile.move(path, to: destination)
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot move '\(path)': \(error.text)")
    }
    try Terminal.write(
      "moved '\(SafeText.escaped(path))' to '\(SafeText.escaped(destination))'; commit both\n")
  }
}
