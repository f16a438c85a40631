/// A file below a root.
package struct FileLocation: Hashable, Sendable {
  package var folder: FolderLocation
  package var name: String

  package init(folder: FolderLocation, name: String) {
    self.folder = folder
    self.name = name
  }

  /// The absolute path.
  package var path: String { folder.path + "/" + name }
}
