import ExampleKeys
import Foundation
import LocalData
import LocalDataBackup
import LocalDataMaintenance
import LocalDataRecords
import LocalDataSigning

/// The end of the wallet on one device, and its beginning on another one.
extension WalletLife {
  private static let passphrase = "correct horse battery staple"

  /// The files that the user keeps.
  struct Backups {
    var full: URL
    var recovery: URL
  }

  /// Writes both backups. The private key is in a separate file.
  func export(to folder: URL) async throws -> Backups {
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: attributes)
    let full = try await export(.full, to: folder)
    try report("rows in the backup", full.file.counts.values.sorted(), expected: [2, 2, 7])
    let recovery = try await export(.recovery, to: folder)
    try report("private keys in the other one", recovery.file.keys, expected: 1)
    return Backups(full: full.url, recovery: recovery.url)
  }

  private func export(_ backup: StorageBackup, to folder: URL) async throws -> (file: BackupFile, url: URL) {
    let file = try await router.backups.export(backup, passphrase: Self.passphrase)
    let url = folder.appendingPathComponent(file.url.lastPathComponent)
    // The next export removes the file.
    try FileManager.default.moveItem(at: file.url, to: url)
    return (file, url)
  }

  func signOut() async throws {
    try await router.removeAll(in: WalletCatalog.self)
    try report("credentials after the sign-out", try await router.credentials.count(), expected: 0)
    let isBound = try await router.signingKey(.bindingKey).exists()
    try report("keys after the sign-out", [isBound, try await router.exists(.seed)], expected: [false, false])
  }

  /// Restores both backups, and then the old backup once more.
  func restore(_ backups: Backups) async throws {
    let keys = try await restore(.recovery, from: backups.recovery).keys
    try report("restored private keys", keys.new, expected: 1)
    for (time, count) in [("first", 11), ("second", 0)] {
      let plan = try await restore(.full, from: backups.full)
      try report("rows that the \(time) restore adds", plan.records.values.map(\.new).reduce(0, +), expected: count)
    }
  }

  private func restore(_ backup: StorageBackup, from url: URL) async throws -> RestorePlan {
    let staged = try await router.backups.stage(backup, from: url, passphrase: Self.passphrase)
    return try await staged.apply(.merge)
  }

  /// Damages the beginning of the database as a broken disk would, and repairs it.
  func repair(_ folder: URL) async throws {
    let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    guard let file = files.first(where: { $0.hasSuffix("/wallet.db") }) else {
      throw SampleError.isMissing("wallet.db")
    }
    let handle = try FileHandle(forWritingTo: folder.appendingPathComponent(file))
    try handle.write(contentsOf: Data(count: 100))
    try handle.close()
    var code: StorageProblem.Code?
    do throws(StorageError) { _ = try await router.credentials.count() } catch { code = error.code }
    try report("damaged", code?.description ?? "", expected: "databaseDamaged")
    let repaired = try await router.maintenance.setAsideDamaged(.fileSystem(directory: .applicationSupport))
    try report("rows after the repair", repaired.records.map(\.kept).sorted(), expected: [2, 2, 7])
  }
}
