import CatalogEmitters

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A folder of the developer's own in which some files are ours: those alone are written, and none is removed.
struct TestFolder {
  let path: String

  /// Writes files that are new, or ours and changed.
  func commit(_ files: [GeneratedFile]) throws {
    for generated in try changed(files) { try replace(generated) }
  }

  /// What `commit` would change, as a unified diff; empty where nothing.
  func difference(to files: [GeneratedFile]) throws -> [UInt8] {
    try changed(files).flatMap { changed in
      UnifiedDiff.write(old: try read(changed.path), new: changed.bytes, path: file(changed.path))
    }
  }

  /// Writes a file that is not there yet.
  func create(_ generated: GeneratedFile) throws {
    try attempt("write", generated.path) { () throws(DiskFile.Failure) in
      try DiskFile.create(file(generated.path), generated.parts)
    }
  }

  /// The bytes of a file; `nil` where there is none.
  func read(_ name: String) throws -> [UInt8]? {
    do {
      return try DiskFile.read(file(name))
    } catch  where error.isAbsence {
      return nil
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot read '\(file(name))': \(error.text)")
    }
  }

  /// The files that differ from what is there. What is there and not ours ends the run before anything is written.
  private func changed(_ files: [GeneratedFile]) throws -> [GeneratedFile] {
    try files.filter { generated in
      guard let existing = try read(generated.path) else { return true }
      guard !generated.holds(existing) else { return false }
      guard OutputFolder.hasMark(existing) else {
        throw ToolFailure(
          .cannotReadOrWrite, "'\(file(generated.path))' was not written by this tool, and is left as it is",
          help: "move it away, rename the catalog, or choose another folder with --output")
      }
      return true
    }
  }

  /// New bytes go to a file beside it, which then takes its name.
  private func replace(_ generated: GeneratedFile) throws {
    let temporary = file(".local-data-\(getpid())-\(generated.path).tmp")
    try attempt("write", generated.path) { () throws(DiskFile.Failure) in
      try DiskFile.makeFolder(path)
      try DiskFile.create(temporary, generated.parts)
      do throws(DiskFile.Failure) {
        try DiskFile.move(temporary, to: file(generated.path))
      } catch {
        // The first failure is the one to tell.
        try? DiskFile.remove(temporary)
        throw error
      }
    }
  }

  private func file(_ name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

  private func attempt(_ verb: String, _ name: String, _ body: () throws(DiskFile.Failure) -> Void) throws {
    do {
      try body()
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot \(verb) '\(file(name))': \(error.text)")
    }
  }
}
