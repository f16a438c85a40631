package import LocalDataVocabulary

/// The conditions under which a store keeps a value.
package struct StorageAttributes: Hashable, Sendable {
  /// The keychain accessibility. Other stores ignore it and the access control.
  package var accessibility: KeychainAccessibility
  package var accessControl: KeychainAccessControl?
  /// A Boolean value that indicates whether a file gets complete protection (Apple), as in `encryptedFileSystem`.
  package var isCompletelyProtected: Bool
  /// The protection of a file that is not completely protected (Apple).
  package var fileProtection = StorageFileProtection.untilFirstUnlock
  /// A Boolean value that indicates whether the device's backups contain the value.
  package var isBackedUp: Bool
  /// A Boolean value that indicates whether plain preferences keep the property list itself instead of its bytes, so that
  /// `@AppStorage` can read the value.
  package var isPropertyListValue: Bool
  /// A Boolean value that indicates whether plain preferences may contain the property list itself, because an earlier
  /// release may have stored it.
  package var mayBePropertyListValue: Bool
  /// A Boolean value that indicates whether an object of other code in plain preferences is read as bytes that do not decode,
  /// instead of as an error of the store.
  package var readsOtherObjects: Bool
  /// The maximum number of bytes that are read. A larger value is refused before it is loaded into memory.
  package var maxStoredSize: Int
  /// The maximum number of bytes that are read, decrypted and decoded on the thread of the caller. The default is for callers
  /// that other calls of the router wait for.
  package var maxPromptSize = 64 << 10
  /// The maximum number of bytes if only the caller waits: 1 MiB, and the bytes that an envelope adds.
  package static let largestPromptSize = (1 << 20) + (1 << 10)
  /// A Boolean value that indicates whether the bytes that are read are released soon, because they are only decrypted.
  package var areBytesTransient = false
  /// A Boolean value that indicates whether a replaced file, or item of a keystore, keeps its time of writing, because the
  /// value is as old as before. On Apple's platforms the keychain sets the time of each change.
  package var keepsAge = false

  package init(
    accessibility: KeychainAccessibility = .whenUnlocked, accessControl: KeychainAccessControl? = nil,
    isCompletelyProtected: Bool = false, isBackedUp: Bool = true, isPropertyListValue: Bool = false,
    mayBePropertyListValue: Bool = false, readsOtherObjects: Bool = false, maxStoredSize: Int = 17 << 20
  ) {
    self.accessibility = accessibility
    self.accessControl = accessControl
    self.isCompletelyProtected = isCompletelyProtected
    self.isBackedUp = isBackedUp
    self.isPropertyListValue = isPropertyListValue
    self.mayBePropertyListValue = mayBePropertyListValue
    self.readsOtherObjects = readsOtherObjects
    self.maxStoredSize = maxStoredSize
  }

  /// The attributes for a read of a value of any size.
  package static let anySize = StorageAttributes(maxStoredSize: 1 << 30)
}
