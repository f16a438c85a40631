import LocalDataAudit
import LocalDataVocabulary

extension FieldValue {
  /// An import with its source, as snapshots record it.
  package init(_ imported: ResolvedImport) {
    let source = imported.home.map { FieldValue($0) } ?? .absent
    let fields = imported.fields.map { Entry($0.name, FieldValue($0.origin)) }
    self = .map(present: [
      .init("source", .text(imported.source)), .init("from", source),
      .init("table", imported.table.isEmpty ? .absent : .text(imported.table)),
      .init("transform", FieldValue(imported.transform?.text)),
      .init("fields", fields.isEmpty ? .absent : .map(fields)),
    ])
  }

  /// A source without its name.
  package init(_ source: ResolvedSource) {
    var entries: [Entry]
    switch source.content {
    case .key(let member, _): entries = [.init("member", .text(member))]
    case .file(let file):
      let place: [Entry] = [
        .init("identifier", FieldValue(container: file.group?.identifier)),
        .init("directory", .text(file.directory.rawValue)),
        .init("path", .text(file.path)),
      ]
      let kind: StorageDomain.Kind = file.group == nil ? .fileSystem : .appGroupFileSystem
      entries = [
        .init("domain", .map([.init(kind.rawValue, .map(present: place))])), .init("form", .text(file.form.rawValue)),
        .init("dates", file.dates == .iso8601 ? .absent : .text(file.dates.rawValue)),
      ]
    }
    entries.append(.init("using", FieldValue(source.using?.text)))
    entries.append(.init("exclusive", source.isExclusive ? .flag(true) : .absent))
    self = .map(present: entries)
  }

  private init(_ origin: ResolvedImport.Origin) {
    switch origin {
    case .rowID: self = .map([.init("rowID", .flag(true))])
    case .column(let column): self.init(column)
    case .parent(let reference, let table, let column):
      self = .map(present: [
        .init("reference", .text(reference)), .init("table", .text(table)),
        .init("column", column.map { FieldValue($0) } ?? .absent),
      ])
    case .children(let name, let inverse, let table, let fields):
      self = .map(present: [
        .init("relationship", .text(name)), .init("inverse", FieldValue(inverse)), .init("table", .text(table)),
        .init("fields", .map(fields.map { Entry($0.name, FieldValue($0.column)) })),
      ])
    }
  }

  private init(_ column: ResolvedImport.Column) {
    guard column.type != nil || column.transform != nil || column.isExternal else {
      self = .text(column.name)
      return
    }
    self = .map(present: [
      .init("column", .text(column.name)), .init("type", FieldValue(column.type?.swiftText)),
      .init("transform", FieldValue(column.transform?.text)),
      .init("externalStorage", column.isExternal ? .flag(true) : .absent),
    ])
  }
}

extension ResolvedImport {
  /// The import in words, for audits.
  package var words: String {
    let rows = table.isEmpty ? "the list" : "the rows of \(table)"
    guard let home else { return "\(rows) in \(source)" }
    return "\(rows) in \(source), \(home.words)"
  }
}

extension ResolvedSource {
  /// The place of the source, and what becomes of it, in words.
  package var words: String {
    let place: String
    switch content {
    case .key(let member, _): place = "the legacy key \(member)"
    case .file(let file):
      let group = file.group.map { " of the group " + ($0.identifier?.containerText ?? "that is configured") } ?? ""
      let form = file.form == .coreData ? "a store of Core Data" : "a SQLite database"
      place = "\(form): \(file.path) in \(file.directory.rawValue)\(group)"
    }
    return place
      + (isExclusive ? "; it stays until removeSources() or removeAll(in:)" : "; the library never removes it")
  }
}
