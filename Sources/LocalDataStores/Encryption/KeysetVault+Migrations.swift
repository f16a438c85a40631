internal import LocalDataFoundation
import LocalDataSystem

/// Items of the keychain that migrations need.
extension KeysetVault {
  private static let printKeyName = migrationInfix + "prints"
  private static let printKeyVersion: UInt8 = 1

  /// Returns the key of the prints in a keyset's migration log, or `nil` if there is none.
  package func printKey(of keyset: KeysetID) throws(StorageProblem) -> SecretBytes? {
    let (store, address) = try item(Self.printKeyName, keyset)
    guard var bytes = try store.read(address, attributes) else { return nil }
    defer { bytes.wipe() }
    return try Self.printKey(in: bytes)
  }

  /// Returns the key of the prints in a keyset's migration log. Creates it if there is none.
  package func printKey(of keyset: KeysetID, _ randomness: Randomness) throws(StorageProblem) -> SecretBytes {
    try prepare(keyset)
    if let known = try printKey(of: keyset) { return known }
    let (store, address) = try item(Self.printKeyName, keyset, isWriting: true)
    var bytes = Data([Self.printKeyVersion])
    bytes += randomness.bytes(Keyset.Key.count)
    defer { bytes.wipe() }
    try store.update(address, attributes) { $0 == nil ? .write(bytes) : .keep }
    guard let key = try printKey(of: keyset) else { throw .busy }
    return key
  }

  private static let retiredInfix = migrationInfix + "retired."

  /// Records that a form of a value is no longer accepted. The record is durable when the function returns.
  ///
  /// - Parameter name: Identifies the address and the form.
  package func retire(_ name: String, _ keyset: KeysetID) throws(StorageProblem) {
    try prepare(keyset)
    let (store, address) = try item(Self.retiredInfix + name, keyset, isWriting: true)
    let bytes = Data(name.utf8)
    try store.update(address, attributes) { $0 == bytes ? .keep : .write(bytes) }
  }

  /// Returns true if a form of a value is no longer accepted.
  package func isRetired(_ name: String, _ keyset: KeysetID) throws(StorageProblem) -> Bool {
    try prepare(keyset)
    let (store, address) = try item(Self.retiredInfix + name, keyset)
    // A damaged item is the item of a retired form too.
    return try store.exists(address, attributes)
  }

  /// Removes the record, because a release that stores the value in this form writes it again.
  package func accept(_ name: String, _ keyset: KeysetID) throws(StorageProblem) {
    try prepare(keyset)
    let (store, address) = try item(Self.retiredInfix + name, keyset)
    try store.remove(address, attributes)
  }

  private static func printKey(in bytes: Data) throws(StorageProblem) -> SecretBytes {
    guard bytes.count == 1 + Keyset.Key.count, bytes.first == printKeyVersion else { throw .keyMaterialDamaged }
    return SecretBytes(bytes.dropFirst())
  }
}
