/// The section with the picture of the whole app, and those of its flows, to which keys and records have links.
struct AuditFlow {
  private let page: AuditPage

  init(_ page: AuditPage) { self.page = page }

  func write(to html: inout HTMLWriter) {
    html.element(.section, .id(HTMLIdentifier("flow"))) { html in
      html.element(.h2, text: "Data flow")
      html.line()
      html.element(.p, text: Self.legend)
      html.line()
      html.element(.div, .class("scroll"), .role("region"), .tabindex(0), .aria("label", "Data flow of the app")) {
        html in
        var picture = OverviewPicture(page.values)
        picture.write(to: &html)
      }
      html.line()
      page.pictures.write(to: &html)
    }
    html.line()
  }

  private static let legend: StaticString = """
    Each band is as thick as the number of keys and fields that go this way. A warning sign marks where the protection of a \
    value falls: personal data, health or financial data, or a credential that is stored unencrypted, or an encrypted value that \
    is sent decrypted. A dashed arrow leads to a copy that arrives without the key that opens it.
    """
}
