package import LocalDataModel
import LocalDataVocabulary

/// The order of the steps of a migration. The first source that has a value provides it, so the newest comes first.
package struct SourceOrder {
  let today: CatalogState
  let released: ReleasedForms
  /// The addresses of legacy keys that a proposal adds, by their members.
  let newKeys: [String: StoredPlace]

  package init(today: CatalogState, released: ReleasedForms, newKeys: [String: StoredPlace] = [:]) {
    self.today = today
    self.released = released
    self.newKeys = newKeys
  }

  /// The finding for a key whose migration reads an older source before a newer one; nil if there is none.
  ///
  /// - Parameter titles: The titles of the releases.
  func finding(of key: DeclaredKey, titles: [String]) -> Finding? {
    let steps = key[.migration].elements
    guard steps.count > 1, let (older, newer) = misplaced(steps, key), let age = age(of: newer, key), age >= 0 else {
      return nil
    }
    let sorted = sorted(steps, key).map { key.written($0) }
    var finding = Finding(
      rule: .sourceOrder, subject: .key(key.member),
      message: "stored values of '\(key.member)' as \(words(newer, key)), and its migration reads the older ones as "
        + "\(words(older, key)) first",
      help: "list the newest source first: `migration: \(FieldValue.list(sorted))`", remedy: Remedy(sortsSteps: true),
      keys: [key.member])
    finding.titles = [titles[age]]
    return finding
  }

  /// The steps with the newest sources first. A step whose sources no release knows comes last.
  package func sorted(_ steps: [FieldValue], _ key: DeclaredKey) -> [FieldValue] {
    steps.enumerated().sorted { left, right in
      let one = age(of: left.element, key) ?? Self.unknown
      let two = age(of: right.element, key) ?? Self.unknown
      return one == two ? left.offset < right.offset : one > two
    }.map(\.element)
  }

  /// Adds a step before the first one that is older. The others keep their order.
  package func insert(_ step: FieldValue, into steps: inout [FieldValue], of key: DeclaredKey) {
    let age = age(of: step, key) ?? Self.unknown
    let position = steps.firstIndex { (self.age(of: $0, key) ?? Self.unknown) < age }
    steps.insert(step, at: position ?? steps.endIndex)
  }

  /// The addresses that a step reads.
  package func addresses(of step: FieldValue, _ key: DeclaredKey) -> [StoredPlace] {
    guard case .from(let sources) = MigrationStep(step, of: key).action else { return [] }
    return sources.compactMap { source in
      switch source {
      case .inline(let form): form.address
      case .member(let member): newKeys[member] ?? today.keys[member]?.form.address
      }
    }
  }

  private static let unknown = -2

  /// The age of the newest source. A step in place is newer than all others: it reads the key's own address.
  private func age(of step: FieldValue, _ key: DeclaredKey) -> Int? {
    if case .inPlace = MigrationStep(step, of: key).action { return Int.max }
    return addresses(of: step, key).compactMap(released.age).max()
  }

  /// The first step that is older than a later one, and that later one. Steps of which no release knows anything are not
  /// compared.
  private func misplaced(_ steps: [FieldValue], _ key: DeclaredKey) -> (older: FieldValue, newer: FieldValue)? {
    for (position, step) in steps.enumerated() {
      guard let age = age(of: step, key) else { continue }
      let newer = steps[(position + 1)...].first { other in
        guard case .from = MigrationStep(other, of: key).action else { return false }
        return self.age(of: other, key).map { $0 > age } ?? false
      }
      if let newer { return (step, newer) }
    }
    return nil
  }

  private func words(_ step: FieldValue, _ key: DeclaredKey) -> String {
    guard case .from(let sources) = MigrationStep(step, of: key).action else { return "'\(key.form.name)'" }
    return sources.map { source in
      switch source {
      case .inline(let form): form.place
      case .member(let member): "'\(member)'"
      }
    }.joined(separator: " and ")
  }
}
