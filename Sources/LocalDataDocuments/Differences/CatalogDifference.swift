package import LocalDataComparison
package import LocalDataModel
import LocalDataVocabulary

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
    case catalog, type, database, record, key, backup, unmanaged, reserved
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
    changes += catalogChanges(old.catalogs, new.catalogs)
    changes += DeclarationPair.pairs(old.types, new.types).map { typeChange($0, storage) }
    changes += RecordDifference(from: old, to: new, findings).changes
    changes += keyChanges(old, new, storage)
    changes += DeclarationPair.pairs(old.backups, new.backups).map(backupChange)
    changes += DeclarationPair.pairs(old.unmanaged, new.unmanaged).map(unmanagedChange)
    changes += entryChanges(old.reserved, new.reserved) { name in
      (name.name, name.catalog, .init("domain", FieldValue(name.domain)))
    }
    changes += entryChanges(old.reservedRecords, new.reservedRecords) { record in
      (record.reserved.record, record.catalog, .init("database", .text(record.reserved.database)))
    }
    return changes.filter { $0.kind != .changed || !$0.facts.isEmpty }
  }

  private static func catalogChanges(_ old: [String: String], _ new: [String: String]) -> [Change] {
    Set(old.keys).union(new.keys).sorted().filter { old[$0] != new[$0] }.map { name in
      let fact = Change.Fact(
        path: "access", old: FieldValue(old[name]), new: FieldValue(new[name]), classes: [.source])
      var change = Change(subject: .catalog, kind: .added, name: name, catalog: name, facts: [fact])
      if old[name] == nil { return change }
      change.kind = new[name] == nil ? .removed : .changed
      change.classes = [.source]
      return change
    }
  }

  /// Returns the entries of `reserved` that only one of two states has, each with its name, catalog and place.
  private static func entryChanges<Entry: Hashable>(
    _ old: [Entry], _ new: [Entry], _ parts: (Entry) -> (name: String, catalog: String, place: FieldValue.Entry)
  ) -> [Change] {
    let removed = Set(old).subtracting(new).map { entry in
      let (name, catalog, place) = parts(entry)
      let fact = Change.Fact(path: place.name, old: place.value, new: .absent, classes: [])
      return Change(subject: .reserved, kind: .removed, name: name, catalog: catalog, facts: [fact])
    }
    let added = Set(new).subtracting(old).map { entry in
      let (name, catalog, place) = parts(entry)
      let fact = Change.Fact(path: place.name, old: .absent, new: place.value, classes: [])
      return Change(subject: .reserved, kind: .added, name: name, catalog: catalog, facts: [fact])
    }
    return (removed + added).sorted { ($0.name, $0.kind.rawValue) < ($1.name, $1.kind.rawValue) }
  }

  private static func backupChange(_ pair: DeclarationPair<DeclaredBackupFile>) -> Change {
    pair.change(.backup) { fact in
      switch fact.path {
      case DeclaredBackupFile.sealingPath: return fact.new == .flag(false) ? [.security] : []
      case "catalog": return [.source]
      // The app refuses a file with a name that the backup does not have.
      default: return fact.old.elements.allSatisfy(fact.new.elements.contains) ? [] : [.storage]
      }
    }
  }

  private static func unmanagedChange(_ pair: DeclarationPair<DeclaredUnmanaged>) -> Change {
    let weaker = pair.old.flatMap { pair.new?.weakerFacts(than: $0) } ?? []
    var change = pair.change(.unmanaged, removed: []) { fact in
      if weaker.contains(fact.path) { return [.security] }
      if fact.path == "retention" { return pair.new?.isKeptLonger(than: fact.old) == true ? [.privacy] : [] }
      return RecordDifference.privacyClasses(fact, fact.path)
    }
    let isCollected = FieldValue.map(pair.new?.facts ?? [])["privacy"]["collected"] == .flag(true)
    if pair.old == nil, isCollected { change.classes = [.privacy] }
    return change
  }

  private static func typeChange(_ pair: DeclarationPair<DeclaredType>, _ storage: StorageFindings) -> Change {
    let isRead = storage.types.contains(pair.newName ?? pair.oldName ?? "")
    var change = pair.change(.type, removed: [.source] + (isRead ? [.storage] : [])) { fact in
      switch fact.path {
      case "catalog": return [.source]
      case DeclaredType.reservedPath: return isRead && fact.old != .absent ? [.storage] : []
      default: return memberClasses(fact, isRead: isRead)
      }
    }
    if let old = pair.old, let new = pair.new { change.addOrder(old.names, new.names) }
    return change
  }

  /// The classes of a case or a field.
  private static func memberClasses(_ fact: Change.Fact, isRead: Bool) -> [ChangeClass] {
    let isLost = fact.old != .absent || isRequired(fact.new)
    let isBehavior = fact.old["default"] != fact.new["default"] && fact.old != .absent && fact.new != .absent
    // A number decides only what is stored.
    let isSource = ["type", "default"].contains { fact.old[$0] != fact.new[$0] } || fact.old.entries.isEmpty
    return (fact.old == .absent || !isSource ? [] : [.source]) + (isRead && isLost ? [.storage] : [])
      + (isBehavior ? [.behavior] : [])
  }

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
      change.kind = .renamed
      change.oldName = key.member
      change.classes = union([[.source]] + [change.classes])
      changes.append(change)
    }
    changes += new.keys.values.filter { old.keys[$0.member] == nil && !renamed.contains($0.member) }.map { key in
      Change(
        subject: .key, kind: .added, name: key.member, catalog: key.catalog, classes: NewKeyClasses.classes(of: key))
    }
    for (member, key) in old.keys {
      guard let now = new.keys[member] else { continue }
      changes.append(keyChange(key, now, storage))
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
