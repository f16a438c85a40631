import LocalDataSyntax

/// The findings of a run, in the order in which they were made.
struct Findings: Sendable {
  /// The declaration that is looked at: its name in the catalog, and the map of its fields.
  struct Key: Sendable {
    var member: SyntaxNode
    var body: SyntaxNode
    /// The name in Swift: the member of a key, the type of a record, a database or a type. No two declarations share one.
    var name: String

    init(member: SyntaxNode, body: SyntaxNode, name: String? = nil) {
      self.member = member
      self.body = body
      self.name = name ?? member.text
    }

    /// Returns true if a place is in the key itself, not in what it inherits.
    func contains(_ place: SourcePlace) -> Bool {
      place.file === member.tree.source && place.range.start >= member.range.start
        && place.range.start <= body.range.end
    }
  }

  private(set) var all: [Diagnostic] = []
  /// The key that findings are about from now on, or `nil` between keys. It is set where a key is decoded, and where a
  /// rule looks at one key.
  var key: Key?

  mutating func report(
    _ rule: Rule, _ message: String, at node: SyntaxNode?, help: String? = nil,
    notes: [Diagnostic.Note] = [], severity: Diagnostic.Severity? = nil, of member: String? = nil
  ) {
    report(rule, message, at: node?.place, help: help, notes: notes, severity: severity, of: member)
  }

  /// - Parameters:
  ///   - severity: The severity of this finding, if it is another than the rule's.
  ///   - member: The key that the finding is about, if it is another than `key`.
  mutating func report(
    _ rule: Rule, _ message: String, at place: SourcePlace?, help: String? = nil,
    notes: [Diagnostic.Note] = [], severity: Diagnostic.Severity? = nil, of member: String? = nil
  ) {
    var notes = notes
    // An inherited field is at fault for one key and may be right for another.
    if let key, let place, !key.contains(place), !notes.contains(where: { $0.place.map(key.contains) ?? false }) {
      notes.append(.init("\(Diagnostic.inheritance)'\(key.member.text)'", at: key.member.place))
    }
    all.append(
      Diagnostic(
        rule: rule.id, severity: severity ?? rule.severity, message, at: place, help: help, notes: notes,
        key: member ?? key?.name))
  }

  mutating func append(_ diagnostic: Diagnostic) { all.append(diagnostic) }

  /// Adds what was found elsewhere in the run.
  mutating func add(_ others: Findings) { all += others.all }
}

extension Diagnostic {
  /// The beginning of the note that names the key that inherits the field at fault.
  fileprivate static let inheritance = "inherited by "

  /// A Boolean value that indicates whether the field at fault is inherited.
  var isInherited: Bool { notes.contains { $0.message.hasPrefix(Self.inheritance) } }
}

/// The rules that exist, by their ids.
struct RuleIndex: Sendable {
  let all: [Rule]
  private let byID: [String: Rule]

  init(_ rules: [Rule]) {
    all = rules
    byID = Dictionary(uniqueKeysWithValues: rules.map { ($0.id, $0) })
  }

  subscript(id: String) -> Rule? { byID[id] }
}
