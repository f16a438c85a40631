import LocalDataSyntax
import LocalDataModel

/// The rules of a SARIF document, with the weaknesses that they are about.
enum SARIFRules {
  private static let taxonomyName = "CWE"

  /// The property of the tool that names the taxonomy.
  static let supportedTaxonomies = "\"supportedTaxonomies\": [{\"name\": \"\(taxonomyName)\"}],"

  static func descriptor(_ rule: Rule) -> String {
    let help = [
      ("text", JSONText.quoted(RuleText.explanation(of: rule))), ("markdown", JSONText.quoted(RuleText.help(of: rule))),
    ]
    var fields: [JSONText.Field] = [
      ("id", JSONText.quoted(rule.id)), ("shortDescription", SARIFReport.message(rule.purpose)),
      ("fullDescription", SARIFReport.message("\(rule.purpose) \(rule.why)")), ("help", JSONText.object(help)),
      ("defaultConfiguration", JSONText.object([("level", JSONText.quoted(rule.severity.rawValue))])),
    ]
    let relationships = (RuleSecurity.all[rule.id]?.weaknesses ?? []).map { weakness in
      let component = JSONText.object([("name", JSONText.quoted(taxonomyName))])
      let target = JSONText.object([("id", "\"\(weakness.number)\""), ("toolComponent", component)])
      return JSONText.object([("target", target), ("kinds", "[\"relevant\"]")])
    }
    if !relationships.isEmpty { fields.append(("relationships", list(relationships))) }
    fields.append(("properties", JSONText.object(properties(of: rule))))
    return JSONText.object(fields)
  }

  /// The properties that GitHub's code scanning reads.
  private static func properties(of rule: Rule) -> [JSONText.Field] {
    var fields: [JSONText.Field] = [
      ("category", JSONText.quoted(rule.category.rawValue)),
      ("precision", JSONText.quoted(RuleSecurity.precision(of: rule.id).rawValue)),
    ]
    guard let security = RuleSecurity.all[rule.id] else { return fields }
    let tags = ["security"] + security.weaknesses.map { "external/cwe/cwe-\(padded($0.number))" }
    fields.append(("security-severity", JSONText.quoted(security.severity)))
    fields.append(("tags", list(tags.map(JSONText.quoted))))
    return fields
  }

  private static func padded(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 3 - digits.utf8.count)) + digits
  }

  /// Returns the weaknesses that rules are about, each once.
  static func taxonomy(of rules: [Rule]) -> String {
    var titles: [Int: String] = [:]
    for weakness in rules.flatMap({ RuleSecurity.all[$0.id]?.weaknesses ?? [] }) {
      titles[weakness.number] = weakness.title
    }
    let taxa = titles.sorted { $0.key < $1.key }.map { number, title in
      JSONText.object([
        ("id", "\"\(number)\""), ("name", JSONText.quoted("CWE-\(number)")),
        ("shortDescription", SARIFReport.message(title)),
        ("helpUri", "\"https://cwe.mitre.org/data/definitions/\(number).html\""),
      ])
    }
    return JSONText.object([
      ("name", JSONText.quoted(taxonomyName)), ("organization", "\"MITRE\""),
      ("informationUri", "\"https://cwe.mitre.org/\""),
      ("shortDescription", SARIFReport.message("The Common CommonWeakness Enumeration")), ("taxa", list(taxa)),
    ])
  }

  private static func list(_ elements: [String]) -> String { "[\(elements.joined(separator: ", "))]" }
}
