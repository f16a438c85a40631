package import LocalDataSyntax
import LocalDataModel

/// Writes rules for a reader: the list of all, and one with its examples.
package enum RuleText {
  package enum Format: String, Sendable, CaseIterable {
    case text, json, markdown
  }

  package static func list(_ rules: [Rule], as format: Format) -> String {
    switch format {
    case .text: table(rules)
    case .json: json(rules)
    case .markdown: markdown(rules)
    }
  }

  private static func table(_ rules: [Rule]) -> String {
    func padded(_ text: String, _ count: Int) -> String {
      text + String(repeating: " ", count: max(0, count - text.utf8.count))
    }
    let width = rules.reduce(0) { max($0, $1.id.utf8.count) }
    var output = ""
    for category in Rule.Category.allCases {
      let members = rules.filter { $0.category == category }
      guard !members.isEmpty else { continue }
      output += output.isEmpty ? "" : "\n"
      output += "\(category.title)\n"
      for rule in members {
        output += "  \(padded(rule.id, width))  \(padded(rule.severity.rawValue, 7))  \(rule.purpose)\n"
      }
    }
    return output
  }

  private static func json(_ rules: [Rule]) -> String {
    let objects = rules.map { rule in
      var fields: [JSONText.Field] = [
        ("id", JSONText.quoted(rule.id)), ("severity", JSONText.quoted(rule.severity.rawValue)),
        ("category", JSONText.quoted(rule.category.rawValue)), ("purpose", JSONText.quoted(rule.purpose)),
        ("why", JSONText.quoted(rule.why)), ("allowable", "\(rule.isAllowable)"),
      ]
      if let bad = rule.bad { fields.append(("bad", JSONText.quoted(bad.shown))) }
      fields.append(("good", JSONText.quoted(rule.good.shown)))
      return "\n    \(JSONText.object(fields))"
    }
    return "{\n  \"version\": 1,\n  \"rules\": [\(objects.joined(separator: ","))\n  ]\n}\n"
  }

  private static func markdown(_ rules: [Rule]) -> String {
    var output = ""
    for category in Rule.Category.allCases {
      let members = rules.filter { $0.category == category }
      guard !members.isEmpty else { continue }
      output += "\(output.isEmpty ? "" : "\n")### \(category.title)\n\n| rule | severity | asks |\n|---|---|---|\n"
      for rule in members {
        output += "| `\(rule.id)` | \(rule.severity.rawValue) | \(markdownText(rule.purpose, isCell: true)) |\n"
      }
    }
    return output
  }

  /// Returns what a rule asks and why, with an example of each kind.
  package static func explanation(of rule: Rule) -> String {
    var output = "\(rule.id) (\(rule.severity.rawValue))\n\n  \(rule.purpose)\n  \(rule.why)\n"
    if let bad = rule.bad { output += "\nWrong:\n\n\(indented(bad.shown))" }
    output += "\nRight:\n\n\(indented(rule.good.shown))\n"
    output +=
      rule.isAllowable
      ? acceptance(of: rule)
        + "The options --deny, --warn and --allow change the severity of all findings.\n"
      : "A finding of this rule is always an error.\n"
    return output
  }

  /// Returns the same as Markdown.
  static func help(of rule: Rule) -> String {
    var output = "\(markdownText(rule.purpose)) \(markdownText(rule.why))\n"
    if let bad = rule.bad { output += "\nWrong:\n\n```yaml\n\(bad.shown)\n```\n" }
    output += "\nRight:\n\n```yaml\n\(rule.good.shown)\n```\n"
    if rule.isAllowable, rule.isOfDeclaration { output += "\n\(acceptance(of: rule))" }
    return output
  }

  /// Returns how a declaration accepts a finding; empty if findings are about no declaration.
  private static func acceptance(of rule: Rule) -> String {
    guard rule.isOfDeclaration else { return "" }
    return "The declaration of a finding accepts it with `allow: [{rule: \(rule.id), reason: …, until: 2027-12-31}]`.\n"
  }

  /// Text of a rule, which has code between backticks, without the signs of Markdown and HTML. In a cell of a table, code can
  /// have no bar either.
  private static func markdownText(_ text: String, isCell: Bool = false) -> String {
    var isCode = false
    return text.reduce(into: "") { result, character in
      if character == "`" { isCode.toggle() }
      if !isCode && "<*".contains(character) || isCell && character == "|" { result += "\\" }
      result.append(character)
    }
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
  }
}
