import LocalDataSyntax

/// The fields of an entry of `allow`, while it is decoded.
struct AllowanceDraft: Sendable {
  var rule = ""
  var reason = ""
  var until: CalendarDate?
}

extension Language {
  /// The fields of an entry of `allow`.
  static let allowance = FieldTable<AllowanceDraft>(
    "an allowance", what: "a map with 'rule' and 'reason'",
    example: "allow: [{rule: terse-description, reason: The name says everything.}]",
    [
      Field("rule", .allowableRule, .required, "The rule, as its findings end.", example: "terse-description") {
        $0.rule = $1
      },
      Field("reason", .reason, .required, "Why the finding is acceptable.", example: "The name says everything.") {
        $0.reason = $1
      },
      Field(
        "until", .date(.invalidAllowance), .optional("no end"), "The last day on which the finding is allowed.",
        example: "2027-12-31"
      ) { $0.until = $1 },
    ])
}

extension ValueShape where Value == [Allowance] {
  /// The findings that a declaration allows.
  static var allowances: Self {
    let table = Language.allowance
    return Self(what: "a list of allowances", shape: .list(of: table.shape)) { node, _, context in
      guard context.sequence(node, "a list of allowances", example: table.example) else { return nil }
      var result: [Allowance] = []
      var isSound = true
      for child in node.children {
        guard let draft = table.record(child, AllowanceDraft(), &context) else {
          isSound = false
          continue
        }
        result.append(
          Allowance(
            rule: draft.rule, reason: draft.reason, until: draft.until,
            key: context.findings.key?.name ?? "", place: child.place))
      }
      return isSound ? result : nil
    }
  }
}

extension ValueShape where Value == String {
  /// A rule whose findings can be allowed.
  fileprivate static var allowableRule: Self {
    Self(what: "the id of a rule", shape: .text) { node, entry, context in
      guard let id = context.scalar(node, "the id of a rule", example: entry.written) else { return nil }
      guard let rule = context.rules[id] else {
        let known = context.rules.all.filter(\.isAllowable).map(\.id)
        context.findings.report(
          .invalidAllowance, "'\(id)' is not a rule\(context.suggestion(for: id, among: known))", at: node,
          help: "name a rule as a finding ends with it; `local-data rules` lists all of them")
        return nil
      }
      if rule.isAllowable { return id }
      context.findings.report(
        .invalidAllowance, "a finding of '\(id)' cannot be allowed: it is always an error", at: node,
        help: "remove the entry, and mend the finding")
      return nil
    }
  }

  fileprivate static var reason: Self {
    Self(what: "a reason", shape: .text) { node, entry, context in
      guard let text = context.prose(node, "a reason", example: entry.written) else { return nil }
      if text.utf8.contains(where: { $0 > 0x20 }) { return text }
      context.findings.report(
        .missingField, "the reason is empty", at: node, help: "say why the finding is acceptable")
      return nil
    }
  }
}

extension ValueShape where Value == CalendarDate {
  /// - Parameter rule: The rule of a finding about text that is no date.
  static func date(_ rule: Rule) -> Self {
    Self(what: "a date", shape: .date) { node, entry, context in
      guard let text = context.scalar(node, "a date", example: entry.written) else { return nil }
      if let date = CalendarDate(text) { return date }
      context.findings.report(
        rule, "'\(text)' is not a date", at: node,
        help: "write year, month and day: `\(entry.written)`")
      return nil
    }
  }
}

/// The fields of a review, while it is decoded.
struct ReviewDraft: Sendable {
  var by = ""
  var until: CalendarDate?
}

extension Language {
  /// The fields of a review.
  static let review = FieldTable<ReviewDraft>(
    "'review'", what: "a map with 'by' and 'until'", example: "review: {by: security, until: 2027-01-01}",
    [
      Field(
        "by", .reviewer, .required, "The team or person that has reviewed the protection of the value.",
        example: "security"
      ) { $0.by = $1 },
      Field(
        "until", .date(.invalidDate), .required, "The last day on which the review holds.", example: "2027-01-01"
      ) { $0.until = $1 },
    ])
}

extension ValueShape where Value == ResolvedReview {
  static var review: Self {
    .record(Language.review, ReviewDraft()) { draft, _, _ in
      draft.until.map { ResolvedReview(by: draft.by, until: $0) }
    }
  }
}

extension ValueShape where Value == String {
  fileprivate static var reviewer: Self {
    Self(what: "a reviewer", shape: .text) { node, entry, context in
      guard let text = context.prose(node, "a reviewer", example: entry.written) else { return nil }
      if text.utf8.contains(where: { $0 > 0x20 }) { return text }
      context.findings.report(
        .missingField, "the reviewer is empty", at: node, help: "write who has reviewed the value: `\(entry.written)`")
      return nil
    }
  }
}
