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

/// Written as in a catalog: `"documents"`, or `{"custom": "Reports/2024"}`.
extension FileDirectory: Codable {
  public init(from decoder: any Decoder) throws {
    let form = try CaseForm<Kind>(from: decoder)
    switch form.kind {
    case .documents: self = .documents
    case .applicationSupport: self = .applicationSupport
    case .caches: self = .caches
    case .custom: self = .custom(try form.payload())
    }
  }

  public func encode(to encoder: any Encoder) throws {
    if case .custom(let path) = self {
      try CaseForm.encode(Kind.custom, path, to: encoder)
    } else {
      try CaseForm.encode(kind, to: encoder)
    }
  }
}
