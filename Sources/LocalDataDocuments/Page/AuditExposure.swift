import CatalogModel
import StorageAudit
import StorageVocabulary

/// The sensitive values that are not encrypted, and the values of which copies leave the device.
struct AuditExposure {
  private let page: AuditPage

  init(_ page: AuditPage) { self.page = page }

  func write(to html: inout HTMLWriter) {
    html.element(.section, .id(HTMLIdentifier("exposures"))) { html in
      html.element(.h2, text: AuditedValues.exposuresTitle)
      html.line()
      writeExposures(to: &html)
    }
    html.line()
    html.element(.section, .id(HTMLIdentifier("leaves"))) { html in
      html.element(.h2, text: AuditedValues.departuresTitle)
      html.line()
      writeDepartures(to: &html)
    }
    html.line()
  }

  private func writeExposures(to html: inout HTMLWriter) {
    let exposures = page.values.exposures
    guard !exposures.isEmpty else {
      html.element(.p, text: AuditedValues.noExposure)
      return html.line()
    }
    html.scrollable("Sensitive values that are not encrypted") { html in
      html.element(.table) { html in
        html.tableHead("Sensitivity", "Where", "Keys and fields")
        html.element(.tbody) { html in
          for exposure in exposures {
            html.line()
            html.element(.tr) { html in
              html.element(.th, .scope("row"), text: exposure.sensitivity.rawValue)
              html.element(.td, text: exposure.place)
              html.element(.td, text: exposure.names.joined(separator: ", "))
            }
          }
        }
      }
    }
  }

  private func writeDepartures(to html: inout HTMLWriter) {
    let departures = page.values.departures
    guard !departures.isEmpty else {
      html.element(.p, text: AuditedValues.noDeparture)
      return html.line()
    }
    html.scrollable("What leaves the device") { html in
      html.element(.table) { html in
        html.tableHead("To", "Form", "Sensitivity", "Keys and records")
        html.element(.tbody) { html in
          for departure in departures {
            html.line()
            html.element(.tr) { html in
              html.element(.th, .scope("row"), text: departure.copy.destination)
              html.element(.td, text: departure.copy.form)
              html.element(.td, text: departure.sensitivity.rawValue)
              html.element(.td, text: departure.names.joined(separator: ", "))
            }
          }
        }
      }
    }
  }
}
