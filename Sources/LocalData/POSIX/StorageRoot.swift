package import Foundation

/// A folder that values lie below. Its own path may lead through links and is resolved once; nothing below it may.
package struct StorageRoot: Hashable, Sendable {
  /// The absolute path, without links as far as it exists.
  package let path: String
  /// A Boolean value that indicates whether the folder is the container of an app group, which other processes use too.
  package let isShared: Bool

  /// The root at a URL of a file.
  package init(_ url: URL, isShared: Bool = false) {
    path = Self.resolve(url.standardizedFileURL.path)
    self.isShared = isShared
  }

  /// Resolves the longest part of a path that exists; what does not exist yet has no links.
  private static func resolve(_ path: String) -> String {
    if let resolved = realpath(path, nil) {
      defer { free(resolved) }
      return String(cString: resolved)
    }
    guard path.count > 1, let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return path }
    return resolve(String(path[..<slash])) + path[slash...]
  }
}
