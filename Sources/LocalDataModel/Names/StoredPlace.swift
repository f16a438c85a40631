import LocalDataAudit
package import LocalDataVocabulary

/// The address of a key, as far as a catalog says it. Two keys with one address are one value.
///
/// A null suite or service equals another null. fileSystem and encryptedFileSystem share their folders, and in a folder
/// names that differ only in case or normalization are one (String compares by canonical equivalence).
package struct StoredPlace: Hashable {
  package struct Container: Hashable {
    private let kind: StorageDomain.Kind
    private let (name, accessGroup, path): (String?, String?, String?)
    private let directory: FileDirectory.Kind?

    var isFolder: Bool { kind.isFile }

    /// Items that differ only in `synchronizable` are not distinct on every platform.
    init(_ domain: StorageDomain) {
      let fields = domain.withoutPatterns.fields
      kind = domain.kind == .encryptedFileSystem ? .fileSystem : domain.kind
      name = fields.service ?? fields.name?.lowercased()
      accessGroup = fields.accessGroup
      directory = fields.directory?.kind
      path = fields.directory?.text?.lowercased()
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
  package var directory: FileDirectory? { fields.directory }
}

extension FileDirectory {
  /// The path of a custom directory.
  package var customPath: String? { if case .custom(let path) = self { path } else { nil } }
}
