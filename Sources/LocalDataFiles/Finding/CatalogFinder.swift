/// Finds the files that arguments name.
package struct CatalogFinder {
  /// The folder that is searched if no argument names a catalog.
  static let defaultFolder = "Catalogs"
  /// The folder of snapshots in a folder of catalogs.
  static let releases = "Releases"

  private var seen: Set<DiskFile.Identity> = []
  /// Files and folders that are not searched.
  private var excluded: Set<DiskFile.Identity> = []
  private var selection = CatalogSelection()
  /// The folder that is searched.
  private var searched: AbsolutePath?

  /// Returns the catalogs that the arguments name, each once.
  ///
  /// - Parameter excluded: Files and folders that are left out.
  package static func find(_ arguments: [String], excluding excluded: [String] = []) throws -> CatalogSelection {
    var finder = CatalogFinder()
    finder.excluded = Set(excluded.compactMap(DiskFile.identityIfKnown))
    for argument in try arguments.isEmpty ? defaultFolders() : arguments {
      _ = try CheckedPath(argument)
      switch DiskFile.kind(argument) {
      case .folder:
        finder.selection.folders.append(argument)
        finder.searched = AbsolutePath(resolving: argument)
        try finder.search(argument, isCatalogs: isNamedCatalogs(argument))
      case .file, .other: try finder.add(argument)
      case .link, nil:
        guard !arguments.isEmpty else {
          throw ToolFailure(
            .wrongUse, "there is no folder '\(defaultFolder)' here, and none in a target",
            help: "name the catalogs or a folder that has some")
        }
        finder.selection.missing.append(argument)
      }
    }
    finder.selection.locate()
    return finder.selection
  }

  /// Returns the folders that are searched if no argument names one.
  package static func defaultFolders() throws -> [String] {
    let folders = try PackageLayout.folders()
    return folders.isEmpty ? [defaultFolder] : folders
  }

  /// Returns the paths of the catalogs directly in a folder.
  package static func catalogs(in folder: String) throws(ToolFailure) -> [String] {
    let suffix = isNamedCatalogs(folder) ? ".yaml" : ".catalog.yaml"
    return try names(in: folder).filter { !$0.hasPrefix(".") && $0.hasSuffix(suffix) }
      .map { folder == "." ? $0 : "\(folder)/\($0)" }.filter { DiskFile.kind($0) == .file }
  }

  /// Returns the names in a folder, sorted.
  package static func names(in folder: String) throws(ToolFailure) -> [String] {
    let checked = try CheckedPath(folder)
    do {
      return try DiskFile.names(in: checked)
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot read the folder '\(folder)': \(error.text)")
    }
  }

  /// Returns a Boolean value that indicates whether a folder is named `Catalogs`, or is in one.
  static func isNamedCatalogs(_ folder: String) -> Bool {
    DiskFile.resolved(folder)?.split(separator: "/").contains { $0 == defaultFolder } ?? false
  }

  /// Returns true if a path below a folder, as a revision names it, is that of a catalog.
  package static func isCatalog(_ path: String, in folder: String) -> Bool {
    let parts = path.split(separator: "/")
    guard !parts.contains(where: { $0.hasPrefix(".") }) else { return false }
    let isCatalogs = isNamedCatalogs(folder) || parts.dropLast().contains { $0 == defaultFolder }
    return path.hasSuffix(isCatalogs ? ".yaml" : ".catalog.yaml")
  }

  /// Searches a folder. Links to folders are not followed, links to files outside of the searched folder are refused, and
  /// hidden folders (`.build`, `.git`) not searched.
  private mutating func search(_ folder: String, isCatalogs: Bool) throws {
    let prefix = folder.hasSuffix("/") ? folder : folder == "." ? "" : folder + "/"
    for name in try Self.names(in: folder) where !name.hasPrefix(".") {
      let path = prefix + name
      if !excluded.isEmpty, let identity = DiskFile.identityIfKnown(path), excluded.contains(identity) { continue }
      switch DiskFile.kind(path, followingLinks: false) {
      case .folder:
        if name == Self.releases { selection.releases.append(path) }
        try search(path, isCatalogs: isCatalogs || name == Self.defaultFolder)
      case .file, .link:
        // If such a file were ignored, its keys would be missed only when the app is compiled.
        if name.hasSuffix(isCatalogs ? ".yml" : ".catalog.yml") {
          throw ToolFailure(
            .wrongUse, "'\(path)' looks like a catalog, and catalogs end in .yaml",
            help: "rename the file, or move it elsewhere")
        }
        guard name.hasSuffix(isCatalogs ? ".yaml" : ".catalog.yaml"), DiskFile.kind(path) == .file else { continue }
        if let searched { _ = try CheckedPath(path, isIn: searched) }
        try add(path)
      case .other, nil: continue
      }
    }
  }

  private mutating func add(_ path: String) throws {
    do {
      if seen.insert(try DiskFile.identity(path)).inserted { selection.paths.append(path) }
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot read '\(path)': \(error.text)")
    }
  }
}
