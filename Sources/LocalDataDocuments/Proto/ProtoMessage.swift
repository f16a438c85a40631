import LocalDataModel
import LocalDataEmission

/// The message of a record or of a struct.
struct ProtoMessage {
  private let name: String
  private let comments: [String]
  fileprivate let fields: [Field]
  private let reserved: [ResolvedRecord.Reserved]

  /// A field with the lines of its comment.
  fileprivate struct Field {
    var wire: WireField
    var comments: [String]
    /// The type, or nil for a map, whose key and value have types.
    var type: ProtoType
  }

  init(_ record: ResolvedRecord, _ catalog: ResolvedCatalog, _ run: RunEntries) {
    name = record.name
    comments = Self.lines(record.description) + ["The table \(Self.comment(record.storedName))."]
    reserved = record.reserved
    let declared = Dictionary(record.fields.map { ($0.number, $0) }) { first, _ in first }
    fields = run.wireFields(of: record, in: catalog).map { wire in
      let field = declared[wire.number]
      let place = field?.encryption == ResolvedRecord.Encryption.none ? [] : ["Encrypted: a field of the sealed part."]
      return Field(wire, Self.lines(field?.description ?? "") + place, run)
    }
  }

  /// Returns nil for types that are no structs.
  init?(_ type: ResolvedType, _ catalog: ResolvedCatalog, _ run: RunEntries) {
    guard case .structure(let declared) = type.form else { return nil }
    name = type.name
    comments = Self.lines(type.description)
    reserved = type.reserved
    let descriptions = Dictionary(declared.map { ($0.number, $0.description) }) { first, _ in first }
    fields = run.wireFields(of: declared, in: catalog).map { wire in
      Field(wire, Self.lines(descriptions[wire.number].flatMap(\.self) ?? ""), run)
    }
  }

  /// A Boolean value that indicates whether a field is a Timestamp.
  var usesTimestamp: Bool { fields.contains { $0.type.usesTimestamp } }

  /// The message in the language of protobuf.
  var text: String {
    var lines = comments.map { "// \($0)" } + ["message \(name) {"] + reservations
    for field in fields.sorted(by: { $0.wire.number < $1.wire.number }) {
      lines += field.lines.map { "  \($0)" }
    }
    return lines.joined(separator: "\n") + "\n}\n"
  }

  private var reservations: [String] {
    let numbers = Set(reserved.flatMap(\.numbers)).sorted()
    let names = Set(reserved.flatMap(\.names)).sorted().filter(Self.isIdentifier)
    var lines: [String] = []
    if !numbers.isEmpty { lines.append("  reserved \(numbers.map(String.init).joined(separator: ", "));") }
    if !names.isEmpty { lines.append("  reserved \(names.map { "\"\($0)\"" }.joined(separator: ", "));") }
    return lines
  }

  private static func isIdentifier(_ text: String) -> Bool {
    text.utf8.first.map { !isDigit($0) } ?? false
      && text.utf8.allSatisfy { isDigit($0) || $0 == UInt8(ascii: "_") || isLetter($0) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }

  /// The lines of a description.
  private static func lines(_ text: String) -> [String] {
    text.split(whereSeparator: \.isNewline).map { comment(String($0)) }
  }

  /// Returns a text that ends no comment.
  static func comment(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}

extension ProtoMessage.Field {
  fileprivate init(_ wire: WireField, _ comments: [String], _ run: RunEntries) {
    self.wire = wire
    type = ProtoType(wire, run.types)
    self.comments = comments + type.comments.map(ProtoMessage.comment)
  }

  fileprivate var lines: [String] {
    comments.map { "// \($0)" } + type.declarations(named: wire.name)
      + ["\(type.prefix)\(type.text(named: wire.name)) \(wire.name) = \(wire.number);"]
  }
}
