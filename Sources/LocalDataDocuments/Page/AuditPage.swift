package import LocalDataModel
import LocalDataSyntax
import LocalDataVocabulary

/// The audit of all catalogs of a run as one HTML document that needs no network.
///
/// The page is a list of sections. Most of its bytes are the rows of the table and the sections of the keys, which are
/// written concurrently and inserted into the rest. It is a class for the same reason as ``AuditedCatalog``.
package final class AuditPage: Sendable {
  /// The name of the file in the folder of documents.
  package static let fileName = "audit.html"

  let catalogs: [ResolvedCatalog]
  /// The catalogs with what their own documents say too.
  let audited: [AuditedCatalog]
  let context: AuditContext
  let addresses: AuditAddresses
  let values: AuditedValues
  let pictures: FlowPictures
  let fates: AuditFates
  private let weaknesses: WeaknessSection
  /// The findings about each key or record, by its name.
  let findings: [String: [Diagnostic]]
  /// The entries of `allow` of each key or record, by its name.
  let allowances: [String: [UndatedFindings.Allowed]]
  /// The declarations that findings and changes are about.
  private let mentioned: [String: Mentioned]

  /// A declaration that a finding or a change is about.
  struct Mentioned: Sendable {
    let address: HTMLIdentifier
    var owner = ""
    var review: ResolvedReview?
  }

  /// - Parameter catalogs: The catalogs, in any order.
  package init(_ catalogs: [ResolvedCatalog], _ context: AuditContext = AuditContext()) {
    let catalogs = catalogs.sorted { ($0.baseName, $0.name, $0.path) < ($1.baseName, $1.name, $1.path) }
    self.catalogs = catalogs
    self.context = context
    audited = catalogs.map(AuditedCatalog.init)
    addresses = AuditAddresses(catalogs)
    // What is said of all catalogs is already known if there is one.
    let only = audited.count == 1 ? audited.first : nil
    values = only?.values ?? AuditedValues(catalogs)
    pictures = FlowPictures(values)
    fates = AuditFates(audited)
    weaknesses = only?.weaknesses ?? WeaknessSection(catalogs)
    findings = Dictionary(grouping: context.findings.open.filter { $0.key != nil }) { $0.key ?? "" }
    allowances = Dictionary(grouping: context.findings.allowances, by: \.key)
    mentioned = Self.mentioned(catalogs, addresses, context)
  }

  private static func mentioned(
    _ catalogs: [ResolvedCatalog], _ addresses: AuditAddresses, _ context: AuditContext
  ) -> [String: Mentioned] {
    let changes = context.history?.changes.map(\.name) ?? []
    let names = Set(context.findings.open.compactMap(\.key) + context.findings.allowances.map(\.key) + changes)
    var mentioned: [String: Mentioned] = [:]
    guard !names.isEmpty else { return mentioned }
    func add(_ name: String, _ declaration: @autoclosure () -> Mentioned) {
      if names.contains(name), mentioned[name] == nil { mentioned[name] = declaration() }
    }
    for (index, catalog) in catalogs.enumerated() {
      for (key, address) in zip(catalog.keys, addresses.keys[index]) {
        add(key.descriptor.member, Mentioned(address: address, owner: key.descriptor.owner, review: key.review))
      }
      for (record, address) in zip(catalog.records, addresses.records[index]) {
        add(record.name, Mentioned(address: address, owner: record.owner, review: record.review))
      }
      for (database, address) in zip(catalog.databases, addresses.databases[index]) {
        // Findings name the type of a database, and changes its name.
        for name in [database.typeName, database.member] {
          add(name, Mentioned(address: address, owner: database.owner))
        }
      }
      for (data, address) in zip(catalog.unmanaged, addresses.unmanaged[index]) {
        // Findings name the section too, and changes do not.
        for name in [data.findingName, data.member] {
          add(name, Mentioned(address: address, owner: data.descriptor.owner))
        }
      }
      for (type, address) in zip(catalog.types, addresses.types[index]) { add(type.name, Mentioned(address: address)) }
    }
    return mentioned
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
      case .sections(let catalog, let range):
        [HTMLWriter.collect(capacity: 1_536 * range.count) { AuditSections(page).write(catalog, range, to: &$0) }]
      }
    }
  }

  /// The most keys of one piece.
  private static let pieceSize = 2_500

  /// The pieces: the rows, the sections, and the frame.
  var pieces: [Piece] {
    let ranges = catalogs.indices.flatMap { catalog -> [(Int, Range<Int>)] in
      let count = catalogs[catalog].keys.count
      return stride(from: 0, to: max(count, 1), by: Self.pieceSize).map { start in
        (catalog, start..<min(start + Self.pieceSize, count))
      }
    }
    let rows = ranges.map { Piece(page: self, content: .rows(catalog: $0, $1)) }
    let sections = ranges.map { Piece(page: self, content: .sections(catalog: $0, $1)) }
    return rows + sections + [Piece(page: self, content: .frame)]
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
    HTMLPage.collectPieces(title: title, capacity: 1 << 16) { html in
      html.element(.a, .class("skip"), .href(HTMLIdentifier("keys")), text: "Skip to the keys")
      html.line()
      html.element(.header) { writeHeader(hasWeaknesses: weaknesses.hasContent, to: &$0) }
      html.line()
      html.element(.main) { html in
        html.line()
        AuditDashboard(self).write(to: &html)
        values.writeExposures(to: &html)
        values.writeDepartures(to: &html)
        AuditFlow(self).write(to: &html)
        AuditTable(self).write(to: &html)
        fates.write(self, to: &html)
        SigningSection(catalogs).write(to: &html)
        BackupSection(catalogs).write(to: &html)
        values.writeSignOut(of: catalogs, to: &html)
        AuditFindings(self).write(to: &html)
        weaknesses.write(to: &html)
        AuditGroups(self).write(to: &html)
        PrivacySection(catalogs).write(to: &html)
        AuditSections(self).write(to: &html)
        writeTypes(to: &html)
        ReservedSection(catalogs: catalogs).write(to: &html)
      }
      html.line()
      html.element(.footer) { html in
        html.element(
          .p, text: "Written by local-data from the catalogs. It shows declarations, and never a stored value.")
      }
      html.line()
    }
  }

  private var hasTypes: Bool { catalogs.contains { !$0.types.isEmpty } }

  private func writeTypes(to html: inout HTMLWriter) {
    guard hasTypes else { return }
    html.section("Types", "types") { html in
      for (catalog, addresses) in zip(catalogs, addresses.types) {
        for (type, address) in zip(catalog.types, addresses) {
          html.write(type, of: catalog, address) { writeFindings(of: type.name, to: &$0) }
        }
      }
    }
  }

  // MARK: - Header

  private var title: String { "Audit of " + catalogs.map(\.name).joined(separator: ", ") }

  private func writeHeader(hasWeaknesses: Bool, to html: inout HTMLWriter) {
    html.title(title)
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
      (HTMLIdentifier("overview"), "Overview"), (HTMLIdentifier("exposures"), "Not encrypted"),
      (HTMLIdentifier("leaves"), AuditedValues.departuresTitle), (HTMLIdentifier("flow"), "Data flow"),
      (HTMLIdentifier("keys"), "Keys and records"),
      (HTMLIdentifier("fates"), "What happens to each value"), (HTMLIdentifier("findings"), "Findings"),
    ]
    if BackupSection(catalogs).hasContent { sections.insert((HTMLIdentifier("backups"), BackupSection.title), at: 6) }
    if SigningSection(catalogs).hasContent { sections.insert((HTMLIdentifier("pairs"), SigningSection.title), at: 6) }
    if hasWeaknesses { sections.append((HTMLIdentifier("masvs"), "OWASP MASVS")) }
    sections.append((HTMLIdentifier("owners"), "Owners"))
    if context.history != nil { sections.append((HTMLIdentifier("releases"), "Releases")) }
    if PrivacySection(catalogs).hasContent { sections.append((HTMLIdentifier("privacy"), "Privacy manifest")) }
    sections.append((HTMLIdentifier("declarations"), "Declarations"))
    if hasTypes { sections.append((HTMLIdentifier("types"), "Types")) }
    if ReservedSection(catalogs: catalogs).hasContent {
      sections.append((HTMLIdentifier("reserved"), "Reserved names"))
    }
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

  /// Calls `body` with each database, in the order of the page.
  func forEachDatabase(_ body: (ResolvedDatabase, HTMLIdentifier) -> Void) {
    for (catalog, addresses) in zip(catalogs, addresses.databases) {
      for (database, address) in zip(catalog.databases, addresses) { body(database, address) }
    }
  }

  /// Calls `body` with all unmanaged data, in the order of the page.
  func forEachUnmanaged(_ body: (ResolvedUnmanaged, HTMLIdentifier) -> Void) {
    for (catalog, addresses) in zip(catalogs, addresses.unmanaged) {
      for (data, address) in zip(catalog.unmanaged, addresses) { body(data, address) }
    }
  }

  /// Returns the declaration that a finding or a change is about, or nil if it is not on the page.
  func declaration(_ name: String) -> Mentioned? { mentioned[name] }

  /// The number of keys and families.
  var keyCount: Int { catalogs.reduce(0) { $0 + $1.keys.count } }
  var recordCount: Int { catalogs.reduce(0) { $0 + $1.records.count } }

  /// Writes the name of a declaration as a link to its section. If the page has no such section, writes only the name.
  func writeLink(_ name: String, to html: inout HTMLWriter) {
    guard let declaration = mentioned[name] else { return html.text(name) }
    html.element(.a, .href(declaration.address), text: name)
  }
}
