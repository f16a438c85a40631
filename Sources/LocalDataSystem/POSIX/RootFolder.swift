package import LocalDataFoundation

/// A folder of the roots. A folder of the system is stored as a path: to make a URL of a path and to get the path of a URL
/// takes Foundation some time, which would be a part of every launch.
package struct RootFolder: Hashable, Sendable {
  package let path: String
  /// The URL from the app's configuration.
  private let given: URL?

  package init(_ url: URL) {
    path = url.path
    given = url
  }

  package init(path: String) {
    self.path = path
    given = nil
  }

  package var url: URL { given ?? URL(fileURLWithPath: path, isDirectory: true) }

  package static func == (one: RootFolder, other: RootFolder) -> Bool { one.path == other.path }

  package func hash(into hasher: inout Hasher) { hasher.combine(path) }
}
