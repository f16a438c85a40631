import Foundation
import LocalDataMaintenance
import Testing

@_spi(Generated) @testable import LocalData

/// Stored names of the members of families.
struct StorageKeyNameTests {
  private enum Shelf: String { case inbox = "In Box", archive }
  private enum Rank: Int { case last = -1 }

  @Test(arguments: [
    ("", "draft_"), ("abc-09", "draft_abc-09"), ("A", "draft_%41"), ("a_b", "draft_a%5Fb"),
    ("../x", "draft_%2E%2E%2Fx"),
    ("%41", "draft_%2541"), ("ü\n", "draft_%C3%BC%0A"), ("\u{0}", "draft_%00"),
  ])
  func aTextIsEscaped(_ text: String, _ name: String) {
    let found: StorageKeyName = "draft_\(text)"
    #expect(found.text == name)
  }

  @Test func eachKindOfParameterIsEscaped() throws {
    let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    let name: StorageKeyName = "{\(id)}_\(-7)_\(Shelf.inbox)_\(Rank.last)"
    #expect(name.text == "{e621e1f8-c36c-495a-93fc-0c247a3e6e5f}_-7_%49n%20%42ox_-1")
  }

  @Test func aMemberKnowsItsFamily() {
    let family = StorageKeyFamily(name: "draft_{id}", domain: .fileSystem(directory: .caches))
    let key = StorageKey<String?>(family, "draft_\(1)", .json, retention: .untilRelaunch)
    #expect(key.name == "draft_1")
    #expect(key.options.declaredName == "draft_{id}")
    #expect(key.domain == family.domain)
    #expect(key.security == .recommended)
    #expect(key.options.retention == .untilRelaunch)
  }

  @Test func theListsOfAGeneratedCatalogDecode() {
    enum Catalog: StorageKeyCatalog {
      static var allKeys: [AnyStorageKey] { [] }
      static var descriptorRows: StorageCatalogRows? {
        GeneratedFormat.version1.rows(
          #"[{"member":"a","type":"Int","domain":"userDefaults","owner":"Team","description":"A key."}]"#)
      }
      static var reservedNameRows: StorageCatalogRows? {
        GeneratedFormat.version1.rows(#"[{"name":"x","domain":"keychain"}]"#)
      }
    }
    #expect(Catalog.descriptors.map(\.member) == ["a"])
    #expect(Catalog.reservedNames.map(\.name) == ["x"])
  }
}
