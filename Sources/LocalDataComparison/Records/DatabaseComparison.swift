package import LocalDataModel
import LocalDataSyntax
import LocalDataVocabulary

/// The comparison of one database of an earlier state with today's: its place and its protection.
package struct DatabaseComparison {
  let old: DeclaredDatabase
  let new: DeclaredDatabase?

  package init(old: DeclaredDatabase, new: DeclaredDatabase?) {
    self.old = old
    self.new = new
  }

  var findings: [Finding] {
    guard let new else {
      return [
        Finding(
          rule: .databaseMoved, subject: .catalog(old.catalog),
          message: "stored the database '\(old.member)' as \(old.words), and nothing declares it now",
          help: "declare it again, with \(old.placeText), until `local-data release --retire` has retired the release",
          remedy: Remedy(), keys: [])
      ]
    }
    return [moved(new), sealed(new), deviceBound(new)].compactMap(\.self) + weaker(new)
  }

  private func finding(
    _ rule: ReleaseRule, _ new: DeclaredDatabase, _ message: String, again fields: FieldValue.Entry...
  ) -> Finding {
    let text = fields.map { "`\($0.name): \($0.value)`" }.joined(separator: " and ")
    let allowance =
      rule.severity == .warning ? "; if the change is meant, add `\(rule.allowance)` to '\(new.member)'" : ""
    return Finding(
      rule: rule, subject: .database(new.member), message: message, help: "write \(text) again\(allowance)",
      remedy: Remedy(fields: fields), keys: [])
  }

  private func moved(_ new: DeclaredDatabase) -> Finding? {
    guard new.address != old.address, !new.movedFrom.contains(old.address) else { return nil }
    let addresses = (new.movedFrom + [old.address]).map(\.value)
    return Finding(
      rule: .databaseMoved, subject: .database(new.member),
      message: "stored the database '\(old.member)' as \(old.words), and it is looked for as \(new.words) now",
      help: "add `\(old.address.value)` to `movedFrom`, or write \(old.placeText) again",
      remedy: Remedy(fields: [.init("movedFrom", .list(addresses))]), keys: [])
  }

  /// The key of the records cannot be opened with the key of another source.
  private func sealed(_ new: DeclaredDatabase) -> Finding? {
    guard case .encrypted(let before) = old.sealing, case .encrypted(let now) = new.sealing,
      before.keySource != now.keySource
    else { return nil }
    return finding(
      .securityChanged, new, "sealed the encrypted fields of '\(old.member)' under a key of another source",
      again: .init("sealing", FieldValue(old.sealing)))
  }

  private func deviceBound(_ new: DeclaredDatabase) -> Finding? {
    guard old.isInBackup, !new.isInBackup else { return nil }
    return finding(
      .deviceBound, new,
      "stored '\(old.member)' so that a backup takes it to a new device, and it stays on this device now",
      again: .init("backup", .flag(true)))
  }

  // MARK: Protection

  /// The downgrades, each with the field that reverses it.
  package var downgrades: [(words: String, field: FieldValue.Entry)] {
    guard let new else { return [] }
    var result: [(words: String, field: FieldValue.Entry)] = []
    // The strongest protection is declared first.
    let order = ResolvedDatabase.Protection.allCases
    if let before = order.firstIndex(of: old.protection), let now = order.firstIndex(of: new.protection), now > before {
      result.append(
        ("protection \(new.protection) after \(old.protection)", .init("protection", .text(old.protection.rawValue))))
    }
    if !old.isInBackup, new.isInBackup {
      result.append(("a backup can take it to another device", .init("backup", .flag(false))))
    }
    if let words = weakerDerivation(new) { result.append((words, .init("sealing", FieldValue(old.sealing)))) }
    return result
  }

  private func weakerDerivation(_ new: DeclaredDatabase) -> String? {
    guard case .encrypted(let before) = old.sealing, case .encrypted(let now) = new.sealing,
      case .pbkdf2(let iterations) = before.keyDerivation
    else { return nil }
    switch now.keyDerivation {
    case .hkdf: return "derived by HKDF after PBKDF2"
    case .pbkdf2(let fewer): return fewer < iterations ? "\(fewer) iterations after \(iterations)" : nil
    }
  }

  private func weaker(_ new: DeclaredDatabase) -> [Finding] {
    downgrades.map { downgrade in
      finding(
        .weakerProtection, new, "protected the database '\(old.member)' better: \(downgrade.words)",
        again: downgrade.field)
    }
  }
}

extension DeclaredDatabase {
  /// `'wallet' in {fileSystem: {directory: applicationSupport}}`.
  fileprivate var words: String { "'\(address.name)' in \(FieldValue(address.domain))" }

  /// The fields of the place, as a catalog writes them.
  fileprivate var placeText: String {
    "`name: \(FieldValue.text(address.name))` and `domain: \(FieldValue(address.domain))`"
  }
}
