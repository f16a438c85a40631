@_spi(Generated) package import LocalData
@_spi(Generated) package import LocalDataRecords
import LocalDataVocabulary

/// A record with encrypted fields, in the database of a release.
package nonisolated struct ProbeCard<Home: RecordDatabase>: StorageRecord {
  package typealias Database = Home

  package struct Columns: Sendable {
    package let issuer = BlindColumn<ProbeCard, String>(1, 2)
  }

  package static var declaration: RecordDeclaration { ProbeWallet.card }
  package static var columns: Columns { Columns() }

  package var id: String
  package var issuer: String
  package var secret: String

  package init(_ id: String, issuer: String = "city library", secret: String = "open sesame") {
    (self.id, self.issuer, self.secret) = (id, issuer, secret)
  }

  package init(_ row: borrowing RecordRow) throws(StorageProblem) {
    let id = try row.text(0)
    var (issuer, secret) = ("", "")
    try row.sealed(2, Self.declaration, key: id) { (reader) throws(StorageProblem) in
      while let field = try reader.next() {
        switch field.tag {
        case 18: issuer = try reader.text()
        case 26: secret = try reader.text()
        default: try reader.skip(field)
        }
      }
    }
    self.init(id, issuer: issuer, secret: secret)
  }

  package func write(to row: inout RecordWriter) throws(StorageProblem) {
    row.text(id)
    row.blind(issuer, 2, Self.declaration)
    try row.sealed(Self.declaration, key: id, RecordUnknownFields()) { writer in
      writer.text(issuer, 2)
      writer.text(secret, 3)
    }
  }
}

/// The releases of an app whose database moves.
package enum ProbeWallet {
  package static let card = RecordDeclaration(
    "Card", key: 1, [.init(1, "id", .text), .init(2, "issuer.blind", .blindIndex), .init(0, "sealed", .sealed)],
    sealed: [.init(2, "String"), .init(3, "String")], indexes: [[2]])

  package typealias Address = RecordDatabaseDeclaration.Address

  package static let first = Address("cards", .fileSystem(directory: .documents))
  package static let second = Address(
    "cards", .appGroupFileSystem(identifier: "group.tests", directory: .applicationSupport))
  /// It has another name.
  package static let third = Address("purse", .fileSystem(directory: .applicationSupport))

  private static func declaration(_ address: Address, movedFrom: [Address]) -> RecordDatabaseDeclaration {
    RecordDatabaseDeclaration(address.name, address.domain, movedFrom: movedFrom) { [card] }
  }

  package enum One: RecordDatabase {
    package static let declaration = ProbeWallet.declaration(first, movedFrom: [])
  }
  package enum Two: RecordDatabase {
    package static let declaration = ProbeWallet.declaration(second, movedFrom: [first])
  }
  package enum Three: RecordDatabase {
    package static let declaration = ProbeWallet.declaration(third, movedFrom: [second, first])
  }
  /// The address of the first release again.
  package enum Four: RecordDatabase {
    package static let declaration = ProbeWallet.declaration(first, movedFrom: [third, second])
  }
  /// A release that does not say where the file was.
  package enum Forgetful: RecordDatabase {
    package static let declaration = ProbeWallet.declaration(second, movedFrom: [])
  }

  package enum Catalog<Home: RecordDatabase>: StorageKeyCatalog {
    package static var allKeys: [AnyStorageKey] { [] }
    package static var parts: [StorageCatalogPart] { [.records(Home.self)] }
  }
}

extension StorageRouter {
  /// Returns the cards of a release, whose catalog it registers.
  package nonisolated func cards<Home: RecordDatabase>(_ home: Home.Type) throws(StorageError) -> Records<
    ProbeCard<Home>
  > {
    try registerCatalog(ProbeWallet.Catalog<Home>.self)
    return records(ProbeCard<Home>.self)
  }
}
