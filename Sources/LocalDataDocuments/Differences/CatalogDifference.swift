package import CatalogComparison
package import CatalogModel
import StorageVocabulary

/// The meaning of a change for the users or the developers of an app. A change without a class harms neither.
package enum ChangeClass: String, Sendable, CaseIterable {
  /// A Swift member, its type or its access changed or disappeared.
  case source
  /// Values that were stored can no longer be found or decoded, and no migration or upgrade covers it.
  case storage
  /// A value is protected less than before.
  case security
  /// A value is less sensitive, is collected, linked or used for tracking, or is kept longer than before.
  case privacy
  /// A value is sent to other devices than before, or at other times.
  case sync
  /// A read returns another value although what is stored is the same: another default, another action on damage.
  case behavior
}

/// One declaration that differs between two states.
package struct Change: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case removed, added, renamed, changed
  }

  package enum Subject: String, Sendable, CaseIterable {
    case catalog, type, database, record, key, backup, reserved
  }

  /// One fact of the declaration, by its path in the language.
  package struct Fact: Sendable {
    package var path: String
    package var old: FieldValue
    package var new: FieldValue
    package var classes: [ChangeClass]
  }

  package var subject: Subject
  package var kind: Kind
  package var name: String
  /// The name before, of a declaration that was renamed.
  package var oldName: String?
  package var catalog: String
  package var facts: [Fact] = []
  /// The classes of the change as a whole and of its facts.
  package var classes: [ChangeClass] = []
}

/// Two states field by field.
package enum CatalogDifference {
  /// The changes in the order of catalogs, types, databases, records, keys and reserved names, each by name.
  ///
  /// - Parameter findings: What the comparison of the two states found: the changes that no migration covers.
  package static func changes(from old: CatalogState, to new: CatalogState, _ findings: [Finding]) -> [Change] {
    let storage = StorageFindings(findings, from: old, to: new)
    var changes: [Change] = []
    changes += named(old.catalogs, new.catalogs).map { name, before, now in
      whole(.catalog, name, catalog: name, facts([("access", before, now)]) { _ in [.source] }, before, now)
    }
    changes += named(old.types, new.types).map { name, before, now in typeChange(name, before, now, storage) }
    changes += RecordDifference(from: old, to: new, findings).changes
    changes += keyChanges(old, new, storage)
    changes += named(old.backups, new.backups).map(backupChange)
    let (before, now) = (Set(old.reserved), Set(new.reserved))
    let reserved =
      before.subtracting(now).map { ($0, Change.Kind.removed) } + now.subtracting(before).map { ($0, .added) }
    changes += reserved.sorted { ($0.0.name, $0.1.rawValue) < ($1.0.name, $1.1.rawValue) }.map { name, kind in
      Change(
        subject: .reserved, kind: kind, name: name.name, catalog: name.catalog,
        facts: facts([
          ("domain", kind == .removed ? FieldValue(name.domain) : nil, kind == .added ? FieldValue(name.domain) : nil)
        ]) { _ in [] })
    }
    changes += reservedRecords(old, new)
    return changes
  }

  private static func reservedRecords(_ old: CatalogState, _ new: CatalogState) -> [Change] {
    let (before, now) = (Set(old.reservedRecords), Set(new.reservedRecords))
    let changes =
      before.subtracting(now).map { ($0, Change.Kind.removed) } + now.subtracting(before).map { ($0, .added) }
    return changes.sorted { ($0.0.reserved.record, $0.1.rawValue) < ($1.0.reserved.record, $1.1.rawValue) }.map {
      record, kind in
      let database = FieldValue.text(record.reserved.database)
      return Change(
        subject: .reserved, kind: kind, name: record.reserved.record, catalog: record.catalog,
        facts: facts([("database", kind == .removed ? database : nil, kind == .added ? database : nil)]) { _ in [] })
    }
  }

  private static func backupChange(
    _ name: String, _ old: DeclaredBackupFile?, _ new: DeclaredBackupFile?
  ) -> Change {
    let (before, now) = (FieldValue.map(old?.facts ?? []), FieldValue.map(new?.facts ?? []))
    let paths = Set((before.entries + now.entries).map(\.name)).sorted()
    let facts = facts(paths.map { ($0, before[$0], now[$0]) }) { fact in
      switch fact.path {
      case DeclaredBackupFile.sealingPath: return fact.new == .flag(false) ? [.security] : []
      case "catalog": return fact.old == .absent ? [] : [.source]
      // The app refuses a file with a name that the backup does not have.
      default: return fact.old.elements.allSatisfy(fact.new.elements.contains) ? [] : [.storage]
      }
    }
    return whole(.backup, name, catalog: (new ?? old)?.catalog ?? "", facts, old, new)
  }

  // MARK: Types

  private static func typeChange(
    _ name: String, _ old: DeclaredType?, _ new: DeclaredType?, _ storage: StorageFindings
  ) -> Change {
    var (before, now) = (old?.facts ?? [:], new?.facts ?? [:])
    if let old, let new { (before[order], now[order]) = old.orders(besides: new) }
    let paths = Set(before.keys).union(now.keys).sorted()
    let isRead = storage.types.contains(name)
    let facts = facts(paths.map { ($0, before[$0], now[$0]) }) { fact in
      switch fact.path {
      case order, DeclaredType.catalogPath: return fact.old == .absent ? [] : [.source]
      case DeclaredType.reservedPath: return isRead && fact.old != .absent ? [.storage] : []
      default: break
      }
      let isLost = fact.old != .absent || isRequired(fact.new)
      let isBehavior = fact.old["default"] != fact.new["default"] && fact.old != .absent && fact.new != .absent
      // A number decides only what is stored.
      let isSource = ["type", "default"].contains { fact.old[$0] != fact.new[$0] } || fact.old.entries.isEmpty
      return (fact.old == .absent || !isSource ? [] : [.source]) + (isRead && isLost ? [.storage] : [])
        + (isBehavior ? [.behavior] : [])
    }
    return whole(.type, name, catalog: (new ?? old)?.catalog ?? "", facts, old, new)
  }

  /// The path of the order of cases or fields, which is part of the Swift API.
  private static let order = "order"

  /// Returns true if a field of a struct must be in the stored bytes.
  private static func isRequired(_ field: FieldValue) -> Bool {
    field["type"].text?.hasSuffix("?") == false && field["default"] == .absent
  }

  // MARK: Keys

  private static func keyChanges(_ old: CatalogState, _ new: CatalogState, _ storage: StorageFindings) -> [Change] {
    var changes: [Change] = []
    var renamed: Set<String> = []
    let removed = old.keys.values.filter { new.keys[$0.member] == nil }.sorted { $0.member < $1.member }
    let added = new.keys.values.filter { old.keys[$0.member] == nil && !$0.isLegacy }.sorted { $0.member < $1.member }
    let successors = Successors(added)
    for key in removed {
      guard let successor = successors[key.form.address], renamed.insert(successor.member).inserted else {
        changes.append(
          Change(
            subject: .key, kind: .removed, name: key.member, catalog: key.catalog,
            classes: [.source] + (storage.keys[key.member] == nil ? [] : [.storage])))
        continue
      }
      var change = keyChange(key, successor, storage)
      (change.kind, change.oldName) = (.renamed, key.member)
      change.classes = union([[.source]] + [change.classes])
      changes.append(change)
    }
    changes += new.keys.values.filter { old.keys[$0.member] == nil && !renamed.contains($0.member) }.map { key in
      Change(
        subject: .key, kind: .added, name: key.member, catalog: key.catalog, classes: NewKeyClasses.classes(of: key))
    }
    for (member, key) in old.keys {
      guard let now = new.keys[member] else { continue }
      let change = keyChange(key, now, storage)
      if !change.facts.isEmpty { changes.append(change) }
    }
    return changes.sorted { ($0.name, $0.kind.rawValue) < ($1.name, $1.kind.rawValue) }
  }

  private static func keyChange(_ old: DeclaredKey, _ new: DeclaredKey, _ storage: StorageFindings) -> Change {
    let classifier = FieldClasses(old: old, new: new, findings: storage.keys[old.member] ?? [])
    let facts = ResolvedField.allCases.compactMap { field -> Change.Fact? in
      guard old[field] != new[field] else { return nil }
      return Change.Fact(path: field.path, old: old[field], new: new[field], classes: classifier.classes(of: field))
    }
    let classes = union(facts.map(\.classes) + [classifier.isUncovered ? [.storage] : []])
    return Change(
      subject: .key, kind: .changed, name: new.member, catalog: new.catalog, facts: facts, classes: classes)
  }

  // MARK: Parts

  private static func named<Value: Equatable>(
    _ old: [String: Value], _ new: [String: Value]
  ) -> [(String, Value?, Value?)] {
    Set(old.keys).union(new.keys).sorted().filter { old[$0] != new[$0] }.map { ($0, old[$0], new[$0]) }
  }

  private static func facts(
    _ pairs: [(String, FieldValue?, FieldValue?)], _ classes: (Change.Fact) -> [ChangeClass]
  ) -> [Change.Fact] {
    pairs.compactMap { path, old, new in
      var fact = Change.Fact(path: path, old: old ?? .absent, new: new ?? .absent, classes: [])
      guard fact.old != fact.new else { return nil }
      fact.classes = classes(fact)
      return fact
    }
  }

  private static func facts(
    _ pairs: [(String, String?, String?)], _ classes: (Change.Fact) -> [ChangeClass]
  ) -> [Change.Fact] {
    facts(pairs.map { ($0, $1.map(FieldValue.text), $2.map(FieldValue.text)) }, classes)
  }

  private static func whole<Value>(
    _ subject: Change.Subject, _ name: String, catalog: String, _ facts: [Change.Fact], _ old: Value?, _ new: Value?
  ) -> Change {
    let kind: Change.Kind = old == nil ? .added : new == nil ? .removed : .changed
    return Change(
      subject: subject, kind: kind, name: name, catalog: catalog, facts: facts,
      classes: kind == .added ? [] : union(facts.map(\.classes)))
  }

  static func union(_ classes: [[ChangeClass]]) -> [ChangeClass] {
    let all = Set(classes.joined())
    return ChangeClass.allCases.filter(all.contains)
  }
}

/// New keys by the addresses that they read: their own, and those of their sources.
private struct Successors {
  private var byAddress: [StoredPlace: DeclaredKey] = [:]

  init(_ keys: [DeclaredKey]) {
    for key in keys {
      for step in key.steps {
        guard case .from(let sources) = step.action else { continue }
        for case .inline(let form) in sources { byAddress[form.address] = key }
      }
    }
    for key in keys { byAddress[key.form.address] = key }
  }

  subscript(address: StoredPlace) -> DeclaredKey? { byAddress[address] }
}

extension DeclaredType {
  static let catalogPath = "catalog"
  static let reservedPath = "reserved"

  /// The order of what two types have in common, if it differs.
  fileprivate func orders(besides other: DeclaredType) -> (FieldValue?, FieldValue?) {
    let common = Set(names).intersection(other.names)
    let (one, two) = (names.filter(common.contains), other.names.filter(common.contains))
    if one == two { return (nil, nil) }
    return (.list(one.map(FieldValue.text)), .list(two.map(FieldValue.text)))
  }

  /// The names of cases or fields, in their order.
  private var names: [String] {
    switch form {
    case .enumeration(let cases): cases.map(\.name)
    case .structure(let fields): fields.map(\.name)
    case .swift: []
    }
  }

  /// The fields that decide the Swift type and the stored bytes, by paths.
  fileprivate var facts: [String: FieldValue] {
    var facts = ownFacts
    facts[Self.catalogPath] = .text(catalog)
    if !reserved.isEmpty { facts[Self.reservedPath] = .list(reserved) }
    return facts
  }

  private var ownFacts: [String: FieldValue] {
    switch form {
    case .enumeration(let cases): Dictionary(cases.map { ("enum.\($0.name)", $0.raw) }) { first, _ in first }
    case .structure(let fields):
      Dictionary(
        fields.map { field in
          (
            "fields.\(field.name)",
            field.facts
          )
        }
      ) { first, _ in first }
    case .swift(let name): ["swift": .text(name)]
    }
  }
}
