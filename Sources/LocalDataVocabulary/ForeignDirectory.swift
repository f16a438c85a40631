/// A folder of the system, in which files have the paths that other code has given them.
public enum ForeignDirectory: String, Sendable, Hashable, Codable, CaseIterable {
  case documents, applicationSupport, library, caches
  /// The container of an app group itself.
  case container
}
