package import StorageAudit
import StorageVocabulary

extension ResolvedKey {
  /// The facts from which the fate of the key's value follows, with the default place of the master key.
  package var storedFacts: StoredFacts { descriptor.storedFacts() }
}

extension ResolvedDatabase {
  /// The facts of the fields that are not encrypted.
  package var storedFacts: StoredFacts {
    var facts = StoredFacts(domain, .none, isInBackup: isInBackup)
    facts.fileProtection =
      switch protection {
      case .complete: .complete
      case .completeUnlessOpen: .completeUnlessOpen
      case .untilFirstUnlock: .untilFirstUnlock
      }
    facts.isMoved = !movedFrom.isEmpty
    return facts
  }

  /// The facts of encrypted fields. They are opened with a key in the database, which `sealing` encrypts.
  package var sealedFacts: StoredFacts {
    var facts = storedFacts
    facts.seal = StoredFacts(domain, sealing).seal
    return facts
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
    return facts
  }
}
