/// A path of which no link leads out of the folder of a run. Files and folders are opened by such paths only.
///
/// A link in a working copy could lead anywhere on the machine. A pull request could replace a catalog, a snapshot, an audit
/// or a folder with such a link, and then the tool would print or overwrite a file that the pull request cannot reach.
///
/// A user can choose another folder by its path. Links above the folder of a run are the user's own.
package struct CheckedPath {
  package let text: String

  /// Checks a path that the user or the project has written.
  ///
  /// If the path is in the working folder or in a Git checkout, it must not lead out of either. Elsewhere it must not lead
  /// out of its package, or of the folder that it is in if that belongs to no package.
  ///
  /// - Throws: A failure if a link leads elsewhere. A file need not exist.
  package init(_ path: String) throws(ToolFailure) {
    try self.init(path, isIn: Self.roots(of: path))
  }

  /// Checks a path below a folder.
  ///
  /// - Throws: A failure if a link leads out of the folder.
  package init(_ path: String, isIn folder: AbsolutePath) throws(ToolFailure) {
    try self.init(path, isIn: [folder])
  }

  private init(_ path: String, isIn folders: [AbsolutePath]) throws(ToolFailure) {
    text = path
    guard let place = AbsolutePath(resolving: path) else { return }
    let namesRepository = path.split(separator: "/").contains { $0 == Self.repository }
    for folder in folders.compactMap({ AbsolutePath(resolving: $0.text) }) {
      let isInRepository = place.components.dropFirst(folder.components.count).contains(Self.repository)
      if place.isIn(folder), !isInRepository || namesRepository { continue }
      throw ToolFailure(
        .cannotReadOrWrite, "'\(path)' leads out of '\(folder.text)' through a link, and is not read or written",
        help: "replace the link with what it leads to, or name that by its own path")
    }
  }

  private init(unchecked path: String) { text = path }

  /// The output folder of a build system. It may be on another disk through a link in the checkout, for example `.build`.
  static func ofBuildSystem(_ path: String) -> CheckedPath { CheckedPath(unchecked: path) }

  /// The same file by a path without links.
  package var resolved: CheckedPath { DiskFile.resolved(text).map(CheckedPath.init(unchecked:)) ?? self }

  /// The folder that the file is in, and the name of the file in it.
  package var parts: (folder: CheckedPath, name: String) {
    guard let slash = text.lastIndex(of: "/") else { return (CheckedPath(unchecked: "."), text) }
    let folder = slash == text.startIndex ? "/" : String(text[..<slash])
    return (CheckedPath(unchecked: folder), String(text[text.index(after: slash)...]))
  }

  // MARK: - The folders of a path

  /// The folder of Git's own files, which no link of a working copy may lead to.
  private static let repository = ".git"

  /// Returns the folders out of which a path must not lead.
  private static func roots(of path: String) -> [AbsolutePath] {
    guard let written = AbsolutePath(asWritten: path), !isStream(written) else { return [] }
    let working = DiskFile.identityIfKnown(".")
    func isWorking(_ folder: AbsolutePath) -> Bool {
      working != nil && DiskFile.identityIfKnown(folder.text) == working
    }
    func isCheckout(_ folder: AbsolutePath) -> Bool {
      isWorking(folder) || DiskFile.kind("\(folder.text)/\(repository)") != nil
    }
    // The path itself could be a link to another checkout.
    let above = written.ancestors.filter { $0 != written || isWorking($0) }
    let outermost = above.first { isCheckout($0) || $0.isPackage }
    return [outermost ?? written.parent] + above.filter(isCheckout)
  }

  /// Returns a Boolean value that indicates whether a path names a stream that the process was started with.
  private static func isStream(_ path: AbsolutePath) -> Bool {
    guard path.components.first == "dev", path.components.count > 1 else { return false }
    return ["stdin", "stdout", "stderr", "fd"].contains(path.components[1])
  }
}
