package import LocalDataSyntax
import LocalDataVocabulary

/// A rule that a project makes for its own keys.
package struct Policy: Sendable {
  /// The rule in the brackets of its findings.
  package var id: String
  package var forbidden: Expression
  package var message: String
  package var severity: Diagnostic.Severity
  /// The line of the project file that declares the policy.
  package var place: SourcePlace

  /// Returns the finding about a key for which the forbidden expression holds.
  func finding(about key: DecodedKey) -> Diagnostic? {
    guard forbidden.holds(for: key.resolved) else { return nil }
    return Diagnostic(
      rule: id, severity: severity, "'\(key.resolved.descriptor.member)': \(message)", at: key.member.place,
      notes: [.init("the policy", at: place)])
  }
}

/// A policy on its way from nodes.
struct PolicyDraft: Sendable {
  var id = ""
  var forbidNode: SyntaxNode?
  var message = ""
  var severity = Diagnostic.Severity.error
  var good: SyntaxNode?
  var bad: SyntaxNode?
}

extension Diagnostic.Severity: CaseName {
  static let names = NameTable<Self>()
}

extension Language {
  /// The fields of a policy.
  static let policy = FieldTable<PolicyDraft>(
    "a policy", what: "a map with 'id', 'forbid' and 'message'",
    example: "{id: no-plain-secrets, forbid: sensitivity = credential and security = none, message: seal it}",
    [
      Field("id", .policyID, .required, "The name of the policy in its findings.", example: "no-plain-secrets") {
        $0.id = $1
      },
      Field(
        "forbid", "an expression", .text, .required, "The expression that must not hold for a key.",
        example: "sensitivity = credential and security = none"
      ) { $0.forbidNode = $1 },
      Field(
        "message", .prose("a message"), .required, "The sentence that a finding says.",
        example: "credentials must be sealed"
      ) { $0.message = $1 },
      Field("severity", .word("a severity"), .optional("error"), "The severity of a finding.", example: "warning") {
        $0.severity = $1
      },
      Field(
        "good", "a map of the fields of a key", .record(key.entries), .optional("none"),
        "A key that the policy must accept: the fields that matter to it.", example: "{security: recommended}"
      ) { $0.good = $1 },
      Field(
        "bad", "a map of the fields of a key", .record(key.entries), .optional("none"),
        "A key that the policy must refuse: the fields that matter to it.",
        example: "{security: none, sensitivity: credential}"
      ) { $0.bad = $1 },
    ])
}

extension ValueShape where Value == String {
  /// The id of a policy: lower-case words that are joined by `-`, and not the id of a built-in rule.
  static var policyID: Self {
    Self(what: "the id of a policy", shape: .text) { node, entry, context in
      guard let text = context.scalar(node, "the id of a policy", example: entry.written) else { return nil }
      // `warnings` stands for all warnings, after `--deny`.
      guard RuleCatalog.rule(text) == nil, text != Severities.warnings else {
        context.findings.report(
          .invalidPolicy, "'\(text)' is built in, and cannot be the id of a policy", at: node,
          help: "choose another id: `\(entry.written)`")
        return nil
      }
      let words = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      let isWellFormed = words.allSatisfy { word in
        !word.isEmpty && word.allSatisfy { Identifier.isLower($0) || Identifier.isDigit($0) }
      }
      if isWellFormed, text.utf8.count <= 100 { return text }
      context.findings.report(
        .invalidPolicy, "'\(text)' cannot be the id of a policy", at: node,
        help: "write lower-case words and '-': `\(entry.written)`")
      return nil
    }
  }
}

/// Decodes policies, and checks each against its examples.
enum PolicyDecoder {
  static func policy(_ node: SyntaxNode, _ context: inout DecodingContext) -> Policy? {
    guard let draft = Language.policy.record(node, PolicyDraft(), &context), let forbid = draft.forbidNode,
      let expression = expression(forbid, &context)
    else { return nil }
    var isSound = true
    for (example, isForbidden) in [(draft.good, false), (draft.bad, true)] {
      guard let example else { continue }
      guard let key = key(example, &context) else {
        isSound = false
        continue
      }
      guard expression.holds(for: key.resolved) != isForbidden else { continue }
      context.findings.report(
        .invalidPolicy,
        isForbidden ? "the policy does not forbid its bad example" : "the policy forbids its good example",
        at: example, help: "change the example or `forbid`")
      isSound = false
    }
    guard isSound else { return nil }
    return Policy(
      id: draft.id, forbidden: expression, message: draft.message, severity: draft.severity, place: node.start)
  }

  private static func expression(_ node: SyntaxNode, _ context: inout DecodingContext) -> Expression? {
    guard let text = context.scalar(node, "an expression", example: "forbid: sensitivity = credential") else {
      return nil
    }
    do {
      return try Expression(text)
    } catch {
      var place = node.place
      // In plain text on one line a character has the column that its offset says.
      if node.isPlain, place.range.start.line == place.range.end.line {
        place.range.start.column += error.offset
        place.range.end.column = max(place.range.end.column, place.range.start.column + 1)
      }
      context.findings.report(.invalidPolicy, error.message, at: place, help: error.help)
      return nil
    }
  }

  /// Returns the key of an example. What the example does not write is a plain key's.
  private static func key(_ node: SyntaxNode, _ context: inout DecodingContext) -> DecodedKey? {
    var template = KeyDraft()
    template.type = .scalar(.string)
    template.domain = DomainDraft(.userDefaults)
    template.descriptor.owner = "Example"
    template.descriptor.description = "An example of a policy."
    template.inherited = .all
    let count = context.findings.all.count
    let key = KeyDecoder.example(node, template: template, &context)
    return context.findings.all.count == count ? key : nil
  }
}
