import CatalogSyntax
import Testing

@testable import CatalogModel

/// `explain KEY`: each field, its value, and where it was written.
@Suite struct KeyExplanationTests {
  private func explanation(of member: String) throws -> (KeyExplanation?, nearest: String?) {
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
      """
    let (tree, _) = CatalogReader.read(SourceFile(path: "Shop.yaml", bytes: Array(text.utf8)))
    return KeyExplanation.explain(member, in: [try #require(tree)], project: Project())
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
