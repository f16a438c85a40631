/// The member of the router through which an app uses records.
enum RouterMember {
  /// Returns the default for a type: `sharingHistories` for `SharingHistory`, `idTokens` for `IDToken`.
  static func plural(of type: String) -> String {
    let name = lowerCamel(type)
    let lower = name.lowercased()
    let vowels = ["ay", "ey", "oy", "uy"]
    if lower.hasSuffix("y"), !vowels.contains(where: lower.hasSuffix) { return name.dropLast() + "ies" }
    return name + (["s", "x", "z", "ch", "sh"].contains(where: lower.hasSuffix) ? "es" : "s")
  }

  /// Returns the name with its first word in lower case. An acronym is a word: `idToken` for `IDToken`.
  static func lowerCamel(_ name: String) -> String {
    let bytes = Array(name.utf8)
    var result = bytes
    for index in bytes.indices {
      guard Identifier.isUpper(bytes[index]) else { break }
      // The last capital letter of an acronym begins the next word.
      let beginsWord = index + 1 < bytes.count && Identifier.isLower(bytes[index + 1])
      if index > 0, beginsWord { break }
      result[index] = bytes[index] | 0x20
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns true if `StorageRouter` or every actor has a member of this name.
  static func isOfRouter(_ name: String) -> Bool { ofRouter.contains(name) }

  private static let ofRouter: Set<String> = [
    "assertIsolated", "assumeIsolated", "authenticated", "backups", "changes", "customMirror", "exists",
    "forceMigration", "get", "imports",
    "inMemory", "lock", "maintenance", "members", "migrations", "preconditionIsolated", "read",
    "records", "registerCatalog", "registerKeyMaterialProvider", "remove", "removeAll", "set", "setLogger", "setValue",
    "shared", "signingKey", "sync", "transaction", "unownedExecutor", "update", "updateEncryptionConfiguration",
    "updateFileStorageConfiguration", "updateStorageConfiguration", "updateSyncConfiguration", "value", "values",
    "withSerialExecutor",
  ]
}
