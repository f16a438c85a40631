/// The check that inputs are where their paths say.
///
/// A link in a working copy could lead anywhere on the machine, and findings show lines of what is read. A pull request
/// could replace a catalog, a folder of catalogs, a snapshot or the project file with such a link.
enum InputLinks {
  /// Throws if links lead from a path to a place outside of the working folder, if the path is in that folder as it is
  /// written. Throws if the path is elsewhere, and its last component is a link to outside of the folder that it is in.
  ///
  /// A user can choose another folder by its path, but not by accident through a link.
  static func check(_ path: String) throws(ToolFailure) {
    guard let working = AbsolutePath(resolving: "."), let written = AbsolutePath(asWritten: path) else { return }
    try check(path, isIn: written.isIn(working) ? working : written.parent)
  }

  /// Throws if links lead from a path to a place outside of a folder.
  static func check(_ path: String, isIn folder: AbsolutePath) throws(ToolFailure) {
    guard let resolved = DiskFile.resolved(path), let place = AbsolutePath(resolving: resolved),
      let folder = AbsolutePath(resolving: folder.text), !place.isIn(folder)
    else { return }
    throw ToolFailure(
      .cannotReadOrWrite, "'\(path)' leads out of '\(folder.text)' through a link, and is not read",
      help: "replace the link with what it leads to, or name that by its own path")
  }
}
