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
  /// A link is followed, because the user named it. Pipes and devices such as `/dev/stdout` are written to directly.
  static func write(_ bytes: [UInt8], to path: String) throws {
    do {
      switch DiskFile.kind(path) {
      case .other: try writeDirectly(bytes, to: path)
      case .file: try replace(DiskFile.resolved(path) ?? path, with: bytes)
      case .folder: throw DiskFile.Failure(code: EISDIR)
      case .link, nil: try replace(path, with: bytes)
      }
    } catch let failure as DiskFile.Failure {
      throw ToolFailure(.cannotReadOrWrite, "cannot write '\(path)': \(failure.text)")
    }
  }

  /// Gives a file another name.
  static func move(_ path: String, to destination: String) throws(DiskFile.Failure) {
    guard rename(path, destination) == 0 else { throw DiskFile.Failure(code: errno) }
  }

  private static func writeDirectly(_ bytes: [UInt8], to path: String) throws(DiskFile.Failure) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw DiskFile.Failure(code: errno) }
    defer { close(descriptor) }
    do throws(DiskFile.Failure) {
      try DiskFile.writeAll([bytes], to: descriptor)
    } catch  where error.isClosedPipe {
      return
    }
  }

  private static func replace(_ path: String, with bytes: [UInt8]) throws(DiskFile.Failure) {
    let slash = path.lastIndex(of: "/")
    let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
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
