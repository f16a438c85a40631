package import LocalDataModel
import LocalDataSyntax

/// A released state as canonical JSON: sorted, and one fact a line, so that a diff of two snapshots is readable.
package struct SnapshotWriter {
  /// The newest format that this version writes and reads. It reads all before it.
  package static let format = 2

  /// The format of a state. One without databases and records has the format that older tools read.
  private static func format(of state: CatalogState) -> Int { state.hasRecords || !state.backups.isEmpty ? format : 1 }

  /// The text of each key in a snapshot, by member.
  package struct KeyTexts: Sendable {
    var byMember: [String: [UInt8]]

    package init(_ state: CatalogState) {
      let keys = Array(state.keys.values)
      let texts = stride(from: 0, to: keys.count, by: Self.keysAtOnce)
        .map { keys[$0..<min($0 + Self.keysAtOnce, keys.count)] }
        .concurrentMap { part in part.map { (member: $0.member, text: SnapshotWriter.bytes(of: $0)) } }
      byMember = [:]
      byMember.reserveCapacity(keys.count)
      for part in texts {
        for (member, text) in part { byMember[member] = text }
      }
    }

    private static let keysAtOnce = 512
  }

  /// The whole document.
  package static func write(_ state: CatalogState, release: String) -> String {
    var output = "{\n  \"format\": \(format(of: state)),\n  \"release\": \(quoted(release)),\n"
    output += section(
      "catalogs",
      state.catalogs.sorted { $0.key < $1.key }.map { name, access in
        object(name, [.init("access", .text(access))])
      })
    output += section("types", state.hasRecords ? state.types : state.types.mapValues(\.withoutNumbers))
    if state.hasRecords {
      output += section("databases", state.databases)
      output += section("records", state.records)
    }
    if !state.backups.isEmpty { output += section("backupFiles", state.backups) }
    if !state.unmanaged.isEmpty { output += section("unmanaged", state.unmanaged) }
    output += section(
      "keys", state.keys.sorted { $0.key < $1.key }.map { String(decoding: bytes(of: $0.value), as: UTF8.self) })
    let reserved = (state.reserved.map(\.value) + state.reservedRecords.map(\.facts)).map { "    \(json($0))" }.sorted()
    output += "  \"reserved\": [\(reserved.isEmpty ? "]\n" : "\n\(reserved.joined(separator: ",\n"))\n  ]\n")}\n"
    return output
  }

  private static func section(_ name: String, _ declarations: [String: some Declaration]) -> String {
    section(name, declarations.sorted { $0.key < $1.key }.map { object($0, $1.facts) })
  }

  private static func section(_ name: String, _ objects: [String]) -> String {
    objects.isEmpty ? "  \"\(name)\": {},\n" : "  \"\(name)\": {\n\(objects.joined(separator: ",\n"))\n  },\n"
  }

  // MARK: Parts

  /// The lines of a key. Ten thousand of them are compared with each snapshot, so they are written as bytes.
  private static func bytes(of key: DeclaredKey) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(1 << 10)
    output += "    ".utf8
    append(key.member, to: &output)
    output += ": {".utf8
    var isFirst = true
    for (index, field) in ResolvedField.allCases.enumerated() where field != .member {
      let value = key[field]
      if value == .absent { continue }
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      output += heads[index]
      switch value {
      case .text(let text): append(text, to: &output)
      default: output += json(fact: value).utf8
      }
    }
    output += "\n    }".utf8
    return output
  }

  /// The text before the value of each field.
  private static let heads = ResolvedField.allCases.map { Array("\n      \"\($0.path)\": ".utf8) }

  private static func append(_ text: String, to output: inout [UInt8]) {
    var text = text
    let isWritten = text.withUTF8 { bytes in
      guard bytes.allSatisfy(JSONText.isPlain) else { return false }
      output.append(UInt8(ascii: "\""))
      output.append(contentsOf: bytes)
      output.append(UInt8(ascii: "\""))
      return true
    }
    if !isWritten { output += quoted(text).utf8 }
  }

  private static func object(_ name: String, _ facts: [FieldValue.Entry]) -> String {
    let lines: [String] = facts.map { "\n      \(quoted($0.name)): \(json(fact: $0.value))" }
    return "    \(quoted(name)): {\(lines.joined(separator: ","))\n    }"
  }

  /// A value in its own line; the maps of a list have a line each.
  private static func json(fact value: FieldValue) -> String {
    guard case .list(let elements) = value, case .map? = elements.first else { return json(value) }
    let lines: [String] = elements.map { json($0) }
    return "[\n        \(lines.joined(separator: ",\n        "))\n      ]"
  }

  // MARK: JSON

  /// A value on one line.
  package static func json(_ value: FieldValue) -> String {
    switch value {
    case .absent: "null"
    case .flag(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .text(let text): quoted(text)
    case .list(let elements): "[\(elements.map { json($0) }.joined(separator: ", "))]"
    case .map(let entries):
      "{\(entries.map { "\(quoted($0.name)): \(json($0.value))" }.joined(separator: ", "))}"
    }
  }

  private static func quoted(_ text: String) -> String { JSONText.quoted(text, hiding: isHidden) }

  /// Characters that end a line, are not shown, or change how others are shown. Those beyond the first plane have no escape
  /// that both JSON and YAML know.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value <= 0xFFFF else { return false }
    return switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse: true
    default: false
    }
  }
}

extension CatalogState.ReservedName {
  fileprivate var value: FieldValue {
    .map(present: [
      .init("catalog", .text(catalog)), .init("name", .text(name)),
      .init("domain", FieldValue(domain, name: domain.isExact ? name : nil)),
      .init("cleanup", deletesLeftovers ? .text("delete") : .absent), .init("note", FieldValue(note)),
    ])
  }
}
