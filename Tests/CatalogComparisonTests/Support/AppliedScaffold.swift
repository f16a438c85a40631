import CatalogComparison
import CatalogModel

extension Scaffold {
  /// A catalog with the scaffold pasted into it. The catalog is written in lines: a key, and below it a field a line.
  func applied(to text: String, catalog: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let part = parts[catalog] else { return text }
    for (section, change) in part.types.map({ ("types:", $0) }) + part.keys.map({ ("keys:", $0) }) {
      let head = "  \(change.name):"
      if !lines.contains(head) {
        let section = lines.firstIndex(of: section) ?? lines.endIndex - 1
        lines.insert(head, at: section + 1)
      }
      guard let start = lines.firstIndex(of: head) else { continue }
      for field in change.fields {
        var end = start + 1
        while end < lines.count, lines[end].hasPrefix("    ") { end += 1 }
        if let old = lines[start..<end].firstIndex(where: { $0.hasPrefix("    \(field.name):") }) {
          lines.remove(at: old)
        }
        lines.insert("    \(field.name): \(field.value)", at: start + 1)
      }
    }
    for (entry, _) in part.reserved {
      if !lines.contains("reserved:") { lines.insert("reserved:", at: lines.firstIndex(of: "keys:") ?? 0) }
      if let index = lines.firstIndex(of: "reserved:") { lines.insert("  - \(entry)", at: index + 1) }
    }
    return lines.joined(separator: "\n")
  }
}
