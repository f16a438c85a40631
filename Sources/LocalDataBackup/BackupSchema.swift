import LocalDataRecords
import LocalDataFoundation
import LocalDataSQLite

/// The names and types of the fields of a backup's records, as its document has them.
struct BackupSchema: Sendable {
  /// A field of a record or of a struct.
  struct Field: Sendable {
    let number: Int
    let name: String
    let type: BackupType
    let isOptional: Bool
  }

  /// The fields of each record by its stored name.
  private(set) var records: [String: [Field]] = [:]
  /// The fields of each struct.
  private(set) var structs: [String: [Field]] = [:]
  /// A Boolean value that indicates whether records have other fields too, which are left out.
  private(set) var isPartial = false

  /// Reads the JSON of a schema. Returns nil if it is none.
  init?(_ json: BackupJSON?, isPartial: Bool = false) {
    self.isPartial = isPartial
    guard let records = json?["records"]?.members, let types = json?["types"]?.members else { return nil }
    var enums: [String: BackupType.Element] = [:]
    var structNames: Set<String> = []
    for (name, type) in types {
      switch type {
      case .text("String"): enums[name] = .text
      case .text("Int"): enums[name] = .integer
      case .list: structNames.insert(name)
      default: return nil
      }
    }
    let known = BackupType.Names(enums: enums, structs: structNames)
    for (name, type) in types {
      guard let list = type.list else { continue }
      guard let fields = Self.fields(list, known) else { return nil }
      structs[name] = fields
    }
    for (name, record) in records {
      guard let fields = record.list.flatMap({ Self.fields($0, known) }) else { return nil }
      self.records[name] = fields
    }
  }

  private static func fields(_ list: [BackupJSON], _ names: BackupType.Names) -> [Field]? {
    var fields: [Field] = []
    for entry in list {
      guard let parts = entry.list, parts.count == 3, let number: Int = parts[0].number(),
        (1...536_870_911).contains(number), let name = parts[1].text, let text = parts[2].text,
        let type = BackupType(text, names), !fields.contains(where: { $0.number == number || $0.name == name })
      else { return nil }
      fields.append(Field(number: number, name: name, type: type, isOptional: text.hasSuffix("?")))
    }
    return fields
  }
}

/// The type of a field.
enum BackupType: Sendable {
  case single(Element)
  /// A list or a set.
  case list(Element)
  case map(key: Element, value: Element)

  /// The form of a value that is no collection.
  enum Element: Sendable, Hashable {
    /// Text, and what is stored as text: a URL, a decimal number, JSON of the app's own type.
    case text
    case bool, integer, unsigned, real, float, date
    /// A date in whole seconds.
    case seconds
    case data, uuid
    case structure(String)
  }

  /// The declared types.
  struct Names {
    var enums: [String: Element]
    var structs: Set<String>
  }

  init?(_ text: String, _ names: Names) {
    let text = text.hasSuffix("?") ? String(text.dropLast()) : text
    if text.hasPrefix("["), text.hasSuffix("]") {
      let parts = text.dropFirst().dropLast().split(separator: ":", omittingEmptySubsequences: false)
        .map { String($0).trimmed }
      switch parts.count {
      case 1: self = .list(Element(parts[0], names))
      case 2: self = .map(key: Element(parts[0], names), value: Element(parts[1], names))
      default: return nil
      }
    } else if text.hasPrefix("Set<"), text.hasSuffix(">") {
      self = .list(Element(String(text.dropFirst(4).dropLast()), names))
    } else {
      self = .single(Element(text, names))
    }
  }
}

extension BackupType.Element {
  fileprivate init(_ name: String, _ names: BackupType.Names) {
    if names.structs.contains(name) {
      self = .structure(name)
      return
    }
    self = names.enums[name] ?? Self.scalars[name] ?? .text
  }

  private static let scalars: [String: Self] = [
    "Bool": .bool, "Int": .integer, "Int8": .integer, "Int16": .integer, "Int32": .integer, "Int64": .integer,
    "UInt": .unsigned, "UInt8": .unsigned, "UInt16": .unsigned, "UInt32": .unsigned, "UInt64": .unsigned,
    "Double": .real, "Float": .float, "Date": .date, "Seconds": .seconds, "Data": .data, "UUID": .uuid,
  ]
}

extension String {
  fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
