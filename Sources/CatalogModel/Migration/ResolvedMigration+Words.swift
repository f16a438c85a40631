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
      case .secureInPlace(let policy): "secured in place, where it was '\(policy.kind.rawValue)'"
      case .custom(let name): "by \(name.text)"
      }
    if let condition { words += ", when the app's version is \(condition.text)" }
    if onConflict == .remove { words += ", the source removed where both exist" }
    return words
  }
}

extension ResolvedMigration.Source {
  var inWords: String {
    switch self {
    case .declared(let member): member
    case .inline(let inline):
      "'\(inline.name)' in \(inline.domain.kind.rawValue)\(inline.isFoundation ? " (written by Foundation)" : "")"
    }
  }
}
