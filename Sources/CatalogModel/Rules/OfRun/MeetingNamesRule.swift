import CatalogSyntax
import StorageVocabulary

/// No name that a family can have is another key's, another family's, or reserved.
struct MeetingNamesRule: RunRule {
  /// Names that begin and end alike are compared byte by byte; so many times takes a second or so.
  private static let maxComparisons = 20_000

  /// Names with their place. A class, so that an automaton is built once, and only where it is asked for.
  private final class Claim {
    let what: String
    let pattern: NamePattern
    let node: SyntaxNode
    let isReserved: Bool
    private(set) lazy var automaton = pattern.automaton

    init(what: String, pattern: NamePattern, node: SyntaxNode, isReserved: Bool) {
      self.what = what
      self.pattern = pattern
      self.node = node
      self.isReserved = isReserved
    }

    var inWords: String { isReserved ? "the reserved name '\(pattern.text)'" : "\(what) ('\(pattern.text)')" }
  }

  func check(_ run: CatalogRun, _ findings: inout Findings) {
    var comparisons = 0
    for (container, families) in Self.families(run) {
      let index = FamilyIndex(families.map(\.pattern))
      for (number, family) in families.enumerated() {
        index.forEachCandidate(family.pattern) { other in
          // Each pair once: the one whose names have the longer beginning finds the other, or the later the earlier.
          let isShorter = families[other].pattern.prefix.count < family.pattern.prefix.count
          guard isShorter || other < number, other != number else { return }
          let (earlier, later) = other < number ? (families[other], family) : (family, families[other])
          compare(earlier, later, &comparisons, &findings)
        }
      }
      forEachPlain(run, container) { plain in
        index.forEachCandidate(plain.pattern) { compare(plain, families[$0], &comparisons, &findings) }
      }
    }
  }

  private static func families(_ run: CatalogRun) -> [(StoredPlace.Container, [Claim])] {
    var order: [StoredPlace.Container] = []
    var families: [StoredPlace.Container: [Claim]] = [:]
    func add(_ claim: Claim) {
      if families[claim.pattern.container] == nil { order.append(claim.pattern.container) }
      families[claim.pattern.container, default: []].append(claim)
    }
    for document in run.documents {
      for reserved in document.reserved {
        let pattern = NamePattern(reserved)
        if pattern.isFamily {
          add(Claim(what: "the reserved name", pattern: pattern, node: reserved.node, isReserved: true))
        }
      }
      for key in document.keys where !key.resolved.nameParts.isEmpty && key.hasPlace {
        add(
          Claim(
            what: "'\(key.resolved.descriptor.member)'", pattern: NamePattern(key.resolved, run.decoder.types),
            node: key.body.value(of: KeyField.name.text) ?? key.member, isReserved: false))
      }
    }
    return order.map { ($0, families[$0] ?? []) }
  }

  private func forEachPlain(_ run: CatalogRun, _ container: StoredPlace.Container, _ body: (Claim) -> Void) {
    for document in run.documents {
      for reserved in document.reserved {
        let pattern = NamePattern(reserved)
        guard pattern.container == container, !pattern.isFamily else { continue }
        body(Claim(what: "the reserved name", pattern: pattern, node: reserved.node, isReserved: true))
      }
      for key in document.keys where key.resolved.nameParts.isEmpty && key.hasPlace {
        guard StoredPlace.Container(key.resolved.descriptor.domain) == container else { continue }
        body(
          Claim(
            what: "'\(key.resolved.descriptor.member)'", pattern: NamePattern(key.resolved, run.decoder.types),
            node: key.member, isReserved: false))
      }
    }
  }

  private func compare(
    _ earlier: Claim, _ later: Claim, _ comparisons: inout Int, _ findings: inout Findings
  ) {
    // Two reserved names may well meet, and equal names are one place already.
    guard !(earlier.isReserved && later.isReserved), earlier.pattern.text != later.pattern.text,
      comparisons <= Self.maxComparisons
    else { return }
    comparisons += 1
    guard comparisons <= Self.maxComparisons else {
      findings.report(
        .meetingNames, "too many families have names that begin and end alike to compare them all", at: later.node,
        help: "begin each family's name with other text, as the default 'member_{parameter}' does")
      return
    }
    guard let name = earlier.automaton.meeting(later.automaton) else { return }
    let (subject, other) = later.isReserved ? (later: earlier, earlier: later) : (later: later, earlier: earlier)
    findings.report(
      .meetingNames,
      "names of \(subject.inWords) can meet \(other.isReserved ? "" : "those of ")\(other.inWords)", at: subject.node,
      help: "both can be '\(name)': begin one of the two with other text, or use another domain",
      notes: [.init("the other one", at: other.node.place)])
  }
}
