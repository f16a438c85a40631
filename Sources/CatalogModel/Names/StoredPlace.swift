import StorageAudit
package import StorageVocabulary

/// The address of a key, as far as a catalog says it. Two keys with one address are one value.
///
/// A null suite or service equals another null. fileSystem and encryptedFileSystem share their folders, and in a folder
/// names that differ only in case or normalization are one (String compares by canonical equivalence).
package struct StoredPlace: Hashable {
  package enum Container: Hashable {
    case preferences(suite: String?)
    case groupPreferences(identifier: String?)
    /// Items that differ only in `synchronizable` are not distinct on every platform.
    case keychain(service: String?, accessGroup: String?)
    case directory(Folder)
    case groupDirectory(identifier: String?, Folder)

    var isFolder: Bool {
      switch self {
      case .directory, .groupDirectory: true
      case .preferences, .groupPreferences, .keychain: false
      }
    }
  }

  package enum Folder: Hashable {
    case documents, applicationSupport, caches
    case custom(String)

    init(_ directory: FileDirectory) {
      switch directory {
      case .documents: self = .documents
      case .applicationSupport: self = .applicationSupport
      case .caches: self = .caches
      case .custom(let path): self = .custom(path.lowercased())
      }
    }
  }

  package var container: Container
  package var name: String

  package init(_ domain: StorageDomain, name: String) {
    container = Container(domain)
    self.name = container.isFolder ? name.lowercased() : name
  }
}

extension StoredPlace.Container {
  init(_ domain: StorageDomain) {
    switch domain {
    case .userDefaults(let suite): self = .preferences(suite: suite?.lowercased())
    case .appGroupUserDefaults(let identifier): self = .groupPreferences(identifier: identifier?.lowercased())
    case .keychain(let service, let accessGroup, _): self = .keychain(service: service, accessGroup: accessGroup)
    case .fileSystem(let directory), .encryptedFileSystem(let directory):
      self = .directory(StoredPlace.Folder(directory))
    case .appGroupFileSystem(let identifier, let directory):
      self = .groupDirectory(identifier: identifier?.lowercased(), StoredPlace.Folder(directory))
    }
  }
}

extension StorageDomain {
  /// The folder of a file.
  package var directory: FileDirectory? { Fields(self).directory }
}

extension FileDirectory {
  /// The path of a custom directory.
  var customPath: String? { if case .custom(let path) = self { path } else { nil } }
}
