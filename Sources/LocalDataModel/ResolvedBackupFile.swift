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
  /// The content of a document about the user, or nil if this is a backup.
  package var personalData: PersonalData?

  /// The content of a document about the user.
  package struct PersonalData: Sendable, Hashable {
    /// The names of the records of which the user is told, with those of other fields that are no secrets.
    package var records: [String] = []
    /// The members of the keys.
    package var keys: [String] = []
    /// The names in the document of keys that have the stored name of another key or a record, by their members.
    package var names: [String: String] = [:]
    /// The names of secrets, and of data about the user that the document cannot have.
    package var leftOut: [String] = []
  }

  package init(member: String, line: Int, description: String) {
    self.member = member
    self.line = line
    self.description = description
  }
}

extension ResolvedCatalog {
  /// The catalog's backups, and the documents about the user of other catalogs that have data of this one: a sign-out removes them too.
  package var emittedBackupFiles: [ResolvedBackupFile] {
    guard backupFilesOfRun.contains(where: { $0.personalData != nil }) else { return backupFiles }
    let own = Set(backupFiles.map(\.member))
    let names = Set(keys.map(\.descriptor.member) + records.map(\.name))
    return backupFiles
      + backupFilesOfRun.filter { backup in
        guard let data = backup.personalData, !own.contains(backup.member) else { return false }
        return !names.isDisjoint(with: data.keys + data.records)
      }
  }
}

extension ResolvedBackupFile {
  package var isPrivate: Bool { !privateKeys.isEmpty }
}
