import LocalDataModel
import LocalDataSyntax
import LocalDataAudit
import LocalDataVocabulary

/// A section for each key, each database and each record, with an address that can be pasted into a ticket.
struct AuditSections {
  private let page: AuditPage

  init(_ page: AuditPage) { self.page = page }

  /// Writes the section of declarations, with databases and records. The sections of keys are inserted into it.
  func write(to html: inout HTMLWriter) {
    html.element(.section, .id(HTMLIdentifier("declarations"))) { html in
      html.element(.h2, text: "Declarations")
      html.line()
      html.paragraph(.fixed(CatalogDocument.ordinary))
      html.insertionPoint()
      AuditRecords(page).write(to: &html)
    }
    html.line()
  }

  /// Writes the sections of the keys of a catalog at some positions.
  func write(_ catalog: Int, _ range: Range<Int>, to html: inout HTMLWriter) {
    let keys = page.catalogs[catalog].keys
    let addresses = page.addresses.keys[catalog]
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
    html.write(
      key, of: types.source, address, besideTable: true,
      facts: { html in
        html.fact("Stored name", key.descriptor.name)
        html.write(part.storage.facts)
        html.fact("Sensitivity", key.descriptor.sensitivity.rawValue)
        html.fact("Owner", key.descriptor.owner)
        html.fact("Type", types.text(of: key))
        html.fact("Serializer", key.descriptor.serializer.auditText)
        html.fact("Sync", key.descriptor.syncText)
        html.fact("Leaves the device", part.storage.departureText)
        page.pictures.writeLink(of: part.storage, to: &html)
        html.fact("Kept", key.descriptor.keptText)
        fate(&html)
        page.writeRelease(page.context.history?.keys[key.descriptor.member], to: &html)
      },
      rest: { page.writeFindings(of: key.descriptor.member, to: &$0) })
  }

  /// The name of a catalog's file, and the declared types, to which the types of keys are links.
  private final class Types {
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

    func text(of key: ResolvedKey) -> DocumentText {
      guard case .declared(let name) = key.type, let address = addresses[name] else {
        return .author(key.descriptor.valueType)
      }
      return .link(key.descriptor.valueType, address)
    }
  }
}

extension AuditPage {
  /// Writes the release that was the first to have a declaration.
  func writeRelease(_ release: Int?, to html: inout HTMLWriter) {
    guard let history = context.history else { return }
    guard let release else { return html.fact("First in", "not released yet") }
    let version = history.releases[release]
    html.fact("First in", .link(version, HTMLIdentifier("release", version)))
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
