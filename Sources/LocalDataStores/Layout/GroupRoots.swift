import LocalDataFoundation
import LocalDataSystem

/// The containers of app groups.
struct GroupRoots: Hashable, Sendable {
  private let root: StorageRoot
  private let asksSystem: Bool

  init(_ configuration: StorageConfiguration) {
    let roots = configuration.roots
    root = StorageRoot(roots.groupsFolder, isShared: true, marker: roots.usesSystemGroups ? nil : roots.markerFile)
    asksSystem = configuration.roots.usesSystemGroups
  }

  /// Returns the library's folder in the container of a group: `GROUPS/<identifier>`, or `LocalData` in the container that
  /// the system provides.
  func folder(_ identifier: String) throws(StorageProblem) -> FolderLocation {
    try Self.check(identifier)
    guard asksSystem else { return FolderLocation(root: root, parts: [identifier]) }
    guard let container = Self.container(identifier) else { throw .appGroupNotEntitled }
    return FolderLocation(root: container, parts: [StorageRoots.libraryFolder])
  }

  /// Returns the container of a group that the system provides, or the folder that the app has configured for it.
  func container(of identifier: String) throws(StorageProblem) -> (folder: FolderLocation, isOfSystem: Bool) {
    try Self.check(identifier)
    guard asksSystem else { return (FolderLocation(root: root, parts: [identifier]), false) }
    guard let container = Self.container(identifier) else { throw .appGroupNotEntitled }
    return (FolderLocation(root: container, parts: []), true)
  }

  /// Returns the folder in which the system keeps the preferences of a group. It is in the container that the system
  /// provides, beside the library's folder and whatever the configured folders are.
  func preferences(_ identifier: String) throws(StorageProblem) -> FolderLocation {
    try Self.check(identifier)
    let parts = ["Library", "Preferences"]
    if let container = Self.container(identifier) { return FolderLocation(root: container, parts: parts) }
    var folder = try folder(identifier)
    folder.parts += parts
    return folder
  }

  private static func container(_ identifier: String) -> StorageRoot? {
    #if os(macOS)
      guard GroupEntitlement.current.mayUse(identifier) else { return nil }
    #endif
    #if canImport(Darwin)
      return FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: identifier)
        .map { StorageRoot($0, isShared: true) }
    #else
      return nil
    #endif
  }

  /// Checks that an identifier consists of letters, digits, dots, hyphens and underscores, and does not lead out of its
  /// folder.
  static func check(_ identifier: String) throws(StorageProblem) {
    guard !identifier.contains(".."), !identifier.contains("/") else { throw .invalidName }
    let isWellFormed = identifier.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isWellFormed, (1...FileName.longest).contains(identifier.utf8.count), !identifier.hasPrefix(".") else {
      throw .invalidAppGroupIdentifier
    }
  }
}
