package import CatalogModel
import CatalogSyntax
import StorageVocabulary

/// The audit of all catalogs of a run as one HTML document that needs no network.
///
/// The page is a list of sections. Most of its bytes are the rows of the table and the sections of the keys, which are
/// written concurrently and inserted into the rest.
package struct AuditPage: Sendable {
  /// The name of the file in the folder of documents.
  package static let fileName = "audit.html"

  let catalogs: [ResolvedCatalog]
  let context: AuditContext
  let addresses: AuditAddresses
  let pictures: FlowPictures
  let fates: AuditFates
  /// The findings about each key or record, by its name.
  let findings: [String: [Diagnostic]]
  /// The entries of `allow` of each key or record, by its name.
  let allowances: [String: [UndatedFindings.Allowed]]
  /// The addresses of the keys and records that findings and changes are about.
  private let linked: [String: HTMLIdentifier]

  /// - Parameter catalogs: The catalogs, in any order.
  package init(_ catalogs: [ResolvedCatalog], _ context: AuditContext = AuditContext()) {
    self.catalogs = catalogs.sorted { ($0.baseName, $0.name, $0.path) < ($1.baseName, $1.name, $1.path) }
    self.context = context
    addresses = AuditAddresses(self.catalogs)
    pictures = FlowPictures(self.catalogs)
    fates = AuditFates(self.catalogs)
    findings = Dictionary(grouping: context.findings.open.filter { $0.key != nil }) { $0.key ?? "" }
    allowances = Dictionary(grouping: context.findings.allowances, by: \.key)
    linked = Self.linked(self.catalogs, addresses, context)
  }

  private static func linked(
    _ catalogs: [ResolvedCatalog], _ addresses: AuditAddresses, _ context: AuditContext
  ) -> [String: HTMLIdentifier] {
    let changes = context.history?.changes.map(\.name) ?? []
    let names = Set(context.findings.open.compactMap(\.key) + context.findings.allowances.map(\.key) + changes)
    var linked: [String: HTMLIdentifier] = [:]
    guard !names.isEmpty else { return linked }
    func add(_ name: String, _ address: HTMLIdentifier) {
      if names.contains(name), linked[name] == nil { linked[name] = address }
    }
    for (catalog, addresses) in zip(catalogs, addresses.keys) {
      for (key, address) in zip(catalog.keys, addresses) { add(key.descriptor.member, address) }
    }
    for (catalog, addresses) in zip(catalogs, addresses.records) {
      for (record, address) in zip(catalog.records, addresses) { add(record.name, address) }
    }
    return linked
  }

  /// Returns the document.
  package var bytes: [UInt8] { Self.joined(pieces.concurrentMap { $0.write() }).reduce(into: []) { $0 += $1 } }

  // MARK: - Pieces

  /// A part of the page that is written independently of the others.
  struct Piece: Sendable {
    fileprivate enum Content: Sendable {
      /// Everything but the rows and the sections of keys.
      case frame
      case rows(catalog: Int, Range<Int>)
      case fates(catalog: Int, Range<Int>)
      case sections(catalog: Int, Range<Int>)
    }

    fileprivate let page: AuditPage
    fileprivate let content: Content

    /// Returns the bytes. Those of the frame are divided where the others are inserted.
    func write() -> [[UInt8]] {
      switch content {
      case .frame: page.frame
      case .rows(let catalog, let range):
        [HTMLWriter.collect(capacity: 512 * range.count) { AuditTable(page).write(catalog, range, to: &$0) }]
      case .fates(let catalog, let range):
        [HTMLWriter.collect(capacity: 512 * range.count) { page.fates.write(page, catalog, range, to: &$0) }]
      case .sections(let catalog, let range):
        [HTMLWriter.collect(capacity: 1_536 * range.count) { AuditSections(page).write(catalog, range, to: &$0) }]
      }
    }
  }

  /// The most keys of one piece.
  private static let pieceSize = 2_500

  /// The pieces: the rows, the fates, the sections, and the frame.
  var pieces: [Piece] {
    let ranges = catalogs.indices.flatMap { catalog -> [(Int, Range<Int>)] in
      let count = catalogs[catalog].keys.count
      return stride(from: 0, to: max(count, 1), by: Self.pieceSize).map { start in
        (catalog, start..<min(start + Self.pieceSize, count))
      }
    }
    let rows = ranges.map { Piece(page: self, content: .rows(catalog: $0, $1)) }
    let sections = ranges.map { Piece(page: self, content: .sections(catalog: $0, $1)) }
    let fates = ranges.map { Piece(page: self, content: .fates(catalog: $0, $1)) }
    return rows + fates + sections + [Piece(page: self, content: .frame)]
  }

  /// Returns the parts of the document in their order.
  static func joined(_ pieces: [[[UInt8]]]) -> [[UInt8]] {
    guard let frame = pieces.last, let first = frame.first else { return [] }
    let inserted = pieces.dropLast().flatMap(\.self)
    let count = inserted.count / (frame.count - 1)
    return [first]
      + frame.dropFirst().enumerated().flatMap { index, part in
        inserted[(index * count)..<((index + 1) * count)] + [part]
      }
  }

  private var frame: [[UInt8]] {
    let weaknesses = AuditWeaknesses(self)
    return HTMLPage.collectPieces(title: title, capacity: 1 << 16) { html in
      html.element(.a, .class("skip"), .href(HTMLIdentifier("keys")), text: "Skip to the keys")
      html.line()
      html.element(.header) { writeHeader(hasWeaknesses: weaknesses.hasContent, to: &$0) }
      html.line()
      html.element(.main) { html in
        html.line()
        AuditDashboard(self).write(to: &html)
        AuditFlow(self).write(to: &html)
        AuditTable(self).write(to: &html)
        fates.write(self, to: &html)
        AuditFindings(self).write(to: &html)
        weaknesses.write(to: &html)
        AuditGroups(self).write(to: &html)
        AuditPrivacy(self).write(to: &html)
        AuditSections(self).write(to: &html)
        AuditTypes(self).write(to: &html)
        AuditReserved(self).write(to: &html)
      }
      html.line()
      html.element(.footer) { html in
        html.element(
          .p, text: "Written by local-data from the catalogs. It shows declarations, and never a stored value.")
      }
      html.line()
    }
  }

  // MARK: - Header

  private var title: String { "Audit of " + catalogs.map(\.name).joined(separator: ", ") }

  private func writeHeader(hasWeaknesses: Bool, to html: inout HTMLWriter) {
    html.element(.h1, text: title)
    html.line()
    html.element(.nav, .aria("label", "Sections")) { html in
      html.element(.ul) { html in
        for section in sections(hasWeaknesses: hasWeaknesses) {
          html.element(.li) { $0.element(.a, .href(section.address), text: section.title) }
        }
      }
    }
    html.line()
  }

  /// The sections that the page has, in their order.
  private func sections(hasWeaknesses: Bool) -> [(address: HTMLIdentifier, title: StaticString)] {
    var sections: [(HTMLIdentifier, StaticString)] = [
      (HTMLIdentifier("overview"), "Overview"), (HTMLIdentifier("flow"), "Data flow"), (HTMLIdentifier("keys"), "Keys"),
      (HTMLIdentifier("fates"), "What happens to each value"), (HTMLIdentifier("findings"), "Findings"),
    ]
    if hasWeaknesses { sections.append((HTMLIdentifier("masvs"), "OWASP MASVS")) }
    sections.append((HTMLIdentifier("owners"), "Owners"))
    if context.history != nil { sections.append((HTMLIdentifier("releases"), "Releases")) }
    if AuditPrivacy(self).hasContent { sections.append((HTMLIdentifier("privacy"), "Privacy manifest")) }
    sections.append((HTMLIdentifier("declarations"), "Declarations"))
    if AuditTypes(self).hasContent { sections.append((HTMLIdentifier("types"), "Types")) }
    if AuditReserved(self).hasContent { sections.append((HTMLIdentifier("reserved"), "Reserved names")) }
    return sections
  }
}

extension AuditPage {
  /// Calls `body` with each key, in the order of the page.
  func forEachKey(_ body: (ResolvedKey, HTMLIdentifier) -> Void) {
    for (catalog, addresses) in zip(catalogs, addresses.keys) {
      for (key, address) in zip(catalog.keys, addresses) { body(key, address) }
    }
  }

  /// Calls `body` with each record, in the order of the page.
  func forEachRecord(_ body: (ResolvedRecord, HTMLIdentifier) -> Void) {
    for (catalog, addresses) in zip(catalogs, addresses.records) {
      for (record, address) in zip(catalog.records, addresses) { body(record, address) }
    }
  }

  /// The number of keys and families.
  var keyCount: Int { catalogs.reduce(0) { $0 + $1.keys.count } }
  var recordCount: Int { catalogs.reduce(0) { $0 + $1.records.count } }

  /// Writes the name of a key or a record as a link to its section. If the page has no such section, writes only the name.
  func writeLink(_ name: String, to html: inout HTMLWriter) {
    guard let address = linked[name] else { return html.text(name) }
    html.element(.a, .href(address), text: name)
  }
}
