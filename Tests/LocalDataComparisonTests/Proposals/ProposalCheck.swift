@testable import LocalDataDocuments
import LocalDataComparison
import LocalDataModel
import LocalDataSyntax
import LocalDataVocabulary

/// The problems of the proposals for one history.
struct ProposalCheck {
  let history: RandomHistory

  init(_ history: RandomHistory) { self.history = history }

  func problems(_ covered: inout Coverage) throws -> [String] {
    let (findings, scaffold) = try RandomHistory.comparison(history.today, history.releases)
    covered.count(history.changes, findings)
    let pasted = history.today.pasting(scaffold)
    let errors = Today.errors(pasted.text)
    guard errors.isEmpty else { return ["pasted: \(errors.joined(separator: "; "))\n\(scaffold.text { $0 })"] }
    let left = try RandomHistory.findings(pasted, history.releases)
    let open = findings.filter(\.remedy.isEmpty)
    var problems = left.filter { finding in !open.contains { Self.isSame($0, finding) } }
      .filter { finding in finding.rule.severity == .error || findings.contains { Self.isSame($0, finding) } }
      .map { "left: \($0.text)" }
    // Also a key that has taken the address of another one.
    let members = history.releases.flatMap(\.keys).map(\.name)
    let excused = Set(members.filter { member in open.contains { $0.text.contains("'\(member)'") } })
    problems += try lost(pasted, excused, &covered)
    if !problems.isEmpty { problems.append(scaffold.text { $0 }) }
    return problems
  }

  private static func isSame(_ finding: Finding, _ other: Finding) -> Bool {
    finding.rule == other.rule && finding.subject == other.subject
  }

  // MARK: Values

  /// The values that are not read by their key, or that another key reads.
  private func lost(_ pasted: Sheet, _ excused: Set<String>, _ covered: inout Coverage) throws -> [String] {
    let today = try SimulatedRelease(pasted, number: history.releases.count)
    let releases = try history.releases.enumerated().map { try SimulatedRelease($0.element, number: $0.offset) }
    let added = Set(today.keys.keys).subtracting(history.releases.flatMap(\.byLineage.keys))
    var problems: [String] = []
    for last in releases {
      for isAlone in [true, false] {
        for sample in 0..<3 {
          var store = SimulatedStore()
          for release in releases[...last.number] where !isAlone || release.number == last.number {
            store.write(release, sample: sample)
          }
          let state = Stored(
            store: store, last: last, today: today, added: added, excused: excused, pasted: pasted,
            reserved: history.today.reserved)
          for (lineage, key) in last.keys.sorted(by: { $0.key < $1.key }) {
            covered.values += 1
            if let problem = state.problem(lineage, key) { problems.append(problem) }
          }
          problems += state.taken()
        }
      }
    }
    return Array(Set(problems)).sorted()
  }

  private struct Stored {
    var store: SimulatedStore
    var last: SimulatedRelease
    var today: SimulatedRelease
    /// Keys that no release had. A proposal may take them for the new name of one that is gone.
    var added: Set<Int>
    var excused: Set<String>
    var pasted: Sheet
    /// The values that the developer has given up.
    var reserved: [String]

    /// Returns what is wrong with the value of a key that the last release wrote.
    func problem(_ lineage: Int, _ key: ResolvedKey) -> String? {
      let member = key.descriptor.member
      guard let successor = today.keys[lineage], !excused.contains(member) else { return nil }
      let arguments = last.arguments(of: key, as: successor)
      let wanted = SimulatedStore.Origin(lineage: lineage, release: last.number)
      var result = store.read(successor, in: today, arguments, known: last.customMigrations(lineage))
      // The last release has removed the value of an earlier one from there.
      if case .value(let older) = result, older.lineage == lineage, older.release < last.number { result = .nothing }
      switch result {
      case .value(wanted), .custom: return nil
      // The proposal says in words that the value is lost: what has another name and another form is no rename.
      case .nothing where isGivenUp(key, pasted.reserved) && !isSame(key, successor): return nil
      case .nothing where isGivenUp(key, reserved): return nil
      case let result: return "'\(member)' of \(last.number + 1).0, now '\(successor.descriptor.member)': \(result)"
      }
    }

    private func isGivenUp(_ key: ResolvedKey, _ reserved: [String]) -> Bool {
      reserved.contains { $0.contains("name: \(key.descriptor.name),") || $0.contains("\"\(key.descriptor.name)\"") }
    }

    /// Returns true if a key stores its values in the same container and form.
    private func isSame(_ key: ResolvedKey, _ other: ResolvedKey) -> Bool {
      let (one, two) = (key.descriptor, other.descriptor)
      return key.type == other.type && one.domain == two.domain && one.security == two.security
        && one.serializer == two.serializer && one.schema == two.schema && key.parameters == other.parameters
    }

    /// The keys that read the value of another one.
    func taken() -> [String] {
      today.keys.sorted { $0.key < $1.key }.compactMap { lineage, key in
        let known = last.customMigrations(lineage)
        guard !added.contains(lineage),
          case .value(let origin) = store.read(key, in: today, today.arguments(of: key), known: known),
          origin.lineage != lineage, let owner = last.keys[origin.lineage], !excused.contains(owner.descriptor.member)
        else { return nil }
        return "'\(key.descriptor.member)' reads the value \(origin)"
      }
    }
  }
}

extension Today {
  /// The resolved catalogs of a text, none if it has errors.
  static func catalogs(_ text: String) throws -> [ResolvedCatalog] {
    errors(text).isEmpty ? try resolve(SourceFile(path: "today.yaml", bytes: Array(text.utf8))) : []
  }

  /// The messages of the errors of a catalog.
  static func errors(_ text: String) -> [String] {
    let (tree, syntax) = CatalogReader.read(SourceFile(path: "today.yaml", bytes: Array(text.utf8)))
    guard let tree else { return syntax.map(\.message) }
    return CatalogResolver.resolve([tree]).diagnostics.filter { $0.severity == .error }
      .map { "\($0.place?.range.start.line ?? 0): \($0.message)" }
  }
}
