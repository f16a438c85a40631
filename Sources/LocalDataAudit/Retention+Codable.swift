public import LocalDataVocabulary

/// Durations as a catalog writes them.
extension Retention {
  /// The units of a duration, with their length in seconds.
  public static let units: [(symbol: String, seconds: Int)] = [
    ("w", 604_800), ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1),
  ]

  /// A duration as a catalog writes it, in the largest unit that divides it: `90d`, `1h`.
  public static func text(seconds: Int) -> String {
    let unit = units.first { seconds.isMultiple(of: $0.seconds) } ?? ("s", 1)
    return "\(seconds / unit.seconds)\(unit.symbol)"
  }

  /// The seconds of a duration as a catalog writes it; `nil` if the text is not one, or too long for a number.
  public static func seconds(_ text: String) -> Int? {
    guard let unit = units.first(where: { text.hasSuffix($0.symbol) }) else { return nil }
    let digits = text.utf8.dropLast(unit.symbol.utf8.count)
    let isDecimal = digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard isDecimal, digits.first != UInt8(ascii: "0"), let count = Int(String(decoding: digits, as: UTF8.self))
    else { return nil }
    let (seconds, overflows) = count.multipliedReportingOverflow(by: unit.seconds)
    return overflows ? nil : seconds
  }
}

/// Written as in a catalog: `{"maxAge": "90d"}`, `{"until": "relaunch"}`.
extension Retention: Codable {
  /// Creates a value from the form that `encode(to:)` writes.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public init(from decoder: any Decoder) throws {
    let form = try CaseForm<Kind>(from: decoder)
    switch form.kind {
    case .maxAge:
      guard let seconds = Self.seconds(try form.payload()) else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: decoder.codingPath, debugDescription: "Not a duration."))
      }
      self = .maxAge(seconds: seconds)
    case .until:
      switch try form.payload() as End {
      case .relaunch: self = .untilRelaunch
      case .reinstall: self = .untilReinstall
      }
    }
  }

  /// Writes the value in the form of the catalog language.
  ///
  /// - Throws: `EncodingError` if the encoder cannot write the value.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .maxAge(let seconds): try CaseForm.encode(Kind.maxAge, Self.text(seconds: seconds), to: encoder)
    case .untilRelaunch: try CaseForm.encode(Kind.until, End.relaunch, to: encoder)
    case .untilReinstall: try CaseForm.encode(Kind.until, End.reinstall, to: encoder)
    }
  }
}
