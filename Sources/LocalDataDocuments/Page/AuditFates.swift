import LocalDataSyntax
import LocalDataModel
import LocalDataAudit
import LocalDataVocabulary

/// The matrix of what happens to each value at each event, and the reasons.
///
/// Values with the same facts share their fates, so a row has the names of all values of one sensitivity that share them.
struct AuditFates: Sendable {
  /// The fates that some values share.
  private struct Profile {
    let fates: [Fate]
    let address: HTMLIdentifier
    let cells: HTMLFragment
    let summary: HTMLFragment

    init(_ fates: [Fate], at events: [StorageEvent], _ number: Int) {
      self.fates = fates
      let address = HTMLIdentifier("fate", String(number))
      self.address = address
      cells = HTMLFragment { html in
        html.element(.td) { $0.element(.a, .href(address), text: "why") }
        for fate in events.shown(fates) {
          html.element(.td, .data("fate", fate.outcome.rawValue), text: fate.outcome.text)
        }
      }
      summary = HTMLFragment { html in
        html.element(.dt, text: "Not kept")
        html.element(.dd) { html in
          html.text(Self.summary(fates, at: events))
          html.text(" ")
          html.element(.a, .href(address), text: "Reasons")
        }
      }
    }

    /// For example `lost: Reinstall; cannot be opened: New device, iCloud`.
    private static func summary(_ fates: [Fate], at events: [StorageEvent]) -> String {
      let parts = Fate.Outcome.allCases.filter { $0 != .kept }.compactMap { outcome -> String? in
        let titles = zip(events.shown, events.shown(fates)).filter { $1.outcome == outcome }.map { event, _ in
          event.title
        }
        return titles.isEmpty ? nil : "\(outcome.text): \(titles.joined(separator: ", "))"
      }
      return parts.isEmpty ? "It is kept at every event." : parts.joined(separator: "; ") + "."
    }
  }

  private let events: [StorageEvent]
  private let profiles: [Profile]
  /// The profiles of the keys, by the positions of the catalog and of the key.
  private let ofKeys: [[Int?]]
  private let rules: [FateRule]
  private let outcomes: [Fate.Outcome]
  /// The profiles of unmanaged data, by the positions of the catalog and of the declaration.
  private let ofUnmanaged: [[Int?]]
  private let ofRecords: [[(plain: Int, sealed: Int?)?]]

  init(_ audited: [AuditedCatalog]) {
    let catalogs = audited.map(\.catalog)
    // The catalogs of a run have the same backups.
    let events = StorageEvent.events(of: catalogs)
    self.events = events
    let all = audited.map(\.fates)
    var fates: [String: [Fate]] = [:]
    for profile in all.flatMap(\.profiles) { fates[profile.name] = profile.fates }
    let names = fates.keys.sorted()
    let numbers = Dictionary(uniqueKeysWithValues: zip(names, names.indices))
    profiles = names.enumerated().map { Profile(fates[$1] ?? [], at: events, $0 + 1) }
    let positions = all.map { $0.profiles.map { numbers[$0.name] ?? 0 } }
    ofKeys = catalogs.indices.map { index in
      all[index].keys.map { positions[index][$0] }
    }
    ofRecords = catalogs.indices.map { index in
      catalogs[index].records.indices.map { record in
        all[index].indices(ofRecord: record).map {
          (positions[index][$0.plain], $0.sealed.map { positions[index][$0] })
        }
      }
    }
    ofUnmanaged = catalogs.indices.map { index in
      catalogs[index].unmanaged.map { data in all[index].index(of: data).map { positions[index][$0] } }
    }
    let used = Set(all.flatMap(\.rules).map(\.id))
    rules = FateTable.rules.filter { used.contains($0.id) }
    outcomes = Fate.Outcome.allCases.filter { outcome in all.contains { $0.outcomes.contains(outcome) } }
  }

  var hasContent: Bool { !profiles.isEmpty }

  // MARK: - The matrix

  func write(_ page: AuditPage, to html: inout HTMLWriter) {
    html.element(.section, .id(HTMLIdentifier("fates"))) { html in
      html.element(.h2, text: "What happens to each value")
      html.line()
      html.element(.p, text: "On iPhone, iPad and Apple Watch. The reasons follow below the table.")
      html.line()
      html.scrollable("Fates of values") { html in
        html.element(.table, .class("fates")) { html in
          html.element(.caption, text: Counted.text(events.shown.count, "event"))
          writeHead(to: &html)
          html.element(.tbody) { html in
            html.line()
            for row in rows(page) { write(row, to: &html) }
          }
        }
      }
      outcomes.writeMeanings(to: &html)
      writeReasons(to: &html)
      rules.write(to: &html)
    }
    html.line()
  }

  private func writeHead(to html: inout HTMLWriter) {
    html.element(.thead) { html in
      html.element(.tr) { html in
        html.element(.th, .scope("col"), text: "Name")
        html.element(.th, .scope("col"), text: "Sensitivity")
        html.element(.th, .scope("col"), text: "Reasons")
        for event in events.shown { html.element(.th, .scope("col"), text: event.title) }
      }
    }
    html.line()
  }

  private typealias Rows = FateRows<(name: String, address: HTMLIdentifier)>

  /// Returns the rows, in the order of their first names on the page: those of keys, of records, and of unmanaged data.
  private func rows(_ page: AuditPage) -> [Rows.Row] {
    var rows = Rows()
    for (index, catalog) in page.catalogs.enumerated() {
      for (position, key) in catalog.keys.enumerated() {
        rows.add(
          (key.descriptor.member, page.addresses.keys[index][position]), key.descriptor.sensitivity.rawValue,
          ofKeys[index][position])
      }
    }
    for (index, fates) in ofRecords.enumerated() {
      for (position, profile) in fates.enumerated() {
        for part in page.values.records[index][position] {
          let number = part.protection == .none ? profile?.plain : profile?.sealed ?? profile?.plain
          rows.add((part.name, page.addresses.records[index][position]), part.sensitivityText, number)
        }
      }
    }
    for (index, catalog) in page.catalogs.enumerated() {
      for (position, data) in catalog.unmanaged.enumerated() {
        rows.add(
          (data.member, page.addresses.unmanaged[index][position]), data.descriptor.sensitivity.rawValue,
          ofUnmanaged[index][position])
      }
    }
    return rows.all
  }

  private func write(_ row: Rows.Row, to html: inout HTMLWriter) {
    html.element(.tr) { html in
      html.element(.th, .scope("row")) { html in
        html.element(.ul, .class("names")) { html in
          for (name, address) in row.names {
            html.element(.li) { $0.element(.a, .href(address), text: name) }
            html.line()
          }
        }
      }
      html.element(.td, text: row.sensitivity)
      html.write(profiles[row.profile].cells)
    }
    html.line()
  }

  /// Writes what happens to the value of a key as a fact of its section.
  func writeSummary(_ catalog: Int, _ key: Int, to html: inout HTMLWriter) {
    if let profile = ofKeys[catalog][key] { html.write(profiles[profile].summary) }
  }

  // MARK: - Reasons

  private func writeReasons(to html: inout HTMLWriter) {
    for (index, profile) in profiles.enumerated() {
      html.element(.details, .id(profile.address), .class("reasons")) { html in
        html.element(.summary, text: "Reasons \(index + 1)")
        html.element(.table) { html in
          html.tableHead(["Event", "Outcome", "Reason", "Rule"])
          html.element(.tbody) { html in
            for (event, fate) in zip(events.shown, events.shown(profile.fates)) {
              html.line()
              html.element(.tr) { html in
                html.element(.th, .scope("row"), text: event.title)
                html.element(.td, .data("fate", fate.outcome.rawValue), text: fate.outcome.text)
                html.element(.td, text: fate.reason)
                html.element(.td) { $0.element(.a, .href(HTMLIdentifier("rule", fate.rule.id)), text: fate.rule.id) }
              }
            }
          }
        }
      }
      html.line()
    }
  }
}
