/// A catalog in which somebody has pasted an entry of `allow` from an explanation or a help text.
package enum PastedAllowance {
  /// Returns the entries of a text between backticks: `allow: [{rule: …}]`.
  package static func entries(in text: String) -> [String] {
    text.split(separator: "`").filter { $0.hasPrefix("allow: [{rule:") }.map(String.init)
  }

  /// Returns a catalog with the entry at a declaration, or nil if it does not have the declaration.
  ///
  /// - Parameters:
  ///   - entry: The entry, as the tool prints it.
  ///   - name: The name in Swift: a database `wallet` is `WalletDatabase`.
  package static func pasted(_ entry: String, to name: String, in catalog: String) -> String? {
    var lines = catalog.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let member = name.hasSuffix("Database") ? name.prefix(1).lowercased() + name.dropFirst().dropLast(8) : name
    for name in [member, name] {
      let start = lines.firstIndex { line in
        indent(of: line) > 0 && line.drop { $0 == " " }.hasPrefix("\(name):")
      }
      guard let start else { continue }
      let margin = indent(of: lines[start])
      let end = lines[(start + 1)...].firstIndex { !$0.isEmpty && indent(of: $0) <= margin } ?? lines.endIndex
      if let own = lines[start..<end].firstIndex(where: { $0.contains("allow: [") }) {
        lines[own] = lines[own].replacing("allow: [", with: "\(entry.dropLast()), ", maxReplacements: 1)
      } else if lines[start].hasSuffix(":") {
        lines.insert(String(repeating: " ", count: margin + 2) + entry, at: start + 1)
      } else {
        lines[start] = lines[start].replacing("\(name): {", with: "\(name): {\(entry), ", maxReplacements: 1)
      }
      return lines.joined(separator: "\n")
    }
    return nil
  }

  private static func indent(of line: String) -> Int { line.prefix { $0 == " " }.count }
}
