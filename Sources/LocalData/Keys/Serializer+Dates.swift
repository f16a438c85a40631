package import LocalDataFoundation
import LocalDataStores
public import LocalDataVocabulary

extension Serializer where Value: Codable {
  /// JSON whose dates have another form than the one of JSONEncoder, which is ``DateForm/secondsSince2001``.
  ///
  /// ```swift
  /// extension StorageKey where Value == Date? {
  ///   static let expiry = StorageKey(
  ///     name: "expiry", domain: .userDefaults(), security: .none, serializer: .json(dates: .secondsSince1970),
  ///     owner: "AppTeam", description: "The subscription's end.")
  /// }
  /// ```
  ///
  /// - Parameter dates: The form of every date in a value. A text of ISO 8601 is written in whole seconds, and read with a
  ///   fraction too.
  public static func json(dates: DateForm) -> Self {
    Self(
      kind: .json, dates: dates,
      encode: { value in
        let bytes = try JSONForm.encode(value, dates)
        // The encoder writes a decimal number that is no number as it is. Nothing decodes it.
        if bytes.contains("NaN") { _ = try JSONForm.decoder(dates).decode(Value.self, from: bytes) }
        return bytes
      },
      decode: { try JSONForm.decode($0, dates) })
  }

  /// JSON as a text, whose dates have another form than the one of JSONEncoder: `1700000000`, or `"2023-11-14T22:13:20Z"` with
  /// its quotation marks.
  ///
  /// - Parameter dates: The form of every date in a value.
  public static func jsonText(dates: DateForm) -> Self { text(of: json(dates: dates)) }

  /// A property list whose dates are numbers or texts, for values that consist of dates alone.
  ///
  /// The type is `Date`, or a list, a set or a map by text of dates. Other numbers and texts in a value would be read as dates, so
  /// values of other types cannot be read.
  ///
  /// - Parameter dates: The form of the dates. In plain preferences the value itself is the number or the text.
  public static func propertyList(dates: DateForm) -> Self {
    Self(kind: .propertyList, dates: dates) { value in
      try PropertyListForm.replacingLeaves(of: try Self.propertyList.encode(value)) { leaf in
        guard case .date(let date) = leaf else { throw StorageProblem.cannotEncode }
        return dates.leaf(of: date)
      }
    } decode: { bytes in
      try PropertyListLimits.check(bytes)
      let native = try PropertyListForm.replacingLeaves(of: bytes) { .date(try dates.date(of: $0)) }
      return try Self.propertyList.decode(native)
    }
  }
}

extension DateForm {
  /// Returns the date that a number of this form stands for.
  package func date(of number: Double) -> Date {
    switch self {
    case .secondsSince1970, .iso8601: Date(timeIntervalSince1970: number)
    case .millisecondsSince1970: Date(timeIntervalSince1970: number / 1_000)
    case .secondsSince2001: Date(timeIntervalSinceReferenceDate: number)
    }
  }

  fileprivate func leaf(of date: Date) -> AnyCodable {
    switch self {
    case .secondsSince1970: .double(date.timeIntervalSince1970)
    case .millisecondsSince1970: .double(date.timeIntervalSince1970 * 1_000)
    case .secondsSince2001: .double(date.timeIntervalSinceReferenceDate)
    case .iso8601: .string(date.formatted(.iso8601))
    }
  }

  fileprivate func date(of leaf: AnyCodable) throws -> Date {
    switch leaf {
    case .integer(let number) where self != .iso8601: return date(of: Double(number))
    case .double(let number) where self != .iso8601: return date(of: number)
    case .string(let text) where self == .iso8601: return try Self.date(ofText: text)
    default: throw StorageProblem.cannotDecode
    }
  }

  /// Returns the date of a text of ISO 8601, with or without a fraction of a second.
  fileprivate static func date(ofText text: String) throws -> Date {
    guard let point = text.firstIndex(of: ".") else { return try Date.ISO8601FormatStyle().parse(text) }
    let rest = text[point...].dropFirst()
    let digits = rest.prefix { ("0"..."9").contains($0) }
    guard let fraction = Double("0.\(digits)") else { throw StorageProblem.cannotDecode }
    return try Date.ISO8601FormatStyle().parse("\(text[..<point])\(rest.dropFirst(digits.count))") + fraction
  }
}

/// JSON with dates of a form.
enum JSONForm {
  static func encode<Value: Encodable>(_ value: Value, _ dates: DateForm?) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    if let isJSON = AnyCodable.isJSON { encoder.userInfo[isJSON] = true }
    switch dates {
    case .secondsSince1970: encoder.dateEncodingStrategy = .secondsSince1970
    case .millisecondsSince1970: encoder.dateEncodingStrategy = .millisecondsSince1970
    case .iso8601: encoder.dateEncodingStrategy = .iso8601
    case .secondsSince2001, nil: break
    }
    return try encoder.encode(value)
  }

  static func decode<Value: Decodable>(_ bytes: Data, _ dates: DateForm?) throws -> Value {
    try decoder(dates).decode(Value.self, from: bytes)
  }

  static func decoder(_ dates: DateForm?) -> JSONDecoder {
    let decoder = JSONDecoder()
    switch dates {
    case .secondsSince1970: decoder.dateDecodingStrategy = .secondsSince1970
    case .millisecondsSince1970: decoder.dateDecodingStrategy = .millisecondsSince1970
    case .iso8601:
      decoder.dateDecodingStrategy = .custom {
        try DateForm.date(ofText: $0.singleValueContainer().decode(String.self))
      }
    case .secondsSince2001, nil: break
    }
    return decoder
  }
}

extension PropertyListForm {
  /// Returns a property list with other numbers, texts and dates. The keys of its maps stay.
  fileprivate static func replacingLeaves(of bytes: Data, _ replace: (AnyCodable) throws -> AnyCodable) throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return try encoder.encode(try PropertyListDecoder().decode(AnyCodable.self, from: bytes).replacingLeaves(replace))
  }
}

extension AnyCodable {
  fileprivate func replacingLeaves(_ replace: (AnyCodable) throws -> AnyCodable) rethrows -> AnyCodable {
    switch self {
    case .array(let list): .array(try list.map { try $0.replacingLeaves(replace) })
    case .object(let map): .object(try map.mapValues { try $0.replacingLeaves(replace) })
    default: try replace(self)
    }
  }
}
