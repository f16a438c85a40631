/// A folder in which another library has stored a file.
public enum ForeignDirectory: String, Sendable, Hashable, CaseIterable {
  case documents, applicationSupport, library, caches
  /// The container of an app group itself.
  case container
}
