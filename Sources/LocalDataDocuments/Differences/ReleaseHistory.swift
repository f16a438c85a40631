package import LocalDataComparison
import LocalDataModel

/// The history of today's declarations: the release that had each one first, and the differences from the newest release.
package struct ReleaseHistory: Sendable {
  /// The versions, the oldest one first.
  package private(set) var versions: [String] = []
  /// The position of the release that stored values of a key first, by its member.
  package private(set) var keys: [String: Int] = [:]
  /// The position of the release that stored rows of a record first, by its Swift type.
  package private(set) var records: [String: Int] = [:]
  /// The position of the release that declared unmanaged data first, by its member.
  package private(set) var unmanaged: [String: Int] = [:]
  /// The changes since the newest release.
  package private(set) var changes: [Change] = []

  /// - Parameters:
  ///   - releases: The releases, the oldest one first.
  ///   - findings: The findings of the comparison with all of them.
  ///   - unread: The names of catalogs whose changes other runs report.
  package init(
    _ releases: [(version: String, baseline: Baseline)], today: CatalogState, _ findings: [Finding],
    unread: Set<String>
  ) {
    versions = releases.map(\.version)
    keys.reserveCapacity(today.keys.count)
    var members: [StoredPlace: String]?
    for (position, release) in releases.enumerated() {
      for member in release.baseline.unchanged { add(member, position) }
      for key in release.baseline.state.keys.values {
        if today.keys[key.member] != nil {
          add(key.member, position)
          continue
        }
        // A key of another name at the same address is today's key before it was renamed.
        let known = members ?? Self.members(today)
        members = known
        if let member = known[key.form.address] { add(member, position) }
      }
      addRecords(of: release.baseline.state, position, today)
      for member in release.baseline.state.unmanaged.keys where unmanaged[member] == nil {
        unmanaged[member] = position
      }
    }
    guard let newest = releases.last?.baseline else { return }
    changes = Self.changes(since: newest, today, findings, unread: unread)
  }

  private mutating func add(_ member: String, _ position: Int) {
    if keys[member] == nil { keys[member] = position }
  }

  private mutating func addRecords(of state: CatalogState, _ position: Int, _ today: CatalogState) {
    guard !state.records.isEmpty else { return }
    let released = Set(state.records.values.map { "\($0.database)/\($0.storedName)" })
    for record in today.records.values where records[record.name] == nil {
      if released.contains("\(record.database)/\(record.storedName)") { records[record.name] = position }
    }
  }

  /// Today's keys by their addresses.
  private static func members(_ today: CatalogState) -> [StoredPlace: String] {
    let pairs = today.keys.values.filter { !$0.isLegacy }.map { ($0.form.address, $0.member) }
    return Dictionary(pairs) { min($0, $1) }
  }

  private static func changes(
    since newest: Baseline, _ today: CatalogState, _ findings: [Finding], unread: Set<String>
  ) -> [Change] {
    var state = today
    for member in newest.unchanged { state.keys[member] = nil }
    let found = findings.filter { $0.titles.contains(newest.state.title) }
    return CatalogDifference.changes(from: newest.state, to: state, found).filter { !unread.contains($0.catalog) }
  }
}
