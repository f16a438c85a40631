import LocalDataComparison
import LocalDataModel
import LocalDataShapes
import LocalDataVocabulary

/// The changes of databases and records between two states, each with its classes.
struct RecordDifference {
  let old: CatalogState
  let new: CatalogState
  /// The rules that findings broke, by what they are about today.
  private let rules: [Finding.Subject: Set<ReleaseRule>]

  init(from old: CatalogState, to new: CatalogState, _ findings: [Finding]) {
    self.old = old
    self.new = new
    rules = Dictionary(findings.map { ($0.subject, [$0.rule]) }) { $0.union($1) }
  }

  /// The changes of databases, then of records, each by name.
  var changes: [Change] {
    let databases = DeclarationPair.pairs(old.databases, new.databases) { $1.isSuccessor(of: $0) }
    let records = DeclarationPair.pairs(old.records, new.records) { before, now in
      before.storedName == now.storedName && isSameDatabase(before.database, now.database)
    }
    return databases.map(databaseChange) + records.map(recordChange)
  }

  /// Returns true if a database was renamed in Swift at most.
  private func isSameDatabase(_ before: String, _ now: String) -> Bool {
    guard let one = old.databases[before], let other = new.databases[now] else { return before == now }
    return other.isSuccessor(of: one)
  }

  // MARK: Databases

  private func databaseChange(_ pair: DeclarationPair<DeclaredDatabase>) -> Change {
    let rules = pair.newName.flatMap { self.rules[.database($0)] } ?? []
    let downgrades = pair.old.map { DatabaseComparison(old: $0, new: pair.new).downgrades.map(\.field.name) } ?? []
    return pair.change(.database) { fact in
      let security: [ChangeClass] = downgrades.contains(fact.path) ? [.security] : []
      switch fact.path {
      case "catalog", "access": return [.source]
      case "name", "domain", "movedFrom": return rules.contains(.databaseMoved) ? [.storage] : []
      case "sealing": return security + (rules.contains(.securityChanged) ? [.storage] : [])
      case "backup": return security + (rules.contains(.deviceBound) ? [.storage] : [])
      default: return security
      }
    }
  }

  // MARK: Records

  private func recordChange(_ pair: DeclarationPair<DeclaredRecord>) -> Change {
    let before = pair.old
    let now = pair.new
    let newName = pair.newName
    let own = rules.filter { $0.key.record == newName && newName != nil }.reduce(into: Set()) { $0.formUnion($1.value) }
    var change = pair.change(.record, facts: { $0.facts(besides: $1) }) { fact in
      guard let (number, property) = fact.fieldPath else { return recordClasses(fact, before, now, own) }
      let rules = newName.flatMap { self.rules[.field(record: $0, number)] } ?? []
      if property.isEmpty, fact.new == .absent {
        return [.source] + (now?.reservedNumbers[number] == nil ? [.storage] : [])
      }
      return fieldClasses(fact, property, rules) + (beginsSealing(fact, before, now?.field(number)) ? [.storage] : [])
    }
    if let before, let now { change.addOrder(before.fields.map(\.name), now.fields.map(\.name)) }
    if before == nil, now?.isCollected == true { change.classes = [.privacy] }
    // The catalog gives up the rows of a record that it reserves.
    if let before, now == nil, isReserved(before) { change.classes = [.source] }
    return change
  }

  /// Releases without encrypted fields cannot open the database any more.
  private func beginsSealing(_ fact: Change.Fact, _ before: DeclaredRecord?, _ now: DeclaredRecord.Field?) -> Bool {
    fact.old == .absent && now?.isEncrypted == true && before?.fields.contains(where: \.isEncrypted) == false
  }

  private func isReserved(_ record: DeclaredRecord) -> Bool {
    new.databases.keys.contains { isSameDatabase(record.database, $0) && new.reserves(record.storedName, in: $0) }
  }

  private func recordClasses(
    _ fact: Change.Fact, _ before: DeclaredRecord?, _ now: DeclaredRecord?, _ rules: Set<ReleaseRule>
  ) -> [ChangeClass] {
    let reserved = (before?.reservedNumbers ?? [:], now?.reservedNumbers ?? [:])
    let isSameKey = before?.key == now?.key
    return switch fact.path {
    case "catalog", "access", "member": [.source]
    case "name": rules.contains(.recordRemoved) ? [.storage] : []
    case "database": [.source] + (rules.contains(.recordRemoved) ? [.storage] : [])
    case "key": [.source] + (isSameKey ? [] : [.storage])
    case "retention":
      (isLonger(before, now) ? [.privacy] : []) + (rules.contains(.retentionShortened) ? [.storage] : [])
    case "onCorruption": [.behavior]
    case "signOut": Self.signOutClasses(fact)
    case "importedFrom": [.storage]
    case "expires": (fact.old == .absent) != (fact.new == .absent) ? [.source] : [.behavior]
    case "unique": rules.contains(.uniqueAdded) ? [.storage] : []
    case "keepFirst", "keepLast", "cascading": keptRowClasses(before, now)
    case "maxSize": rules.contains(.maxSizeLowered) ? [.storage] : []
    case "reserved": Set(reserved.0.keys).isSubset(of: reserved.1.keys) ? [] : [.storage]
    default: Self.privacyClasses(fact, fact.path)
    }
  }

  private func isLonger(_ before: DeclaredRecord?, _ now: DeclaredRecord?) -> Bool {
    guard let before, let now else { return false }
    return KeptRows(before).mayEndBefore(KeptRows(now))
  }

  /// A new unique index deletes rows, also if the catalog says which. One that a release has deletes others for users who
  /// skipped it.
  private func keptRowClasses(_ before: DeclaredRecord?, _ now: DeclaredRecord?) -> [ChangeClass] {
    guard let before, let now else { return [] }
    let kept = now.existing.filter { before.existing[$0.key] != $0.value }
    let isDeleted = kept.contains { index, existing in
      !before.unique.contains(index) || existing.cascades && before.existing[index]?.cascades != true
    }
    if isDeleted { return [.storage] }
    return kept.contains { before.existing[$0.key] != nil } ? [.behavior] : []
  }

  /// Rows of users who skipped the release that replaced a field are made by another function, or not read any more.
  private static func sourceClasses(_ fact: Change.Fact) -> [ChangeClass] {
    func entries(_ value: FieldValue) -> [[String]: FieldValue] {
      Dictionary(value.elements.map { ($0["fields"].entries.map(\.name), $0) }) { first, _ in first }
    }
    let old = entries(fact.old)
    let new = entries(fact.new)
    return (Set(old.keys.joined()).isSubset(of: new.keys.joined()) ? [] : [.storage])
      + (old.contains { new[$0.key] != nil && new[$0.key] != $0.value } ? [.behavior] : [])
  }

  private func fieldClasses(_ fact: Change.Fact, _ property: String, _ rules: Set<ReleaseRule>) -> [ChangeClass] {
    let storage: [ChangeClass] = rules.contains(where: \.losesValues) ? [.storage] : []
    switch property {
    // A new field.
    case "":
      return storage + (rules.contains(.weakerProtection) ? [.security] : [])
        + (fact.new["privacy"]["collected"] == .flag(true) ? [.privacy] : [])
    case "from": return storage + Self.sourceClasses(fact)
    case "name": return [.source] + (rules.contains(.numberReused) ? [.storage] : [])
    case "type": return [.source] + storage
    case "encrypted": return [.source] + storage + (Self.isWeaker(fact) ? [.security] : [])
    // A new reference deletes or changes the rows that refer to nothing.
    case "references": return fact.old == .absent ? [.storage] : storage
    case "onDelete", "wire", "valid": return storage
    // With a default, the initializer has one too.
    case "default": return ((fact.old == .absent) != (fact.new == .absent) ? [.source] : []) + [.behavior]
    default: return Self.privacyClasses(fact, property)
    }
  }

  /// A plain value can be read without the key. A blind index shows which rows have equal values.
  private static func isWeaker(_ fact: Change.Fact) -> Bool {
    fact.new == .absent || fact.old != .absent && fact.new["index"] != .absent
  }

  /// Rows that a sign-out removed stay now, or rows that it kept are removed.
  private static func signOutClasses(_ fact: Change.Fact) -> [ChangeClass] {
    if fact.new == .text(SignOutPolicy.keep.rawValue) { return [.privacy] }
    if fact.old == .text(SignOutPolicy.keep.rawValue) { return [.storage] }
    return fact.old == .absent ? [] : [.privacy]
  }

  static func privacyClasses(_ fact: Change.Fact, _ property: String) -> [ChangeClass] {
    switch property {
    case "sensitivity": return FieldClasses.rank(fact.new) < FieldClasses.rank(fact.old) ? [.privacy] : []
    case "privacy":
      let old = fact.old
      let new = fact.new
      let isMore = ["collected", "linked", "tracking"].contains { new[$0] == .flag(true) && old[$0] != .flag(true) }
      let isOther = new["dataType"] != .absent && new["dataType"] != old["dataType"]
      let isFurther = !Set(new["purposes"].elements).isSubset(of: old["purposes"].elements)
      return isMore || isOther || isFurther ? [.privacy] : []
    default: return []
    }
  }
}

extension DeclaredRecord {
  /// The facts, with those of each field that another state has too one by one.
  fileprivate func facts(besides other: DeclaredRecord) -> [FieldValue.Entry] {
    let paths = Set(other.facts.map(\.name))
    return facts.flatMap { fact -> [FieldValue.Entry] in
      guard fact.name.hasPrefix(Self.fieldPrefix), paths.contains(fact.name) else { return [fact] }
      return fact.value.entries.map { .init("\(fact.name).\($0.name)", $0.value) }
    }
  }
}

extension DeclaredRecord {
  /// A Boolean value that indicates whether the record or one of its fields is collected.
  fileprivate var isCollected: Bool {
    let fields = facts.filter { $0.name.hasPrefix(Self.fieldPrefix) }.map { $0.value["privacy"] }
    return (facts.filter { $0.name == "privacy" }.map(\.value) + fields).contains { $0["collected"] == .flag(true) }
  }
}

extension Finding.Subject {
  /// The record that a finding is about.
  fileprivate var record: String? {
    switch self {
    case .record(let name), .field(record: let name, _): name
    case .key, .type, .database, .catalog: nil
    }
  }
}

extension Change.Fact {
  /// The number of a field, and the name of its property; empty for the whole field.
  fileprivate var fieldPath: (number: Int, property: String)? {
    guard path.hasPrefix(DeclaredRecord.fieldPrefix) else { return nil }
    let parts = path.dropFirst(DeclaredRecord.fieldPrefix.count).split(separator: ".", maxSplits: 1)
    guard let number = parts.first.flatMap({ Int($0) }) else { return nil }
    return (number, parts.count == 2 ? String(parts[1]) : "")
  }
}
