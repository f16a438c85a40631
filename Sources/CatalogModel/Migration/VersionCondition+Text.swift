extension ResolvedMigration.VersionCondition {
  /// A condition such as `<2.0.0`, or `nil` if the text is not one.
  init?(_ text: String) {
    // The longer sign first: `<=` begins with `<`.
    let signs = Comparison.allCases.sorted { $0.rawValue.utf8.count > $1.rawValue.utf8.count }
    guard let comparison = signs.first(where: { text.hasPrefix($0.rawValue) }) else { return nil }
    var version: [Int] = []
    let digits = text.dropFirst(comparison.rawValue.count).drop { $0 == " " }
    for part in digits.split(separator: ".", omittingEmptySubsequences: false) {
      guard part.utf8.allSatisfy(Identifier.isDigit), let number = Int32(part), version.count < 8 else { return nil }
      version.append(Int(number))
    }
    self.init(comparison: comparison, version: version)
  }

  /// The condition as a catalog writes it.
  package var text: String { comparison.rawValue + version.map(String.init).joined(separator: ".") }
}
