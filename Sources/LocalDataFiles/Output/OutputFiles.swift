import LocalDataEmission
import LocalDataSyntax

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The files of an output folder and of its folder for documents, by their paths in the output folder.
///
/// Only files are read and written, and none through a link. A failure is one of the tool.
struct OutputFiles: Sendable {
  /// No output is larger; a larger file is not read.
  private static let maximumSize = 256 << 20

  /// The output folder.
  private let location: CheckedPath
  private let root: OpenFolder?
  private let documents: OpenFolder?

  /// Opens the folders, as far as they exist.
  init(at location: CheckedPath, documents: String?) throws {
    self.location = location
    let root = try Self.attempt("read", location.text) { () throws(DiskFile.Failure) in
      try OpenFolder.open(location)
    }
    self.root = root
    guard let root, let documents else {
      self.documents = nil
      return
    }
    let name = Self.join(location.text, documents)
    let status = try Self.attempt("read", name) { () throws(DiskFile.Failure) in try root.status(documents) }
    if status?.kind == .link { throw Self.refusal(ofLink: name) }
    self.documents = try Self.attempt("read", name) { () throws(DiskFile.Failure) in try root.folder(documents) }
  }

  /// Makes the folders and opens them.
  static func make(at location: CheckedPath, documents: String?) throws -> OutputFiles {
    try attempt("write to", location.text) { () throws(DiskFile.Failure) in try DiskFile.makeFolder(location) }
    let files = try OutputFiles(at: location, documents: documents)
    guard let documents, files.documents == nil, let root = files.root else { return files }
    try attempt("write to", files.file(documents)) { () throws(DiskFile.Failure) in try root.makeFolder(documents) }
    return try OutputFiles(at: location, documents: documents)
  }

  /// The path of a file as the user would write it, for messages.
  package func file(_ relative: String) -> String { Self.join(location.text, relative) }

  // MARK: - Reading

  /// Returns the status of an output, or nil if there is none. Links and devices are refused.
  package func existing(_ path: String) throws -> DiskFile.Status? {
    let status = try status(path)
    switch status?.kind {
    case .file, nil: return status
    case .link: throw Self.refusal(ofLink: file(path))
    case .folder, .other:
      throw ToolFailure(
        .cannotReadOrWrite, "'\(file(path))' is not a file",
        help: "move it away, rename the catalog, or choose another folder with --output")
    }
  }

  /// Returns the first bytes of an output, at most `limit`, or nil if there is none.
  package func read(_ path: String, limit: Int = .max) throws -> [UInt8]? {
    guard let status = try existing(path), let (folder, name) = place(of: path) else { return nil }
    let limit = min(limit, status.size)
    guard limit <= Self.maximumSize else {
      throw ToolFailure(.cannotReadOrWrite, "'\(file(path))' is too large to be an output", help: "move it away")
    }
    return try Self.attempt("read", file(path)) { () throws(DiskFile.Failure) in try folder.read(name, limit: limit) }
  }

  /// Returns a Boolean value that indicates whether a file still has the bytes that an earlier run wrote.
  func isAsWritten(_ entry: OutputManifest.Entry) throws -> Bool {
    guard let status = try status(entry.path), status.kind == .file, status.size <= Self.maximumSize,
      let bytes = try read(entry.path)
    else { return false }
    return Checksum.text(of: [bytes.withLineFeeds]) == entry.checksum
  }

  /// Returns a Boolean value that indicates whether a path names a file, and neither a link nor a device.
  func isFile(_ path: String) throws -> Bool { try status(path)?.kind == .file }

  private func status(_ path: String) throws -> DiskFile.Status? {
    guard let (folder, name) = place(of: path) else { return nil }
    return try Self.attempt("read", file(path)) { () throws(DiskFile.Failure) in try folder.status(name) }
  }

  // MARK: - Writing

  /// Writes a file that does not exist yet.
  package func create(_ path: String, _ parts: [[UInt8]]) throws {
    let (folder, name) = try required(path)
    try Self.attempt("write", file(path)) { () throws(DiskFile.Failure) in try folder.create(name, parts) }
  }

  /// Writes new bytes beside the places of files. Nothing that exists is touched yet: a full disk leaves all as it was.
  func stage(_ files: [GeneratedFile]) throws -> [(temporary: String, destination: String)] {
    let staged = files.map { (temporary: TemporaryName.path(for: $0.path), destination: $0.path) }
    let results = Array(zip(files, staged)).concurrentMap { file, paths in
      Result { try create(paths.temporary, file.parts) }
    }
    do {
      for result in results { try result.get() }
    } catch {
      for (result, paths) in zip(results, staged) {
        // The failure to write is the one to report.
        if case .success = result { try? remove(paths.temporary) }
      }
      throw error
    }
    return staged
  }

  /// Renames a file in its folder. A file that has the new name already is replaced.
  package func move(_ path: String, to destination: String) throws {
    let (folder, name) = try required(path)
    let (_, newName) = try required(destination)
    try Self.attempt("write", file(destination)) { () throws(DiskFile.Failure) in
      try folder.move(name, to: newName)
    }
  }

  package func remove(_ path: String) throws {
    guard let (folder, name) = place(of: path) else { return }
    try Self.attempt("remove", file(path)) { () throws(DiskFile.Failure) in try folder.remove(name) }
  }

  /// Removes the temporary files of runs that were killed.
  func removeLeftovers() throws {
    for folder in [root, documents].compactMap({ $0 }) {
      try Self.attempt("read", location.text) { () throws(DiskFile.Failure) in
        for name in try folder.names() where TemporaryName.isLeftover(name) { try folder.remove(name) }
      }
    }
  }

  // MARK: - Paths and failures

  /// Returns the open folder and the name of an output, or nil if there is no such folder.
  private func place(of path: String) -> (folder: OpenFolder, name: String)? {
    guard let slash = path.firstIndex(of: "/") else { return root.map { ($0, path) } }
    return documents.map { ($0, String(path[path.index(after: slash)...])) }
  }

  private func required(_ path: String) throws -> (folder: OpenFolder, name: String) {
    guard let place = place(of: path) else {
      throw ToolFailure(.cannotReadOrWrite, "there is no folder for '\(file(path))'")
    }
    return place
  }

  private static func join(_ path: String, _ name: String) -> String {
    path.hasSuffix("/") ? path + name : "\(path)/\(name)"
  }

  private static func refusal(ofLink path: String) -> ToolFailure {
    ToolFailure(
      .cannotReadOrWrite, "'\(path)' is a link, and outputs are not written through links",
      help: "remove the link, or choose another folder with --output")
  }

  private static func attempt<Value>(
    _ verb: String, _ path: String, _ body: () throws(DiskFile.Failure) -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot \(verb) '\(path)': \(error.text)")
    }
  }
}

/// The names of files that are not finished. They contain the number of the process, so that two runs at once do not
/// share a file.
package enum TemporaryName {
  private static let prefix = ".local-data-"
  private static let suffix = ".tmp"

  /// Returns the path of the temporary file for a file, in the same folder.
  package static func path(for path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let name = "\(prefix)\(getpid())-\(parts.last ?? "")\(suffix)"
    return (parts.dropLast() + [name]).joined(separator: "/")
  }

  /// Returns a Boolean value that indicates whether a file was left by a process that has ended.
  static func isLeftover(_ name: String) -> Bool {
    guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return false }
    let digits = name.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber }
    guard let process = pid_t(digits) else { return false }
    return process != getpid() && kill(process, 0) != 0 && errno == ESRCH
  }
}
