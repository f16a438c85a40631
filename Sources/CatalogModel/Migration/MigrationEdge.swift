import CatalogSyntax

/// A migration that reads a key which is still written.
struct MigrationEdge {
  var from: String
  var to: String
  /// Where the source is named.
  var node: SyntaxNode
  /// The source's declaration.
  var target: SyntaxNode

  /// Reports each edge once: as part of a cycle, or as a source that is still written.
  static func report(_ edges: [MigrationEdge], _ findings: inout Findings) {
    var next: [String: [String]] = [:]
    for edge in edges { next[edge.from, default: []].append(edge.to) }
    for edge in edges {
      if let path = path(edge.to, edge.from, next) {
        let cycle = ([edge.from] + path).map { "'\($0)'" }.joined(separator: " from ")
        findings.report(
          .migrationCycle, "the migration leads back to where it began: \(cycle)", at: edge.node,
          help: "name a key with `legacy: true`, which nothing writes",
          notes: edge.from == edge.to ? [] : [.init("the source", at: edge.target.place)])
      } else {
        findings.report(
          .migrationSource, "the source '\(edge.to)' is still written elsewhere", at: edge.node,
          help: "declare it with `legacy: true`, so that nothing writes it any more",
          notes: [.init("the source", at: edge.target.place)])
      }
    }
  }

  /// The keys on the way from `start` to `end`, both included.
  private static func path(_ start: String, _ end: String, _ next: [String: [String]]) -> [String]? {
    var origin: [String: String] = [:]
    var seen: Set = [start]
    var queue = [start]
    var index = 0
    while index < queue.count {
      let member = queue[index]
      index += 1
      if member == end {
        var path = [member]
        while let last = path.last, let before = origin[last] { path.append(before) }
        return path.reversed()
      }
      for other in next[member] ?? [] where seen.insert(other).inserted {
        origin[other] = member
        queue.append(other)
      }
    }
    return nil
  }
}
