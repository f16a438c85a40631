import CatalogEmitters
import CatalogModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The folder of the outputs: the one place where the generator writes.
///
/// A file is whole or as it was whenever the tool is killed: new bytes go to a file beside it, which then takes its
/// name. The manifest names a file before it appears and until it is gone.
struct OutputFolder {
  /// What outputs of ours say in their first lines; JSON has no comments, and is told by its first field.
  private static let marks = ["ritten by local-data", "{\n\"format\":"]

  let path: String

  /// Makes the folder hold these files and, of what is ours, no others. Files that have not changed are not touched.
  func commit(_ files: [GeneratedFile]) throws {
    let plan = try plan(for: files)
    try removeLeftovers()
    guard !plan.isEmpty else { return }
    try attempt("write to", path) { () throws(DiskFile.Failure) in
      try DiskFile.makeFolder(file("Audit"))
    }
    let staged = try stage(plan.changed)
    do {
      try writeManifest(OutputManifest(paths: plan.old.paths + plan.new.paths), over: plan.old)
      for (temporary, destination) in staged {
        try attempt("write", destination) { () throws(DiskFile.Failure) in
          try DiskFile.move(temporary, to: destination)
        }
      }
    } catch {
      // The next run would remove them too; a failure to do it now is not worth hiding the first one.
      for (temporary, _) in staged { try? DiskFile.remove(temporary) }
      throw error
    }
    for stale in plan.stale {
      try attempt("remove", file(stale)) { () throws(DiskFile.Failure) in try DiskFile.remove(file(stale)) }
    }
    try writeManifest(plan.new, over: plan.stale.isEmpty ? nil : OutputManifest(paths: []))
  }

  /// What `commit` would change, as a unified diff; empty where nothing.
  func difference(to files: [GeneratedFile]) throws -> [UInt8] {
    let plan = try plan(for: files)
    var output: [UInt8] = []
    for changed in plan.changed {
      let old = try read(changed.path)
      output += UnifiedDiff.write(old: old, new: changed.bytes, path: file(changed.path))
    }
    for stale in plan.stale {
      output += UnifiedDiff.write(old: try read(stale), new: nil, path: file(stale))
    }
    if plan.isManifestChanged {
      let old = try read(OutputManifest.path)
      output += UnifiedDiff.write(old: old, new: plan.new.bytes, path: file(OutputManifest.path))
    }
    return output
  }
}

// MARK: - What there is to do

extension OutputFolder {
  private struct Plan {
    var changed: [GeneratedFile] = []
    var stale: [String] = []
    var old: OutputManifest
    var new: OutputManifest
    var isManifestChanged: Bool

    var isEmpty: Bool { changed.isEmpty && stale.isEmpty && !isManifestChanged }
  }

  private func plan(for files: [GeneratedFile]) throws -> Plan {
    let oldBytes = try read(OutputManifest.path)
    let old = OutputManifest(oldBytes ?? [])
    let new = OutputManifest(paths: files.map(\.path))
    var plan = Plan(old: old, new: new, isManifestChanged: oldBytes != new.bytes)
    let owned = Set(old.paths)
    for generated in files {
      guard let existing = try read(generated.path) else {
        plan.changed.append(generated)
        continue
      }
      if generated.holds(existing) { continue }
      guard owned.contains(generated.path) || Self.hasMark(existing) else {
        throw ToolFailure(
          .cannotReadOrWrite, "'\(file(generated.path))' was not written by this tool, and is left as it is",
          help: "move it away, rename the catalog, or choose another folder with --output")
      }
      plan.changed.append(generated)
    }
    let produced = Set(new.paths)
    plan.stale = old.paths.filter { path in
      !produced.contains(path) && DiskFile.kind(file(path), followingLinks: false) == .file
    }
    return plan
  }

  static func hasMark(_ bytes: [UInt8]) -> Bool {
    let head = String(decoding: bytes.prefix(400), as: UTF8.self)
    return marks.contains { head.contains($0) }
  }
}

// MARK: - Writing

extension OutputFolder {
  private static let temporaryPrefix = ".local-data-"
  private static let temporarySuffix = ".tmp"

  private func file(_ relative: String) -> String {
    path.hasSuffix("/") ? path + relative : "\(path)/\(relative)"
  }

  /// Writes new bytes beside their places; nothing that exists is touched yet, and a full disk leaves all as it was.
  private func stage(_ files: [GeneratedFile]) throws -> [(temporary: String, destination: String)] {
    let staged = files.map { (temporary: temporaryPath(for: $0.path), destination: file($0.path)) }
    let results = Array(zip(files, staged)).concurrentMap { file, paths in
      Result { () throws(DiskFile.Failure) in try DiskFile.create(paths.temporary, file.parts) }
    }
    do {
      for (result, paths) in zip(results, staged) {
        try attempt("write", paths.temporary) { () throws(DiskFile.Failure) in try result.get() }
      }
    } catch {
      for (result, paths) in zip(results, staged) {
        if case .success = result { try? DiskFile.remove(paths.temporary) }
      }
      throw error
    }
    return staged
  }

  private func writeManifest(_ manifest: OutputManifest, over old: OutputManifest?) throws {
    guard manifest != old || DiskFile.kind(file(OutputManifest.path)) == nil else { return }
    let destination = file(OutputManifest.path)
    let temporary = temporaryPath(for: OutputManifest.path)
    try attempt("write", destination) { () throws(DiskFile.Failure) in
      try DiskFile.create(temporary, [manifest.bytes])
      try DiskFile.move(temporary, to: destination)
    }
  }

  /// Named after the process, so that two runs at once do not share one.
  private func temporaryPath(for relative: String) -> String {
    let parts = relative.split(separator: "/")
    let name = "\(Self.temporaryPrefix)\(getpid())-\(parts[parts.count - 1])\(Self.temporarySuffix)"
    return file((parts.dropLast().map(String.init) + [name]).joined(separator: "/"))
  }

  /// Removes what runs that were killed have left.
  private func removeLeftovers() throws {
    for folder in [path, file("Audit")] where DiskFile.kind(folder) == .folder {
      try attempt("read", folder) { () throws(DiskFile.Failure) in
        for name in try DiskFile.names(in: folder) where Self.isLeftover(name) {
          try DiskFile.remove("\(folder)/\(name)")
        }
      }
    }
  }

  private static func isLeftover(_ name: String) -> Bool {
    guard name.hasPrefix(temporaryPrefix), name.hasSuffix(temporarySuffix) else { return false }
    let digits = name.dropFirst(temporaryPrefix.count).prefix { $0.isASCII && $0.isNumber }
    guard let process = pid_t(digits) else { return false }
    return process != getpid() && kill(process, 0) != 0 && errno == ESRCH
  }

  /// The bytes of a file; `nil` where there is none.
  private func read(_ relative: String) throws -> [UInt8]? {
    do {
      return try DiskFile.read(file(relative))
    } catch  where error.isAbsence {
      return nil
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot read '\(file(relative))': \(error.text)")
    }
  }

  private func attempt(_ verb: String, _ path: String, _ body: () throws(DiskFile.Failure) -> Void) throws {
    do {
      try body()
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot \(verb) '\(path)': \(error.text)")
    }
  }
}
