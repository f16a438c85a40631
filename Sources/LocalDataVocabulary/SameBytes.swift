// Comparisons of texts as stores make them.
//
// Stores compare the bytes of names. Swift's strings are equal already if they look the same, for example if one has "é" as one
// character and the other as "e" and an accent. Equal bytes have equal hash values, so that types which compare with these
// functions keep the hash function of the compiler.

extension String {
  /// Returns true if both texts have the same bytes as UTF-8.
  package func hasSameBytes(as other: String) -> Bool {
    let isSame = utf8.withContiguousStorageIfAvailable { one in
      other.utf8.withContiguousStorageIfAvailable { one.count == $0.count && one.elementsEqual($0) }
    }
    return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }
}

extension String? {
  /// Returns true if both texts have the same bytes as UTF-8, or if both are `nil`.
  package func hasSameBytes(as other: String?) -> Bool {
    guard let self, let other else { return self == other }
    return self.hasSameBytes(as: other)
  }
}

extension FileDirectory {
  /// Returns true if both are the same directory. Paths are compared by their bytes.
  public static func == (one: FileDirectory, other: FileDirectory) -> Bool {
    one.kind == other.kind && one.text.hasSameBytes(as: other.text)
  }
}

extension StorageDomain {
  /// Returns true if both domains have the same properties. Their texts are compared by their bytes.
  public static func == (one: StorageDomain, other: StorageDomain) -> Bool {
    switch (one, other) {
    case (.userDefaults(let text), .userDefaults(let otherText)),
      (.appGroupUserDefaults(let text), .appGroupUserDefaults(let otherText)):
      text.hasSameBytes(as: otherText)
    case (
      .keychain(let service, let accessGroup, let isSynchronizable),
      .keychain(let otherService, let otherAccessGroup, let isOtherSynchronizable)
    ):
      service.hasSameBytes(as: otherService) && accessGroup.hasSameBytes(as: otherAccessGroup)
        && isSynchronizable == isOtherSynchronizable
    case (.fileSystem(let directory), .fileSystem(let otherDirectory)),
      (.encryptedFileSystem(let directory), .encryptedFileSystem(let otherDirectory)):
      directory == otherDirectory
    case (.appGroupFileSystem(let group, let directory), .appGroupFileSystem(let otherGroup, let otherDirectory)):
      group.hasSameBytes(as: otherGroup) && directory == otherDirectory
    case (.userDefaults, _), (.appGroupUserDefaults, _), (.keychain, _), (.fileSystem, _), (.encryptedFileSystem, _),
      (.appGroupFileSystem, _):
      false
    }
  }
}
