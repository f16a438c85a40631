public import LocalDataVocabulary

/// Options that most keys leave at their defaults.
public struct StorageKeyOptions: Sendable {
  /// The declared name, with `{parameter}` in a member of a family; `nil` if it is the stored name.
  public var declaredName: String?
  /// The time for which the value is kept.
  public var retention: Retention?
  /// The action of a read on stored bytes that do not decode as the key's type. If the policy does not fit the key's other
  /// options, calls throw ``StorageProblem/Code/invalidCatalog``.
  public var onCorruption: CorruptionPolicy
  /// The maximum number of bytes of a serialized value. If it is `nil`, the domain's default is used.
  public var maxSize: Int?
  /// A Boolean value that indicates whether the device's backups contain the value.
  public var isBackedUp: Bool
  /// The times at which the system lets the app read the file of the value. Only `fileSystem` and `appGroupFileSystem` use it,
  /// and only Apple's platforms have it. A file gets it when it is written.
  public var protection = StorageFileProtection.untilFirstUnlock
  /// A Boolean value that indicates whether the key is only a source of migrations.
  public var isLegacy: Bool
  /// A Boolean value that indicates whether a secured value may leave the device decrypted. The paired device secures the
  /// value with the security of its own key.
  public var isDecryptedForSync: Bool
  /// The smaller representation that the watch gets, or `nil` if it gets the key's own bytes.
  package var watchRepresentation: WatchEncoding?
  /// A Boolean value that indicates whether a sign-out leaves the value.
  package var isKeptAtSignOut = false
  /// The keys that take a part of the value of this legacy key.
  package var parts: [StorageSourcePart] = []
  /// A Boolean value that indicates whether records are made from the elements of this legacy key.
  package var isImported = false
  /// A Boolean value that indicates whether the value is a key pair, which only LocalDataSigning reads.
  package var isKeyPair = false

  /// Creates options. The defaults are those of a key in a catalog that names no option.
  ///
  /// ```swift
  /// let options = StorageKeyOptions(retention: .maxAge(seconds: 30 * 86_400), maxSize: 64 * 1024)
  /// ```
  ///
  /// - Parameters:
  ///   - declaredName: The declared name, with `{parameter}` in a member of a family; `nil` if it is the stored name.
  ///   - retention: The time for which the value is kept; `nil` if it is kept until it is removed.
  ///   - maxSize: The maximum number of bytes of a serialized value. If it is `nil`, the maximum is 16 MiB in files and 1 MiB
  ///     elsewhere.
  ///   - backup: False if the device's backups must not contain the value.
  ///   - legacy: True if the key is only a source of migrations.
  ///   - decryptedForSync: True if a secured value may leave the device decrypted.
  ///   - onCorruption: The action of a read on stored bytes that do not decode as the key's type. The default is to throw an
  ///     error.
  public init(
    declaredName: String? = nil, retention: Retention? = nil, maxSize: Int? = nil, backup: Bool = true,
    legacy: Bool = false, decryptedForSync: Bool = false, onCorruption: CorruptionPolicy = .throw
  ) {
    self.declaredName = declaredName
    self.retention = retention
    self.maxSize = maxSize
    self.isBackedUp = backup
    self.isLegacy = legacy
    self.isDecryptedForSync = decryptedForSync
    self.onCorruption = onCorruption
  }
}
