public import Foundation

/// The folders that everything lies in. Nothing is created before the first write.
///
/// On Linux `data` holds `documents`, `support`, `preferences` and the keystore; on Apple the system's own folders are
/// used and these serve tests.
public struct StorageRoots: Sendable, Hashable {
  /// What must be kept: `$XDG_DATA_HOME/<app>` on Linux.
  public var data: URL
  /// What can be made again: `$XDG_CACHE_HOME/<app>` on Linux.
  public var caches: URL
  /// The containers of app groups, one folder an identifier: `$XDG_DATA_HOME/local-data-groups` on Linux.
  public var groups: URL

  /// Where Foundation's own UserDefaults keeps its property lists: `$XDG_CONFIG_HOME` on Linux, `Library/Preferences` on
  /// Apple. They are only read: on Linux by a migration that asks for it, on Apple to tell whether UserDefaults has
  /// loaded a suite.
  public var foundationDefaults: URL

  /// Roots by their folders, all absolute. `foundationDefaults` is where Foundation itself looks unless given: its
  /// files stay where they are, wherever ours go.
  public init(data: URL, caches: URL, groups: URL, foundationDefaults: URL? = nil) {
    self.data = data
    self.caches = caches
    self.groups = groups
    self.foundationDefaults = foundationDefaults ?? Self.foundationFolder
  }

  /// All of them below one folder: for tests.
  public init(below folder: URL) {
    self.init(
      data: folder.appendingPathComponent("data"), caches: folder.appendingPathComponent("caches"),
      groups: folder.appendingPathComponent("groups"), foundationDefaults: folder.appendingPathComponent("config"))
  }

  /// As Foundation finds it: by `HOME` alone, where the specification's variable is not set.
  private static var foundationFolder: URL {
    #if os(Linux)
      let environment = ProcessInfo.processInfo.environment
      if let path = environment["XDG_CONFIG_HOME"], path.hasPrefix("/") { return URL(fileURLWithPath: path) }
      return URL(fileURLWithPath: (environment["HOME"] ?? "") + "/.config")
    #else
      let library = FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask).first
      return (library ?? FileManager.default.temporaryDirectory).appendingPathComponent("Preferences")
    #endif
  }

  /// The name as one part of a path, as a stored name is: `..` or `a/b` lead nowhere else, and nothing is not the folder
  /// of all apps.
  private static func folderName(_ applicationName: String) -> String {
    do throws(StorageFault) { return try FileName(applicationName).text } catch { return "%" }
  }

  /// The folders of the XDG Base Directory Specification; on Apple those of the sandbox.
  public static func standard(applicationName: String) -> StorageRoots {
    #if os(Linux)
      let environment = ProcessInfo.processInfo.environment
      func base(_ variable: String, _ fallback: String) -> URL {
        // The specification: a relative path in a variable is invalid and ignored.
        if let path = environment[variable], path.hasPrefix("/") { return URL(fileURLWithPath: path) }
        return URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(fallback)
      }
      let (data, caches) = (base("XDG_DATA_HOME", ".local/share"), base("XDG_CACHE_HOME", ".cache"))
      let folder = folderName(applicationName)
      return StorageRoots(
        data: data.appendingPathComponent(folder), caches: caches.appendingPathComponent(folder),
        groups: data.appendingPathComponent("local-data-groups"))
    #else
      func folder(_ directory: FileManager.SearchPathDirectory) -> URL {
        FileManager.default.urls(for: directory, in: .userDomainMask).first
          ?? FileManager.default.temporaryDirectory
      }
      let support = folder(.applicationSupportDirectory)
      return StorageRoots(
        data: support, caches: folder(.cachesDirectory),
        groups: support.appendingPathComponent("local-data-groups"))
    #endif
  }
}
