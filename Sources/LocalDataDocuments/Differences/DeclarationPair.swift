import LocalDataComparison
import LocalDataModel

/// A declaration of an earlier state with the one that it became. One of them may be missing, and they are not equal.
struct DeclarationPair<Value: Declaration> {
  let oldName: String?
  let old: Value?
  let newName: String?
  let new: Value?

  /// Returns the pairs that differ, in the order of their names.
  ///
  /// - Parameter isSame: Returns true if a declaration was renamed to another one.
  static func pairs(
    _ old: [String: Value], _ new: [String: Value], isSame: (Value, Value) -> Bool = { _, _ in false }
  ) -> [DeclarationPair] {
    var added = new.filter { old[$0.key] == nil }
    let kept = old.sorted { $0.key < $1.key }.map { name, before in
      if let now = new[name] { return DeclarationPair(oldName: name, old: before, newName: name, new: now) }
      let successor = added.filter { isSame(before, $0.value) }.min { $0.key < $1.key }
      if let successor { added[successor.key] = nil }
      return DeclarationPair(oldName: name, old: before, newName: successor?.key, new: successor?.value)
    }
    let all = kept + added.map { DeclarationPair(oldName: nil, old: nil, newName: $0.key, new: $0.value) }
    return all.filter { $0.oldName != $0.newName || $0.old != $0.new }.sorted { $0.order < $1.order }
  }

  private var order: (String, String) { (newName ?? oldName ?? "", oldName ?? newName ?? "") }

  /// Returns the change of a pair fact by fact. A declaration that is added or removed is a change as a whole.
  ///
  /// - Parameters:
  ///   - facts: Returns the facts of a declaration that are compared with those of the other.
  ///   - removed: The classes of the change if the declaration is removed: by default, users may lose what it stored.
  ///   - classes: Returns the classes of a fact.
  func change(
    _ subject: Change.Subject, facts: (Value, Value) -> [FieldValue.Entry] = { value, _ in value.facts },
    removed: [ChangeClass] = [.source, .storage], _ classes: (Change.Fact) -> [ChangeClass]
  ) -> Change {
    var change = Change(
      subject: subject, kind: .changed, name: newName ?? oldName ?? "", catalog: (new ?? old)?.catalog ?? "")
    guard let old, let new else {
      change.kind = old == nil ? .added : .removed
      change.classes = old == nil ? [] : removed
      return change
    }
    if oldName != newName {
      change.kind = .renamed
      change.oldName = oldName
      change.classes = [.source]
    }
    let before = FieldValue.map(facts(old, new))
    let now = FieldValue.map(facts(new, old))
    let paths = before.entries.map(\.name) + now.entries.map(\.name).filter { before[$0] == .absent }
    for path in paths where before[path] != now[path] {
      var fact = Change.Fact(path: path, old: before[path], new: now[path], classes: [])
      fact.classes = CatalogDifference.union([classes(fact)])
      change.add(fact)
    }
    return change
  }
}

extension Change {
  mutating func add(_ fact: Fact) {
    facts.append(fact)
    classes = CatalogDifference.union([classes, fact.classes])
  }

  /// Adds a fact if what two declarations have in common is in another order, which is part of the Swift API.
  mutating func addOrder(_ old: [String], _ new: [String]) {
    let common = Set(old).intersection(new)
    let before = old.filter(common.contains)
    let now = new.filter(common.contains)
    guard before != now else { return }
    add(
      Fact(
        path: "order", old: .list(before.map(FieldValue.text)), new: .list(now.map(FieldValue.text)),
        classes: [.source]))
  }
}
