import CatalogSyntax

/// Arguments to the files that they mean.
struct CatalogFinder {
  /// The folder that is searched where none is named.
  static let defaultFolder = "Catalogs"

  private var seen: Set<DiskFile.Identity> = []
  private var paths: [String] = []

  /// The catalogs that the arguments name, each once, in the order of their base names and then of their paths.
  static func find(_ arguments: [String]) throws -> [SourceFile] {
    var finder = CatalogFinder()
    for argument in arguments.isEmpty ? [defaultFolder] : arguments {
      switch DiskFile.kind(argument) {
      case .folder: try finder.search(argument, isCatalogs: isNamedCatalogs(argument))
      case .file, .other: try finder.add(argument)
      case .link, nil:
        guard arguments.isEmpty else {
          throw ToolFailure(.cannotReadOrWrite, "there is no file or folder '\(argument)'")
        }
        throw ToolFailure(
          .wrongUse, "there is no folder '\(defaultFolder)' here", help: "name the catalogs or a folder that has some")
      }
    }
    guard !finder.paths.isEmpty else {
      throw ToolFailure(
        .wrongUse, "no catalog was found",
        help: "a catalog is a .yaml file in a folder named Catalogs, or a .catalog.yaml file elsewhere")
    }
    return try finder.paths.map(read).sorted { left, right in
      (left.baseName, left.path) < (right.baseName, right.path)
    }
  }

  /// Whether a folder is named `Catalogs`, or lies below one.
  private static func isNamedCatalogs(_ folder: String) -> Bool {
    DiskFile.resolved(folder)?.split(separator: "/").contains { $0 == defaultFolder } ?? false
  }

  /// Links to folders are not followed, and hidden folders (`.build`, `.git`) not searched.
  private mutating func search(_ folder: String, isCatalogs: Bool) throws {
    let names: [String]
    do {
      names = try DiskFile.names(in: folder)
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot read the folder '\(folder)': \(error.text)")
    }
    let prefix = folder.hasSuffix("/") ? folder : folder == "." ? "" : folder + "/"
    for name in names where !name.hasPrefix(".") {
      let path = prefix + name
      switch DiskFile.kind(path, followingLinks: false) {
      case .folder: try search(path, isCatalogs: isCatalogs || name == Self.defaultFolder)
      case .file, .link:
        // Passed over in silence, its keys would be missed only where the app is compiled.
        if name.hasSuffix(isCatalogs ? ".yml" : ".catalog.yml") {
          throw ToolFailure(
            .wrongUse, "'\(path)' looks like a catalog, and catalogs end in .yaml",
            help: "rename the file, or move it elsewhere")
        }
        guard name.hasSuffix(isCatalogs ? ".yaml" : ".catalog.yaml"), DiskFile.kind(path) == .file else { continue }
        try add(path)
      case .other, nil: continue
      }
    }
  }

  private mutating func add(_ path: String) throws {
    do {
      if seen.insert(try DiskFile.identity(path)).inserted { paths.append(path) }
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot read '\(path)': \(error.text)")
    }
  }

  private static func read(_ path: String) throws -> SourceFile {
    do {
      // A byte-order mark does not count, and a byte more shows the reader that the file is too large.
      return SourceFile(path: path, bytes: try DiskFile.read(path, limit: CatalogReader.maximumSize + 4))
    } catch {
      throw ToolFailure(.cannotReadOrWrite, "cannot read '\(path)': \(error.text)")
    }
  }
}
