package import Foundation
@_spi(Generated) package import LocalData
@_spi(Generated) import LocalDataBackup
@_spi(Generated) import LocalDataRecords

/// A backup with records and keys, the same in every process.
package struct ProbeBackup {
  private let router: StorageRouter
  private let document: URL

  private enum Catalog: StorageKeyCatalog {
    static var allKeys: [AnyStorageKey] { [.key(ProbeBackup.name), .key(ProbeBackup.color)] }
    static var allFamilies: [StorageKeyFamily] { [.restores(of: "Probe")] }
    static var parts: [StorageCatalogPart] {
      [.records(ProbeFolder.Database.self), .backups { [ProbeBackup.backup] }]
    }
  }

  private static let name = key("name", .keychain(), .keychain())
  private static let color = key("color", .userDefaults(), .none)

  private static func key(_ name: String, _ domain: StorageDomain, _ security: SecurityPolicy) -> StorageKey<String?> {
    StorageKey(
      name: name, domain: domain, security: security, owner: "Tests", description: "A value of a backup.")
  }

  private static var backup: StorageBackup {
    StorageBackup(
      "full", catalog: "Probe", isEncrypted: false,
      schema: #"""
        {"records":{"Folder":[[1,"id","String"],[2,"text","String"],[3,"count","Int"]],\#
        "Page":[[1,"id","Int"],[2,"folder","String"],[3,"secret","String"]]},"types":{}}
        """#,
      records: { [ProbeFolder.self, ProbePage.self] }, keys: { [.key(name), .key(color)] })
  }

  /// - Parameter folder: The folder that contains the document.
  package init(_ router: StorageRouter, _ folder: String) throws {
    try router.registerCatalog(Catalog.self)
    self.router = router
    document = URL(fileURLWithPath: folder + "/backup.json")
  }

  /// What the backup has.
  package static let backedUp = ["a", "b", "1 a first", "name Ada", "color nil"]
  /// What is stored before it is restored.
  package static let stored = ["b", "c", "2 c second", "name Bob", "color red"]

  /// Exports ``backedUp``, and stores ``stored``.
  package func seed() async throws {
    for id in ["a", "b"] { try await router.folders.save(ProbeFolder(id: id, text: id)) }
    try await router.pages.save(ProbePage(id: 1, folder: "a", secret: "first"))
    try await router.set("Ada", for: Self.name)
    try FileManager.default.moveItem(at: try await router.backups.export(Self.backup).url, to: document)
    try await router.folders.delete(id: "a")
    try await router.folders.save(ProbeFolder(id: "c", text: "c"))
    try await router.pages.save(ProbePage(id: 2, folder: "c", secret: "second"))
    try await router.set("Bob", for: Self.name)
    try await router.set("red", for: Self.color)
  }

  /// Stores a number of pages with 100 characters.
  package func fill(_ count: Int) async throws {
    try await router.folders.save(ProbeFolder(id: "a", text: "a"))
    let text = String(repeating: "x", count: 100)
    for start in stride(from: 0, to: count, by: 1_000) {
      try await router.transaction(in: ProbeFolder.Database.self) { probe in
        for id in start..<min(start + 1_000, count) {
          try probe.pages.save(ProbePage(id: id, folder: "a", secret: text))
        }
      }
    }
  }

  /// Exports a backup, and returns the address of its file.
  @discardableResult
  package func export() async throws -> URL { try await router.backups.export(Self.backup).url }

  /// Replaces what is stored by a backup, for example ``backedUp``.
  package func restore(from url: URL? = nil) async throws {
    try await router.backups.stage(Self.backup, from: url ?? document).apply(.replace)
  }

  /// Finishes an interrupted restore, and returns what is stored.
  package func content() async throws -> [String] {
    try await router.backups.finishRestore(of: Self.backup)
    let rows = try await router.folders.fetchAll().map(\.id)
    let pages = try await router.pages.fetchAll().map { "\($0.id) \($0.folder) \($0.secret)" }
    let (name, color) = (try await router.get(Self.name), try await router.get(Self.color))
    return rows + pages + ["name \(name ?? "nil")", "color \(color ?? "nil")"]
  }

  /// Removes everything.
  package func signOut() async throws { try await router.removeAll(in: Catalog.self) }
}
