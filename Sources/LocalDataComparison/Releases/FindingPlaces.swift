package import LocalDataModel
package import LocalDataSyntax

/// Findings as diagnostics: each with a place in today's catalogs.
package struct FindingPlaces {
  private var files: [String: SourceFile] = [:]
  /// The offsets at which the lines of each file start, in bytes.
  private var lineStarts: [String: [Int]] = [:]
  private var catalogs: [String: String] = [:]
  private let first: SourceFile?
  private let state: CatalogState

  package init(_ state: CatalogState, _ resolved: [ResolvedCatalog], _ sources: [SourceFile]) {
    self.state = state
    first = sources.first
    for source in sources {
      files[source.path] = source
      var starts = [0]
      for (offset, byte) in source.bytes.enumerated() where byte == UInt8(ascii: "\n") { starts.append(offset + 1) }
      lineStarts[source.path] = starts
    }
    for catalog in resolved { catalogs[catalog.name] = catalog.path }
  }

  package func diagnostic(_ finding: Finding) -> Diagnostic {
    var notes: [Diagnostic.Note] = []
    if case .type = finding.subject, !finding.keys.isEmpty {
      let names = finding.keys.sorted().map { "'\($0)'" }
      let more = names.count > 5 ? " and \(names.count - 5) more" : ""
      notes = [.init("stored in \(names.prefix(5).joined(separator: ", "))\(more)")]
    }
    return Diagnostic(
      rule: finding.rule.id, severity: finding.rule.severity, finding.text, at: place(of: finding.subject),
      help: finding.help, notes: notes, key: member(of: finding.subject))
  }

  /// The declaration that a finding is about, which can allow it.
  private func member(of subject: Finding.Subject) -> String? {
    switch subject {
    case .key(let name), .type(let name), .record(let name), .field(record: let name, _): name
    case .database(let member): ResolvedDatabase.typeName(of: member)
    case .catalog: nil
    }
  }

  /// The path of the catalog that a finding is about.
  package func path(of subject: Finding.Subject) -> String? { place(of: subject)?.file.path }

  package func place(of subject: Finding.Subject) -> SourcePlace? {
    switch subject {
    case .key(let member): state.keys[member].flatMap { place($0.catalog, line: $0.line, name: member) }
    case .type(let name): state.types[name].flatMap { place($0.catalog, line: $0.line, name: name) }
    case .database(let member):
      state.databases[member].flatMap { place($0.catalog, line: $0.line, name: member) }
    case .record(let name): state.records[name].flatMap { place($0.catalog, line: $0.line, name: name) }
    case .field(let name, let number):
      state.records[name].flatMap { record in
        record.field(number).flatMap { place(record.catalog, line: $0.line, name: $0.name) }
      }
    case .catalog(let name): (file(name) ?? first)?.start
    }
  }

  /// Returns true if a declaration is written in braces: `theme: {type: String, …}`.
  package func isFlow(_ subject: Finding.Subject) -> Bool {
    guard let place = place(of: subject) else { return false }
    let line = String(decoding: line(place.range.start.line, of: place.file), as: UTF8.self)
    let rest = line.dropFirst(place.range.end.column - 1).drop { $0 != ":" }.dropFirst()
    return rest.first { $0 != " " } == "{"
  }

  private func file(_ catalog: String) -> SourceFile? { catalogs[catalog].flatMap { files[$0] } }

  /// The name in its line; the line if the name is written in another way there.
  private func place(_ catalog: String, line: Int, name: String) -> SourcePlace? {
    guard let file = file(catalog) else { return first?.start }
    let text = self.line(line, of: file)
    let name = Array(name.utf8)
    let offset = text.indices.first { text[$0...].starts(with: name) } ?? text.startIndex
    let column = text[..<offset].count { $0 & 0xC0 != 0x80 } + 1
    let start = SourceLocation(line: line, column: column)
    let length = text[offset...].starts(with: name) ? name.count : 1
    return SourcePlace(
      file: file, range: SourceRange(start: start, end: SourceLocation(line: line, column: column + length)))
  }

  /// The bytes of a line.
  private func line(_ number: Int, of file: SourceFile) -> ArraySlice<UInt8> {
    guard let starts = lineStarts[file.path], starts.indices.contains(number - 1) else { return [] }
    let end = starts.indices.contains(number) ? starts[number] - 1 : file.bytes.endIndex
    return file.bytes[starts[number - 1]..<end]
  }
}
