import LocalDataModel
import LocalDataEmission

/// The backups of catalogs: what their files contain, and who can open them.
struct BackupSection {
  private let backups: [ResolvedBackupFile]

  static let title: StaticString = "Backups"

  init(_ catalogs: [ResolvedCatalog]) { backups = catalogs.flatMap(\.backupFiles) }

  var hasContent: Bool { !backups.isEmpty }

  func write(to document: inout some DocumentWriter & ~Copyable) {
    guard hasContent else { return }
    document.section(Self.title, "backups") { document in
      document.paragraph(.fixed(Self.explanation))
      document.table(Self.title.description, ["Backup", "Records", "Keys", "Private keys", "Sealed", "For"]) {
        document in
        for backup in backups {
          let data = backup.personalData
          document.row(texts: [
            backup.member, (data?.records ?? backup.records).joined(separator: ", "),
            (data?.keys ?? backup.keys).joined(separator: ", "),
            backup.privateKeys.joined(separator: ", "), backup.isEncrypted ? "with a passphrase" : "no",
            backup.description,
          ])
        }
      }
    }
  }

  private static let explanation: StaticString = """
    The user keeps these files, and restores them on any device. Who has a file and its passphrase reads everything in it. \
    Values that are deleted later stay in files that were written before. A file with everything about the user cannot be restored.
    """
}
