/// How the library's files lie in the app's directories.
public struct FileStorageConfiguration: Sendable, Hashable {
  /// A folder of the library's own in each directory; `nil` is the directory itself.
  public var subDirectory: String?

  /// A configuration by its sub-directory.
  public init(subDirectory: String? = nil) { self.subDirectory = subDirectory }
}
