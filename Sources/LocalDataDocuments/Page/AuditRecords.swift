import LocalDataModel

/// The databases and the records of a page, with what only a page has: links, pictures and findings.
struct AuditRecords {
  private let page: AuditPage

  init(_ page: AuditPage) { self.page = page }

  func write(to html: inout HTMLWriter) {
    // A record can be in a database of another catalog.
    let all = zip(page.catalogs, page.addresses.databases).flatMap { zip($0.databases.map(\.member), $1) }
    let databases = Dictionary(all) { first, _ in first }
    for (index, catalog) in page.catalogs.enumerated() {
      for (database, address) in zip(catalog.databases, page.addresses.databases[index]) {
        html.write(database, of: catalog, address) { page.writeFindings(of: database.typeName, to: &$0) }
      }
      for (position, (record, address)) in zip(catalog.records, page.addresses.records[index]).enumerated() {
        html.write(
          record, of: catalog, address, database: databases[record.database].map { .link(record.database, $0) },
          facts: { html in
            for part in page.values.records[index][position] { page.pictures.writeLink(of: part.storage, to: &html) }
            page.writeRelease(page.context.history?.records[record.name], to: &html)
          },
          rest: { page.writeFindings(of: record.name, to: &$0) })
      }
      writeUnmanaged(of: catalog, index, to: &html)
    }
  }

  private func writeUnmanaged(of catalog: ResolvedCatalog, _ index: Int, to html: inout HTMLWriter) {
    for (position, (data, address)) in zip(catalog.unmanaged, page.addresses.unmanaged[index]).enumerated() {
      html.write(
        data, of: catalog, address,
        facts: { html in
          page.pictures.writeLink(of: page.values.unmanaged[index][position].storage, to: &html)
          page.writeRelease(page.context.history?.unmanaged[data.member], to: &html)
        },
        rest: { page.writeFindings(of: data.findingName, to: &$0) })
    }
  }
}
