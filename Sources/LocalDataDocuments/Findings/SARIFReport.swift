import LocalDataSyntax
import LocalDataModel

/// Writes findings as a SARIF 2.1.0 document (OASIS Static Analysis Results Interchange Format).
enum SARIFReport {
  private static let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"

  static func write(_ report: FindingsReport) -> String {
    let shown = report.shown
    let allowed = report.allowedFindings.prefix(FindingsReport.limit)
    var indices: [String: Int] = [:]
    for rule in report.rules { indices[rule.id] = indices[rule.id] ?? indices.count }
    var fingerprints = Fingerprints()
    let results =
      shown.map { result($0, indices[$0.rule], fingerprints.next(of: $0), []) }
      + allowed.map {
        result($0.finding, indices[$0.finding.rule], fingerprints.next(of: $0.finding), [suppression($0)])
      }
    let rules = list(report.rules.map(SARIFRules.descriptor), indentation: 10)
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
              \(SARIFRules.supportedTaxonomies)
              "rules": [\(rules)]
            }
          },
          "taxonomies": [\(SARIFRules.taxonomy(of: report.rules))],
          "columnKind": "unicodeCodePoints",
          "invocations": [{\(notifications ?? "")"executionSuccessful": true}],
          "results": [\(list(results, indentation: 6))]
        }]
      }

      """
  }

  private static func list(_ elements: [String], indentation: Int) -> String {
    guard !elements.isEmpty else { return "" }
    let margin = "\n" + String(repeating: " ", count: indentation)
    return elements.map { "\(margin)  \($0)" }.joined(separator: ",") + margin
  }

  private static func result(
    _ diagnostic: Diagnostic, _ index: Int?, _ fingerprint: String, _ suppressions: [String]
  ) -> String {
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
    let prints = [Fingerprints.name, Fingerprints.codeScanningName].map { ($0, JSONText.quoted(fingerprint)) }
    fields.append(("partialFingerprints", JSONText.object(prints)))
    // An empty list says that a result is not suppressed. A result without a list was not examined.
    fields.append(("suppressions", "[\(suppressions.joined(separator: ", "))]"))
    return JSONText.object(fields)
  }

  private static func suppression(_ allowed: AllowedFinding) -> String {
    var fields: [JSONText.Field] = [
      ("kind", "\"inSource\""), ("status", "\"accepted\""), ("justification", JSONText.quoted(allowed.reason)),
      ("location", JSONText.object([("physicalLocation", physicalLocation(allowed.place))])),
    ]
    if let until = allowed.until {
      fields.append(("properties", JSONText.object([("until", JSONText.quoted(until))])))
    }
    return JSONText.object(fields)
  }

  static func message(_ text: String) -> String {
    JSONText.object([("text", JSONText.quoted(text))])
  }

  private static func physicalLocation(_ place: SourcePlace) -> String {
    let start = place.range.start
    let end = place.range.end
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

/// Numbers that identify findings from run to run. They depend on the rule, the file, the key and the message, and not on the
/// line, so that a finding stays the same one if lines above it change.
private struct Fingerprints {
  /// The name that changes if the numbers are computed in another way.
  static let name = "localData/v1"
  /// The name that GitHub's code scanning looks for.
  static let codeScanningName = "primaryLocationLineHash"

  private var counts: [String: Int] = [:]

  /// Returns the number of a finding. Equal findings of a run are told apart by their order.
  mutating func next(of diagnostic: Diagnostic) -> String {
    let parts = [diagnostic.rule, diagnostic.place?.file.path ?? "", diagnostic.key ?? "", diagnostic.message]
    let checksum = Checksum.text(of: parts.flatMap { [Array($0.utf8), [0]] })
    counts[checksum, default: 0] += 1
    return "\(checksum):\(counts[checksum, default: 1])"
  }
}
