public import LocalDataFoundation
import LocalDataSystem

/// The folders that contain all files of the library. They are created with the first write.
///
/// `data` contains `support`, on Linux also `documents`, `preferences` and the keystore. No folder may contain another one,
/// except that `data` may contain folders whose names the library does not use. Otherwise every call throws
/// ``StorageProblem/Code/overlappingRoots``.
public struct StorageRoots: Sendable, Hashable {
  /// The folder of data that must be kept: `$XDG_DATA_HOME/<app>` on Linux.
  public var data: URL {
    get { dataFolder.url }
    set {
      dataFolder = RootFolder(newValue)
      standardName = nil
    }
  }
  /// The folder of data that the app can create again: `$XDG_CACHE_HOME/<app>` on Linux.
  public var caches: URL {
    get { cachesFolder.url }
    set { cachesFolder = RootFolder(newValue) }
  }
  /// The containers of app groups, one folder for each identifier: `$XDG_DATA_HOME/local-data-groups` on Linux. On Apple's
  /// platforms the standard roots use the containers that the system provides, until this is set.
  public var groups: URL {
    get { groupsFolder.url }
    set {
      groupsFolder = RootFolder(newValue)
      usesSystemGroups = false
    }
  }
  /// The files of the directory `documents`; `nil` for the folder `documents` in `data`.
  public var documents: URL? {
    get { documentsFolder?.url }
    set { documentsFolder = newValue.map { RootFolder($0) } }
  }

  /// The folder in which Foundation's own UserDefaults stores its property lists: `$XDG_CONFIG_HOME` on Linux, and
  /// `Library/Preferences` on Apple's platforms. The library only reads them, and only on Apple's platforms, to find out whether
  /// UserDefaults has loaded a suite.
  public var foundationDefaults: URL {
    get { foundationFolder.url }
    set { foundationFolder = RootFolder(newValue) }
  }

  /// A file that exists if the volume of these folders is mounted, for example an empty file at the top of the volume. The
  /// default is `nil`.
  ///
  /// The library cannot distinguish the empty folder of a volume that is not mounted from folders that were never used. Set a
  /// marker if the folders are on a volume that may be mounted later than the app starts. While the file does not exist, calls
  /// throw ``StorageProblem/Code/folderUnavailable``, and nothing is created in the folders. Create the file from
  /// the app, or when the volume is set up. The library never creates it.
  ///
  /// ```swift
  /// var roots = StorageRoots(below: URL(fileURLWithPath: "/mnt/data/notes"))
  /// roots.marker = URL(fileURLWithPath: "/mnt/data/.mounted")
  /// ```
  ///
  /// The marker protects values in files, and on Linux also preferences and the keychain.
  public var marker: URL? {
    get { markerFile?.url }
    set { markerFile = newValue.map { RootFolder($0) } }
  }

  package private(set) var dataFolder: RootFolder
  private(set) var cachesFolder: RootFolder
  private(set) var groupsFolder: RootFolder
  private(set) var documentsFolder: RootFolder?
  private(set) var foundationFolder: RootFolder
  private(set) var markerFile: RootFolder?
  /// The name of the app's folder if `data` is the standard folder on Linux.
  package private(set) var standardName: String?
  /// A Boolean value that indicates whether the system provides the containers of groups.
  var usesSystemGroups = false

  /// The name of the library's folder in a folder that others use too.
  static let libraryFolder = "LocalData"

  /// Creates roots from absolute folders. If `foundationDefaults` is `nil`, it is the folder that Foundation uses. The other
  /// folders have no effect on Foundation's files.
  public init(data: URL, caches: URL, groups: URL, foundationDefaults: URL? = nil, documents: URL? = nil) {
    self.init(
      data: RootFolder(data), caches: RootFolder(caches), groups: RootFolder(groups),
      foundationDefaults: foundationDefaults.map { RootFolder($0) }, documents: documents.map { RootFolder($0) })
  }

  private init(
    data: RootFolder, caches: RootFolder, groups: RootFolder, foundationDefaults: RootFolder? = nil,
    documents: RootFolder? = nil
  ) {
    dataFolder = data
    cachesFolder = caches
    groupsFolder = groups
    documentsFolder = documents
    foundationFolder = foundationDefaults ?? Self.standardFoundationFolder
  }

  /// Creates roots that are all below one folder, for tests.
  public init(below folder: URL) {
    self.init(
      data: folder.appendingPathComponent("data"), caches: folder.appendingPathComponent("caches"),
      groups: folder.appendingPathComponent("groups"), foundationDefaults: folder.appendingPathComponent("config"))
  }

  /// The folder that Foundation uses: `XDG_CONFIG_HOME`, or `.config` in the user's home.
  private static var standardFoundationFolder: RootFolder {
    #if os(Linux)
      return RootFolder(path: LinuxHome.base("XDG_CONFIG_HOME", ".config"))
    #else
      let library = FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask).first
      return RootFolder((library ?? FileManager.default.temporaryDirectory).appendingPathComponent("Preferences"))
    #endif
  }

  /// Returns the name as one part of a path, escaped as a stored name is, so that `..` or `a/b` do not lead out of the
  /// folder, and an empty name is not the folder of all apps.
  private static func folderName(_ applicationName: String) -> String {
    do throws(StorageProblem) { return try FileName(applicationName).text } catch { return "%" }
  }

  /// Returns the standard folders of the library on this system.
  ///
  /// - On Linux the folders of the XDG Base Directory Specification, for example `~/.local/share/<application name>`. The home
  ///   folder is `HOME`, or that of the database of users if `HOME` is not set. If the environment changes between two
  ///   launches, so that the folder of data does not exist and another standard folder contains the app's values, calls throw
  ///   ``StorageProblem/Code/locationChanged``.
  /// - On Apple's platforms the folder `LocalData/<bundle identifier>` in each of the user's folders, for example
  ///   `~/Library/Application Support/LocalData/com.example.app`. Apps without a sandbox therefore do not share a folder, and
  ///   the user's own documents are not touched. A program without a bundle identifier uses `applicationName` instead. In the
  ///   container of an app group the folder is `LocalData`, which the apps of the group share.
  public static func standard(applicationName: String) -> StorageRoots {
    #if os(Linux)
      func folder(_ base: String, _ name: String) -> RootFolder { RootFolder(path: LinuxHome.path(name, in: base)) }
      let data = LinuxHome.data
      let caches = LinuxHome.base("XDG_CACHE_HOME", ".cache")
      let name = folderName(applicationName)
      var roots = StorageRoots(
        data: folder(data, name), caches: folder(caches, name), groups: folder(data, "local-data-groups"))
      roots.standardName = name
      return roots
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
    /// The bundle identifier as the name of a folder. Upper-case letters are not escaped, because identifiers that differ only
    /// in case are the same.
    private static var bundleFolderName: String? {
      guard let identifier = Bundle.main.bundleIdentifier else { return nil }
      do throws(StorageProblem) { return try FileName(identifier, .distinguished).text } catch { return nil }
    }
  #endif
}
