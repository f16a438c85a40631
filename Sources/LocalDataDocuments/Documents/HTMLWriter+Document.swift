import LocalDataModel

/// Sections of a page, with addresses and links.
extension HTMLWriter: DocumentWriter {
  mutating func title(_ title: String) {
    element(.h1, text: title)
    line()
  }

  mutating func section(_ title: StaticString, _ address: StaticString, _ content: (inout HTMLWriter) -> Void) {
    element(.section, .id(HTMLIdentifier(address))) { html in
      html.element(.h2, text: title)
      html.line()
      content(&html)
    }
    line()
  }

  mutating func entry(
    _ name: String, _ kind: StaticString?, _ address: HTMLIdentifier?, _ content: (inout HTMLWriter) -> Void
  ) {
    let address = address ?? HTMLIdentifier("entry", name)
    element(.section, .id(address), .class("entry")) { html in
      html.element(.h3) { html in
        html.element(.a, .href(address), text: name)
        if let kind { html.element(.small, text: " \(kind)") }
      }
      html.line()
      content(&html)
    }
    line()
  }

  mutating func paragraph(_ text: DocumentText) {
    element(.p) { $0.write(text) }
    line()
  }

  mutating func facts(_ content: (inout HTMLWriter) -> Void) {
    element(.dl, content: content)
    line()
  }

  mutating func fact(_ label: StaticString, _ text: DocumentText) {
    element(.dt, text: label)
    element(.dd) { $0.write(text) }
  }

  mutating func list(_ items: [String]) {
    element(.ul) { html in
      for item in items { html.element(.li, text: item) }
    }
    line()
  }

  mutating func table(_ title: String, _ columns: [String], _ rows: (inout HTMLWriter) -> Void) {
    scrollable(title) { html in
      html.element(.table) { html in
        html.element(.caption, text: title)
        html.tableHead(columns)
        html.element(.tbody, content: rows)
      }
    }
  }

  mutating func row(_ cells: [DocumentText], _ address: HTMLIdentifier?) {
    line()
    func write(_ cells: [DocumentText], to html: inout HTMLWriter) {
      for (index, cell) in cells.enumerated() {
        if index == 0 { html.cell(.th, cell) } else { html.cell(.td, cell) }
      }
    }
    if let address {
      element(.tr, .id(address)) { write(cells, to: &$0) }
    } else {
      element(.tr) { write(cells, to: &$0) }
    }
  }

  private mutating func cell(_ name: HTMLElement, _ text: DocumentText) {
    switch (name, text) {
    case (.th, .outcome(let outcome)):
      element(.th, .scope("row"), .data("fate", outcome.rawValue)) { $0.write(text) }
    case (.th, _): element(.th, .scope("row")) { $0.write(text) }
    case (_, .answer(let state)): element(name, .data("state", state.name)) { $0.write(text) }
    default: element(name) { $0.write(text) }
    }
  }

  private mutating func write(_ text: DocumentText) {
    switch text {
    case .fixed(let text): self.text(text)
    case .author(let text), .source(let text): self.text(text)
    case .link(let text, let address): element(.a, .href(address), text: text)
    case .answer(.acceptedUntil(let until?, _)):
      self.text("accepted until ")
      date(until.text)
    case .outcome, .answer: self.text(text.text)
    }
  }
}
