import CatalogModel

/// The types of the catalogs: the fields of structs and the cases of enums.
struct AuditTypes {
  private let page: AuditPage

  init(_ page: AuditPage) { self.page = page }

  var hasContent: Bool { page.catalogs.contains { !$0.types.isEmpty } }

  func write(to html: inout HTMLWriter) {
    guard hasContent else { return }
    html.element(.section, .id(HTMLIdentifier("types"))) { html in
      html.element(.h2, text: "Types")
      html.line()
      for (catalog, addresses) in zip(page.catalogs, page.addresses.types) {
        for (type, address) in zip(catalog.types, addresses) { write(type, address, of: catalog, to: &html) }
      }
    }
    html.line()
  }

  private func write(
    _ type: ResolvedType, _ address: HTMLIdentifier, of catalog: ResolvedCatalog, to html: inout HTMLWriter
  ) {
    html.element(.section, .id(address), .class("entry")) { html in
      html.element(.h3) { $0.element(.a, .href(address), text: type.name) }
      html.element(.p, text: type.description)
      html.line()
      switch type.form {
      case .stringEnum(let cases): write(cases, of: type.name, to: &html) { $0.raw }
      case .intEnum(let cases): write(cases, of: type.name, to: &html) { String($0.raw) }
      case .structure(let fields): write(fields, of: type.name, to: &html)
      case .swift(let name): html.element(.p, text: "A type of the app: \(name.text).")
      }
      html.element(.dl) { html in
        for reserved in type.reserved { html.fact("Reserved", reserved.auditText) }
        html.declared(catalog, type.line)
      }
      html.line()
      page.writeFindings(of: type.name, to: &html)
    }
    html.line()
  }

  private func write<Raw>(
    _ cases: [ResolvedType.EnumCase<Raw>], of name: String, to html: inout HTMLWriter,
    raw: (ResolvedType.EnumCase<Raw>) -> String
  ) {
    html.scrollable("Cases of \(name)") { html in
      html.element(.table) { html in
        html.element(.caption, text: Counted.text(cases.count, "case"))
        html.tableHead("Case", "Stored as", "Description")
        html.element(.tbody) { html in
          for each in cases {
            html.line()
            html.element(.tr) { html in
              html.element(.th, .scope("row"), text: each.name)
              html.element(.td, text: raw(each))
              html.element(.td, text: each.description ?? "")
            }
          }
        }
      }
    }
    html.line()
  }

  private func write(_ fields: [ResolvedType.Field], of name: String, to html: inout HTMLWriter) {
    let isNumbered = fields.contains { $0.number != nil }
    html.scrollable("Fields of \(name)") { html in
      html.element(.table) { html in
        html.element(.caption, text: Counted.text(fields.count, "field"))
        if isNumbered {
          html.tableHead("Field", "Type", "Default", "Description", "Number")
        } else {
          html.tableHead("Field", "Type", "Default", "Description")
        }
        html.element(.tbody) { html in
          for field in fields {
            html.line()
            html.element(.tr) { html in
              html.element(.th, .scope("row"), text: field.name)
              html.element(.td, text: field.type.swiftText)
              html.element(.td, text: field.defaultValue.map { FieldValue($0).description } ?? "")
              html.element(.td, text: field.description ?? "")
              if isNumbered {
                html.element(.td, .class("number")) { html in
                  if let number = field.number { html.text(number) }
                }
              }
            }
          }
        }
      }
    }
    html.line()
  }
}
