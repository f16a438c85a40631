@testable import LocalDataDocuments
import LocalDataComparison
import LocalDataModel
import Foundation

extension Scaffold {
  /// A catalog with the scaffold pasted into it. The catalog is written in lines: a key, and below it a field a line.
  func applied(to text: String, catalog: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let part = parts[catalog] else { return text }
    let sections = [
      ("types:", part.types), ("databases:", part.databases), ("records:", part.records), ("keys:", part.keys),
    ]
    for (section, change) in sections.flatMap({ section, changes in changes.map { (section, $0) } }) {
      let head = "  \(change.name):"
      if !lines.contains(head) {
        let section = lines.firstIndex(of: section) ?? lines.endIndex - 1
        lines.insert(head, at: section + 1)
      }
      guard let start = lines.firstIndex(of: head) else { continue }
      for field in change.fields {
        var end = start + 1
        while end < lines.count, lines[end].hasPrefix("    ") { end += 1 }
        if section == "records:", field.name == "fields" {
          for entry in field.value.entries { Self.paste(entry, into: &lines[start..<end]) }
          continue
        }
        if let old = lines[start..<end].firstIndex(where: { $0.hasPrefix("    \(field.name):") }) {
          lines.remove(at: old)
        }
        lines.insert("    \(field.name): \(field.value)", at: start + 1)
      }
    }
    for (entry, _) in part.reserved {
      if !lines.contains("reserved:") {
        lines.insert("reserved:", at: lines.firstIndex { $0 == "keys:" || $0 == "records:" } ?? 0)
      }
      if let index = lines.firstIndex(of: "reserved:") { lines.insert("  - \(entry)", at: index + 1) }
    }
    return lines.joined(separator: "\n")
  }
  /// Writes the properties of a field of a record into its line: `page: {type: String, number: 2}`.
  private static func paste(_ field: FieldValue.Entry, into lines: inout ArraySlice<String>) {
    guard let index = lines.firstIndex(where: { $0.hasPrefix("      \(field.name): {") }) else { return }
    for property in field.value.entries {
      let start = lines[index].range(of: "\(property.name): ")?.lowerBound
      if let start, let end = end(of: lines[index][start...]) {
        lines[index].replaceSubrange(start..<end, with: "\(property.name): \(property.value)")
      } else {
        lines[index] = "\(lines[index].dropLast()), \(property.name): \(property.value)}"
      }
    }
  }

  /// The end of the first property of a text, which may have maps and lists in it.
  private static func end(of text: Substring) -> String.Index? {
    var depth = 0
    return text.indices.first { index in
      if depth == 0, text[index] == "," || text[index] == "}" { return true }
      if "{[".contains(text[index]) { depth += 1 } else if "}]".contains(text[index]) { depth -= 1 }
      return false
    }
  }
}
