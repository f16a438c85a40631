public import Foundation

/// The folders that contain everything the library stores as files. Nothing is created before the first write.
///
/// `data` contains `support`, on Linux also `documents`, `preferences` and the keystore. No folder may contain another one,
/// except that `data` may contain folders whose names the library does not use. Otherwise every call throws
/// ``StorageError/overlappingRoots(_:)``.
public struct StorageRoots: Sendable, Hashable {
  /// The folder of data that must be kept: `$XDG_DATA_HOME/<app>` on Linux.
  public var data: URL {
    get { dataFolder.url }
    set { dataFolder = RootFolder(newValue) }
  }
  /// The folder of data that can be made again: `$XDG_CACHE_HOME/<app>` on Linux.
  public var caches: URL {
    get { cachesFolder.url }
    set { cachesFolder = RootFolder(newValue) }
  }
  /// The containers of app groups, one folder for each identifier: `$XDG_DATA_HOME/local-data-groups` on Linux. On Apple's
  /// platforms the standard roots use the containers that the system provides, until this is set.
  public var groups: URL {
    get { groupsFolder.url }
    set { (groupsFolder, usesSystemGroups) = (RootFolder(newValue), false) }
  }
  /// The files of the directory `documents`; `nil` for the folder `documents` in `data`.
  public var documents: URL? {
    get { documentsFolder?.url }
    set { documentsFolder = newValue.map { RootFolder($0) } }
  }

  /// The folder in which Foundation's own UserDefaults stores its property lists: `$XDG_CONFIG_HOME` on Linux,
  /// `Library/Preferences` on Apple. They are only read: on Linux by a migration that asks for it, on Apple to tell whether
  /// UserDefaults has loaded a suite.
  public var foundationDefaults: URL {
    get { foundationFolder.url }
    set { foundationFolder = RootFolder(newValue) }
  }

  private(set) var dataFolder: RootFolder
  private(set) var cachesFolder: RootFolder
  private(set) var groupsFolder: RootFolder
  private(set) var documentsFolder: RootFolder?
  private(set) var foundationFolder: RootFolder
  /// A Boolean value that indicates whether the system is asked for the container of a group.
  var usesSystemGroups = false

  /// The name of the library's folder in a folder that others use too.
  static let libraryFolder = "LocalData"

  /// Creates roots from absolute folders. `foundationDefaults` is the folder in which Foundation itself looks, unless it is
  /// given: Foundation's files stay there, whatever the other folders are.
  public init(data: URL, caches: URL, groups: URL, foundationDefaults: URL? = nil, documents: URL? = nil) {
    self.init(
      data: RootFolder(data), caches: RootFolder(caches), groups: RootFolder(groups),
      foundationDefaults: foundationDefaults.map { RootFolder($0) }, documents: documents.map { RootFolder($0) })
  }

  private init(
    data: RootFolder, caches: RootFolder, groups: RootFolder, foundationDefaults: RootFolder? = nil,
    documents: RootFolder? = nil
  ) {
    (dataFolder, cachesFolder, groupsFolder) = (data, caches, groups)
    documentsFolder = documents
    foundationFolder = foundationDefaults ?? Self.standardFoundationFolder
  }

  /// Creates roots that are all below one folder, for tests.
  public init(below folder: URL) {
    self.init(
      data: folder.appendingPathComponent("data"), caches: folder.appendingPathComponent("caches"),
      groups: folder.appendingPathComponent("groups"), foundationDefaults: folder.appendingPathComponent("config"))
  }

  /// The folder in which Foundation looks. If the variable of the specification is not set, that depends on `HOME` alone.
  private static var standardFoundationFolder: RootFolder {
    #if os(Linux)
      if let path = Environment["XDG_CONFIG_HOME"], path.hasPrefix("/") { return RootFolder(path: path) }
      return RootFolder(path: (Environment["HOME"] ?? "") + "/.config")
    #else
      let library = FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask).first
      return RootFolder((library ?? FileManager.default.temporaryDirectory).appendingPathComponent("Preferences"))
    #endif
  }

  /// Returns the name as one part of a path, escaped as a stored name is, so that `..` or `a/b` do not lead out of the
  /// folder, and an empty name is not the folder of all apps.
  private static func folderName(_ applicationName: String) -> String {
    do throws(StorageFault) { return try FileName(applicationName).text } catch { return "%" }
  }

  /// The library's folders on this system.
  ///
  /// - On Linux the folders of the XDG Base Directory Specification, for example `~/.local/share/<application name>`.
  /// - On Apple's platforms the folder `LocalData/<bundle identifier>` in each of the user's folders, for example
  ///   `~/Library/Application Support/LocalData/com.example.app`, so that apps without a sandbox do not share one and the
  ///   user's own documents are left alone. A program without a bundle identifier has `applicationName` there. In the
  ///   container of an app group it is `LocalData`, which the members share.
  public static func standard(applicationName: String) -> StorageRoots {
    #if os(Linux)
      func base(_ variable: String, _ fallback: String) -> String {
        // The specification: a relative path in a variable is invalid and ignored.
        if let path = Environment[variable], path.hasPrefix("/") { return path }
        return NSHomeDirectory() + "/" + fallback
      }
      func folder(_ base: String, _ name: String) -> RootFolder {
        RootFolder(path: base.hasSuffix("/") ? base + name : base + "/" + name)
      }
      let (data, caches) = (base("XDG_DATA_HOME", ".local/share"), base("XDG_CACHE_HOME", ".cache"))
      let name = folderName(applicationName)
      return StorageRoots(
        data: folder(data, name), caches: folder(caches, name), groups: folder(data, "local-data-groups"))
    #else
      let name = bundleFolderName ?? folderName(applicationName)
      func folder(_ directory: FileManager.SearchPathDirectory) -> URL {
        let base =
          FileManager.default.urls(for: directory, in: .userDomainMask).first ?? FileManager.default.temporaryDirectory
        return base.appendingPathComponent(libraryFolder).appendingPathComponent(name)
      }
      let data = folder(.applicationSupportDirectory)
      var roots = StorageRoots(
        data: data, caches: folder(.cachesDirectory), groups: data.appendingPathComponent("groups"),
        documents: folder(.documentDirectory))
      roots.usesSystemGroups = true
      return roots
    #endif
  }

  #if !os(Linux)
    /// The identifier keeps its letters: identifiers that differ only in case are the same.
    private static var bundleFolderName: String? {
      guard let identifier = Bundle.main.bundleIdentifier else { return nil }
      do throws(StorageFault) { return try FileName(identifier, .distinguished).text } catch { return nil }
    }
  #endif
}
