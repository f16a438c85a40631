import Foundation
import TestSupport
import Testing

/// Code of the documents that the library was designed from, pasted into an app: the compiler says what to write.
@Suite struct EarlierNamesTests {
  struct Pasted: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var code: String
    var sentence: String
  }

  private static let catalog = """
    struct MyCatalog: StorageKeyCatalog {
      static var allKeys: [AnyStorageKey] { [] }
    }

    """

  static let pasted = [
    Pasted(
      testDescription: "a namespace of keys",
      code: """
        extension StorageKeys {
          struct UserTokenKey: StorageKey {
            typealias Value = String
            let name = "user_token"
            let domain: StorageDomain = .keychain(service: "com.myapp")
            let serializer: Serializer = .json
          }
        }
        let key = StorageKeys.UserTokenKey()
        """,
      sentence: "Declare the key in a catalog, or in an extension of StorageKey"),
    Pasted(
      testDescription: "the identifier of an app group",
      code: #"let domain: StorageDomain = .appGroupFileSystem(id: "group.com.example", directory: .documents)"#,
      sentence: "has been renamed to 'appGroupFileSystem(identifier:directory:)'"),
    Pasted(
      testDescription: "a serializer", code: "let serializer: Serializer<[Int]> = .plist",
      sentence: "'plist' has been renamed to 'propertyList'"),
    Pasted(
      testDescription: "the instance of a catalog",
      code: catalog + "func use() { try StorageRouter.shared.registerCatalog(MyCatalog()) }",
      sentence: "Pass the type of the catalog, for example registerCatalog(AccountCatalog.self)"),
    Pasted(
      testDescription: "the instance of a catalog that is migrated",
      code: catalog
        + """
        func use() async throws {
          try await StorageRouter.shared.registerCatalog(MyCatalog(), migrateImmediately: true)
        }
        """,
      sentence: "Pass the type of the catalog, for example registerCatalog(AccountCatalog.self)"),
    Pasted(
      testDescription: "an audit", code: catalog + "let report = StorageAuditReport.renderText(for: MyCatalog.self)",
      sentence: "Add 'import LocalDataMaintenance', the product that has the audit"),
    Pasted(
      testDescription: "a mixed value", code: #"let value = AnyCodable(["volume": 1])"#,
      sentence: "Write a literal, or a case with the value"),
    Pasted(
      testDescription: "the content of a mixed value", code: "func use(_ any: AnyCodable) -> Any { any.value }",
      sentence: "Switch over the cases"),
    Pasted(
      testDescription: "a key and its migration", code: migration,
      sentence: "generic parameter 'Value' could not be inferred"
    ),
  ]

  private static let migration = """
    struct MyMigration: StorageMigration {
      typealias Value = String
      let destinationKey = StorageKey.modernToken

      func shouldMigrate(using router: StorageRouter, context: MigrationContext) async throws -> Bool {
        try await router.exists(destinationKey)
      }

      func migrate(using router: StorageRouter, context: MigrationContext) async throws -> MigrationResult {
        MigrationResult(success: true)
      }
    }

    extension StorageKey where Value == String {
      static let modernToken = StorageKey(
        name: "modern_token", domain: .keychain(service: "com.myapp"), owner: "MigrationDemo",
        description: "Modern token stored in Keychain.", migration: { _ in AnyStorageMigration(MyMigration()) })
    }
    """

  private func typecheck(_ code: String, _ modules: [String] = []) throws -> ChildProcess.End {
    let tool = try Tool()
    let imports = (["LocalData"] + modules).map { "import \($0)\n" }.joined()
    try tool.write("App.swift", "import Foundation\n\(imports)\n\(code)\n")
    return try DocumentedPage.compile(["-typecheck"], ["App.swift"], in: tool)
  }

  @Test(arguments: pasted) func theErrorSaysWhatToWrite(_ pasted: Pasted) throws {
    let end = try typecheck(pasted.code)
    #expect(end.code == 1)
    #expect(end.output.contains(pasted.sentence), "\(end.output)")
  }

  /// What the sentences say compiles, and no earlier name hides another declaration.
  @Test func theirReplacementsCompile() throws {
    let code =
      Self.catalog
        + """
        extension StorageKey where Value == String {
          static let token: Self = StorageKey(
            name: "user_token", domain: .keychain(service: "com.myapp"), owner: "AuthService", description: "A token.")
        }
        let domain: StorageDomain = .appGroupFileSystem(identifier: "group.com.example", directory: .documents)
        let serializer: Serializer<[Int]> = .propertyList
        let literal = AnyCodable(1)
        let mixed: AnyCodable = ["volume": 1, "text": .string("a")]
        let report = StorageAuditReport.renderText(for: MyCatalog.self)
        func use(_ report: StorageAuditReport.Type) async throws {
          try await StorageRouter.shared.registerCatalog(MyCatalog.self, migrateImmediately: true)
        }
        """
    #expect(try typecheck(code, ["LocalDataMaintenance"]) == ChildProcess.End(code: 0, output: ""))
    let migration = Self.migration.replacing("modernToken = StorageKey(", with: "modernToken: Self = StorageKey(")
    #expect(try typecheck(migration) == ChildProcess.End(code: 0, output: ""))
  }

  /// The documentation of the protocol has the words of the compiler.
  @Test func theErrorOfAMigrationIsDocumented() throws {
    let page = try DocumentedPage("Sources/LocalData/MigrationTypes/StorageMigration.swift")
    #expect(page.text.contains("/// `generic parameter 'Value' could not be inferred`"))
  }
}
