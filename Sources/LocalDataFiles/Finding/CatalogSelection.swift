package import LocalDataSyntax

/// The catalogs that the arguments of a run name.
package struct CatalogSelection {
  /// The paths of the catalogs, each once.
  package var paths: [String] = []
  /// Folders that were searched.
  package var folders: [String] = []
  /// Folders named Releases that the search found.
  package var releases: [String] = []
  /// Named files and folders that do not exist.
  package var missing: [String] = []
  /// The catalog from standard input, if `-` was named.
  package var input: SourceFile?

  package init() {}

  /// Returns a Boolean value that indicates whether a catalog that is gone would be one of the selected ones: it was
  /// selected by its path or by a folder that it was in. Also returns true for selected catalogs that exist.
  ///
  /// A catalog whose name was changed in case only is gone, even on a disk that ignores case.
  func includes(_ source: AbsolutePath) -> Bool {
    if files.contains(source) { return true }
    let isNamed = named.contains { source.isIn($0) }
    guard let identity = DiskFile.identityIfKnown(source.text) else { return isNamed }
    return identities.contains(identity)
  }

  package private(set) var files: [AbsolutePath] = []
  package private(set) var named: [AbsolutePath] = []
  package private(set) var identities: Set<DiskFile.Identity> = []

  /// Looks at the places of the selected files once, before outputs are compared with them.
  package mutating func locate() {
    files = (paths + [input?.path].compactMap { $0 }).compactMap(AbsolutePath.init(resolvingFolderOf:))
    named =
      folders.compactMap(AbsolutePath.init(resolving:)) + files
      + missing.compactMap(AbsolutePath.init(resolvingFolderOf:))
    identities = Set((paths + [input?.path].compactMap { $0 }).compactMap(DiskFile.identityIfKnown))
  }
}

extension CatalogSelection {
  /// Throws if a named path does not exist, or if there is no catalog.
  ///
  /// - Parameter lost: Catalogs that are gone, but were there in an earlier run. To name them or their folder is no
  ///   mistake.
  package func checkExists(except lost: [AbsolutePath] = []) throws {
    for path in missing {
      let place = AbsolutePath(resolvingFolderOf: path)
      guard !lost.contains(where: { lost in place.map(lost.isIn) ?? false }) else { continue }
      throw ToolFailure(.cannotReadOrWrite, "there is no file or folder '\(path)'")
    }
    guard paths.isEmpty, input == nil, lost.isEmpty else { return }
    throw ToolFailure(
      .wrongUse, "no catalog was found",
      help: "a catalog is a .yaml file in a folder named Catalogs, or a .catalog.yaml file elsewhere")
  }
}
