package import StorageVocabulary

/// The declared, logical identity that a sealed value is bound to: never an absolute path.
///
/// Its encoding is part of the associated data of every seal (see `Encryption/FORMAT.md`).
package struct ValueIdentity: Hashable, Sendable {
  package var domain: StorageDomain.Kind
  package var container: StorageContainer
  package var name: String
  package var schema: UInt32

  package init(domain: StorageDomain.Kind, container: StorageContainer, name: String, schema: UInt32 = 1) {
    self.domain = domain
    self.container = container
    self.name = name
    self.schema = schema
  }
}
