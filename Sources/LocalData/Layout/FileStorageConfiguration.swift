/// The location of the library's files in each directory.
public struct FileStorageConfiguration: Sendable, Hashable {
  /// A relative path below each directory that ``StorageRoots`` gives; `nil` for the directory itself.
  public var subDirectory: String?

  /// A configuration by its sub-directory.
  public init(subDirectory: String? = nil) { self.subDirectory = subDirectory }
}
