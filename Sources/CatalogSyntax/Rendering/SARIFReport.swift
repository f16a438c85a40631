/// Writes findings as a SARIF 2.1.0 document (OASIS Static Analysis Results Interchange Format).
enum SARIFReport {
  private static let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"

  static func write(_ report: FindingsReport) -> String {
    let shown = report.shown
    var indices: [String: Int] = [:]
    for rule in report.rules { indices[rule.id] = indices[rule.id] ?? indices.count }
    let rules = list(report.rules.map(descriptor), indentation: 10)
    let results = list(shown.map { result($0, indices[$0.rule]) }, indentation: 6)
    let notifications = report.omission.map { text in
      "\"toolExecutionNotifications\": [\(JSONText.object([("level", "\"note\""), ("message", message(text))]))], "
    }
    return """
      {
        "$schema": "\(schema)",
        "version": "2.1.0",
        "runs": [{
          "tool": {
            "driver": {
              "name": "local-data",
              "rules": [\(rules)]
            }
          },
          "columnKind": "unicodeCodePoints",
          "invocations": [{\(notifications ?? "")"executionSuccessful": true}],
          "results": [\(results)]
        }]
      }

      """
  }

  private static func list(_ elements: [String], indentation: Int) -> String {
    guard !elements.isEmpty else { return "" }
    let margin = "\n" + String(repeating: " ", count: indentation)
    return elements.map { "\(margin)  \($0)" }.joined(separator: ",") + margin
  }

  private static func descriptor(_ rule: Rule) -> String {
    JSONText.object([
      ("id", JSONText.quoted(rule.id)), ("shortDescription", message(rule.purpose)),
      ("fullDescription", message("\(rule.purpose) \(rule.why)")),
      ("defaultConfiguration", JSONText.object([("level", JSONText.quoted(rule.severity.rawValue))])),
      ("properties", JSONText.object([("category", JSONText.quoted(rule.category.rawValue))])),
    ])
  }

  private static func result(_ diagnostic: Diagnostic, _ index: Int?) -> String {
    let text = diagnostic.help.map { "\(diagnostic.message)\nhelp: \($0)" } ?? diagnostic.message
    var fields: [JSONText.Field] = [("ruleId", JSONText.quoted(diagnostic.rule))]
    if let index { fields.append(("ruleIndex", "\(index)")) }
    fields += [("level", JSONText.quoted(diagnostic.severity.rawValue)), ("message", message(text))]
    if let place = diagnostic.place {
      var location: [JSONText.Field] = [("physicalLocation", physicalLocation(place))]
      if let key = diagnostic.key {
        location.append(("logicalLocations", "[\(JSONText.object([("name", JSONText.quoted(key))]))]"))
      }
      fields.append(("locations", "[\(JSONText.object(location))]"))
    }
    let related = diagnostic.notes.map { note in
      JSONText.object(
        (note.place.map { [("physicalLocation", physicalLocation($0))] } ?? []) + [("message", message(note.message))])
    }
    if !related.isEmpty { fields.append(("relatedLocations", "[\(related.joined(separator: ", "))]")) }
    return JSONText.object(fields)
  }

  private static func message(_ text: String) -> String {
    JSONText.object([("text", JSONText.quoted(text))])
  }

  private static func physicalLocation(_ place: SourcePlace) -> String {
    let (start, end) = (place.range.start, place.range.end)
    let region = JSONText.object([
      ("startLine", "\(start.line)"), ("startColumn", "\(start.column)"), ("endLine", "\(end.line)"),
      ("endColumn", "\(end.column)"),
    ])
    let artifact = JSONText.object([("uri", JSONText.quoted(uri(place.file.path)))])
    return JSONText.object([("artifactLocation", artifact), ("region", region)])
  }

  /// A path as a URI reference: relative, unless the path is absolute.
  private static func uri(_ path: String) -> String {
    var result = path.hasPrefix("/") ? "file://" : ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }
}
