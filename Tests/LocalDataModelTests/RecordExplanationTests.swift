import LocalDataSyntax
import Testing

@testable import LocalDataModel

/// `explain` of a record and of a database.
@Suite struct RecordExplanationTests {
  private func trees() throws -> [SyntaxTree] {
    let text = """
      localdata: 1
      catalog: Shop
      defaults: {owner: ShopTeam}
      databases:
        shop:
          domain: {fileSystem: {directory: documents}}
          name: Orders
          protection: complete
          movedFrom: [{domain: {fileSystem: {directory: caches}}, name: Cart}]
          description: What the user ordered.
      records:
        Customer:
          description: A customer of the shop.
          fields:
            id: {type: String, number: 1}
            mail: {type: String, number: 2, encrypted: {index: blind}, sensitivity: personal}
            note: {type: String?, number: 3, encrypted: true}
        Order:
          name: Purchase
          description: An order of a customer.
          indexes: [[customerID, date]]
          retention: {maxAge: 30d, by: date}
          expires: date
          onCorruption: skip
          reserved: {numbers: [7], names: [old]}
          fields:
            id: {type: UUID, number: 1, default: new}
            customerID: {type: String, number: 2, name: customer, references: Customer, onDelete: cascade}
            date: {type: Date, number: 3, index: true}
      """
    return [try #require(CatalogReader.read(SourceFile(path: "Shop.yaml", bytes: Array(text.utf8))).tree)]
  }

  private func explanation(of name: String) throws -> String {
    RecordExplanation.explain(name, in: try trees(), project: Project()).joined()
  }

  @Test func aRecordHasItsFieldsAndItsAddress() throws {
    #expect(
      try explanation(of: "Order") == """
        Order, a record of Shop (Shop.yaml:18)

          name          Purchase
          database      shop
          protection    complete
          member        router.orders
          key           id
          sensitivity   internal
          indexes       [customerID, date], [date]
          unique        none
          retention     {maxAge: 30d, by: date}
          expires       date
          onCorruption  skip
          reserved      7, old
          maxSize       1048576
          importedFrom  none
          signOut       the rows are removed
          privacy       none
          deprecated    no
          access        internal
          owner         ShopTeam
          title         none
          tags          none
          review        none
          description   An order of a customer.

          1  id          UUID    column 'id'; the key; default new
          2  customerID  String  column 'customer'; refers to Customer, cascade
          3  date        Date    column 'date'

          stored on Apple's platforms: Documents/LocalData/<app>/.records/%4Frders.db, table 'Purchase'
          stored on Linux: $XDG_DATA_HOME/<app>/documents/.records/Orders.db, table 'Purchase'

        """)
    let lines = try explanation(of: "Customer").split(separator: "\n")
    #expect(lines.contains("  2  mail  String   encrypted, blind index 'mail.blind'; personal"), "\(lines)")
    #expect(lines.contains("  3  note  String?  encrypted"), "\(lines)")
  }

  @Test func aFieldHasItsOriginAndItsPrivacy() throws {
    let text = """
      localdata: 1
      catalog: Shop
      defaults: {owner: ShopTeam}
      databases:
        shop: {domain: {fileSystem: {directory: documents}}, protection: complete, description: What the user ordered.}
      records:
        Order:
          description: An order of a customer.
          unique: [[id, at], {fields: [at], existing: keepLast}]
          deprecated: {reason: Orders are elsewhere.}
          privacy: {collected: false}
          reserved: {numbers: [7, 8], cleanup: delete}
          fields:
            id: {type: UUID, number: 1}
            at:
              type: Date
              number: 2
              wire: seconds
              description: The time of the order.
              privacy: {collected: true, dataType: purchaseHistory, purposes: [analytics]}
              from: [{number: 7, type: Int, transform: Time.at}, {number: 8, type: String, encrypted: true, transform: Time.of}]
      """
    let tree = try #require(CatalogReader.read(SourceFile(path: "Shop.yaml", bytes: Array(text.utf8))).tree)
    let lines = RecordExplanation.explain("Order", in: [tree], project: Project()).joined().split(separator: "\n")
    let expected = [
      "  unique        [id, at], {fields: [at], existing: keepLast}",
      "  reserved      7, 8, values are deleted",
      "  privacy       {collected: false}",
      "  deprecated    {reason: Orders are elsewhere.}",
      "  2  at  Date  column 'at'; in seconds; from {number: 7, type: Int, transform: Time.at}; from {number: 8, type: "
        + "String, encrypted: true, transform: Time.of}; privacy {collected: true, dataType: purchaseHistory, purposes: "
        + "[analytics]}; The time of the order.",
    ]
    for line in expected { #expect(lines.contains { $0 == line }, "\(lines.joined(separator: "\n"))") }
  }

  @Test func aDatabaseHasItsRecordsAndItsFile() throws {
    #expect(
      try explanation(of: "shop") == """
        shop, a database of Shop (Shop.yaml:5)

          name         Orders
          domain       {fileSystem: {directory: documents}}
          protection   complete
          sealing      recommended
          backup       true
          movedFrom    'Cart' in {fileSystem: {directory: caches}}
          access       internal
          owner        ShopTeam
          records      Customer, Order
          description  What the user ordered.

          stored on Apple's platforms: Documents/LocalData/<app>/.records/%4Frders.db
          stored on Linux: $XDG_DATA_HOME/<app>/documents/.records/Orders.db

        """)
  }

  @Test func aMisspeltNameHasASuggestion() throws {
    #expect(try explanation(of: "Ordr").isEmpty)
    #expect(RecordExplanation.nearest(to: "Ordr", in: try trees()) == "Order")
    #expect(RecordExplanation.names(in: try trees()) == ["shop", "Customer", "Order"])
  }
}
