import LocalDataSyntax

/// A migration that reads a key which is still written.
struct MigrationEdge {
  var from: String
  var to: String
  /// The node that names the source.
  var node: SyntaxNode
  /// The source's declaration.
  var target: SyntaxNode

  /// The most keys that a message about a cycle names.
  private static let namedKeys = 8

  /// Reports each cycle once, and each edge outside of cycles as a source that is still written.
  static func report(_ edges: [MigrationEdge], _ findings: inout Findings) {
    guard !edges.isEmpty else { return }
    let graph = MigrationGraph(edges)
    var reported: Set<Int> = []
    for edge in edges {
      guard let cycle = graph.cycle(with: edge) else {
        findings.report(
          .migrationSource, "the source '\(edge.to)' is still written elsewhere", at: edge.node,
          help: "declare it with `legacy: true`, so that nothing writes it any more",
          notes: [.init("the source", at: edge.target.place)], of: edge.from)
        continue
      }
      guard reported.insert(cycle).inserted else { continue }
      let keys = graph.path(around: edge)
      let rest = keys.count > namedKeys ? " and \(keys.count - namedKeys) more" : ""
      let path = keys.prefix(namedKeys).map { "'\($0)'" }.joined(separator: " from ") + rest
      findings.report(
        .migrationCycle, "the migration leads back to where it began: \(path)", at: edge.node,
        help: "name a key with `legacy: true`, which nothing writes",
        notes: edge.from == edge.to ? [] : [.init("the source", at: edge.target.place)], of: edge.from)
    }
  }
}

/// The keys that read each other, and the cycles among them.
private struct MigrationGraph {
  private var numbers: [String: Int] = [:]
  private var names: [String] = []
  private var next: [[Int]] = []
  /// The strongly connected component of each key.
  private var components: [Int] = []
  private var sizes: [Int] = []

  init(_ edges: [MigrationEdge]) {
    for edge in edges {
      let from = number(edge.from)
      let to = number(edge.to)
      next[from].append(to)
    }
    findComponents()
  }

  private mutating func number(_ name: String) -> Int {
    if let number = numbers[name] { return number }
    numbers[name] = names.count
    names.append(name)
    next.append([])
    return names.count - 1
  }

  /// Returns the number of the cycle that an edge is part of, or nil.
  func cycle(with edge: MigrationEdge) -> Int? {
    guard let from = numbers[edge.from], let to = numbers[edge.to], components[from] == components[to] else {
      return nil
    }
    return from == to || sizes[components[from]] > 1 ? components[from] : nil
  }

  /// Returns the keys on a shortest way along an edge and back to its start.
  func path(around edge: MigrationEdge) -> [String] {
    guard let start = numbers[edge.from], let first = numbers[edge.to] else { return [] }
    var origin: [Int: Int] = [first: first]
    var queue = [first]
    var index = 0
    while index < queue.count, origin[start] == nil || start == first {
      let current = queue[index]
      index += 1
      if current == start { break }
      for other in next[current] where components[other] == components[start] && origin[other] == nil {
        origin[other] = current
        queue.append(other)
      }
    }
    var way = [start]
    while let last = way.last, last != first, let before = origin[last] { way.append(before) }
    return ([start] + way.reversed()).map { names[$0] }
  }

  /// Tarjan's algorithm without recursion, because a chain of keys can be thousands long.
  private mutating func findComponents() {
    components = Array(repeating: -1, count: names.count)
    var indices = Array(repeating: -1, count: names.count)
    var lowest = Array(repeating: 0, count: names.count)
    var path: [Int] = []
    var isOnPath = Array(repeating: false, count: names.count)
    var counter = 0
    for root in names.indices where indices[root] < 0 {
      var calls = [(node: root, edge: 0)]
      while let call = calls.last {
        let node = call.node
        if call.edge == 0 {
          indices[node] = counter
          lowest[node] = counter
          counter += 1
          path.append(node)
          isOnPath[node] = true
        }
        if call.edge < next[node].count {
          calls[calls.count - 1].edge += 1
          let other = next[node][call.edge]
          if indices[other] < 0 {
            calls.append((other, 0))
          } else if isOnPath[other] {
            lowest[node] = min(lowest[node], indices[other])
          }
          continue
        }
        calls.removeLast()
        if let parent = calls.last?.node { lowest[parent] = min(lowest[parent], lowest[node]) }
        guard lowest[node] == indices[node] else { continue }
        var size = 0
        while let member = path.popLast() {
          isOnPath[member] = false
          components[member] = sizes.count
          size += 1
          if member == node { break }
        }
        sizes.append(size)
      }
    }
  }
}
