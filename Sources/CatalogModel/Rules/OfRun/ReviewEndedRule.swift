import CatalogSyntax
import StorageVocabulary

extension Rule {
  static let reviewEnded = Rule(
    "review-ended", .protection, .warning, "The review of a key or a record has not ended.",
    why: "What was safe when it was reviewed may not be safe any more.",
    bad: .keys(
      "draft: {type: String, review: {by: security, until: 2020-01-01}, description: What the user has not sent yet.}"),
    good: .keys(
      "draft: {type: String, review: {by: security, until: 2099-12-31}, description: What the user has not sent yet.}"))
}

/// Checks that no review has ended. The day is known only where findings are judged, so this is no ``RunRule``.
struct ReviewEndedRule {
  let today: CalendarDate

  func findings(in run: CatalogRun) -> [Diagnostic] {
    var result: [Diagnostic] = []
    for key in run.documents.lazy.flatMap(\.keys) {
      guard let review = key.resolved.review, review.isOver(on: today) else { continue }
      result.append(finding(review, of: key.resolved.descriptor.member, in: key.body))
    }
    for record in run.records.all {
      guard let review = record.draft.review, review.isOver(on: today) else { continue }
      result.append(finding(review, of: record.name, in: record.body))
    }
    return result
  }

  private func finding(_ review: ResolvedReview, of name: String, in body: SyntaxNode) -> Diagnostic {
    Diagnostic(
      rule: Rule.reviewEnded.id, severity: Rule.reviewEnded.severity,
      "the review of '\(name)' by \(review.by) ended on \(review.until.text)",
      at: (body.value(of: "review") ?? body).place,
      help: "review how the value is protected, and write a later date in `until`", key: name)
  }
}
