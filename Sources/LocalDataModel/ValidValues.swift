/// The values that a key or a field of a record may have: `valid`.
package struct ValidValues: Sendable, Hashable {
  /// The bounds of a number.
  package var range: Bounds?
  /// The bounds of the number of characters or elements.
  package var count: Bounds?

  /// Bounds as a catalog writes them, for example `0.5...3`, `1...` or `...10`.
  package struct Bounds: Sendable, Hashable {
    package let lower: String?
    package let upper: String?

    /// Returns nil if the text is no range, or an empty one.
    package init?(_ text: String) {
      let dots = Array("...".utf8)
      let bytes = Array(text.utf8)
      guard bytes.count >= dots.count,
        let start = (0...bytes.count - dots.count).first(where: { bytes[$0..<($0 + dots.count)].elementsEqual(dots) })
      else { return nil }
      let first = String(decoding: bytes[..<start], as: UTF8.self)
      let last = String(decoding: bytes[(start + dots.count)...], as: UTF8.self)
      guard !first.isEmpty || !last.isEmpty, [first, last].allSatisfy({ $0.isEmpty || Self.isNumber($0) }) else {
        return nil
      }
      lower = first.isEmpty ? nil : first
      upper = last.isEmpty ? nil : last
      if let lower, let upper, Self.isLess(upper, lower) { return nil }
    }

    package var text: String { "\(lower ?? "")...\(upper ?? "")" }

    /// The range in Swift. A sign would be a part of the operator, or apply to the range.
    package var swiftText: String {
      let ends = [lower ?? "", upper ?? ""].map { $0.hasPrefix("-") ? "(\($0))" : $0 }
      return "(\(ends.joined(separator: "...")))"
    }

    /// The bounds that there are.
    package var numbers: [String] { [lower, upper].compactMap(\.self) }

    /// Returns true if a number is within the bounds.
    package func contains(_ number: String) -> Bool {
      lower.map { Self.isLess(number, $0) } != true && upper.map { Self.isLess($0, number) } != true
    }

    /// Returns true if other bounds allow a value that these do not.
    fileprivate func isNarrower(than other: Bounds?) -> Bool {
      guard let other else { return true }
      let isLower = lower.map { lower in other.lower.map { Self.isLess($0, lower) } ?? true } ?? false
      let isUpper = upper.map { upper in other.upper.map { Self.isLess(upper, $0) } ?? true } ?? false
      return isLower || isUpper
    }

    /// Returns true if the first of two numbers is less than the second.
    private static func isLess(_ first: String, _ second: String) -> Bool {
      if let first = Int64(first), let second = Int64(second) { return first < second }
      return (Double(first) ?? 0) < (Double(second) ?? 0)
    }

    /// Returns true if a text is a decimal number without an exponent, as Swift reads it.
    private static func isNumber(_ text: String) -> Bool {
      let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
      let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
      return (1...2).contains(parts.count) && digits.utf8.count <= 20
        && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(Identifier.isDigit) }
        && (parts[0].utf8.count == 1 || !parts[0].hasPrefix("0"))
    }
  }

  package init(range: Bounds? = nil, count: Bounds? = nil) {
    self.range = range
    self.count = count
  }

  /// The least count, if there is one.
  package var fewest: Int { count?.lower.flatMap { Int($0) } ?? 0 }

  /// The rules in words, for example `range 0.5...3`.
  package var text: String {
    [range.map { "range \($0.text)" }, count.map { "count \($0.text)" }].compactMap(\.self).joined(separator: ", ")
  }

  /// Returns false for a default that cannot be set.
  package func allows(_ value: DefaultValue) -> Bool {
    switch value {
    case .integer(let number), .floating(let number), .decimal(let number): range?.contains(number) ?? true
    case .string(let text): count?.contains(String(text.count)) ?? true
    case .data(let bytes): count?.contains(String(bytes.count)) ?? true
    case .list(let elements): count?.contains(String(elements.count)) ?? true
    case .map(let entries): count?.contains(String(entries.count)) ?? true
    case .bool, .date, .url, .uuid, .enumCase, .swift: true
    }
  }

  /// Returns the condition for a value in Swift.
  package func condition(_ value: String) -> String {
    [range.map { "\($0.swiftText).contains(\(value))" }, count.map { "\($0.swiftText).contains(\(value).count)" }]
      .compactMap(\.self).joined(separator: " && ")
  }

  /// Returns true if an earlier release could store a value that these do not allow.
  ///
  /// - Parameter other: The values of the release; nil for all.
  package func isNarrower(than other: ValidValues?) -> Bool {
    range?.isNarrower(than: other?.range) == true || count?.isNarrower(than: other?.count) == true
  }
}

extension ValidValues {
  /// As a catalog writes it.
  package var value: FieldValue {
    .map(present: [.init("range", FieldValue(range?.text)), .init("count", FieldValue(count?.text))])
  }

  /// - Parameter value: `valid` as a catalog writes it; nil if it is absent or none of this version.
  package init?(_ value: FieldValue) {
    self.init(
      range: value["range"].text.flatMap { Bounds($0) }, count: value["count"].text.flatMap { Bounds($0) })
    if range == nil, count == nil { return nil }
  }
}
