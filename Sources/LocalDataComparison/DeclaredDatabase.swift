package import LocalDataModel
package import LocalDataVocabulary

/// A database of a state, by the facts that a snapshot has of it.
package struct DeclaredDatabase: Declaration {
  package typealias Address = ResolvedDatabase.Address

  package let member: String
  /// The facts in the order in which a snapshot writes them.
  package let facts: [FieldValue.Entry]
  package let catalog: String
  package let address: Address
  /// The addresses that the file is moved from.
  package let movedFrom: [Address]
  package let protection: ResolvedDatabase.Protection
  package let sealing: SecurityPolicy
  package let isInBackup: Bool
  /// The line of its declaration; 0 if it was read from a release.
  @NotCompared package private(set) var line = 0

  /// Creates a database from the facts of a snapshot. Returns nil if they are not complete.
  package init?(_ member: String, facts: FieldValue) {
    self.init(member, facts.entries.filter { Self.known.contains($0.name) })
  }

  init?(_ database: ResolvedDatabase, catalog: String) {
    self.init(
      database.member,
      [
        .init("catalog", .text(catalog)), .init("name", .text(database.name)),
        .init("access", .text(database.access.rawValue)), .init("domain", FieldValue(database.domain)),
        .init("protection", .text(database.protection.rawValue)), .init("sealing", Self.sealing(database.sealing)),
        .init("backup", .flag(database.isInBackup)),
      ] + Self.moves(database.movedFrom) + [
        .init("owner", .text(database.owner)), .init("description", .text(database.description)),
      ])
    line = database.line
  }

  private init?(_ member: String, _ facts: [FieldValue.Entry]) {
    let all = FieldValue.map(facts)
    guard let name = all["name"].text, let domain = StorageDomain(all["domain"]),
      let protection = all["protection"].text.flatMap(ResolvedDatabase.Protection.init),
      let sealing = SecurityPolicy(all["sealing"]), let isInBackup = all["backup"].flag
    else { return nil }
    self.member = member
    self.facts = facts
    catalog = all["catalog"].text ?? ""
    address = Address(name: name, domain: domain.withoutPatterns)
    movedFrom = all["movedFrom"].elements.compactMap { earlier in
      StorageDomain(earlier["domain"]).map { Address(name: earlier["name"].text ?? name, domain: $0.withoutPatterns) }
    }
    self.protection = protection
    self.sealing = sealing
    self.isInBackup = isInBackup
  }

  /// Returns true if the rows of another database are in this one.
  package func isSuccessor(of other: DeclaredDatabase) -> Bool {
    address == other.address || movedFrom.contains(other.address)
  }

  /// The fact that lists earlier addresses, if there are any.
  private static func moves(_ addresses: [Address]) -> [FieldValue.Entry] {
    addresses.isEmpty ? [] : [.init("movedFrom", .list(addresses.map(\.value)))]
  }

  /// The encryption with its algorithm, so that a snapshot says what `recommended` meant.
  private static func sealing(_ policy: SecurityPolicy) -> FieldValue {
    guard case .encrypted(let encryption) = policy, FieldValue(policy).text != nil else { return FieldValue(policy) }
    let algorithm = FieldValue.Entry("algorithm", .text(encryption.algorithm.rawValue))
    return .map([.init(SecurityPolicy.Kind.encrypted.rawValue, .map([algorithm]))])
  }

  private static let known: Set<String> = [
    "catalog", "name", "access", "domain", "protection", "sealing", "backup", "movedFrom", "owner",
    "description",
  ]
}

extension ResolvedDatabase.Address {
  /// The address as a catalog writes it in `movedFrom`.
  var value: FieldValue { .map([.init("domain", FieldValue(domain)), .init("name", .text(name))]) }
}

extension CatalogState {
  /// Returns the database of this state that has the file of an earlier one, or else the one with its member.
  package func database(for member: String, of old: CatalogState) -> DeclaredDatabase? {
    let same = old.databases[member].flatMap { before in
      databases.values.filter { $0.isSuccessor(of: before) }.min { $0.member < $1.member }
    }
    return same ?? databases[member]
  }
}
