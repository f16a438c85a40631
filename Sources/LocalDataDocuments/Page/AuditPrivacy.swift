import CatalogModel
import StorageAudit

/// The entries that the app's privacy manifest needs, by Apple's names.
struct AuditPrivacy {
  private let page: AuditPage

  init(_ page: AuditPage) { self.page = page }

  /// The entries of each catalog.
  private var entries: [(catalog: String, entry: PrivacyManifest.Entry)] {
    page.catalogs.flatMap { catalog in PrivacyManifest(catalog).entries.map { (catalog.name, $0) } }
  }

  var hasContent: Bool { page.catalogs.contains { !PrivacyManifest($0).entries.isEmpty } }

  func write(to html: inout HTMLWriter) {
    let entries = entries
    guard !entries.isEmpty else { return }
    html.element(.section, .id(HTMLIdentifier("privacy"))) { html in
      html.element(.h2, text: "Privacy manifest")
      html.line()
      html.scrollable("Privacy manifest") { html in
        html.element(.table) { html in
          html.element(.caption, text: Counted.text(entries.count, "collected data type"))
          html.tableHead("Data type", "Linked", "Tracking", "Purposes", "Catalog", "Keys and records")
          html.element(.tbody) { html in
            for (catalog, entry) in entries {
              html.line()
              html.element(.tr) { html in
                html.element(.th, .scope("row"), text: entry.dataType.manifestName)
                html.element(.td, text: entry.isLinked ? "yes" : "no")
                html.element(.td, text: entry.isTracking ? "yes" : "no")
                html.element(.td, text: entry.purposes.map(\.manifestName).joined(separator: ", "))
                html.element(.td, text: catalog)
                html.element(.td, text: entry.members.joined(separator: ", "))
              }
            }
          }
        }
      }
      html.line()
    }
    html.line()
  }
}
