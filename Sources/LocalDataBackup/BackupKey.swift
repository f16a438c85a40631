@_spi(Generated) public import LocalData
import SmallFoundation

#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import Crypto
#endif

/// A key of a backup, whose value the document contains as JSON. Generated code makes it.
public struct BackupKey: Sendable {
  let key: AnyStorageKey
  /// Returns the JSON of the stored value, or nil if nothing is stored.
  let read: @Sendable (StorageRouter) async throws(StorageError) -> Data?
  /// Stores the value of JSON.
  let write: @Sendable (Data, StorageRouter) async throws(StorageError) -> Void
  /// Returns true if JSON is a value of the key.
  let isValue: @Sendable (Data) -> Bool

  var name: String { key.name }

  /// The size of the value that may be stored, in bytes.
  var maxSize: Int { key.options.maxSize ?? key.domain.kind.defaultMaxSize }

  /// Creates the key of a backup.
  @_spi(Generated) public static func key<Value: Codable & Sendable>(_ key: StorageKey<Value>) -> BackupKey {
    let (any, serializer) = (AnyStorageKey(key), Serializer<Value>.json)
    return BackupKey(
      key: any,
      read: { (router) throws(StorageError) in
        guard try await router.exists(key) else { return nil }
        let value = try await router.get(key)
        do { return try serializer.encode(value) } catch { throw StorageError(.cannotEncode, any.subject) }
      },
      write: { (json, router) throws(StorageError) in
        let value: Value
        do { value = try serializer.decode(json) } catch { throw StorageError(.cannotDecode, any.subject) }
        try await router.set(value, for: key)
      },
      isValue: { json in
        do { _ = try serializer.decode(json) } catch { return false }
        return true
      })
  }

  /// Creates the key pair of a backup, by the item that contains it. Only a private key outside of the Secure Enclave can leave the
  /// device.
  @_spi(Generated) public static func pair(_ item: AnyStorageKey) -> BackupKey {
    let plain = key(StorageKey<Data?>(item.name, item.domain, item.security, .data))
    return BackupKey(
      key: plain.key,
      read: { (router) throws(StorageError) in
        let json = try await plain.read(router)
        if let json, !isPair(json) { throw StorageError(.cannotEncode, item.subject) }
        return json
      }, write: plain.write, isValue: isPair)
  }

  /// Returns true if JSON is a pair with a private key: `LDSK`, version 1, kind 2, algorithm 1, the time of creation, the public key
  /// and the private key.
  @Sendable static func isPair(_ json: Data) -> Bool {
    do {
      let bytes = try Serializer<Data>.json.decode(json)
      guard bytes.count == 112, bytes.starts(with: Array("LDSK".utf8) + [1, 2, 1]) else { return false }
      let key = try P256.Signing.PrivateKey(rawRepresentation: bytes.suffix(32))
      return key.publicKey.x963Representation == bytes.dropFirst(15).prefix(65)
    } catch { return false }
  }
}
