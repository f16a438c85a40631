import CatalogSyntax

/// A review on its way from nodes.
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
