import CatalogComparison
import CatalogEmitters

extension AuditHistory {
  /// The history in the words of an audit.
  init(_ history: ReleaseHistory) {
    self.init(
      releases: history.versions, keys: history.keys, records: history.records,
      changes: history.changes.map { change in
        Change(
          subject: change.subject.rawValue, kind: change.kind.rawValue, name: change.name, oldName: change.oldName,
          classes: change.classes.map(\.rawValue), facts: change.facts.map(\.path))
      })
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
    changes += other.changes
    releases = all
  }
}
