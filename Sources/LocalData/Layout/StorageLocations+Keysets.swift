import Foundation
import StorageVocabulary

/// What lies under the roots of a keyset: the app's, or a group's.
extension StorageLocations {
  /// The file that records a configured location, in the app's data or a group's container. No value's file begins with
  /// a dot.
  func record(_ name: String, of keyset: KeysetID) throws(StorageFault) -> FileLocation {
    FileLocation(folder: try keystore(of: keyset).folder, name: ".\(name).location")
  }

  /// The log of what was migrated, beside those records.
  package func migrationLog(of keyset: KeysetID) throws(StorageFault) -> FileLocation {
    FileLocation(folder: try keystore(of: keyset).folder, name: ".migrations.log")
  }

  /// The folder of what is known of synced keys, in the app's data or a group's container.
  func syncFolder(of keyset: KeysetID) throws(StorageFault) -> FolderLocation {
    let folder = try keystore(of: keyset).folder
    return FolderLocation(root: folder.root, parts: folder.parts + [".sync"])
  }

  /// The keystore of a keyset.
  func keystore(of keyset: KeysetID) throws(StorageFault) -> FileLocation {
    switch keyset {
    case .app: try keystore()
    case .group(let identifier): try keystore(group: identifier)
    }
  }

  /// Every container whose values a keyset may have sealed, but for the keychain's.
  func containers(of keyset: KeysetID) throws(StorageFault) -> [StorageContainer] {
    switch keyset {
    case .app:
      // A scan of application support includes custom directories.
      return try suites().map { .preferences(suite: $0) }
        + [.directory(.documents), .directory(.applicationSupport), .directory(.caches)]
    case .group(let identifier):
      return [
        .groupPreferences(identifier: identifier), .groupDirectory(identifier: identifier, .documents),
        .groupDirectory(identifier: identifier, .applicationSupport),
        .groupDirectory(identifier: identifier, .caches),
      ]
    }
  }

  /// The suites that may hold sealed values, the app's own always among them: on Linux those that have a database, on
  /// Apple those that are recorded.
  private func suites() throws(StorageFault) -> [String?] {
    #if os(Linux)
      let standard = try preferences(suite: nil)
      guard let folder = try standard.folder.open(creating: false) else { return [nil] }
      return try folder.names()
        .filter { $0.hasSuffix(".db") && !$0.hasPrefix(".") && $0 != standard.name }
        .compactMap { FileName.storedName(of: String($0.dropLast(3))) } + [nil]
    #else
      return try SealedSuites(recordedIn: sealedSuites).recorded() + [nil]
    #endif
  }
}
