import CatalogSyntax

/// The catalogs that the arguments of a run name.
struct CatalogSelection {
  /// The paths of the catalogs, each once.
  var paths: [String] = []
  /// Folders that were searched.
  var folders: [String] = []
  /// Folders named Releases that the search found.
  var releases: [String] = []
  /// Named files and folders that do not exist.
  var missing: [String] = []
  /// The catalog from standard input, if `-` was named.
  var input: SourceFile?

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

  private(set) var files: [AbsolutePath] = []
  private(set) var named: [AbsolutePath] = []
  private(set) var identities: Set<DiskFile.Identity> = []

  /// Looks at the places of the selected files once, before outputs are compared with them.
  mutating func locate() {
    files = (paths + [input?.path].compactMap { $0 }).compactMap(AbsolutePath.init(resolvingFolderOf:))
    named =
      folders.compactMap(AbsolutePath.init(resolving:)) + files
      + missing.compactMap(AbsolutePath.init(resolvingFolderOf:))
    identities = Set((paths + [input?.path].compactMap { $0 }).compactMap(DiskFile.identityIfKnown))
  }
}
