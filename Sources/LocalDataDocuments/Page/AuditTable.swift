import LocalDataModel
import LocalDataSyntax
import LocalDataAudit
import LocalDataVocabulary

/// The table of all keys, records and databases, with the controls that the script uses.
///
/// A record with encrypted fields has a row for its plain fields, and one for these.
struct AuditTable {
  private let page: AuditPage
  private let hasHistory: Bool

  init(_ page: AuditPage) {
    self.page = page
    hasHistory = page.context.history != nil
  }

  /// Writes the section, with the rows of records. The rows of keys are inserted into it.
  func write(to html: inout HTMLWriter) {
    html.element(.section, .id(HTMLIdentifier("keys"))) { html in
      html.element(.h2, text: "Keys and records")
      html.line()
      writeControls(to: &html)
      html.scrollable("Keys and records") { html in
        html.element(.table, .id(HTMLIdentifier("keys-table"))) { html in
          html.element(.caption) { html in
            html.text(Counted.text(page.keyCount, "key"))
            if page.recordCount > 0 {
              html.text(" and ")
              html.text(Counted.text(page.recordCount, "record"))
            }
          }
          html.line()
          writeHead(to: &html)
          html.element(.tbody) { html in
            html.line()
            html.insertionPoint()
            writeRecords(to: &html)
          }
        }
      }
      html.line()
    }
    html.line()
  }

  // MARK: - Controls

  /// The columns that have a filter, by the names of the attributes of rows. The script adds the values.
  private static let filters: [(name: StaticString, title: StaticString)] = [
    ("domain", "Domain"), ("owner", "Owner"), ("sensitivity", "Sensitivity"), ("security", "Security"),
    ("leaves", "Leaves the device"),
  ]

  /// Writes the controls. The script shows them.
  private func writeControls(to html: inout HTMLWriter) {
    html.element(.form, .id(HTMLIdentifier("filters")), .role("search"), .hidden()) { html in
      html.line()
      html.element(.label, .for(HTMLIdentifier("search"))) { html in
        html.text("Search ")
        html.element(.kbd, text: "/")
      }
      html.element(.input, .type("search"), .id(HTMLIdentifier("search")), .autocomplete("off"))
      html.line()
      for filter in Self.filters {
        let address = HTMLIdentifier("filter", filter.name.description)
        html.element(.label, .for(address), text: filter.title)
        html.element(.select, .id(address), .data("filter", filter.name.description)) { html in
          html.element(.option, .value(""), text: "All")
        }
        html.line()
      }
      html.element(.button, .type("reset"), text: "Show all")
      html.element(.output, .id(HTMLIdentifier("count")), .aria("live", "polite"))
      html.line()
    }
    html.line()
  }

  private func writeHead(to html: inout HTMLWriter) {
    html.element(.thead) { html in
      html.element(.tr) { html in
        html.element(.th, .scope("col"), text: "Name")
        html.element(.th, .scope("col"), text: "Type")
        html.element(.th, .scope("col"), text: "Where")
        html.element(.th, .scope("col"), text: "Secured")
        html.element(.th, .scope("col"), .data("order", Self.sensitivities), text: "Sensitivity")
        html.element(.th, .scope("col"), text: "Owner")
        html.element(.th, .scope("col"), text: "Leaves the device")
        html.element(.th, .scope("col"), text: "Kept")
        html.element(.th, .scope("col"), text: "Findings")
        if hasHistory { html.element(.th, .scope("col"), text: "First in") }
      }
    }
    html.line()
  }

  /// From the least to the most sensitive.
  private static let sensitivities = Sensitivity.allCases.map(\.rawValue).joined(separator: " ")

  // MARK: - Rows

  /// Writes the rows of the keys of a catalog at some positions.
  func write(_ catalog: Int, _ range: Range<Int>, to html: inout HTMLWriter) {
    let addresses = page.addresses.keys[catalog]
    let keys = page.catalogs[catalog].keys
    for index in range { write(keys[index], page.values.keys[catalog][index], addresses[index], to: &html) }
  }

  private func write(
    _ key: ResolvedKey, _ part: AuditedPart, _ address: HTMLIdentifier, to html: inout HTMLWriter
  ) {
    html.element(
      .tr, .data("domain", key.descriptor.domain.kind.rawValue), .data("security", part.protection.rawValue)
    ) { html in
      html.element(.th, .scope("row")) { html in
        html.element(.a, .href(address), text: key.descriptor.member)
        if key.descriptor.isLegacy { html.element(.small, text: " legacy") }
        if key.descriptor.deprecation != nil { html.element(.small, text: " deprecated") }
        writeLabels(key.labels, to: &html)
      }
      html.element(.td, text: key.descriptor.valueType)
      html.write(part.storage.cells)
      html.element(.td, text: key.descriptor.sensitivity.rawValue)
      html.element(.td, text: key.descriptor.owner)
      html.element(.td, text: part.storage.departureText)
      html.element(.td, .data("sort", key.descriptor.keptRank), text: key.descriptor.periodText)
      writeRest(key.descriptor.member, page.context.history?.keys[key.descriptor.member], to: &html)
    }
    html.line()
  }

  private func writeRecords(to html: inout HTMLWriter) {
    for (index, catalog) in page.catalogs.enumerated() {
      for (position, record) in catalog.records.enumerated() {
        let parts = page.values.records[index][position]
        for part in parts {
          let address = page.addresses.records[index][position]
          write(record, part, isOnly: parts.count == 1, address, in: catalog.database(of: record), to: &html)
        }
      }
    }
    page.forEachDatabase { write($0, $1, to: &html) }
    for (index, catalog) in page.catalogs.enumerated() {
      for (position, data) in catalog.unmanaged.enumerated() {
        write(data, page.values.unmanaged[index][position], page.addresses.unmanaged[index][position], to: &html)
      }
    }
  }

  private func write(
    _ record: ResolvedRecord, _ part: AuditedPart, isOnly: Bool, _ address: HTMLIdentifier,
    in database: ResolvedDatabase?, to html: inout HTMLWriter
  ) {
    html.element(
      .tr, .data("domain", database?.domain.kind.rawValue ?? "database"), .data("security", part.protection.rawValue)
    ) { html in
      html.element(.th, .scope("row")) { html in
        html.element(.a, .href(address), text: record.name)
        let fields: StaticString = part.protection == .none ? " plain fields" : " encrypted fields"
        html.element(.small, text: isOnly ? " record" : fields)
        if record.deprecation != nil { html.element(.small, text: " deprecated") }
        writeLabels(record.labels, to: &html)
      }
      html.element(.td, text: Counted.text(part.values.count, "field"))
      html.write(part.storage.cells)
      html.element(.td, text: part.sensitivityText)
      html.element(.td, text: record.owner)
      html.element(.td, text: part.storage.departureText)
      html.element(.td, .data("sort", record.keptRank), text: record.retention?.auditText ?? "until removed")
      writeRest(record.name, page.context.history?.records[record.name], to: &html)
    }
    html.line()
  }

  private func write(
    _ data: ResolvedUnmanaged, _ part: AuditedPart, _ address: HTMLIdentifier, to html: inout HTMLWriter
  ) {
    html.element(
      .tr, .data("domain", data.descriptor.domain.kind.rawValue), .data("security", part.protection.rawValue)
    ) { html in
      html.element(.th, .scope("row")) { html in
        html.element(.a, .href(address), text: data.member)
        html.element(.small, text: " unmanaged")
        writeLabels(data.key.labels, to: &html)
      }
      html.element(.td, text: data.kindText)
      html.write(part.storage.cells)
      html.element(.td, text: data.descriptor.sensitivity.rawValue)
      html.element(.td, text: data.descriptor.owner)
      html.element(.td, text: part.storage.departureText)
      html.element(.td, .data("sort", data.descriptor.keptRank), text: data.descriptor.periodText)
      writeRest(data.findingName, page.context.history?.unmanaged[data.member], to: &html)
    }
    html.line()
  }

  /// Writes the title and the tags, which the search finds.
  private func writeLabels(_ labels: DeclarationLabels, to html: inout HTMLWriter) {
    if let title = labels.title { html.element(.small, text: " \(title)") }
    for tag in labels.tags { html.element(.small, text: " #\(tag)") }
  }

  private func write(_ database: ResolvedDatabase, _ address: HTMLIdentifier, to html: inout HTMLWriter) {
    html.element(.tr, .data("domain", database.domain.kind.rawValue)) { html in
      html.element(.th, .scope("row")) { html in
        html.element(.a, .href(address), text: database.member)
        html.element(.small, text: " database")
      }
      let records = page.catalogs.flatMap(\.records).count { $0.database == database.member }
      html.element(.td, text: Counted.text(records, "record"))
      html.element(.td, text: database.whereText)
      html.element(.td, text: "file protection \(database.protection.rawValue)")
      html.element(.td)
      html.element(.td, text: database.owner)
      html.element(.td)
      html.element(.td)
      writeRest(database.typeName, nil, isReleased: false, to: &html)
    }
    html.line()
  }

  /// Writes the cells of findings and releases.
  ///
  /// - Parameter isReleased: False if the history does not have such declarations.
  private func writeRest(_ name: String, _ release: Int?, isReleased: Bool = true, to html: inout HTMLWriter) {
    html.element(.td) { html in
      let open = page.findings[name]?.count ?? 0
      if open > 0 { html.text("\(open) open") }
      for (index, allowance) in (page.allowances[name] ?? []).filter({ !$0.messages.isEmpty }).enumerated() {
        if open > 0 || index > 0 { html.text(", ") }
        html.acceptance(allowance)
      }
    }
    guard let history = page.context.history else { return }
    html.element(.td) { html in
      guard isReleased else { return }
      guard let release else { return html.text("not released") }
      html.text(history.releases[release])
    }
  }
}
