/// The directory of a file: one of the app's standard directories, or a path below application support.
public enum FileDirectory: Sendable, Hashable {
  /// User data and critical settings; backed up.
  case documents
  /// Files that the app needs and the user does not see. They are backed up.
  case applicationSupport
  /// Files that can be fetched or computed again. The system may delete them.
  case caches
  /// A path relative to application support, its parts separated by `/`. `..` and absolute paths are refused.
  case custom(String)

  /// The cases without their payload.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case documents, applicationSupport, caches, custom
  }

  /// Which case this is.
  public var kind: Kind {
    switch self {
    case .documents: .documents
    case .applicationSupport: .applicationSupport
    case .caches: .caches
    case .custom: .custom
    }
  }
}
