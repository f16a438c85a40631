package import LocalDataModel
package import LocalDataAudit
package import LocalDataVocabulary

extension ResolvedKey {
  /// The facts from which the fate of the key's value follows, with the default place of the master key.
  package var storedFacts: StoredFacts { descriptor.storedFacts() }
}

extension StoredFacts {
  /// Creates the facts of the fields of a database.
  ///
  /// - Parameters:
  ///   - protection: The protection of its file.
  ///   - sealing: The encryption of the key that opens encrypted fields; none for plain fields.
  ///   - isMoved: A Boolean value that indicates whether the file is moved from the address of an earlier release.
  package init(
    ofDatabase domain: StorageDomain, _ protection: ResolvedDatabase.Protection, sealing: SecurityPolicy,
    isInBackup: Bool, isMoved: Bool
  ) {
    self.init(domain, .none, isInBackup: isInBackup)
    fileProtection = protection
    seal = StoredFacts(domain, sealing).seal
    self.isMoved = isMoved
  }
}

extension ResolvedUnmanaged {
  /// The facts from which the fate of the data follows.
  package var storedFacts: StoredFacts {
    var facts = descriptor.storedFacts()
    facts.isKeptAtSignOut = true
    guard file != nil else { return facts }
    let ofFile = StoredFacts(
      ofDatabase: descriptor.domain, protection, sealing: .none, isInBackup: descriptor.backup, isMoved: false)
    facts.fileProtection = ofFile.fileProtection
    return facts
  }
}

extension ResolvedDatabase {
  /// The facts of the fields that are not encrypted.
  package var storedFacts: StoredFacts { facts(sealing: .none) }

  /// The facts of encrypted fields. They are opened with a key in the database, which `sealing` encrypts.
  package var sealedFacts: StoredFacts { facts(sealing: sealing) }

  private func facts(sealing: SecurityPolicy) -> StoredFacts {
    StoredFacts(
      ofDatabase: domain, protection, sealing: sealing, isInBackup: isInBackup, isMoved: !movedFrom.isEmpty)
  }
}

extension ResolvedCatalog {
  /// Returns the database of a record, which another catalog of the run may declare.
  package func database(of record: ResolvedRecord) -> ResolvedDatabase? {
    record.home ?? databases.first { $0.member == record.database }
  }
}

extension ResolvedRecord {
  /// The facts of the record's plain fields in its database.
  package func storedFacts(in database: ResolvedDatabase) -> StoredFacts { ended(database.storedFacts) }

  /// The facts of the record's encrypted fields, or nil if it has none.
  package func sealedFacts(in database: ResolvedDatabase) -> StoredFacts? {
    sealedFields.isEmpty ? nil : ended(database.sealedFacts)
  }

  private func ended(_ facts: StoredFacts) -> StoredFacts {
    var facts = facts
    if case .untilRelaunch = retention { facts.end = .relaunch }
    facts.isKeptAtSignOut = signOut == .keep
    return facts
  }
}
