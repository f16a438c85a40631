package import LocalDataSyntax
import LocalDataVocabulary

/// A record with its fields, or a database with its records: where they are declared and stored, and their protection.
package enum RecordExplanation {
  /// Returns the explanations of the databases and records with a name, as text.
  package static func explain(_ name: String, in trees: [SyntaxTree], project: Project) -> [String] {
    let run = CatalogResolver.check(trees, project).run
    let databases = run.documents.flatMap { run.resolvedDatabases(of: $0.header) }
    return run.documents.flatMap { document -> [String] in
      let records = run.resolvedRecords(of: document.header)
      let own = run.resolvedDatabases(of: document.header)
      let place = { (line: Int) in "\(document.header.name) (\(SafeText.escaped(document.tree.source.path)):\(line))" }
      return own.filter { $0.member == name }.map { database in
        "\(name), a database of \(place(database.line))\n\n"
          + database.explanation(run.documents.flatMap { run.resolvedRecords(of: $0.header) })
      }
        + records.filter { $0.name == name }.map { record in
          "\(name), a record of \(place(record.line))\n\n"
            + record.explanation(databases.first { $0.member == record.database })
        }
    }
  }

  /// Returns the names that can be explained.
  package static func names(in trees: [SyntaxTree]) -> [String] {
    let records = CatalogResolver.link(trees).records
    return records.databases.map(\.member.text) + records.all.map(\.name)
  }

  /// Returns the name that is most similar to another one, or nil if none is.
  package static func nearest(to name: String, in trees: [SyntaxTree]) -> String? {
    Spelling.nearest(to: name, among: names(in: trees))
  }

  /// Returns the rows as text, with the columns below each other.
  static func table(_ rows: [[String]]) -> String {
    let escaped = rows.map { $0.map(SafeText.escaped) }
    let widths = (0..<(rows.first?.count ?? 0)).map { column in
      escaped.map { $0[column].unicodeScalars.count }.max() ?? 0
    }
    return escaped.map { row in
      // The last column is not padded.
      let cells = zip(row, widths.dropLast() + [0]).map { text, width in
        text + String(repeating: " ", count: max(0, width - text.unicodeScalars.count))
      }
      return "  \(cells.joined(separator: "  "))\n"
    }.joined()
  }
}

extension ResolvedDatabase {
  fileprivate func explanation(_ records: [ResolvedRecord]) -> String {
    let names = records.filter { $0.database == member }.map(\.name).joined(separator: ", ")
    let rows = [
      ["name", name], ["domain", FieldValue(domain).description], ["protection", protection.rawValue],
      ["sealing", FieldValue(sealing).description], ["backup", isInBackup ? "true" : "false"],
      ["movedFrom", movedFrom.isEmpty ? "none" : movedFrom.map(\.words).joined(separator: ", ")],
      ["access", access.rawValue], ["owner", owner], ["records", names.isEmpty ? "none" : names],
      ["description", description],
    ]
    return RecordExplanation.table(rows) + "\n" + StoredAddress(self).explanation("")
  }
}

extension ResolvedRecord {
  fileprivate func explanation(_ database: ResolvedDatabase?) -> String {
    func list(_ indexes: [[Int]]) -> String {
      let all = indexes.map { "[\(names(of: $0).joined(separator: ", "))]" }
      return all.isEmpty ? "none" : all.joined(separator: ", ")
    }
    let facts: [[String]] = [
      ["name", storedName], ["database", self.database],
      ["protection", database?.protection.rawValue ?? ""], ["member", "router.\(member)"], ["key", key],
      ["sensitivity", sensitivity.rawValue], ["indexes", list(indexes)], ["unique", uniqueText],
      ["retention", retention.map { FieldValue($0).description } ?? "kept until removed"],
      ["expires", expires ?? "none"], ["onCorruption", (skipsDamaged ? RowCorruption.skip : .throw).rawValue],
      ["reserved", reserved.isEmpty ? "none" : reserved.map(\.words).joined(separator: "; ")],
      ["maxSize", String(maxSize ?? 1 << 20)], ["importedFrom", imported?.words ?? "none"],
    ]
    let words: [[String]] = [
      ["signOut", signOut?.value.description ?? "the rows are removed"],
      ["privacy", privacy.map { FieldValue($0).description } ?? "none"],
      ["deprecated", deprecation.map { FieldValue($0).description } ?? "no"],
      ["access", access.rawValue], ["owner", owner],
      ["title", labels.title ?? "none"], ["tags", labels.tags.isEmpty ? "none" : labels.tags.joined(separator: ", ")],
      ["review", review.map { FieldValue($0).description } ?? "none"],
      ["description", description],
    ]
    let fields = fields.map { [String($0.number), $0.name, $0.type.swiftText, $0.words(in: self)] }
    let address = database.map { "\n" + StoredAddress($0).explanation(", table '\(storedName)'") } ?? ""
    return RecordExplanation.table(facts + words) + "\n" + RecordExplanation.table(fields) + address
  }
}

extension ResolvedRecord.SignOut {
  /// `keep`, or `{by: userID}`.
  package var value: FieldValue {
    switch self {
    case .keep: .text(RecordSignOutDraft.Kind.keep.rawValue)
    case .by(let field): .map([.init(RecordSignOutDraft.Kind.by.rawValue, .text(field))])
    }
  }
}

extension ResolvedRecord {
  /// The unique indexes, each with the row that stays of several with equal values.
  fileprivate var uniqueText: String {
    let all = unique.map { index in
      let fields = FieldValue.list(names(of: index).map(FieldValue.text))
      guard let existing = existing[index] else { return fields.description }
      return FieldValue.map([.init("fields", fields), .init("existing", existing.value)]).description
    }
    return all.isEmpty ? "none" : all.joined(separator: ", ")
  }
}

extension ResolvedRecord.Existing {
  /// `keepLast`, or `{keepLast: cascade}`.
  fileprivate var value: FieldValue {
    cascades
      ? .map([.init(kept.rawValue, .text(ReferringRecords.cascade.rawValue))]) : .text(kept.rawValue)
  }
}

extension ResolvedDatabase.Address {
  fileprivate var words: String { "'\(name)' in \(FieldValue(domain))" }
}

extension ResolvedRecord.Reserved {
  fileprivate var words: String {
    let all = (numbers.map(String.init) + names).joined(separator: ", ")
    return deletesValues ? "\(all), values are deleted" : all
  }
}

extension ResolvedRecord.Field {
  /// The column, the encryption, the reference and the origin of a field.
  fileprivate func words(in record: ResolvedRecord) -> String {
    var words: [String] = []
    switch encryption {
    case .none: words.append("column '\(storedName)'")
    case .sealed: words.append("encrypted")
    case .blind: words.append("encrypted, blind index '\(storedName).blind'")
    }
    if name == record.key { words.append("the key") }
    switch defaultValue {
    case .new: words.append("default new")
    case .value(let value): words.append("default \(FieldValue(value))")
    case nil: break
    }
    if isInSeconds { words.append("in seconds") }
    if let reference { words.append("refers to \(reference.record), \(reference.onDelete.rawValue)") }
    words += transforms.map { "from \(FieldValue($0))" }
    if sensitivity.isAboutPerson { words.append(sensitivity.rawValue) }
    if privacy != record.privacy, let privacy { words.append("privacy \(FieldValue(privacy))") }
    if let description { words.append(description) }
    return words.joined(separator: "; ")
  }
}

extension StoredAddress {
  /// The file of a database.
  package init(_ database: ResolvedDatabase) {
    self.init(database.domain, name: "")
    apple += ".records/\(Self.fileName(database.name, foldsCase: true)).db"
    linux += ".records/\(Self.fileName(database.name, foldsCase: false)).db"
  }

  /// The lines of an explanation, each with a text after the address.
  func explanation(_ rest: String) -> String {
    "  stored on Apple's platforms: \(SafeText.escaped(apple + rest))\n"
      + "  stored on Linux: \(SafeText.escaped(linux + rest))\n"
  }
}
