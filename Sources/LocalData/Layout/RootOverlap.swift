/// Compares the folders of a configuration: no two of them may contain the same files.
///
/// If the folder of caches were the folder of data, a cached value named `keystore.db` would overwrite the keystore.
struct RootOverlap: Sendable {
  /// The absolute paths, without links as far as they exist. A folder that is nil is inside of `data`, or given by the system.
  var data: String
  var documents: String?
  var caches: String
  var groups: String?

  /// The names in `data` that the library uses itself. Names with a leading dot are its own too.
  private static let ownNames: Set<String> = [
    "support", "preferences", "keystore.db", "keystore.db-wal", "keystore.db-shm", "keystore.db-journal",
    "keystore.key",
  ]

  /// A Boolean value that indicates whether two of the folders are one folder, or one contains another where it stores files.
  var exists: Bool {
    let others = [documents, caches, groups].compactMap { $0.map(Self.parts) }
    for (index, one) in others.enumerated() {
      if collidesWithData(one) { return true }
      for other in others[(index + 1)...] where one.starts(with: other) || other.starts(with: one) { return true }
    }
    return false
  }

  private func collidesWithData(_ folder: [String]) -> Bool {
    let data = Self.parts(data)
    if data.starts(with: folder) { return true }
    guard folder.starts(with: data) else { return false }
    // It may be a folder in the data whose name the library does not use.
    let name = folder[data.count]
    return name.hasPrefix(".") || Self.ownNames.contains(name) || documents == nil && name == "documents"
  }

  /// Returns the names that lead to a folder. Volumes on Apple's platforms ignore case as a rule.
  private static func parts(_ path: String) -> [String] {
    let parts = path.split(separator: "/")
    #if canImport(Darwin)
      return parts.map { $0.lowercased() }
    #else
      return parts.map(String.init)
    #endif
  }
}
