import StorageVocabulary

extension ResolvedMigration {
  /// The migration in words, for audits.
  package var inWords: String { steps.map(\.inWords).joined(separator: "; then ") }
}

extension ResolvedMigration.Step {
  var inWords: String {
    var words =
      switch action {
      case .move(let source): "from \(source.inWords)"
      case .transform(let source, let function): "from \(source.inWords) by \(function.text)"
      case .aggregate(let sources, let function):
        "from \(sources.map(\.inWords).joined(separator: ", ")) by \(function.text)"
      case .secureInPlace(let domain, let policy):
        "secured in place, where it was (\(domain.auditText); \(policy.auditText))"
      case .custom(let name): "by \(name.text)"
      }
    if let condition { words += ", when the app's version is \(condition.text)" }
    if let conflict { words += ", \(conflict) where both exist" }
    return words
  }

  /// What becomes of a source that differs from what the key holds; `nil` where there is none.
  private var conflict: String? {
    let sources: String
    switch action {
    case .move, .transform: sources = "the source"
    case .aggregate: sources = "the sources"
    case .secureInPlace, .custom: return nil
    }
    return switch onConflict {
    case .keep: "\(sources) kept"
    case .remove: "\(sources) removed"
    }
  }
}

extension ResolvedMigration.Source {
  var inWords: String {
    switch self {
    case .declared(let source): "\(source.member) (\(source.domain.auditText); \(source.security.auditText))"
    case .inline(let source):
      "'\(source.name)' (\(source.domain.auditText); \(source.security.auditText)"
        + (source.isFoundation ? "; written by Foundation)" : ")")
    }
  }
}
