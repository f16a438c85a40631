/// Checks that no two folders of a configuration contain the same files.
///
/// If the folder of caches were the folder of data, a cached value named `keystore.db` would overwrite the keystore.
struct RootOverlap: Sendable {
  /// The absolute paths. Links are resolved in the parts that exist. If a folder is nil, it is inside of `data` or provided by
  /// the system.
  var data: String
  var documents: String?
  var caches: String
  var groups: String?

  /// The names in `data` that the library uses. It also uses names with a leading dot.
  private static let ownNames: Set<String> = [
    "support", "preferences", "keystore.db", "keystore.db-wal", "keystore.db-shm", "keystore.db-journal",
    "keystore.key",
  ]

  /// A Boolean value that indicates whether two of the folders are one folder, or one contains another where it stores files.
  var exists: Bool {
    let others = [documents, caches, groups].compactMap { $0 }
    for (index, one) in others.enumerated() {
      if collidesWithData(one) { return true }
      for other in others[(index + 1)...] {
        if Self.names(from: one, to: other) != nil || Self.names(from: other, to: one) != nil { return true }
      }
    }
    return false
  }

  private func collidesWithData(_ folder: String) -> Bool {
    if Self.names(from: folder, to: data) != nil { return true }
    guard let name = Self.names(from: data, to: folder)?.split(separator: "/").first else { return false }
    // It may be a folder in the data whose name the library does not use.
    return name.hasPrefix(".") || Self.ownNames.contains(String(name)) || documents == nil && name == "documents"
  }

  /// Returns the names that lead from a folder to another one in it, or `nil` if the other one is not in it. Volumes on
  /// Apple's platforms ignore case as a rule.
  private static func names(from folder: String, to other: String) -> Substring? {
    #if canImport(Darwin)
      // As text: a volume may spell a letter with an accent in two ways.
      let folder = folder.lowercased()
      let other = other.lowercased()
      guard other.starts(with: folder) else { return nil }
      let rest = other.dropFirst(folder.count)
    #else
      guard other.utf8.starts(with: folder.utf8) else { return nil }
      let rest = Substring(other.utf8.dropFirst(folder.utf8.count))
    #endif
    let slash = UInt8(ascii: "/")
    return rest.isEmpty || rest.utf8.first == slash || folder.utf8.last == slash ? rest : nil
  }
}
