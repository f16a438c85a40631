internal import Foundation

/// Items of the keychain that migrations need.
extension KeysetVault {
  private static let printKeyName = "prints"
  private static let printKeyVersion: UInt8 = 1

  /// Returns the key of the prints in a keyset's migration log, or `nil` if there is none.
  func printKey(of keyset: KeysetID) throws(StorageFault) -> SecretBytes? {
    let (store, address) = try migrationItem(Self.printKeyName, keyset)
    guard var bytes = try store.read(address, attributes) else { return nil }
    defer { bytes.wipe() }
    return try Self.printKey(in: bytes)
  }

  /// Returns the key of the prints in a keyset's migration log. Creates it if there is none.
  func printKey(of keyset: KeysetID, _ randomness: Randomness) throws(StorageFault) -> SecretBytes {
    try prepare(keyset)
    if let known = try printKey(of: keyset) { return known }
    let (store, address) = try migrationItem(Self.printKeyName, keyset)
    var bytes = Data([Self.printKeyVersion])
    bytes += randomness.bytes(KeysetRecord.Key.count)
    defer { bytes.wipe() }
    try store.update(address, attributes) { $0 == nil ? .write(bytes) : .keep }
    guard let key = try printKey(of: keyset) else { throw .busy }
    return key
  }

  private static func printKey(in bytes: Data) throws(StorageFault) -> SecretBytes {
    guard bytes.count == 1 + KeysetRecord.Key.count, bytes.first == printKeyVersion else { throw .keyMaterialDamaged }
    return SecretBytes(bytes.dropFirst())
  }
}
