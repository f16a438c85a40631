import CatalogComparison
import CatalogModel
import RecordShapes
import StorageVocabulary

/// The changes of databases and records between two states, each with its classes.
struct RecordDifference {
  let old: CatalogState
  let new: CatalogState
  /// The rules that findings broke, by what they are about today.
  private let rules: [Finding.Subject: Set<ReleaseRule>]

  init(from old: CatalogState, to new: CatalogState, _ findings: [Finding]) {
    (self.old, self.new) = (old, new)
    rules = Dictionary(findings.map { ($0.subject, [$0.rule]) }) { $0.union($1) }
  }

  /// The changes of databases, then of records, each by name.
  var changes: [Change] {
    pairs(old.databases, new.databases) { $1.isSuccessor(of: $0) }.map(databaseChange).filter(\.isChange)
      + pairs(old.records, new.records) { $0.storedName == $1.storedName && isSameDatabase($0.database, $1.database) }
      .map(recordChange).filter(\.isChange)
  }

  /// Returns each declaration with the one that it became, in the order of their names.
  private func pairs<Value>(
    _ old: [String: Value], _ new: [String: Value], _ isSame: (Value, Value) -> Bool
  ) -> [(String?, Value?, String?, Value?)] {
    var added = new.filter { old[$0.key] == nil }
    let kept = old.sorted { $0.key < $1.key }.map { name, before -> (String?, Value?, String?, Value?) in
      if let now = new[name] { return (name, before, name, now) }
      let successor = added.filter { isSame(before, $0.value) }.min { $0.key < $1.key }
      if let successor { added[successor.key] = nil }
      return (name, before, successor?.key, successor?.value)
    }
    let all = kept + added.map { (nil, nil, $0.key, $0.value) }
    return all.sorted { ($0.2 ?? $0.0 ?? "", $0.0 ?? "") < ($1.2 ?? $1.0 ?? "", $1.0 ?? "") }
  }

  /// Returns true if a database was renamed in Swift at most.
  private func isSameDatabase(_ before: String, _ now: String) -> Bool {
    guard let one = old.databases[before], let other = new.databases[now] else { return before == now }
    return other.isSuccessor(of: one)
  }

  // MARK: Databases

  private func databaseChange(
    _ oldName: String?, _ before: DeclaredDatabase?, _ newName: String?, _ now: DeclaredDatabase?
  ) -> Change {
    let rules = newName.flatMap { self.rules[.database($0)] } ?? []
    let downgrades = before.map { DatabaseComparison(old: $0, new: now).downgrades.map(\.field.name) } ?? []
    return change(.database, oldName, newName, before?.facts, now?.facts, (now?.catalog ?? before?.catalog) ?? "") {
      fact in
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

  private func recordChange(
    _ oldName: String?, _ before: DeclaredRecord?, _ newName: String?, _ now: DeclaredRecord?
  ) -> Change {
    let own = rules.filter { $0.key.record == newName && newName != nil }.reduce(into: Set()) { $0.formUnion($1.value) }
    let catalog = (now?.catalog ?? before?.catalog) ?? ""
    let facts = (before?.facts(besides: now), now?.facts(besides: before))
    var change = change(.record, oldName, newName, facts.0, facts.1, catalog) { fact in
      guard let (number, property) = fact.fieldPath else { return recordClasses(fact, before, now, own) }
      let rules = newName.flatMap { self.rules[.field(record: $0, number)] } ?? []
      if property.isEmpty, fact.new == .absent {
        return [.source] + (now?.reservedNumbers[number] == nil ? [.storage] : [])
      }
      return fieldClasses(fact, property, rules) + (beginsSealing(fact, before, now?.field(number)) ? [.storage] : [])
    }
    if let before, let now { addOrder(before, now, to: &change) }
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

  /// The order of fields is part of the Swift API.
  private func addOrder(_ before: DeclaredRecord, _ now: DeclaredRecord, to change: inout Change) {
    let names = (before.fields.map(\.name), now.fields.map(\.name))
    let (old, new) = (names.0.filter(names.1.contains), names.1.filter(names.0.contains))
    guard old != new else { return }
    change.facts.append(
      .init(
        path: "order", old: .list(old.map(FieldValue.text)), new: .list(new.map(FieldValue.text)), classes: [.source]))
    change.classes = CatalogDifference.union([change.classes, [.source]])
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
    case "importedFrom": [.storage]
    case "expires": (fact.old == .absent) != (fact.new == .absent) ? [.source] : [.behavior]
    case "unique": rules.contains(.uniqueAdded) ? [.storage] : []
    case "keepFirst", "keepLast", "cascading": keptRowClasses(before, now)
    case "maxSize": rules.contains(.maxSizeLowered) ? [.storage] : []
    case "reserved": Set(reserved.0.keys).isSubset(of: reserved.1.keys) ? [] : [.storage]
    default: privacyClasses(fact, fact.path)
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
    let (old, new) = (entries(fact.old), entries(fact.new))
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
    case "onDelete", "wire": return storage
    // With a default, the initializer has one too.
    case "default": return ((fact.old == .absent) != (fact.new == .absent) ? [.source] : []) + [.behavior]
    default: return privacyClasses(fact, property)
    }
  }

  /// A plain value can be read without the key. A blind index shows which rows have equal values.
  private static func isWeaker(_ fact: Change.Fact) -> Bool {
    fact.new == .absent || fact.old != .absent && fact.new["index"] != .absent
  }

  private func privacyClasses(_ fact: Change.Fact, _ property: String) -> [ChangeClass] {
    switch property {
    case "sensitivity": return FieldClasses.rank(fact.new) < FieldClasses.rank(fact.old) ? [.privacy] : []
    case "privacy":
      let (old, new) = (fact.old, fact.new)
      let isMore = ["collected", "linked", "tracking"].contains { new[$0] == .flag(true) && old[$0] != .flag(true) }
      let isOther = new["dataType"] != .absent && new["dataType"] != old["dataType"]
      let isFurther = !Set(new["purposes"].elements).isSubset(of: old["purposes"].elements)
      return isMore || isOther || isFurther ? [.privacy] : []
    default: return []
    }
  }

  // MARK: Parts

  private func change(
    _ subject: Change.Subject, _ oldName: String?, _ newName: String?, _ old: [FieldValue.Entry]?,
    _ new: [FieldValue.Entry]?, _ catalog: String, _ classes: (Change.Fact) -> [ChangeClass]
  ) -> Change {
    var change = Change(subject: subject, kind: .changed, name: newName ?? oldName ?? "", catalog: catalog)
    guard let old, let new else {
      change.kind = old == nil ? .added : .removed
      // A removed record or database has a finding, and no declaration of today that the finding is about.
      change.classes = old == nil ? [] : [.source, .storage]
      return change
    }
    if oldName != newName { (change.kind, change.oldName) = (.renamed, oldName) }
    let (before, now) = (FieldValue.map(old), FieldValue.map(new))
    let paths = old.map(\.name) + new.map(\.name).filter { before[$0] == .absent }
    change.facts = paths.filter { before[$0] != now[$0] }.map { path in
      var fact = Change.Fact(path: path, old: before[path], new: now[path], classes: [])
      fact.classes = CatalogDifference.union([classes(fact)])
      return fact
    }
    change.classes = CatalogDifference.union(change.facts.map(\.classes) + [oldName == newName ? [] : [.source]])
    return change
  }
}

extension DeclaredRecord {
  /// The facts, with those of each field that another state has too one by one.
  fileprivate func facts(besides other: DeclaredRecord?) -> [FieldValue.Entry] {
    let paths = Set(other?.facts.map(\.name) ?? [])
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

extension Change {
  fileprivate var isChange: Bool { kind != .changed || !facts.isEmpty }
}
