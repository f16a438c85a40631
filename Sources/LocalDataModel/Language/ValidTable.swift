import LocalDataSyntax

extension Language {
  /// The values that a key or a field of a record may have.
  static let valid = FieldTable<ValidValues>(
    "'valid'", what: "a map with 'range' or 'count'", example: "valid: {range: 0.5...3}",
    [
      Field(
        "range", .bounds("a range of numbers"), .optional("every number"),
        "The least and the greatest number. One of the two can be left out: `1...`, `...10`.", example: "0.5...3"
      ) { $0.range = $1 },
      Field(
        "count", .bounds("a range of counts"), .optional("every count"),
        "The least and the greatest number of characters of a text, of bytes of data, or of elements.",
        example: "0...50"
      ) { $0.count = $1 },
    ])
}

extension ValueShape where Value == ValidValues.Bounds {
  /// A range with its ends, as Swift writes it.
  fileprivate static func bounds(_ what: String) -> Self {
    Self(what: what, shape: .bounds) { node, entry, context in
      guard let text = context.scalar(node, what, example: entry.written) else { return nil }
      if let bounds = ValidValues.Bounds(text) { return bounds }
      context.findings.report(
        .validValue, "'\(text)' is not \(what)", at: node,
        help: "write the least and the greatest one, for example `\(entry.written)`")
      return nil
    }
  }
}

extension ValueShape where Value == ValidValues {
  static var valid: Self {
    .record(Language.valid, ValidValues()) { valid, node, context in
      if valid != ValidValues() { return valid }
      context.findings.report(
        .validValue, "'valid' has no bounds", at: node, help: "write `\(Language.valid.example)`, or remove it")
      return nil
    }
  }
}
