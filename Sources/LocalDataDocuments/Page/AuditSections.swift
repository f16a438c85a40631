import CatalogModel
import CatalogSyntax
import StorageAudit
import StorageVocabulary

/// A section for each key, each database and each record, with an address that can be pasted into a ticket.
struct AuditSections {
  private let page: AuditPage

  init(_ page: AuditPage) { self.page = page }

  /// Writes the section of declarations, with databases and records. The sections of keys are inserted into it.
  func write(to html: inout HTMLWriter) {
    html.element(.section, .id(HTMLIdentifier("declarations"))) { html in
      html.element(.h2, text: "Declarations")
      html.line()
      html.element(.p, text: Self.ordinary)
      html.line()
      html.insertionPoint()
      AuditRecords(page).write(to: &html)
    }
    html.line()
  }

  private static let ordinary: StaticString = """
    Unless its section says otherwise, a key exists on every device, a value has at most 1 MiB (in a file 16 MiB), and \
    backups of the device include it.
    """

  /// Writes the sections of the keys of a catalog at some positions.
  func write(_ catalog: Int, _ range: Range<Int>, to html: inout HTMLWriter) {
    let (keys, addresses) = (page.catalogs[catalog].keys, page.addresses.keys[catalog])
    let types = Types(page, catalog)
    for index in range {
      write(keys[index], page.values.keys[catalog][index], addresses[index], types, to: &html) { html in
        page.fates.writeSummary(catalog, index, to: &html)
      }
    }
  }

  private func write(
    _ key: ResolvedKey, _ part: AuditedPart, _ address: HTMLIdentifier, _ types: Types, to html: inout HTMLWriter,
    fate: (inout HTMLWriter) -> Void
  ) {
    html.element(.section, .id(address), .class("entry")) { html in
      html.element(.h3) { $0.element(.a, .href(address), text: key.descriptor.member) }
      html.element(.p, text: key.descriptor.description)
      html.line()
      html.element(.dl) { html in
        html.fact("Stored name", key.descriptor.name)
        html.fact("Where", key.descriptor.domain.auditText)
        html.fact("Secured", key.descriptor.security.auditText)
        html.fact("Sensitivity", key.descriptor.sensitivity.rawValue)
        html.fact("Owner", key.descriptor.owner)
        html.element(.dt, text: "Type")
        html.element(.dd) { types.write(key, to: &$0) }
        html.fact("Serializer", key.descriptor.serializer.auditText)
        html.fact("Sync", key.descriptor.syncText)
        html.fact("Leaves the device", part.flow.departureText)
        html.fact("Kept", key.descriptor.keptText)
        fate(&html)
        key.descriptor.forEachAuditFact(besideTable: true) { label, text, _ in html.fact(label, text) }
        if let privacy = key.privacy { html.fact("Privacy", privacy.auditText) }
        if let review = key.review { html.fact("Reviewed", review.auditText) }
        page.writeRelease(page.context.history?.keys[key.descriptor.member], to: &html)
        html.element(.dt, text: "Declared")
        html.element(.dd) { html in
          html.text(types.source)
          html.text(", line ")
          html.text(key.line)
        }
      }
      html.line()
      page.pictures.write(part.flow, to: &html)
      writeNotes(key, to: &html)
      page.writeFindings(of: key.descriptor.member, to: &html)
    }
    html.line()
  }

  private func writeNotes(_ key: ResolvedKey, to html: inout HTMLWriter) {
    var count = 0
    key.descriptor.forEachAuditNote { _ in count += 1 }
    guard count > 0 else { return }
    html.element(.ul, .class("notes")) { html in
      key.descriptor.forEachAuditNote { html.element(.li, text: $0) }
    }
    html.line()
  }

  /// The types of a catalog, which types of keys are links to.
  private struct Types {
    let source: String
    private let addresses: [String: HTMLIdentifier]

    init(_ page: AuditPage, _ catalog: Int) {
      source = page.catalogs[catalog].sourceName
      // Every catalog of a run can use the types of all.
      let types = zip(page.catalogs, page.addresses.types).flatMap { catalog, addresses in
        zip(catalog.types.map(\.name), addresses)
      }
      addresses = Dictionary(types) { first, _ in first }
    }

    func write(_ key: ResolvedKey, to html: inout HTMLWriter) {
      guard case .declared(let name) = key.type, let address = addresses[name] else {
        return html.text(key.descriptor.valueType)
      }
      html.element(.a, .href(address), text: key.descriptor.valueType)
    }
  }
}

extension AuditPage {
  /// Writes the release that was the first to have a declaration.
  func writeRelease(_ release: Int?, to html: inout HTMLWriter) {
    guard let history = context.history else { return }
    html.element(.dt, text: "First in")
    html.element(.dd) { html in
      guard let release else { return html.text("not released yet") }
      let version = history.releases[release]
      html.element(.a, .href(HTMLIdentifier("release", version)), text: version)
    }
  }

  /// Writes the open and the accepted findings of a key or a record.
  func writeFindings(of name: String, to html: inout HTMLWriter) {
    let allowances = (allowances[name] ?? []).filter { !$0.messages.isEmpty }
    let findings = findings[name] ?? []
    guard !findings.isEmpty || !allowances.isEmpty else { return }
    html.element(.ul, .class("findings")) { html in
      for finding in findings {
        html.element(.li, .class("open")) { html in
          html.element(.strong, text: finding.severity.rawValue)
          html.text(": \(finding.message) ")
          html.element(.code, text: finding.rule)
        }
      }
      for allowance in allowances {
        html.element(.li) { html in
          html.acceptance(allowance)
          html.text(": \(allowance.reason) ")
          html.element(.code, text: allowance.rule)
        }
      }
    }
    html.line()
  }
}

extension HTMLWriter {
  /// Writes a fact of a list. The label may end with a colon and a space.
  mutating func fact(_ label: StaticString, _ text: String) {
    element(.dt, label: label)
    element(.dd, text: text)
  }
}
