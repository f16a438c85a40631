import CatalogModel
import CatalogSyntax
import StorageAudit
import StorageVocabulary

/// The table of all keys and records, with the controls that the script uses.
struct AuditTable {
  private let page: AuditPage
  private let hasHistory: Bool
  private let hasFindings: Bool

  init(_ page: AuditPage) {
    self.page = page
    hasHistory = page.context.history != nil
    hasFindings = !page.context.findings.open.isEmpty
  }

  /// Writes the section, with the rows of records. The rows of keys are inserted into it.
  func write(to html: inout HTMLWriter) {
    html.element(.section, .id(HTMLIdentifier("keys"))) { html in
      html.element(.h2, text: "Keys")
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
        html.element(.th, .scope("col"), text: "Sync")
        html.element(.th, .scope("col"), text: "Kept")
        if hasHistory { html.element(.th, .scope("col"), text: "First in") }
        if hasFindings { html.element(.th, .scope("col"), text: "Findings") }
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
    for index in range { write(keys[index], addresses[index], to: &html) }
  }

  private func write(_ key: ResolvedKey, _ address: HTMLIdentifier, to html: inout HTMLWriter) {
    html.element(
      .tr, .data("domain", key.descriptor.domain.kind.rawValue),
      .data("security", key.descriptor.security.kind.rawValue)
    ) { html in
      html.element(.th, .scope("row")) { html in
        html.element(.a, .href(address), text: key.descriptor.member)
        if key.descriptor.isLegacy { html.element(.small, text: " legacy") }
        if key.descriptor.deprecation != nil { html.element(.small, text: " deprecated") }
      }
      html.element(.td, text: key.descriptor.valueType)
      html.element(.td, text: key.descriptor.domain.auditText)
      html.element(.td, text: key.descriptor.security.auditText)
      html.element(.td, text: key.descriptor.sensitivity.rawValue)
      html.element(.td, text: key.descriptor.owner)
      html.element(.td, text: key.descriptor.syncPolicy.rawValue)
      html.element(.td, text: key.descriptor.retention?.auditText ?? "")
      writeRest(key.descriptor.member, page.context.history?.keys[key.descriptor.member], to: &html)
    }
    html.line()
  }

  private func writeRecords(to html: inout HTMLWriter) {
    for (catalog, addresses) in zip(page.catalogs, page.addresses.records) {
      for (record, address) in zip(catalog.records, addresses) {
        write(record, address, in: catalog.database(of: record), to: &html)
      }
    }
  }

  private func write(
    _ record: ResolvedRecord, _ address: HTMLIdentifier, in database: ResolvedDatabase?, to html: inout HTMLWriter
  ) {
    let sealed = record.sealedFields.count
    html.element(
      .tr, .data("domain", database?.domain.kind.rawValue ?? "database"),
      .data("security", sealed > 0 ? "encrypted" : "none")
    ) { html in
      html.element(.th, .scope("row")) { html in
        html.element(.a, .href(address), text: record.name)
        html.element(.small, text: " record")
        if record.deprecation != nil { html.element(.small, text: " deprecated") }
      }
      html.element(.td, text: Counted.text(record.fields.count, "field"))
      html.element(.td, text: "database \(record.database)")
      html.element(.td, text: sealed == 0 ? "none" : "\(Counted.text(sealed, "field")) encrypted")
      html.element(.td, text: record.sensitivity.rawValue)
      html.element(.td, text: record.owner)
      html.element(.td, text: "never")
      html.element(.td, text: record.retention?.auditText ?? "")
      writeRest(record.name, page.context.history?.records[record.name], to: &html)
    }
    html.line()
  }

  /// Writes the cells of releases and findings.
  private func writeRest(_ name: String, _ release: Int?, to html: inout HTMLWriter) {
    if let history = page.context.history {
      html.element(.td) { html in
        guard let release else { return html.text("not released") }
        html.text(history.releases[release])
      }
    }
    guard hasFindings else { return }
    html.element(.td, .class("number")) { html in
      if let count = page.findings[name]?.count { html.text(count) }
    }
  }
}
