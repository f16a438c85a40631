import CatalogModel
import StorageAudit
import StorageVocabulary

/// The names and the records that earlier releases used.
struct AuditReserved {
  private let page: AuditPage

  init(_ page: AuditPage) { self.page = page }

  var hasContent: Bool { page.catalogs.contains { !$0.reserved.isEmpty || !$0.reservedRecords.isEmpty } }

  func write(to html: inout HTMLWriter) {
    guard hasContent else { return }
    html.element(.section, .id(HTMLIdentifier("reserved"))) { html in
      html.element(.h2, text: "Reserved names")
      html.line()
      writeNames(page.catalogs.flatMap(\.reserved), to: &html)
      writeRecords(page.catalogs.flatMap(\.reservedRecords), to: &html)
    }
    html.line()
  }

  private func writeNames(_ names: [ResolvedReservedName], to html: inout HTMLWriter) {
    guard !names.isEmpty else { return }
    html.scrollable("Reserved names") { html in
      html.element(.table) { html in
        html.element(.caption, text: Counted.text(names.count, "reserved name"))
        html.tableHead("Name", "Where", "Leftovers", "Note")
        html.element(.tbody) { html in
          for name in names {
            html.line()
            html.element(.tr) { html in
              html.element(.th, .scope("row"), text: name.name)
              html.element(.td, text: name.domain.auditText)
              html.element(.td, text: name.reservation.leftoversText)
              html.element(.td, text: name.note ?? "")
            }
          }
        }
      }
    }
    html.line()
  }

  private func writeRecords(_ records: [ResolvedReservedRecord], to html: inout HTMLWriter) {
    guard !records.isEmpty else { return }
    html.element(.p, text: "The rows of reserved records stay in the databases.")
    html.scrollable("Reserved records") { html in
      html.element(.table) { html in
        html.element(.caption, text: Counted.text(records.count, "reserved record"))
        html.tableHead("Record", "Database", "Note")
        html.element(.tbody) { html in
          for record in records {
            html.line()
            html.element(.tr) { html in
              html.element(.th, .scope("row"), text: record.record)
              html.element(.td, text: record.database)
              html.element(.td, text: record.note ?? "")
            }
          }
        }
      }
    }
    html.line()
  }
}
