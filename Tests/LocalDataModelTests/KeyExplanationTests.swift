import LocalDataSyntax
import Testing

@testable import LocalDataModel

/// `explain KEY`: each field, its value, and where it was written.
@Suite struct KeyExplanationTests {
  private func explanation(of member: String) throws -> (KeyExplanation?, nearest: String?) {
    KeyExplanation.explain(member, in: [try tree()], project: Project())
  }

  private func tree() throws -> SyntaxTree {
    let text = """
      localdata: 1
      catalog: Shop
      defaults:
        owner: ShopTeam
        domain: {keychain: {service: shop}}
      keys:
        cartToken:
          type: String
          domain: {keychain: {synchronizable: true}}
          security: {keychain: {accessibility: afterFirstUnlock}}
          description: The token of the cart.
        note:
          name: Note.{id}
          type: String
          parameters: {id: UUID}
          domain: {fileSystem: {directory: {custom: Notes}}}
          description: What the user wrote.
      unmanaged:
        photos:
          domain: {fileSystem: {directory: caches, path: Photos/}}
          protection: complete
          retention: {maxAge: 30d}
          description: The photos that another library downloads.
        crashes:
          name: CrashCount
          domain: {userDefaults: {suite: {configured: crashes}}}
          description: How often the app has crashed.
      """
    let (tree, _) = CatalogReader.read(SourceFile(path: "Shop.yaml", bytes: Array(text.utf8)))
    return try #require(tree)
  }

  @Test func everyFieldHasItsOrigin() throws {
    let lines = try #require(try explanation(of: "cartToken").0).text.split(separator: "\n")
      .map { $0.split(separator: " ").joined(separator: " ") }
    for line in [
      "cartToken, a key of Shop (Shop.yaml:7)",
      "domain.service shop defaults, line 5",
      "domain.synchronizable true line 9",
      "security.accessibility afterFirstUnlock line 10",
      "serializer json the language",
      "owner ShopTeam defaults, line 4",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }

  @Test func unmanagedDataHasItsOriginsAndItsPlace() throws {
    let trees = [try tree()]
    func lines(_ member: String) -> [String] {
      UnmanagedExplanation.explain(member, in: trees, project: Project()).flatMap { $0.split(separator: "\n") }
        .map { $0.split(separator: " ").joined(separator: " ") }
    }
    #expect(
      lines("photos") == [
        "photos, unmanaged data of Shop (Shop.yaml:19)",
        "domain {fileSystem: {directory: caches, path: Photos/}} line 20", "security none the language",
        "protection complete line 21", "retention.maxAge 30d line 22", "backup true the language",
        "sensitivity internal the language", "owner ShopTeam defaults, line 4",
        "description The photos that another library downloads. line 23",
        "stored on Apple's platforms: Library/Caches/Photos/", "stored on Linux: $XDG_CACHE_HOME/<app>/Photos/",
      ])
    #expect(lines("crashes").contains("name CrashCount line 25"))
    #expect(
      lines("crashes").contains(
        "stored on Apple's platforms: Library/Preferences/<configured crashes>.plist, key 'CrashCount'"))
    #expect(UnmanagedExplanation.nearest(to: "photo", in: trees) == "photos")
    #expect(UnmanagedExplanation.explain("note", in: trees, project: Project()) == [])
  }

  @Test func aMisspeltKeyHasASuggestion() throws {
    let (explanation, nearest) = try explanation(of: "cartTokn")
    #expect(explanation == nil)
    #expect(nearest == "cartToken")
  }

  @Test func aFileHasItsNameOnEachPlatform() throws {
    let address = StoredAddress(try #require(try explanation(of: "note").0).key)
    #expect(address.apple == "Library/Application Support/LocalData/<app>/support/Notes/%4Eote.{id}")
    #expect(address.linux == "$XDG_DATA_HOME/<app>/support/Notes/Note.{id}")
  }
}
