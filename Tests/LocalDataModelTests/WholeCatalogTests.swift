import LocalDataModel
import LocalDataSyntax
import LocalDataVocabulary
import Testing

/// The catalog of the language's documentation, value by value.
@Suite struct WholeCatalogTests {
  private let catalog: ResolvedCatalog

  init() throws {
    let run = try Run(GoldenCase.named("WholeCatalog").catalogs)
    #expect(run.errors == "")
    catalog = try #require(run.catalogs.first)
  }

  private func key(_ member: String) throws -> ResolvedKey {
    try #require(catalog.keys.first { $0.descriptor.member == member })
  }

  @Test func header() {
    #expect(catalog.name == "Account")
    #expect(catalog.path == "Account.catalog.yaml")
    #expect(catalog.baseName == "Account")
    #expect(catalog.access == .public)
    #expect(catalog.imports == ["AccountModels"])
    #expect(catalog.keys.map(\.descriptor.member) == ["theme", "userToken", "profile", "draft", "legacyToken"])
  }

  @Test func types() throws {
    try #require(catalog.types.map(\.name) == ["Theme", "Address", "Profile", "Badge"])
    guard case .stringEnum(let cases) = catalog.types[0].form else { return unexpected("no enum") }
    #expect(cases.map(\.name) == ["system", "light", "dark"])
    #expect(cases.map(\.raw) == ["system", "light", "dark"])
    #expect(catalog.types[0].description == "The colour scheme of the app.")
    guard case .structure(let fields) = catalog.types[1].form else { return unexpected("no struct") }
    #expect(fields.map(\.name) == ["street", "zip", "lines"])
    #expect(fields.map(\.type) == [.scalar(.string), .scalar(.string), .list(.scalar(.string))])
    #expect(fields.map(\.defaultValue) == [nil, .string(""), nil])
    #expect(fields[1].description == "Empty where the country has none.")
    guard case .swift(SwiftName("AccountModels.Profile")) = catalog.types[2].form else {
      return unexpected("no type")
    }
    guard case .swift(SwiftName("Badge")) = catalog.types[3].form else { return unexpected("no type") }
  }

  @Test func theme() throws {
    let key = try key("theme")
    #expect(key.type == .declared("Theme"))
    #expect(key.defaultValue == .enumCase("system"))
    #expect(key.access == .public)
    #expect(key.line == 25)
    #expect(
      key.descriptor
        == StorageKeyDescriptor(
          member: "theme", name: "theme", valueType: "Theme", domain: .userDefaults(), security: .none,
          serializer: .propertyList, owner: "AccountTeam", description: "The colour scheme the user chose.",
          defaultValue: "system"))
  }

  @Test func userToken() throws {
    let key = try key("userToken")
    #expect(
      key.descriptor
        == StorageKeyDescriptor(
          member: "userToken", name: "user_token", valueType: "String",
          domain: .keychain(service: "com.example.account"),
          security: .keychain(accessibility: .afterFirstUnlock, accessControl: .biometryAny), owner: "AuthService",
          description: "The current user's auth token.", availability: .phoneOnly, sensitivity: .credential,
          migration:
            "from legacyToken (userDefaults, the app's own; none, stored as it is), the source kept where both exist"))
    let step = try #require(key.migration?.steps.first)
    #expect(step.onConflict == .keep)
    #expect(step.condition == nil)
    guard case .move(from: .declared(let source)) = step.action else { return unexpected("no move") }
    #expect(source.member == "legacyToken")
  }

  @Test func profile() throws {
    let key = try key("profile")
    #expect(key.type == .swift(SwiftName("AccountModels.Profile")))
    #expect(
      key.descriptor
        == StorageKeyDescriptor(
          member: "profile", name: "profile", valueType: "AccountModels.Profile",
          domain: .encryptedFileSystem(directory: .documents), security: .encrypted(.aes256GCM()),
          serializer: .propertyList, owner: "AccountTeam", description: "The signed-in user's profile.",
          sensitivity: .personal, retention: .maxAge(seconds: 7_776_000)))
  }

  @Test func draft() throws {
    let key = try key("draft")
    #expect(key.parameters.map(\.name) == ["documentID"])
    guard case .uuid = key.parameters[0].type else { return unexpected("no UUID") }
    try #require(key.nameParts.count == 2)
    guard case .text("draft_") = key.nameParts[0], case .parameter("documentID") = key.nameParts[1] else {
      return unexpected("\(key.nameParts)")
    }
    #expect(
      key.descriptor
        == StorageKeyDescriptor(
          member: "draft", name: "draft_{documentID}", valueType: "String", domain: .fileSystem(directory: .caches),
          owner: "AccountTeam", description: "The unsaved text of one document.",
          parameters: [.init(name: "documentID", type: "UUID")]))
    #expect(key.descriptor.maxSize == 16 << 20)
  }

  @Test func legacyToken() throws {
    let key = try key("legacyToken")
    #expect(key.access == .internal)
    #expect(key.descriptor.isLegacy)
    #expect(key.descriptor.name == "old_key_name")
    #expect(key.descriptor.domain == .userDefaults(suite: nil))
    #expect(key.descriptor.maxSize == 1 << 20)
  }

  @Test func reserved() throws {
    try #require(catalog.reserved.count == 1)
    #expect(catalog.reserved[0].name == "session_v0")
    #expect(catalog.reserved[0].domain == .userDefaults())
    #expect(catalog.reserved[0].deletesLeftovers)
    #expect(catalog.reserved[0].note == "Dropped in 1.4.")
  }
}
