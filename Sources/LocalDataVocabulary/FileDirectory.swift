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
  /// A folder of the system, in which the file has exactly the path that is the stored name of the key, for example
  /// `Logs/Events.json`. Other code of the app has stored it, or reads it.
  ///
  /// Its value is stored as it is, without encryption. No part of the path begins with a dot.
  case exact(ForeignDirectory)

  /// The cases without their payload.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    case documents, applicationSupport, caches, custom, exact
  }

  /// Which case this is.
  public var kind: Kind {
    switch self {
    case .documents: .documents
    case .applicationSupport: .applicationSupport
    case .caches: .caches
    case .custom: .custom
    case .exact: .exact
    }
  }

  /// The folder in which the stored name of a key is a path, or `nil` if the library names the file.
  package var exact: ForeignDirectory? { if case .exact(let folder) = self { folder } else { nil } }

  /// The text of the case, if it has one.
  package var text: String? { if case .custom(let path) = self { path } else { exact?.rawValue } }

  /// A Boolean value that indicates whether the system may delete the files.
  package var isCaches: Bool { self == .caches || exact == .caches }
}
