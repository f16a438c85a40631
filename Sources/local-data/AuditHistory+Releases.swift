import LocalDataFiles
import LocalDataComparison
import LocalDataDocuments
import LocalDataModel

extension AuditHistory {
  /// The history in the words of an audit.
  init(_ history: ReleaseHistory) {
    self.init(
      releases: history.versions, keys: history.keys, records: history.records,
      changes: history.changes.map { change in
        Change(
          subject: change.subject.rawValue, kind: change.kind.rawValue, name: change.name, oldName: change.oldName,
          classes: change.classes.map(\.rawValue), facts: change.facts.map(Fact.init))
      })
    unmanaged = history.unmanaged
  }

  /// Adds what the snapshots of another target say.
  mutating func add(_ other: AuditHistory) {
    let all = Set(releases + other.releases).map { ReleaseVersion($0) }.sorted().map(\.text)
    let positions = Dictionary(uniqueKeysWithValues: all.enumerated().map { ($1, $0) })
    func moved(_ names: [String: Int], from old: [String]) -> [String: Int] {
      names.compactMapValues { positions[old[$0]] }
    }
    keys = moved(keys, from: releases).merging(moved(other.keys, from: other.releases)) { first, _ in first }
    records = moved(records, from: releases).merging(moved(other.records, from: other.releases)) { first, _ in first }
    unmanaged = moved(unmanaged, from: releases)
      .merging(moved(other.unmanaged, from: other.releases)) { first, _ in first }
    changes += other.changes
    releases = all
  }
}

extension AuditHistory.Fact {
  fileprivate init(_ fact: LocalDataDocuments.Change.Fact) {
    self.init(
      path: fact.path, before: Self.text(fact.old), now: Self.text(fact.new), classes: fact.classes.map(\.rawValue))
  }

  private static func text(_ value: FieldValue) -> String { value == .absent ? "none" : value.description }
}
