/// A backup of `backupFiles:`.
package struct ResolvedBackupFile: Sendable, Hashable {
  /// The name in the catalog.
  package var member: String
  @NotCompared package var line: Int
  package var description: String
  /// The names of the records.
  package var records: [String] = []
  /// The members of the keys.
  package var keys: [String] = []
  /// The members of the private keys. A backup that has some has nothing else.
  package var privateKeys: [String] = []
  /// A Boolean value that indicates whether the file is sealed with a passphrase.
  package var isEncrypted = true

  package init(member: String, line: Int, description: String) {
    self.member = member
    self.line = line
    self.description = description
  }
}

extension ResolvedBackupFile {
  package var isPrivate: Bool { !privateKeys.isEmpty }
}
