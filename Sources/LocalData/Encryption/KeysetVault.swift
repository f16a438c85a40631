internal import Foundation
package import StorageVocabulary

/// Where the records of keysets lie: items of the keychain, a group's in the group's own.
package struct KeysetVault: Sendable {
  private let configuration: EncryptionConfiguration
  private let keychain: @Sendable (KeysetID) throws(StorageFault) -> any ValueStore

  package init(
    configuration: EncryptionConfiguration,
    keychain: @escaping @Sendable (KeysetID) throws(StorageFault) -> any ValueStore
  ) {
    self.configuration = configuration
    self.keychain = keychain
  }

  /// The record of a keyset, or of a source outside beside it; `nil` only where the keychain says that there is none.
  package func read(_ keyset: KeysetID, _ source: KeySource) throws(StorageFault) -> KeysetRecord? {
    guard var bytes = try keychain(keyset).read(place(keyset, source), attributes) else { return nil }
    // In place: bytes that somebody else held too would be copied, and the copy wiped.
    defer { bytes.wipe() }
    return try KeysetRecord(bytes: bytes)
  }

  /// Lets `change` look at the record and give another, with no other writer between; answers the record that holds then.
  package func update(
    _ keyset: KeysetID, _ source: KeySource,
    _ change: (KeysetRecord?) throws(StorageFault) -> KeysetRecord?
  ) throws(StorageFault) -> KeysetRecord? {
    var record: KeysetRecord?
    var (read, written) = (Data(), Data())
    // After the store let go of them: only then are these the only hands on the bytes.
    defer {
      read.wipe()
      written.wipe()
    }
    try keychain(keyset).update(place(keyset, source), attributes) { (bytes) throws(StorageFault) in
      read = bytes ?? Data()
      record = try bytes.map { (bytes) throws(StorageFault) in try KeysetRecord(bytes: bytes) }
      guard let changed = try change(record) else { return .keep }
      record = changed
      written = try changed.encoded()
      return .write(written)
    }
    return record
  }

  /// Stands between the account of the master key and the id of a source outside.
  fileprivate static let separator = ".external."

  private func place(_ keyset: KeysetID, _ source: KeySource) -> StoragePlace {
    let accessGroup: String? =
      switch keyset {
      case .app: appAccessGroup
      case .group(let identifier): identifier
      }
    let account =
      switch source {
      case .masterKey: configuration.masterKeyAccount
      case .external(let source): configuration.masterKeyAccount + Self.separator + source.id
      }
    return StoragePlace(
      container: .keychain(
        service: configuration.masterKeyService, accessGroup: accessGroup, synchronizable: false),
      name: account)
  }

  /// The access group of the app's own record: only Apple's keychain has members that share one.
  private var appAccessGroup: String? {
    #if os(Linux)
      nil
    #else
      configuration.masterKeyAccessGroup
    #endif
  }

  private var attributes: StorageAttributes {
    StorageAttributes(accessibility: configuration.masterKeyAccessibility)
  }
}

extension EncryptionConfiguration {
  /// Whether a key of the app would lie where a record of ours does, in whatever access group.
  func reserves(_ place: StoragePlace) -> Bool {
    guard case .keychain(masterKeyService, _, _) = place.container else { return false }
    return place.name == masterKeyAccount || place.name.hasPrefix(masterKeyAccount + KeysetVault.separator)
  }
}
