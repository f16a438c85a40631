import LocalDataSyntax
import LocalDataVocabulary

extension Rule {
  static let ambiguousName = Rule(
    "ambiguous-name", .places, "Two choices of parameters never give one stored name.",
    why: "Two members of the family would have one value.",
    bad: .keys(
      "text: {type: String, name: \"text{a}{b}\", parameters: {a: String, b: String}, description: What was written.}"),
    good: .keys(
      "text: {type: String, name: \"text_{a}_{b}\", parameters: {a: String, b: String}, "
        + "description: What was written.}"))
}

/// Checks that the parameters of a family can be read back from each of its stored names.
struct AmbiguousNameRule: RunRule {
  func check(_ run: CatalogRun, _ findings: inout Findings) {
    for document in run.documents {
      for key in document.keys where key.resolved.parameters.count > 1 {
        guard key.isSound(KeyFieldSet(.name, .parameters)), !isPlainlyClear(key.resolved),
          NamePattern(key.resolved, run.context.types).automaton.isAmbiguous
        else { continue }
        let node = key.body.value(of: KeyField.name.text) ?? key.member
        let isVerbatim = key.resolved.parameters.contains { $0.encoding == .verbatim }
        findings.about(key) {
          $0.report(
            .ambiguousName, "'\(key.resolved.descriptor.name)' can give two choices of parameters the same stored name",
            at: node,
            help: (isVerbatim ? "remove `encoding: verbatim` from all but one of them, and " : "")
              + "separate the parameters with text that they cannot contain, such as '_'")
        }
      }
    }
  }

  /// Returns true if a character that no parameter contains separates any two parameters.
  private func isPlainlyClear(_ key: ResolvedKey) -> Bool {
    if key.parameters.contains(where: { $0.encoding == .verbatim }) { return false }
    var needsText = false
    for part in key.nameParts {
      switch part {
      case .parameter:
        if needsText { return false }
        needsText = true
      case .text(let text):
        if text.utf8.contains(where: { $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") }) { needsText = false }
      }
    }
    return true
  }
}

/// Checks that files have no verbatim parameters in their names.
struct ParameterEncodingRule: KeyRule {
  func check(_ key: DecodedKey, defaults: SyntaxNode?, _ findings: inout Findings) {
    guard key.isSound(KeyFieldSet(.domain, .parameters)),
      let problem = VerbatimFile.problem(key.resolved.parameters, in: key.resolved.descriptor.domain)
    else { return }
    findings.report(
      .parameterEncoding, problem, at: key.node(of: .parameters, defaults: defaults), help: VerbatimFile.help)
  }
}

extension Rule {
  static let meetingNames = Rule(
    "meeting-names", .places, "No stored name of a family can be the stored name of another key.",
    why: "The two would overwrite each other's value.",
    bad: .keys(
      "draft: {type: String, parameters: {id: String}, description: What the user wrote.}\n"
        + "lastDraft: {type: String, name: draft_last, description: What was opened last.}"),
    good: .keys(
      "draft: {type: String, parameters: {id: String}, description: What the user wrote.}\n"
        + "lastDraft: {type: String, name: last_draft, description: What was opened last.}"))
}

/// Checks that no name that a family can produce is the name of another key or family, or reserved.
struct MeetingNamesRule: RunRule {
  /// The most comparisons of names that begin and end alike. They take less than a second.
  private static let maxComparisons = 2_000_000
  /// The number of comparisons that one byte by byte counts as.
  private static let automatonCost = 400

  /// Names with their place. A class, so that an automaton is built once, and only if it is needed.
  private final class Claim {
    /// The key, or `nil` for a reserved name.
    let key: DecodedKey?
    let pattern: NamePattern
    let node: SyntaxNode
    private(set) lazy var automaton = pattern.automaton
    private(set) lazy var skeleton = pattern.skeleton

    init(_ key: DecodedKey?, _ pattern: NamePattern, _ node: SyntaxNode) {
      self.key = key
      self.pattern = pattern
      self.node = node
    }

    var isReserved: Bool { key == nil }
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
          add(Claim(nil, pattern, reserved.node))
        }
      }
      for key in document.keys where !key.resolved.nameParts.isEmpty && key.hasPlace {
        add(
          Claim(
            key, NamePattern(key.resolved, run.context.types),
            key.body.value(of: KeyField.name.text) ?? key.member))
      }
    }
    return order.map { ($0, families[$0] ?? []) }
  }

  private func forEachPlain(_ run: CatalogRun, _ container: StoredPlace.Container, _ body: (Claim) -> Void) {
    for document in run.documents {
      for reserved in document.reserved {
        let pattern = NamePattern(reserved)
        guard pattern.container == container, !pattern.isFamily else { continue }
        body(Claim(nil, pattern, reserved.node))
      }
      for key in document.keys where key.resolved.nameParts.isEmpty && key.hasPlace {
        guard StoredPlace.Container(key.resolved.descriptor.domain) == container else { continue }
        body(Claim(key, NamePattern(key.resolved, run.context.types), key.member))
      }
    }
  }

  private func compare(
    _ earlier: Claim, _ later: Claim, _ comparisons: inout Int, _ findings: inout Findings
  ) {
    // Two reserved names may be equal, and equal names of keys are another rule's finding.
    guard !(earlier.isReserved && later.isReserved), earlier.pattern.text != later.pattern.text,
      comparisons <= Self.maxComparisons
    else { return }
    let mayMeet = earlier.skeleton.mayMeet(later.skeleton)
    comparisons += mayMeet ? Self.automatonCost : 1
    guard comparisons <= Self.maxComparisons else {
      findings.report(
        .meetingNames, "too many families have names that begin and end alike to compare them all", at: later.node,
        help: "start the name of each family with another text, as the default 'member_{parameter}' does")
      return
    }
    guard mayMeet, let name = earlier.automaton.meeting(later.automaton) else { return }
    let (subject, other) = later.isReserved ? (later: earlier, earlier: later) : (later: later, earlier: earlier)
    let subjectName = subject.key?.resolved.descriptor.member ?? subject.pattern.text
    let message =
      if let otherName = other.key?.resolved.descriptor.member {
        "'\(subjectName)' and '\(otherName)' can produce the same stored name, for example '\(name)'"
      } else if other.pattern.text == name {
        "'\(subjectName)' can produce the stored name '\(name)', which is reserved"
      } else {
        "'\(subjectName)' can produce the stored name '\(name)', which is reserved by '\(other.pattern.text)'"
      }
    findings.about(subject.key) {
      $0.report(
        .meetingNames, message, at: subject.node,
        help: "start one of the two names with other text, or use another domain",
        notes: [.init(other.isReserved ? "the reserved name" : "the other key", at: other.node.place)])
    }
  }
}

extension NamePattern {
  /// Creates the pattern of a reserved name. A part between braces was once a parameter, whose type is unknown now.
  fileprivate init(_ reserved: DecodedReservedName) {
    self.init(reserved.resolved.domain, reserved.resolved.name, reserved.pattern)
  }
}
