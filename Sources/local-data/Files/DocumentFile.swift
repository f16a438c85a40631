import LocalDataFiles
import ArgumentParser
import LocalDataDocuments
import LocalDataSyntax

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file that the user names for a document.
enum DocumentFile {
  /// Replaces the file in one step, after its bytes are on the disk: a reader sees the old document or the new one, also
  /// after a power failure.
  ///
  /// A link in the folder of the run is followed. Pipes and devices such as `/dev/stdout` are written to directly.
  static func write(_ bytes: [UInt8], to path: String) throws {
    let checked = try CheckedPath(path)
    do {
      switch DiskFile.kind(path) {
      case .other: try DiskFile.writeDirectly(bytes, to: checked)
      case .file: try replace(checked.resolved, with: bytes)
      case .folder: throw DiskFile.Failure(code: EISDIR)
      case .link, nil: try replace(checked, with: bytes)
      }
    } catch let failure as DiskFile.Failure {
      throw ToolFailure(.cannotReadOrWrite, "cannot write '\(path)': \(failure.text)")
    }
  }

  /// Prints a diff and ends the run with the exit code for findings if a file has other bytes than these. Line ends do not
  /// count.
  static func checkIsCurrent(_ bytes: [UInt8], at path: String) throws {
    let checked = try CheckedPath(path)
    let old: [UInt8]?
    do {
      old = DiskFile.kind(path) == nil ? nil : try DiskFile.read(checked)
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot read '\(path)': \(error.text)")
    }
    let before = old?.withLineFeeds
    let now = bytes.withLineFeeds
    guard before != now else { return }
    let difference = UnifiedDiff.write(old: before, new: now, path: path)
    try Terminal.write(SafeText.lines(String(decoding: difference, as: UTF8.self)))
    throw ToolExit.findings
  }

  private static func replace(_ path: CheckedPath, with bytes: [UInt8]) throws(DiskFile.Failure) {
    let (parent, name) = path.parts
    guard let folder = try OpenFolder.open(parent) else { throw DiskFile.Failure(code: ENOENT) }
    let temporary = TemporaryName.path(for: name)
    try folder.create(temporary, [bytes], isSynced: true)
    do throws(DiskFile.Failure) {
      try folder.move(temporary, to: name)
      try folder.sync()
    } catch {
      let failure = error
      // The failure to replace the file is the one to report, not that of the removal.
      do throws(DiskFile.Failure) { try folder.remove(temporary) } catch {}
      throw failure
    }
  }
}

/// A Markdown document of the user with a part that the tool writes.
enum AuthoredDocument {
  /// More than any document that people write.
  private static let limit = 64 << 20

  static func read(_ path: String) throws -> MarkedDocument {
    let checked = try CheckedPath(path)
    let bytes: [UInt8]
    do {
      guard DiskFile.kind(path) ?? .file == .file else {
        throw ToolFailure(.cannotReadOrWrite, "'\(path)' is not a file", help: "name a Markdown document with --into")
      }
      bytes = try DiskFile.read(checked, limit: limit + 1)
    } catch let failure as DiskFile.Failure {
      throw ToolFailure(
        .cannotReadOrWrite, "cannot read '\(path)': \(failure.text)",
        help: "write the document with its markers first; --output writes a new file")
    }
    guard bytes.count <= limit else { throw ToolFailure(.cannotReadOrWrite, "'\(path)' has more than 64 MiB") }
    do {
      return try MarkedDocument(bytes)
    } catch {
      throw ToolFailure(.wrongUse, "'\(path)' \(error.message)", help: error.help)
    }
  }
}
