import CatalogSyntax

/// What was found in a run, in the order of finding.
struct Findings: Sendable {
  private(set) var all: [Diagnostic] = []

  mutating func report(
    _ rule: CatalogRule, _ message: String, at node: SyntaxNode?, help: String? = nil,
    notes: [Diagnostic.Note] = []
  ) {
    report(rule, message, at: node?.place, help: help, notes: notes)
  }

  mutating func report(
    _ rule: CatalogRule, _ message: String, at place: SourcePlace?, help: String? = nil,
    notes: [Diagnostic.Note] = []
  ) {
    all.append(
      Diagnostic(rule: rule.rawValue, severity: rule.severity, message, at: place, help: help, notes: notes))
  }

  mutating func append(_ diagnostic: Diagnostic) { all.append(diagnostic) }

  /// Adds what was found elsewhere in the run.
  mutating func add(_ others: Findings) { all += others.all }

  /// By file in the order given, then by place. A fault in `defaults` that many keys inherit is told once.
  func sorted(by trees: [SyntaxTree]) -> [Diagnostic] {
    guard !all.isEmpty else { return [] }
    var order: [ObjectIdentifier: Int] = [:]
    for (index, tree) in trees.enumerated() { order[ObjectIdentifier(tree.source)] = index }
    func rank(_ diagnostic: Diagnostic) -> (Int, SourceLocation) {
      guard let place = diagnostic.place else { return (-1, SourceLocation(line: 0, column: 0)) }
      return (order[ObjectIdentifier(place.file)] ?? trees.count, place.range.start)
    }
    let ranked = all.enumerated().map { (rank: rank($0.element), index: $0.offset) }
      .sorted { ($0.rank.0, $0.rank.1, $0.index) < ($1.rank.0, $1.rank.1, $1.index) }
    var result: [Diagnostic] = []
    var seen: Set<Told> = []
    for (rank, index) in ranked {
      let diagnostic = all[index]
      let told = Told(file: rank.0, start: rank.1, rule: diagnostic.rule, message: diagnostic.message)
      if seen.insert(told).inserted { result.append(diagnostic) }
    }
    return result
  }

  private struct Told: Hashable {
    var file: Int
    var start: SourceLocation
    var rule: String
    var message: String
  }
}
