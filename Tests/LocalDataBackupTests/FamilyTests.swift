import Foundation
@_spi(Generated) import LocalData
@_spi(Generated) @testable import LocalDataBackup
import RuntimeTestSupport
import TestSupport
import Testing

/// Families of keys in backups.
struct FamilyTests {
  private typealias Drafts = StorageFamily<String?, (folder: String, page: Int)>

  private enum Catalog: StorageKeyCatalog {
    static var allKeys: [AnyStorageKey] { [] }
    static var allFamilies: [StorageKeyFamily] { [FamilyTests.drafts.family] }
  }

  private static let drafts = Drafts(
    StorageKeyFamily(name: "draft_{folder}_{page}", domain: .fileSystem(directory: .documents), security: .none)
  ) {
    let folder: String = try $0.value(of: "folder")
    let page: Int = try $0.value(of: "page")
    return (draft(folder, page), (folder, page))
  }

  private static func draft(_ folder: String, _ page: Int) -> StorageKey<String?> {
    StorageKey<String?>(drafts.family, "draft_\(folder)_\(page)", .json)
  }

  private static let backup = StorageBackup(
    "drafts", catalog: "Drafts", isEncrypted: false, keys: { [.family(drafts)] })

  private let app: RelaunchedApp

  init() throws { app = try RelaunchedApp() }

  private func launch(_ app: RelaunchedApp? = nil) throws -> StorageRouter {
    let router = (app ?? self.app).launch()
    try router.registerCatalog(Catalog.self)
    return router
  }

  /// A backup of two drafts. One has a name that needs escapes, in the stored name and in JSON.
  private func export() async throws -> URL {
    let router = try launch()
    try await router.set("first", for: Self.draft("a", 1))
    try await router.set("second \"quoted\"", for: Self.draft("b_\"/ü", 2))
    return try await router.backups.export(Self.backup).url
  }

  private func members(_ router: StorageRouter) async throws -> [String: String] {
    var found: [String: String] = [:]
    for member in try await router.members(of: Self.drafts) {
      found["\(member.parameters.folder) \(member.parameters.page)"] = try await router.get(member.key)
    }
    return found
  }

  @Test func membersAreRestored() async throws {
    let url = try await export()
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    #expect(
      lines.contains(
        #""draft_{folder}_{page}":[{"parameters":{"folder":"a","page":"1"},"value":"first"},{"parameters":{"folder":"b_\"/ü","page":"2"},"value":"second \"quoted\""}]"#
      ), "\(lines)")
    let router = try launch(RelaunchedApp())
    let restore = try await router.backups.stage(Self.backup, from: url)
    #expect(try await restore.apply(.merge).keys.new == 2)
    #expect(try await members(router) == ["a 1": "first", "b_\"/ü 2": "second \"quoted\""])
    #expect(try await router.backups.stage(Self.backup, from: url).apply(.merge).keys.kept == 2)
  }

  /// The drafts of a release in which the parameters have other names. The stored names of the members are the same.
  private enum Renamed: StorageKeyCatalog {
    static var allKeys: [AnyStorageKey] { [] }
    static var allFamilies: [StorageKeyFamily] { [drafts.family] }

    private static let family = StorageKeyFamily(
      name: "draft_{page}_{number}", domain: .fileSystem(directory: .documents), security: .none)

    static let drafts = StorageFamily<String?, (page: String, number: Int)>(family) {
      let page: String = try $0.value(of: "page")
      let number: Int = try $0.value(of: "number")
      return (StorageKey<String?>(family, "draft_\(page)_\(number)", .json), (page, number))
    }
  }

  @Test func parametersMayBeRenamed() async throws {
    let url = try await export()
    let backup = StorageBackup("drafts", catalog: "Drafts", isEncrypted: false, keys: { [.family(Renamed.drafts)] })
    let router = try RelaunchedApp().launch()
    try router.registerCatalog(Renamed.self)
    #expect(try await router.backups.stage(backup, from: url).apply(.merge).keys.new == 2)
    var found: [String] = []
    for member in try await router.members(of: Renamed.drafts) {
      found.append("\(member.parameters) \(try await router.get(member.key) ?? "")")
    }
    #expect(found == [#"(page: "a", number: 1) first"#, #"(page: "b_\"/ü", number: 2) second "quoted""#])
  }

  @Test(arguments: RestorePolicy.allCases) func policiesTreatEachMember(_ policy: RestorePolicy) async throws {
    let url = try await export()
    let router = try launch(RelaunchedApp())
    try await router.set("mine", for: Self.draft("a", 1))
    try await router.set("other", for: Self.draft("c", 3))
    let restore = try await router.backups.stage(Self.backup, from: url)
    let plan = try await restore.plan(for: policy)
    #expect(try await restore.apply(policy) == plan)
    #expect(plan.keys.new == 1)
    let found = try await members(router)
    #expect(found["a 1"] == (policy == .keep ? "mine" : "first"))
    #expect(found["c 3"] == (policy == .replace ? nil : "other"))
    #expect(found.count == (policy == .replace ? 2 : 3))
  }

  @Test(arguments: [
    (#""page":"1""#, #""page":"one""#), (#""folder":"a","page""#, #""page""#), ("\"value\":\"first\"", "\"value\":7"),
    (#"{"folder":"a","page":"1"}"#, #"{"folder":"b_\"/ü","page":"2"}"#),
  ]) func otherMembersAreRefused(_ right: String, _ wrong: String) async throws {
    let url = try await export()
    let text = try String(contentsOf: url, encoding: .utf8)
    try #require(text.contains(right))
    try Data(text.replacing(right, with: wrong, maxReplacements: 1).utf8).write(to: url)
    let router = try launch(RelaunchedApp())
    await #expect(throws: BackupError(.invalidValue, "draft_{folder}_{page}", line: 5)) {
      try await router.backups.stage(Self.backup, from: url)
    }
  }
}
