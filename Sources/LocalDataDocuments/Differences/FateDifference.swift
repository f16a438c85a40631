package import LocalDataComparison
import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary

/// A cell of the matrix of fates that differs between two states, in the words of audits.
package struct FateChange: Sendable, Hashable {
  /// The key, or the database with the part of its fields.
  package let name: String
  package let event: String
  package let before: String
  package let after: String
  /// The reason for the outcome of the new state.
  package let reason: String
}

/// The fates of two states, cell by cell.
package enum FateDifference {
  /// Returns the cells that differ, of the keys and databases that both states have.
  ///
  /// - Parameter changes: The changes from the old state to the new one, which say what was renamed.
  package static func changes(
    from old: CatalogState, to new: CatalogState, _ changes: [Change]
  ) -> [FateChange] {
    changes.flatMap { change -> [FateChange] in
      let before = change.oldName ?? change.name
      let after = change.name
      switch change.subject {
      case .key:
        guard let first = old.keys[before], let second = new.keys[after] else { return [] }
        return cells(after, first.storedFacts, second.storedFacts)
      case .database:
        guard let first = old.databases[before], let second = new.databases[after] else { return [] }
        return cells("\(after), plain fields", first.storedFacts, second.storedFacts)
          + cells("\(after), encrypted fields", first.sealedFacts, second.sealedFacts)
      case .catalog, .type, .record, .backup, .unmanaged, .reserved: return []
      }
    }
  }

  private static func cells(_ name: String, _ old: StoredFacts, _ new: StoredFacts) -> [FateChange] {
    guard old != new else { return [] }
    return StorageEvent.allCases.compactMap { event in
      let before = FateTable.fate(of: old, at: event)
      let after = FateTable.fate(of: new, at: event)
      guard before.outcome != after.outcome else { return nil }
      return FateChange(
        name: name, event: event.title, before: before.outcome.text, after: after.outcome.text, reason: after.reason)
    }
  }
}

extension DeclaredKey {
  /// The facts from which the fate of the key's value follows.
  fileprivate var storedFacts: StoredFacts {
    var facts = StoredFacts(domain, security, isInBackup: isBackedUp)
    facts.end = self[.retainedUntil].text.flatMap(Retention.End.init)
    facts.isMoved = self[.migration] != .absent
    facts.isUpgraded = schema > 1
    facts.availability = self[.availability].text.flatMap(PlatformAvailability.init) ?? .all
    facts.isSent = self[.syncPolicy] != .text(SyncPolicy.never.rawValue)
    return facts
  }
}

extension DeclaredDatabase {
  /// The facts of the fields that are not encrypted.
  fileprivate var storedFacts: StoredFacts {
    StoredFacts(
      ofDatabase: address.domain, protection, sealing: .none, isInBackup: isInBackup, isMoved: !movedFrom.isEmpty)
  }

  /// The facts of encrypted fields.
  fileprivate var sealedFacts: StoredFacts {
    StoredFacts(
      ofDatabase: address.domain, protection, sealing: sealing, isInBackup: isInBackup, isMoved: !movedFrom.isEmpty)
  }
}
