public import StorageVocabulary

/// What a key rarely says.
public struct StorageKeyTraits: Sendable {
  /// The name as declared, with `{parameter}` in a member of a family; `nil` where it is the stored name.
  public var declaredName: String?
  /// How long it is kept.
  public var retention: Retention?
  /// The most bytes of a serialized value; the domain's default where `nil`.
  public var maxSize: Int?
  /// Whether a device's backup holds it.
  public var isBackedUp: Bool
  /// Whether it is only a source of migrations.
  public var isLegacy: Bool
  /// Whether Foundation's own UserDefaults wrote it: a source that is only read, and on Linux lies in files of its own.
  public var isFoundation: Bool
  /// Whether a secured value may leave the device decrypted, to be secured on the paired device as its key there says.
  public var isDecryptedForSync: Bool
  /// The smaller representation that the watch gets, or `nil` if it gets the key's own bytes.
  var watchRepresentation: WatchEncoding?

  /// Traits; what is left out is what a catalog gives a key that says nothing.
  public init(
    declaredName: String? = nil, retention: Retention? = nil, maxSize: Int? = nil, backup: Bool = true,
    legacy: Bool = false, foundation: Bool = false, decryptedForSync: Bool = false
  ) {
    self.declaredName = declaredName
    self.retention = retention
    self.maxSize = maxSize
    self.isBackedUp = backup
    self.isLegacy = legacy
    self.isFoundation = foundation
    self.isDecryptedForSync = decryptedForSync
  }
}
