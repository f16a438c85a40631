import Foundation

/// An app without this library: it stores values with Foundation, SQLite and the Security framework alone.
struct EarlierApp: Sendable {
  /// The folder that contains all folders of the app.
  let folder: URL

  /// A folder of the app or of a group.
  enum Directory {
    case documents, support, library, caches
    case group(String)
  }

  /// Returns the preferences of a suite or an app group, or the app's own.
  func preferences(_ suite: String? = nil) -> EarlierPreferences { EarlierPreferences(suite: suite) }

  /// Returns the items of a service in the keychain, or those without a service.
  func keychain(
    _ service: String? = nil, accessGroup: String? = nil, isSynchronizable: Bool = false
  ) -> EarlierKeychain {
    EarlierKeychain(service: service, accessGroup: accessGroup, isSynchronizable: isSynchronizable)
  }

  /// Returns the files in a folder, which is where the configured folders of the releases have it.
  func files(_ directory: Directory) -> EarlierFiles {
    let path =
      switch directory {
      case .documents: "data/documents"
      case .support, .library: "data"
      case .caches: "caches"
      case .group(let identifier): "groups/\(identifier)"
      }
    return EarlierFiles(folder: folder.appendingPathComponent(path))
  }
}
