import LocalDataSyntax

/// The retention of a record on its way from nodes.
struct RecordRetentionDraft: Sendable {
  var maxAge: Int?
  var maxCount: Int?
  var byNode: SyntaxNode?
  var end: End?

  /// The values of `until`. A database is removed with the app, so there is no `reinstall`.
  enum End: String, CaseName {
    case relaunch

    static let names = NameTable<Self>()
  }
}

extension Language {
  /// The retention of a record.
  static let recordRetention = FieldTable<RecordRetentionDraft>(
    "'retention'", what: "a map with 'maxAge' or 'maxCount' and 'by', or with 'until'",
    example: "retention: {maxAge: 180d, by: createdAt}",
    [
      Field(
        "maxAge", .duration, .optional("none"),
        "The age at which a record ends, in s, m, h, d or w. Records with a date in the future are kept.",
        example: "180d"
      ) { $0.maxAge = $1 },
      Field(
        "maxCount", .integer("a number of records", 1...Int(Int32.max)), .optional("none"),
        "The number of records that are kept: those with the newest dates. A transaction that stores records deletes the "
          + "others at its end.", example: "5000"
      ) { $0.maxCount = $1 },
      Field(
        "by", "the name of a field", .identifier, .optional("none"),
        "The field of the type Date that `maxAge` and `maxCount` go by. It is indexed.", example: "createdAt"
      ) { $0.byNode = $1 },
      Field(
        "until", .word("an end of retention of records"), .optional("none"),
        "The end of all records. With `relaunch` the first call after a launch of the app deletes those of earlier launches.",
        example: "relaunch"
      ) { $0.end = $1 },
    ])
}

extension ValueShape where Value == RecordRetentionDraft {
  static var recordRetention: Self {
    let table = Language.recordRetention
    return Self(what: table.what, shape: table.shape) { node, _, context in
      guard let draft = table.record(node, RecordRetentionDraft(), &context) else { return nil }
      guard let problem = draft.problem else { return draft }
      context.findings.report(problem.rule, problem.message, at: node.start, help: problem.help)
      return nil
    }
  }
}

extension RecordRetentionDraft {
  /// The first rule that the fields break together; nil if they break none.
  fileprivate var problem: (rule: Rule, message: String, help: String)? {
    let isDated = maxAge != nil || maxCount != nil
    if end != nil {
      guard isDated || byNode != nil else { return nil }
      return (.recordRetention, "'until' of 'retention' is written alone", "write `retention: {until: relaunch}`")
    }
    if !isDated { return (.missingField, "'retention' needs 'maxAge', 'maxCount' or 'until'", Self.help) }
    return byNode == nil ? (.missingField, "'retention' needs 'by', the field with the date", Self.help) : nil
  }

  private static let help = "write `\(Language.recordRetention.example)`"
}
