package import LocalDataSyntax
import LocalDataVocabulary

/// A day on which something ends that a catalog declares.
package struct Deadline: Sendable {
  package enum Kind: Sendable {
    /// An entry of `allow`.
    case allowance(rule: String, reason: String)
    case review(by: String)
    /// The retention of a value that is written today, for example `30d`.
    case retention(String)
  }

  package var kind: Kind
  /// The last day on which it holds.
  package var date: CalendarDate
  /// The member of the key or the database, or the name of the record or the type.
  package var declaration: String
  package var place: SourcePlace

  /// Returns all deadlines of catalogs, by their dates.
  ///
  /// An allowance without `until` has no deadline, and neither has a retention until an event, for example the next launch.
  package static func all(in trees: [SyntaxTree], today: CalendarDate) -> [Deadline] {
    let run = CatalogResolver.link(trees)
    var result: [Deadline] = []
    for document in run.documents {
      for key in document.keys { result += deadlines(of: key, today) }
    }
    for record in run.records.all { result += deadlines(of: record, today) }
    for database in run.records.databases {
      result += deadlines(
        of: database.member.text, at: database.member, database.body, database.draft.allowances, nil, nil, today)
    }
    for type in run.context.types.all {
      result += deadlines(of: type.name, at: type.node, type.body, type.allowances, nil, nil, today)
    }
    // Deadlines of one day stay in the order of the catalogs.
    return result.enumerated().sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }.map(\.element)
  }

  private static func deadlines(of key: DecodedKey, _ today: CalendarDate) -> [Deadline] {
    var age: Int?
    if case .maxAge(let seconds) = key.resolved.descriptor.retention { age = seconds }
    return deadlines(
      of: key.resolved.descriptor.member, at: key.member, key.body, key.allowances, key.resolved.review, age, today)
  }

  private static func deadlines(of record: DecodedRecord, _ today: CalendarDate) -> [Deadline] {
    let draft = record.draft
    return deadlines(
      of: record.name, at: record.node, record.body, draft.allowances, draft.review, draft.retention?.maxAge, today)
  }

  private static func deadlines(
    of name: String, at node: SyntaxNode, _ body: SyntaxNode, _ allowances: [Allowance], _ review: ResolvedReview?,
    _ age: Int?, _ today: CalendarDate
  ) -> [Deadline] {
    var result = allowances.compactMap { allowance in
      allowance.until.map { end in
        Deadline(
          kind: .allowance(rule: allowance.rule, reason: allowance.reason), date: end, declaration: name,
          place: allowance.place)
      }
    }
    if let review {
      let place = (body.value(of: "review") ?? node).place
      result.append(Deadline(kind: .review(by: review.by), date: review.until, declaration: name, place: place))
    }
    if let age {
      // An inherited retention is written in 'defaults'.
      let place = (body.value(of: "retention") ?? node).place
      result.append(
        Deadline(
          kind: .retention(Retention.text(seconds: age)), date: today.adding(days: age / 86_400), declaration: name,
          place: place))
    }
    return result
  }
}
