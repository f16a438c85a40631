package import LocalDataEmission
import LocalDataSyntax

/// A folder of outputs: the one place where the generator writes.
///
/// If the tool is killed, each file has its old bytes or its new ones: new bytes go to a file beside it, which then takes
/// its name. The manifest names a file before it appears and until it is gone, so that the next run finishes the work.
/// Outputs are not synced to the disk, because the next run can write them again. After a power failure a file may be
/// empty; an empty file is replaced like an output.
///
/// Line ends do not count: a checkout can have CR LF in place of LF.
package struct OutputFolder {
  /// The text that the first lines of outputs contain.
  private static let mark = "ritten by local-data"
  /// The beginning of outputs in JSON, which has no comments.
  private static let jsonMark = "{\n\"format\":"
  /// The length of the first lines, in bytes.
  private static let headSize = 400

  private let location: CheckedPath
  /// The folder in this one for documents and the manifest. If nil, there is no manifest, and no file is ever removed.
  package let documents: String?

  /// - Parameter isOfBuildSystem: Whether a build system has chosen the folder.
  /// - Throws: A failure if the folder leads out of the folder of the run through a link.
  package init(path: String, documents: String?, isOfBuildSystem: Bool = false) throws {
    location = isOfBuildSystem ? .ofBuildSystem(path) : try CheckedPath(path)
    self.documents = documents
  }

  /// The path of the folder.
  package var path: String { location.text }

  /// Returns the changes that make the folder hold `outputs`.
  ///
  /// Outputs of other catalogs stay. An output is removed only if an earlier run wrote it, its bytes are still the same,
  /// it has the mark of this tool, and its catalog was selected but is gone, or no longer has this output.
  ///
  /// - Parameter isRemovable: Returns true if the run may remove an earlier output, from its path and whether its catalog is
  ///   gone. Outputs of formats that the run does not write stay.
  package func plan(
    for outputs: [Output], of selection: CatalogSelection, isRemovable: (_ path: String, _ isGone: Bool) -> Bool
  ) throws -> OutputPlan {
    guard let place = AbsolutePath(resolving: path) else {
      throw ToolFailure(.cannotReadOrWrite, "there is no working folder for '\(path)'")
    }
    let files = try open()
    let oldBytes = try manifestPath.flatMap { try files.read($0) }
    let old = OutputManifest(oldBytes ?? [], documents: documents ?? "")
    let entries = entries(of: outputs, in: place)

    var plan = OutputPlan(oldManifest: old, newManifest: old)
    let known = Dictionary(grouping: old.entries, by: \.path)
    for (output, entry) in zip(outputs, entries) {
      let known = known[entry.path] ?? []
      try checkOwner(of: entry, known, selection, place)
      if try !isCurrent(output.file, files) { plan.written.append(output.file) }
    }
    guard documents != nil else { return plan }

    let produced = Set(entries.map(\.path))
    let others = old.entries.filter { !produced.contains($0.path) }
    let stale = others.filter { entry in
      let source = place.appending(entry.source)
      return selection.includes(source) && isRemovable(entry.path, DiskFile.kind(source.text) == nil)
    }
    plan.lost = stale.map { place.appending($0.source) }
    let unchanged = Set(try stale.filter { try files.isAsWritten($0) && Self.isMarked($0.path, files) }.map(\.path))
    (plan.removed, plan.renamed) = try OutputPlan.divide(stale: unchanged.sorted(), produced: produced.sorted()) {
      try files.existing($0)?.identity
    }
    plan.edited = try Set(stale.map(\.path)).subtracting(unchanged).sorted().filter(files.isFile)
    plan.newManifest = OutputManifest(entries + Set(others).subtracting(stale))
    plan.isManifestChanged = oldBytes?.withLineFeeds != plan.newManifest.bytes
    return plan
  }

  /// Returns true if the folder has outputs of a catalog that exists and is not selected.
  package func hasOutputs(ofCatalogsNotIn selection: CatalogSelection) throws -> Bool {
    guard let manifestPath, let place = AbsolutePath(resolving: path), let bytes = try open().read(manifestPath) else {
      return false
    }
    let sources = Set(OutputManifest(bytes, documents: documents ?? "").entries.map(\.source))
    return sources.contains { source in
      let source = place.appending(source)
      return !selection.includes(source) && DiskFile.kind(source.text) == .file
    }
  }

  /// Makes the changes. Files that have not changed are not touched.
  package func apply(_ plan: OutputPlan) throws {
    try open().removeLeftovers()
    guard !plan.isEmpty else { return }
    let files = try OutputFiles.make(at: location, documents: documents)
    let staged = try files.stage(plan.written)
    do {
      try write(OutputManifest(plan.oldManifest.entries + plan.newManifest.entries), files)
      for (old, new) in plan.renamed { try files.move(old, to: new) }
      for (temporary, destination) in staged { try files.move(temporary, to: destination) }
    } catch {
      // The next run would remove them too. A failure to remove them now must not hide the first one.
      for (temporary, _) in staged { try? files.remove(temporary) }
      throw error
    }
    for path in plan.removed { try files.remove(path) }
    try write(plan.newManifest, files)
  }

  /// Writes a file that does not exist yet.
  package func create(_ generated: GeneratedFile) throws {
    try OutputFiles.make(at: location, documents: documents).create(generated.path, generated.parts)
  }

  /// Returns the bytes of a file, or nil if there is none.
  package func read(_ path: String) throws -> [UInt8]? { try open().read(path) }

  /// The path of a file in this folder, for messages.
  package func file(_ relative: String) -> String { path.hasSuffix("/") ? path + relative : "\(path)/\(relative)" }
}

extension OutputFolder {
  private func open() throws -> OutputFiles { try OutputFiles(at: location, documents: documents) }

  /// The path of the manifest, or nil if there is none.
  package var manifestPath: String? { documents.map { "\($0)/\(OutputManifest.name)" } }

  private func write(_ manifest: OutputManifest, _ files: OutputFiles) throws {
    guard let manifestPath else { return }
    guard let bytes = manifest.bytes else { return try files.remove(manifestPath) }
    let temporary = TemporaryName.path(for: manifestPath)
    try files.create(temporary, [bytes])
    try files.move(temporary, to: manifestPath)
  }

  /// The entries of outputs, with the paths of their catalogs from `place` on. Without a manifest they need no checksums.
  private func entries(of outputs: [Output], in place: AbsolutePath) -> [OutputManifest.Entry] {
    let sources = Set(outputs.map(\.source)).map { source in
      (source, AbsolutePath(resolvingFolderOf: source)?.relative(to: place) ?? source)
    }
    let relative = Dictionary(uniqueKeysWithValues: sources)
    return outputs.concurrentMap { output in
      OutputManifest.Entry(
        path: output.file.path, source: relative[output.source] ?? output.source,
        checksum: documents == nil ? "" : Checksum.text(of: output.file.parts))
    }
  }

  /// Throws if a file is the output of another catalog of the same name, which an earlier run has read.
  private func checkOwner(
    of entry: OutputManifest.Entry, _ known: [OutputManifest.Entry], _ selection: CatalogSelection,
    _ place: AbsolutePath
  ) throws {
    for other in known where other.source != entry.source {
      let source = place.appending(other.source)
      guard !selection.includes(source), DiskFile.kind(source.text) == .file else { continue }
      throw ToolFailure(
        .wrongUse, "'\(file(entry.path))' is the output of another catalog, '\(file(other.source))'",
        help: "rename one of the catalogs, or choose another folder with --output")
    }
  }

  /// Returns a Boolean value that indicates whether the first lines of a file say that this tool has written it.
  ///
  /// The manifest alone does not show that, because a pull request can add lines to it.
  private static func isMarked(_ path: String, _ files: OutputFiles) throws -> Bool {
    let head = String(decoding: try files.read(path, limit: headSize)?.withLineFeeds ?? [], as: UTF8.self)
    return path.hasSuffix(".json") ? head.hasPrefix(jsonMark) : head.contains(mark)
  }

  /// Returns a Boolean value that indicates whether a file has the generated bytes. Reads at most twice as many.
  ///
  /// - Throws: A failure if the file is neither current nor written by this tool.
  private func isCurrent(_ generated: GeneratedFile, _ files: OutputFiles) throws -> Bool {
    guard let status = try files.existing(generated.path) else { return false }
    let size = generated.parts.reduce(0) { $0 + $1.count }
    // No line is shorter than its end.
    if (size...2 * size).contains(status.size), let bytes = try files.read(generated.path, limit: 2 * size),
      generated.holds(bytes) || generated.holds(bytes.withLineFeeds)
    {
      return true
    }
    if try status.size == 0 || Self.isMarked(generated.path, files) { return false }
    throw ToolFailure(
      .cannotReadOrWrite, "'\(file(generated.path))' was not written by this tool, and is left as it is",
      help: "move it away, rename the catalog, or choose another folder with --output")
  }
}
