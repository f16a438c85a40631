import StorageVocabulary

/// Durations as a catalog writes them: `90d`.
enum Duration {
  /// Seconds; `nil` where the text is no duration, or longer than a number can hold.
  static func seconds(_ text: String) -> Int? {
    guard let unit = Retention.units.first(where: { text.hasSuffix($0.symbol) }) else { return nil }
    let digits = text.utf8.dropLast(unit.symbol.utf8.count)
    guard digits.first != UInt8(ascii: "0"), digits.allSatisfy(Identifier.isDigit),
      let count = Int(String(decoding: digits, as: UTF8.self))
    else { return nil }
    let (seconds, overflows) = count.multipliedReportingOverflow(by: unit.seconds)
    return overflows ? nil : seconds
  }
}

extension Retention.Kind {
  /// The case that a value which stands alone was probably meant for.
  static func nameOfPayload(_ text: String) -> String? {
    if Duration.seconds(text) != nil { return Retention.Kind.maxAge.text }
    return Retention.End.names.find(text) == nil ? nil : Retention.Kind.until.text
  }
}
