import LocalDataAudit
package import LocalDataVocabulary

/// The address of a key, as far as a catalog says it. Two keys with one address are one value.
///
/// A null suite or service equals another null. fileSystem and encryptedFileSystem share their folders, and in a folder
/// names that differ only in case or normalization are one (String compares by canonical equivalence).
package struct StoredPlace: Hashable {
  package struct Container: Hashable {
    private let kind: StorageDomain.Kind
    private let name: String?
    private let accessGroup: String?
    private let path: String?
    private let directory: FileDirectory.Kind?

    var isFolder: Bool { kind.isFile }

    /// Items that differ only in `synchronizable` are not distinct on every platform.
    init(_ domain: StorageDomain) {
      kind = domain.kind == .encryptedFileSystem ? .fileSystem : domain.kind
      directory = domain.directory?.kind
      path = domain.directory?.text?.lowercased()
      guard domain.isNamed else {
        name = nil
        accessGroup = nil
        return
      }
      let fields = domain.withoutPatterns.fields
      name = fields.service ?? fields.name?.lowercased()
      accessGroup = fields.accessGroup
    }
  }

  package var container: Container
  package var name: String

  package init(_ domain: StorageDomain, name: String) {
    container = Container(domain)
    self.name = container.isFolder ? name.lowercased() : name
  }
}

extension StorageDomain {
  /// The folder of a file.
  package var directory: FileDirectory? {
    switch self {
    case .fileSystem(let directory), .encryptedFileSystem(let directory), .appGroupFileSystem(_, let directory):
      directory
    case .userDefaults, .appGroupUserDefaults, .keychain: nil
    }
  }

  /// A Boolean value that indicates whether the domain names its suite, its app group, its service or its access group.
  package var isNamed: Bool {
    switch self {
    case .userDefaults(let name), .appGroupUserDefaults(let name), .appGroupFileSystem(let name, _): name != nil
    case .keychain(let service, let accessGroup, _): service != nil || accessGroup != nil
    case .fileSystem, .encryptedFileSystem: false
    }
  }
}

extension FileDirectory {
  /// The path of a custom directory.
  package var customPath: String? { if case .custom(let path) = self { path } else { nil } }
}
